/// How long text becomes inside a JSON string, where quotes, backslashes and control characters are escaped.
enum JSONText {
    private static let ellipsis = "…"
    /// No letter, flag or family of emoji takes more. What does is a letter under a heap of marks, of which nobody misses some.
    private static let longestCharacter = 64

    /// Bytes of `text` between the quotes, as the encoder writes it with slashes left alone.
    static func encodedLength(_ text: some StringProtocol) -> Int {
        text.utf8.reduce(0) { $0 + encodedLength($1) }
    }

    /// The longest beginning of `text` that takes at most `limit` encoded bytes, ended by an ellipsis when something is cut.
    ///
    /// Cuts between characters as people see them, so no emoji or accent is torn (APNs facts §17, item 15). Only one that is
    /// longer than any is cut inside, or it alone would take everything behind it away.
    static func prefix(_ text: String, encodedLimit limit: Int) -> String {
        guard encodedLength(text) > limit else { return text }
        let room = limit - ellipsis.utf8.count
        var used = 0
        var end = text.startIndex
        for index in text.indices {
            let length = encodedLength(text[index...index])
            guard used + length <= room else {
                if length > longestCharacter { end = scalars(of: text, from: index, in: room - used) }
                break
            }
            used += length
            end = text.index(after: index)
        }
        return room < 0 ? "" : String(text[..<end]) + ellipsis
    }

    /// The end of as many Unicode scalars from `start` on as take at most `room` encoded bytes.
    private static func scalars(of text: String, from start: String.Index, in room: Int) -> String.Index {
        var used = 0
        var end = start
        while end < text.endIndex {
            let next = text.unicodeScalars.index(after: end)
            used += text.utf8[end..<next].reduce(0) { $0 + encodedLength($1) }
            guard used <= room else { break }
            end = next
        }
        return end
    }

    private static func encodedLength(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        case 0x00..<0x20: 6
        default: 1
        }
    }
}
