/// Tells whether a comment mentions one person by name, as GitLab reads it: `@username` in any case, standing for itself,
/// outside code, HTML and links (GitLab facts §6.2). Mentions of everybody and of groups cannot be known from a text.
struct MentionParser: Sendable {
    private let username: [UInt8]

    init(username: String) {
        self.username = Array(username.utf8).map(Self.lowered)
    }

    /// True when `text`, which is Markdown, mentions the person.
    func isMentioned(in text: String) -> Bool {
        // Nearly all comments name nobody, and a scan for one byte tells.
        guard !username.isEmpty, text.utf8.contains(Self.at) else { return false }
        return isNamed(in: MarkdownCode.blanked(Array(text.utf8)))
    }

    private func isNamed(in bytes: [UInt8]) -> Bool {
        for index in bytes.indices where bytes[index] == Self.at {
            if index > 0, Self.isWord(bytes[index - 1]) || Self.isEscaped(bytes, index) { continue }
            if name(in: bytes, from: index + 1) { return true }
        }
        return false
    }

    /// Whether the name that begins at `start` is the person's. A name ends in no dot, and one with a slash behind it is a
    /// group's.
    private func name(in bytes: [UInt8], from start: Int) -> Bool {
        var end = start
        while end < bytes.count, Self.isName(bytes[end]) { end += 1 }
        let isGroup = end + 1 < bytes.count && bytes[end] == UInt8(ascii: "/") && Self.isName(bytes[end + 1])
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return !isGroup && bytes[start..<end].lazy.map(Self.lowered).elementsEqual(username)
    }

    private static let at = UInt8(ascii: "@")

    /// Of two backslashes the first takes the second for itself.
    private static func isEscaped(_ bytes: [UInt8], _ index: Int) -> Bool {
        let backslashes = bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        return !backslashes.isMultiple(of: 2)
    }

    /// Of a word are ASCII letters, digits and `_` alone: a name may stand right behind a letter of another script.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
