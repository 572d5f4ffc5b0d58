/// Reads the path argument of a database as SQLite does (sqlite.org/uri.html).
enum DatabasePath {
    /// The file that opening `path` creates when it does not exist; nil for a database in memory, a temporary one, or one
    /// behind a file system of its own.
    static func fileToCreate(for path: String) -> String? {
        guard path.hasPrefix("file:") else {
            return path.isEmpty || path == ":memory:" ? nil : path
        }
        let reference = path.dropFirst("file:".count).prefix { $0 != "#" }
        let parts = reference.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parameters = parts.count > 1 ? parts[1].split(separator: "&") : []
        guard !parameters.contains(where: { $0 == "mode=memory" || $0.hasPrefix("vfs=") || $0 == "mode=ro" }) else {
            return nil
        }
        let file = decodingPercents(in: withoutAuthority(parts[0]))
        return file.isEmpty || file == ":memory:" ? nil : file
    }

    private static func withoutAuthority(_ reference: Substring) -> Substring {
        guard reference.hasPrefix("//") else { return reference }
        return reference.dropFirst(2).drop { $0 != "/" }
    }

    /// Only two digits after the sign stand for a byte, as SQLite has it.
    private static func decodingPercents(in text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(digit)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What a hexadecimal digit stands for; nil for anything else, also a sign.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
