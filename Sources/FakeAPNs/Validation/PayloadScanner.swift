/// What APNs and the device learn from a payload (APNs facts §4).
struct PayloadSummary: Equatable {
    /// The root holds an `aps` object.
    var hasAps = false
    /// `aps` holds an alert, so that there is something to display.
    var hasAlert = false
}

/// Reads a payload once, byte by byte, as RFC 8259 JSON whose root is an object. Builds no tree: a push is judged in
/// about a microsecond.
struct PayloadScanner {
    private static let depthLimit = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var summary = PayloadSummary()
    private var sawNonASCII = false

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Nil when `payload` is not one well-formed JSON object in UTF-8.
    static func scan(_ payload: [UInt8]) -> PayloadSummary? {
        payload.withUnsafeBufferPointer { bytes in
            var scanner = PayloadScanner(bytes)
            return scanner.scanRoot()
        }
    }

    private mutating func scanRoot() -> PayloadSummary? {
        skipSpace()
        guard peek == UInt8(ascii: "{"), scanObject(depth: 1, insideAps: false) else { return nil }
        skipSpace()
        guard position == bytes.count else { return nil }
        guard !sawNonASCII || String(validating: bytes, as: UTF8.self) != nil else { return nil }
        return summary
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func scanValue(depth: Int) -> Bool {
        switch peek {
        case UInt8(ascii: "{"): scanObject(depth: depth + 1, insideAps: false)
        case UInt8(ascii: "["): scanArray(depth: depth + 1)
        case UInt8(ascii: "\""): scanString() != nil
        case UInt8(ascii: "t"): takeWord("true")
        case UInt8(ascii: "f"): takeWord("false")
        case UInt8(ascii: "n"): takeWord("null")
        default: scanNumber()
        }
    }

    private mutating func scanObject(depth: Int, insideAps: Bool) -> Bool {
        guard depth <= Self.depthLimit, take(UInt8(ascii: "{")) else { return false }
        skipSpace()
        if take(UInt8(ascii: "}")) { return true }
        repeat {
            skipSpace()
            guard let key = scanString() else { return false }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { return false }
            skipSpace()
            guard scanMember(key, depth: depth, insideAps: insideAps) else { return false }
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}"))
    }

    private mutating func scanMember(_ key: Range<Int>, depth: Int, insideAps: Bool) -> Bool {
        if depth == 1, peek == UInt8(ascii: "{"), equals(key, "aps") {
            summary.hasAps = true
            return scanObject(depth: 2, insideAps: true)
        }
        if insideAps, peek != UInt8(ascii: "n"), equals(key, "alert") { summary.hasAlert = true }
        return scanValue(depth: depth)
    }

    private mutating func scanArray(depth: Int) -> Bool {
        guard depth <= Self.depthLimit, take(UInt8(ascii: "[")) else { return false }
        skipSpace()
        if take(UInt8(ascii: "]")) { return true }
        repeat {
            skipSpace()
            guard scanValue(depth: depth) else { return false }
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]"))
    }

    /// The bytes between the quotes, escapes as written; nil when malformed.
    private mutating func scanString() -> Range<Int>? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return start..<(position - 1)
            case UInt8(ascii: "\\"):
                guard scanEscape() else { return nil }
            case 0..<0x20: return nil
            case 0x80...: sawNonASCII = true
            default: break
            }
        }
        return nil
    }

    private mutating func scanEscape() -> Bool {
        guard let byte = peek else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            guard position + 4 <= bytes.count else { return false }
            defer { position += 4 }
            return bytes[position..<position + 4].allSatisfy(HeaderRules.isHexadecimal)
        default: return false
        }
    }

    private mutating func scanNumber() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")), !scanDigits() { return false }
        if take(UInt8(ascii: ".")), !scanDigits() { return false }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            return scanDigits()
        }
        return true
    }

    private mutating func scanDigits() -> Bool {
        let start = position
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        return position > start
    }

    private mutating func takeWord(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, equals(position..<end, word) else { return false }
        position = end
        return true
    }

    private func equals(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for offset in 0..<range.count where bytes[range.lowerBound + offset] != word.utf8Start[offset] {
            return false
        }
        return true
    }
}
