import Testing

@testable import ReportPage

struct MarkupTests {
    @Test func escapesWhatIsInterpolated() {
        let name = "<script>alert(\"1\")</script> & 'x'"
        let markup: Markup = "<p title=\"\(name)\">\(name)</p>"
        let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;"
        #expect(markup.text == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func insertsMarkupAndNumbersAsTheyAre() {
        let inner: Markup = "<b>\(7)</b>"
        #expect(("<p>\(inner)</p>" as Markup).text == "<p><b>7</b></p>")
    }

    @Test(arguments: [
        "\u{202E}", "\u{2066}", "\u{200F}", "\u{061C}", "\u{0}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{E0041}",
    ])
    func showsWhatTurnsOrHidesText(_ scalar: String) {
        #expect(PageText.escaped("a\(scalar)b") == "a\u{FFFD}b")
    }

    @Test func keepsEndsOfLinesApart() {
        #expect(PageText.escaped("a\nb\tc") == "a b c")
    }

    @Test func cutsByCodePointsSoThatMarksDoNotPileUp() {
        let piled = "a" + String(repeating: "\u{0301}", count: 5_000)
        #expect(piled.count == 1)
        #expect(PageText.cut(piled).unicodeScalars.count == PageText.nameLength)
        #expect(PageText.cut("short") == "short")
    }

    @Test func writesCoordinatesWithOneDecimalAtMost() {
        let written = [0, 1, 1.04, 1.05, -0.04, -0.26, 12.96, -3].map { ("\(Coordinate($0))" as Markup).text }
        #expect(written == ["0", "1", "1", "1.1", "0", "-0.3", "13", "-3"])
    }
}
