import Testing

@testable import Notifier

/// What is taken and what is published as taken are the same.
struct SignalInputTests {
    static let texts =
        [
            "", "a", "run-481/deploy", "a b", "a,b", "a\u{0}", "ä", "a\n", "\t", "\r", "\u{7F}", "\u{1F}", "x#y",
            "a:b@c+d=e_f.g",
            "Deploy the fix 🚀", "one\ntwo\tthree",
        ]
        + ["id", "ü", "🚀"].flatMap { text in
            [39, 40, 41, 63, 64, 65, 100, 101, 200, 201, 2_000, 2_001].map { String(repeating: text, count: $0) }
        }

    static let urls =
        [
            "https://a", "http://a", "https://", "ftp://a", "javascript:alert(1)",
            "https://agents.example.com/runs/481?x=1#y",
            "https://a/%", "https://a/%2", "https://a/%2f", "https://a/%zz", "https://a b", "https://a/ b",
            "https://a/#x#y",
            "https://a:80/", "https://a:", "https://a:123456", "https://a?b", "https://a#b", "https://[::1]/",
            "https://u:p@a/",
            "HTTPS://a", "https://a/ä", "https://a/\u{0}", "https://a\n", "https://a:8443?x", "https:///x", "http://a#",
        ] + [890, 891, 892, 893].map { "https://a/" + String(repeating: "x", count: $0) }

    private func matches(_ text: String, _ pattern: String, _ characters: ClosedRange<Int>) throws -> Bool {
        // One code point is one character of JSON Schema, and of the pattern.
        let regex = try Regex("(?:\(pattern))").matchingSemantics(.unicodeScalar)
        return try characters.contains(text.unicodeScalars.count) && regex.wholeMatch(in: text) != nil
    }

    @Test(arguments: texts)
    func `ids, lines and texts are what their patterns say`(text: String) throws {
        for characters in [SignalInput.idCharacters, SignalInput.runCharacters] {
            let isID = try matches(text, SignalInput.idPattern, characters)
            #expect(SignalInput.isID(text, characters) == isID)
        }
        for characters in [SignalInput.titleCharacters, SignalInput.projectCharacters, SignalInput.nameCharacters] {
            let isLine = try matches(text, SignalInput.linePattern, characters)
            #expect(SignalInput.isLine(text, characters) == isLine)
        }
        let isText = try matches(text, SignalInput.textPattern, SignalInput.bodyCharacters)
        #expect(SignalInput.isText(text, SignalInput.bodyCharacters) == isText)
    }

    @Test(arguments: urls)
    func `addresses are what their pattern says`(url: String) throws {
        let isURL = try matches(url, SignalInput.urlPattern, SignalInput.urlCharacters)
        #expect(SignalInput.isURL(url) == isURL)
    }

    @Test func `both kinds are among them`() {
        #expect(Self.urls.contains(where: SignalInput.isURL) && !Self.urls.allSatisfy(SignalInput.isURL))
        #expect(Self.texts.contains { SignalInput.isID($0, SignalInput.idCharacters) })
        #expect(!Self.texts.allSatisfy { SignalInput.isText($0, SignalInput.bodyCharacters) })
    }
}
