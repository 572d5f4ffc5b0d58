/// Percent-encoding of paths and queries over UTF-8 bytes.
enum PercentEncoding {
    /// Nil when an escape is cut short or the bytes are not UTF-8.
    static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        let bytes = text.utf8
        let plus: UInt8? = plusIsSpace ? UInt8(ascii: "+") : nil
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == plus }) else { return String(text) }
        var decoded: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte == plus ? UInt8(ascii: " ") : byte)
                continue
            }
            guard let high = takeNibble(bytes, &index), let low = takeNibble(bytes, &index) else { return nil }
            decoded.append(high << 4 | low)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func takeNibble(_ bytes: Substring.UTF8View, _ index: inout Substring.Index) -> UInt8? {
        guard index < bytes.endIndex else { return nil }
        defer { index = bytes.index(after: index) }
        return switch bytes[index] {
        case let byte where (0x30...0x39).contains(byte): byte - 0x30
        case let byte where (0x41...0x46).contains(byte): byte - 0x41 + 10
        case let byte where (0x61...0x66).contains(byte): byte - 0x61 + 10
        default: nil
        }
    }

    /// As Rails writes query strings: everything but letters, digits, `-`, `_`, `.` and `~` is escaped, a space
    /// becomes `+`.
    static func encodeQuery(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else if byte == UInt8(ascii: " ") {
                encoded.append(UInt8(ascii: "+"))
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digit(byte >> 4))
                encoded.append(digit(byte & 0xF))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x41 + nibble - 10
    }

    /// As many parameters as Rack takes.
    static let pairLimit = 4_096

    /// The pairs of a query or form; nil when one cannot be decoded, holds NUL, or they are too many.
    static func pairs(_ query: Substring) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for bytes in query.utf8.split(separator: UInt8(ascii: "&")) {
            guard pairs.count < pairLimit else { return nil }
            let part = Substring(bytes)
            let mark = part.utf8.firstIndex(of: UInt8(ascii: "="))
            let name = part[..<(mark ?? part.endIndex)]
            let value = mark.map { part[part.utf8.index(after: $0)...] } ?? ""
            guard let name = decode(name, plusIsSpace: true), let value = decode(value, plusIsSpace: true) else {
                return nil
            }
            guard !name.utf8.contains(0), !value.utf8.contains(0) else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }
}
