import Platform
import Testing

@testable import Workbench

struct IncidentSkewTests {
    private static func minute(_ number: Int64, ahead milliseconds: Int64, isSlow: Bool = false) -> String {
        let minute = BundleLines.minute(number, [(200, 100)])
        let dated = String(minute.dropLast()) + #","dateAhead":\#(milliseconds)}"#
        return isSlow ? dated.replacing("[0,0,0,0,0,0,50,50]", with: "[0,0,0,0,0,0,0,0,0,0,0,50]") : dated
    }

    private func skews(_ lines: [String]) throws -> [[Int64]] {
        try IncidentTimeline(BundleLines.bundle(lines)).skews.map { skew in
            [skew.from, skew.until].map { ($0.microseconds - BundleLines.start) / 1_000_000 }
                + [skew.ahead.wholeMilliseconds]
        }
    }

    @Test func `a clock that was wrong for a while was so from between two minutes to between two`() throws {
        let wrong = try skews([
            Self.minute(10, ahead: -40), Self.minute(20, ahead: 89_100), Self.minute(30, ahead: 89_950),
            Self.minute(40, ahead: -30),
        ])
        // From 10m45s to 20m5s is half way at 15m25s.
        #expect(wrong == [[925, 2_125, 90_000]])
        #expect(try skews([Self.minute(10, ahead: 90_000)]) == [[0, 10_800, 90_000]])
        #expect(try skews([Self.minute(10, ahead: -90_500)]) == [[0, 10_800, -90_000]])
    }

    @Test func `the way of an answer is no wrong clock`() throws {
        #expect(try skews([Self.minute(10, ahead: -900), Self.minute(20, ahead: -2_900)]).isEmpty)
        #expect(try skews([Self.minute(10, ahead: -20_000, isSlow: true)]).isEmpty)
        #expect(try skews([BundleLines.minute(10, [(200, 100)])]).isEmpty)
    }

    @Test func `what GitLab dated by a wrong clock happened when the server's clock says`() throws {
        let told = [
            BundleLines.fact(1, account: 1, at: 25, notification: 1),
            BundleLines.notification(1, account: 1, at: 24, action: "commented"),
        ]
        let bundle = try BundleLines.bundle(told + [Self.minute(10, ahead: 120_000)])
        let text = try IncidentScenario(bundle, name: "imported").text()
            .replacing("\n", with: "").replacing(" ", with: "")
        #expect(text.contains(#""at":"23m","action":"comment""#))
        #expect(text.contains(#""fault":"clock-offset","id":"clock-1","node":"gitlab","offset":"2m","for":"3h""#))
    }

    @Test(arguments: [#""soon""#, "99999999999"])
    func `a clock that is further ahead than any is refused`(ahead: String) {
        let line = String(BundleLines.minute(10, [(200, 1)]).dropLast()) + #","dateAhead":\#(ahead)}"#
        #expect(throws: IncidentFault.self) { try BundleLines.bundle([line]) }
    }
}
