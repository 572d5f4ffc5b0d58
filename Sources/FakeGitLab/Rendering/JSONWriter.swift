import Platform

/// Writes JSON as GitLab's serializer does: keys in the order given, no spaces, characters outside ASCII as they are.
///
/// Commas place themselves. Nothing checks that objects and arrays are closed; the renderers' tests decode what they
/// write.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false
    private let offsetSeconds: Int

    init(offsetSeconds: Int = 0, capacity: Int = 512) {
        self.offsetSeconds = offsetSeconds
        bytes.reserveCapacity(capacity)
    }

    mutating func object(_ content: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        content(&self)
        close(UInt8(ascii: "}"))
    }

    mutating func array(_ content: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        content(&self)
        close(UInt8(ascii: "]"))
    }

    mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func null() { literal("null") }

    mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

    mutating func int(_ value: Int64) {
        separate()
        bytes.appendDecimal(value)
    }

    mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// ISO 8601 with three fractional digits (GitLab facts §1): `Z`, or an offset when the instance has a time zone.
    mutating func time(_ value: WallTime) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.appendTimestamp(value, offsetSeconds: offsetSeconds)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A value that is JSON already.
    mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    private mutating func literal(_ text: StaticString) {
        separate()
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func open(_ byte: UInt8) {
        separate()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let byte = text[index]
            if byte == 0xE2, Self.isLineSeparator(text, at: index) {
                bytes.append(contentsOf: text[start..<index])
                appendUnicodeEscape(text[index + 2] == 0xA8 ? 0x2028 : 0x2029)
                start = index + 3
            } else if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(contentsOf: text[start..<index])
                appendEscape(of: byte)
                start = index + 1
            }
        }
        bytes.append(contentsOf: text[start...])
    }

    /// U+2028 and U+2029 end a line in JavaScript, so Rails escapes them.
    private static func isLineSeparator(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        index + 2 < text.count && text[index + 1] == 0x80 && (text[index + 2] == 0xA8 || text[index + 2] == 0xA9)
    }

    private mutating func appendEscape(of byte: UInt8) {
        let short: UInt8? =
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
            case 0x08: UInt8(ascii: "b")
            case 0x09: UInt8(ascii: "t")
            case 0x0A: UInt8(ascii: "n")
            case 0x0C: UInt8(ascii: "f")
            case 0x0D: UInt8(ascii: "r")
            default: nil
            }
        guard let short else { return appendUnicodeEscape(UInt16(byte)) }
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(short)
    }

    private mutating func appendUnicodeEscape(_ unit: UInt16) {
        bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
        for shift in [12, 8, 4, 0] as [UInt16] {
            bytes.append(Self.hexDigit(UInt8(unit >> shift & 0xF)))
        }
    }

    static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}

/// One key with its value, for each kind of value.
extension JSONWriter {
    mutating func field(_ name: StaticString, _ value: Int64) {
        key(name)
        int(value)
    }

    mutating func field(_ name: StaticString, _ value: Int) {
        key(name)
        int(Int64(value))
    }

    mutating func field(_ name: StaticString, _ value: Int64?) {
        key(name)
        if let value { int(value) } else { null() }
    }

    mutating func field(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    mutating func field(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    mutating func field(_ name: StaticString, _ value: WallTime) {
        key(name)
        time(value)
    }

    mutating func field(_ name: StaticString, _ value: WallTime?) {
        key(name)
        if let value { time(value) } else { null() }
    }

    mutating func nullField(_ name: StaticString) {
        key(name)
        null()
    }

    mutating func field(_ name: StaticString, json: [UInt8]) {
        key(name)
        raw(json)
    }

    mutating func objectField(_ name: StaticString, _ content: (inout JSONWriter) -> Void) {
        key(name)
        object(content)
    }

    mutating func arrayField(_ name: StaticString, _ content: (inout JSONWriter) -> Void) {
        key(name)
        array(content)
    }

    mutating func field(_ name: StaticString, strings: [String]) {
        arrayField(name) { writer in
            for value in strings { writer.string(value) }
        }
    }
}
