import Platform

/// What programs may write into a signal, and how much of it.
enum SignalInput {
    static let idCharacters = 1...64
    static let runCharacters = 1...40
    static let titleCharacters = 1...200
    static let projectCharacters = 1...100
    static let bodyCharacters = 0...2_000
    static let urlCharacters = 8...900
    static let nameCharacters = 1...64

    /// What ids and names of runs look like, as a regular expression: they stand in keys and in logs.
    static let idPattern = "[A-Za-z0-9._:@/+=-]*"
    /// One line.
    static let linePattern = #"[^\u0000-\u001F\u007F]*"#
    /// Lines, and tabs in them.
    static let textPattern = #"[^\u0000-\u0008\u000B-\u001F\u007F]*"#
    /// An address that is opened with a tap, so no other scheme may do.
    static let urlPattern =
        "https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?([/?]([A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?"
        + "(#([A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?"

    static func isID(_ text: String, _ characters: ClosedRange<Int>) -> Bool {
        characters.contains(text.utf8.count)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || "._:@/+=-".utf8.contains($0) }
    }

    static func isLine(_ text: String, _ characters: ClosedRange<Int>) -> Bool {
        characters.contains(text.unicodeScalars.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    static func isText(_ text: String, _ characters: ClosedRange<Int>) -> Bool {
        characters.contains(text.unicodeScalars.count)
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A }
    }

    static func isURL(_ text: String) -> Bool {
        guard urlCharacters.contains(text.utf8.count) else { return false }
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let rest = Array(text.utf8.dropFirst(scheme.utf8.count))
        let host = rest.prefix { isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        guard !host.isEmpty else { return false }
        var path = rest.dropFirst(host.count)
        if path.first == UInt8(ascii: ":") {
            let port = path.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard (1...5).contains(port.count) else { return false }
            path = path.dropFirst(1 + port.count)
        }
        let parts = path.split(separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts.first else { return path.isEmpty }
        guard start.isEmpty || start.first == UInt8(ascii: "/") || start.first == UInt8(ascii: "?") else {
            return false
        }
        return parts.allSatisfy(isPathText)
    }

    private static func isPathText(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2, rest.prefix(2).allSatisfy(isHexDigit) else { return false }
                rest = rest.dropFirst(2)
            } else {
                guard isLetterOrDigit(byte) || "._~:/?@!$&'()*+,;=-".utf8.contains(byte) else { return false }
            }
        }
        return true
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
        default: false
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), 0x30...0x39: true
        default: false
        }
    }
}
