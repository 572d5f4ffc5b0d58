import Platform

/// The form each header value must have (APNs facts §3). Pure functions over text.
enum HeaderRules {
    /// At most this many bytes, not characters, in a collapse id.
    static let collapseIDLimitBytes = 64

    /// 32 hex digits grouped 8-4-4-4-12; documented as lower case, seen in upper case.
    static func isMessageID(_ text: String, acceptsUpperCase: Bool) -> Bool {
        let bytes = text.utf8
        guard bytes.count == 36 else { return false }
        for (index, byte) in bytes.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return false }
            } else {
                guard isHexadecimal(byte), acceptsUpperCase || byte & 0xE0 != 0x40 else { return false }
            }
        }
        return true
    }

    /// Letters, digits, dots and hyphens, and nothing empty.
    static func isTopic(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255 && text.utf8.allSatisfy(isTopicByte)
    }

    /// Whole seconds since 1970, no sign; nil when `text` is anything else.
    static func expiration(_ text: String) -> PushExpiration? {
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy(isDigit), let seconds = Int64(text) else {
            return nil
        }
        return seconds == 0 ? .immediately : .at(WallTime(secondsSinceEpoch: seconds))
    }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isTopicByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
}
