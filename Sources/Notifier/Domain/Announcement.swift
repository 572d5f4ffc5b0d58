/// What an operator says to people.
package struct Announcement: Hashable, Sendable {
    /// Characters of the title, which a push shows whole.
    package static let titleLimit = 100
    /// Characters of the text.
    package static let bodyLimit = 1_000

    var title: String
    var body: String

    /// Nil for texts that are empty, too long for a push, or hold control characters; the text may have several lines, or none.
    package init?(title: String, body: String) {
        guard (1...Self.titleLimit).contains(title.count), title.contains(where: { !$0.isWhitespace }),
            Self.encodedBytes(title) <= 240, !title.unicodeScalars.contains(where: Self.isControl),
            body.count <= Self.bodyLimit, Self.encodedBytes(body) <= 2_400,
            !body.unicodeScalars.contains(where: { Self.isControl($0) && $0 != "\n" })
        else { return nil }
        (self.title, self.body) = (title, body)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

    /// In JSON, where these take two.
    private static func encodedBytes(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ([0x0A, 0x22, 0x5C].contains($1) ? 2 : 1) }
    }
}
