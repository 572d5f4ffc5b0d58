/// Reads JSON (RFC 8259) strictly into a tree that knows its positions.
///
/// Bounded: the caller limits the size, `maximumDepth` the nesting. Keys that appear twice in one object are reported and
/// the first one kept; any other fault ends the reading.
package struct JSONReader {
    /// Why the text is no JSON, and where.
    package struct Failure: Error, Equatable {
        /// What kind of fault it is.
        package enum Kind: Sendable {
            case syntax
            /// The text ends before its value does.
            case truncated
            case tooDeep
        }

        package var kind: Kind
        /// In bytes from the beginning of the text.
        package var offset: Int
        /// A sentence for people.
        package var message: String
        package var hint: String?
    }

    /// A key that its object already had.
    package struct Duplicate: Equatable {
        package var key: String
        /// Where in the document it stands (RFC 6901).
        package var pointer: String
        /// Byte offset of the second one.
        package var offset: Int
    }

    static let maximumDepth = 64

    private let bytes: [UInt8]
    private var index = 0
    /// Brackets that are still open, outermost first, with their offsets.
    private var open: [(bracket: UInt8, offset: Int)] = []
    private var path: [String] = []
    package private(set) var duplicates: [Duplicate] = []

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The one value of the text; throws `Failure`.
    package mutating func read() throws(Failure) -> JSONNode {
        skipBlanks()
        let node = try readValue()
        skipBlanks()
        guard index == bytes.count else {
            throw failure("There is more after the end of the JSON value.", hint: "A file holds exactly one object.")
        }
        return node
    }

    private mutating func readValue() throws(Failure) -> JSONNode {
        let offset = index
        switch try peek() {
        case UInt8(ascii: "{"): return JSONNode(content: .object(try readObject()), offset: offset)
        case UInt8(ascii: "["): return JSONNode(content: .array(try readArray()), offset: offset)
        case UInt8(ascii: "\""): return JSONNode(content: .string(try readString()), offset: offset)
        case UInt8(ascii: "-"), 0x30...0x39: return JSONNode(content: .number(try readNumber()), offset: offset)
        case UInt8(ascii: "t"): return JSONNode(content: try readWord("true", .bool(true)), offset: offset)
        case UInt8(ascii: "f"): return JSONNode(content: try readWord("false", .bool(false)), offset: offset)
        case UInt8(ascii: "n"): return JSONNode(content: try readWord("null", .null), offset: offset)
        case let byte: throw unexpected(byte, expected: "a value")
        }
    }

    private mutating func readObject() throws(Failure) -> [JSONNode.NamedNode] {
        try enter()
        var members: [JSONNode.NamedNode] = []
        var keys: Set<String> = []
        skipBlanks()
        while try peek() != UInt8(ascii: "}") {
            let keyOffset = index
            guard bytes[index] == UInt8(ascii: "\"") else {
                throw unexpected(bytes[index], expected: "a key in double quotes")
            }
            let key = try readString()
            skipBlanks()
            try expect(UInt8(ascii: ":"), after: "a key")
            path.append(key)
            let node = try readValue()
            if keys.insert(key).inserted {
                members.append(JSONNode.NamedNode(key: key, keyOffset: keyOffset, node: node))
            } else {
                duplicates.append(Duplicate(key: key, pointer: JSONPointer.text(path), offset: keyOffset))
            }
            path.removeLast()
            try separator(closing: UInt8(ascii: "}"), after: "a member")
        }
        leave()
        return members
    }

    private mutating func readArray() throws(Failure) -> [JSONNode] {
        try enter()
        var elements: [JSONNode] = []
        skipBlanks()
        while try peek() != UInt8(ascii: "]") {
            path.append(String(elements.count))
            elements.append(try readValue())
            path.removeLast()
            try separator(closing: UInt8(ascii: "]"), after: "an element")
        }
        leave()
        return elements
    }

    private mutating func enter() throws(Failure) {
        guard open.count < Self.maximumDepth else {
            throw Failure(
                kind: .tooDeep,
                offset: index,
                message: "Brackets are nested more than \(Self.maximumDepth) deep.",
                hint: nil
            )
        }
        open.append((bytes[index], index))
        index += 1
    }

    private mutating func leave() {
        open.removeLast()
        index += 1
    }

    /// Passes the comma before the next element; stops at the closing bracket.
    private mutating func separator(closing: UInt8, after what: String) throws(Failure) {
        skipBlanks()
        let byte = try peek()
        if byte == closing { return }
        guard byte == UInt8(ascii: ",") else {
            throw unexpected(byte, expected: "a comma or `\(character(closing))` after \(what)")
        }
        let comma = index
        index += 1
        skipBlanks()
        if try peek() == closing {
            throw Failure(
                kind: .syntax,
                offset: comma,
                message: "There is a comma after the last element.",
                hint: "Remove the comma; JSON does not allow it."
            )
        }
    }

    private mutating func expect(_ wanted: UInt8, after what: String) throws(Failure) {
        let byte = try peek()
        guard byte == wanted else { throw unexpected(byte, expected: "`\(character(wanted))` after \(what)") }
        index += 1
        skipBlanks()
    }

    private mutating func readWord(_ word: String, _ content: JSONNode.Content) throws(Failure) -> JSONNode.Content {
        let available = bytes[index...].prefix(word.utf8.count)
        guard available.elementsEqual(word.utf8) else {
            if index + available.count == bytes.count && word.utf8.starts(with: available) { throw truncated() }
            throw unexpected(bytes[index], expected: "a value")
        }
        index += word.utf8.count
        return content
    }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }

    private func peek() throws(Failure) -> UInt8 {
        guard index < bytes.count else { throw truncated() }
        return bytes[index]
    }
}

// MARK: - Numbers and strings

extension JSONReader {
    private mutating func readNumber() throws(Failure) -> String {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let first = index
        try readDigits()
        if bytes[first] == UInt8(ascii: "0") && index - first > 1 {
            throw Failure(kind: .syntax, offset: start, message: "A number starts with a superfluous 0.", hint: nil)
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            try readDigits()
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[index]) { index += 1 }
            try readDigits()
        }
        if index < bytes.count, isLetter(bytes[index]) {
            throw failure(
                "A number is followed by a letter.",
                hint: "Values with a unit are strings: write \"45m\" in double quotes."
            )
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func readDigits() throws(Failure) {
        let start = index
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
        if index == start { throw unexpected(try peek(), expected: "a digit") }
    }

    private mutating func readString() throws(Failure) -> String {
        let start = index
        index += 1
        var content: [UInt8] = []
        while true {
            guard index < bytes.count else { throw truncated(inStringAt: start) }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { break }
            if byte < 0x20 {
                throw Failure(
                    kind: .syntax,
                    offset: start,
                    message: "A string is not closed on its line.",
                    hint: "Close it with a double quote; a line break inside a string is written \\n."
                )
            }
            if byte == UInt8(ascii: "\\") {
                content.append(contentsOf: try readEscape())
            } else {
                content.append(byte)
                index += 1
            }
        }
        index += 1
        return String(decoding: content, as: UTF8.self)
    }

    private mutating func readEscape() throws(Failure) -> [UInt8] {
        index += 1
        let byte = try peek()
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try readScalar())).utf8)
        default:
            index -= 2
            throw failure("A string contains an escape that JSON does not know.", hint: "A backslash is written \\\\.")
        }
    }

    private mutating func readScalar() throws(Failure) -> Unicode.Scalar {
        let start = index - 2
        let first = try readCodeUnit()
        var value = UInt32(first)
        if UTF16.isLeadSurrogate(first), bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            index += 2
            let second = try readCodeUnit()
            if UTF16.isTrailSurrogate(second) {
                value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            }
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw Failure(kind: .syntax, offset: start, message: "A \\u escape is half of a pair.", hint: nil)
        }
        return scalar
    }

    private mutating func readCodeUnit() throws(Failure) -> UInt16 {
        guard bytes.count - index >= 4 else { throw truncated() }
        let digits = String(decoding: bytes[index..<index + 4], as: UTF8.self)
        guard digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            throw failure("A \\u escape needs four hexadecimal digits.", hint: nil)
        }
        index += 4
        return unit
    }
}

// MARK: - Failures

extension JSONReader {
    private func failure(_ message: String, hint: String?) -> Failure {
        Failure(kind: .syntax, offset: index, message: message, hint: hint)
    }

    private func unexpected(_ byte: UInt8, expected: String) -> Failure {
        let found = (0x21...0x7E).contains(byte) ? "`\(character(byte))`" : "something else"
        return failure("Expected \(expected), found \(found).", hint: hint(for: byte))
    }

    private func hint(for byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments; in a scenario `description` holds them."
        case UInt8(ascii: "'"): "JSON writes strings in double quotes."
        case UInt8(ascii: ","): "There is a comma too many."
        case UInt8(ascii: "\""): "A comma is missing before this."
        case let byte where isLetter(byte): "Keys and texts stand in double quotes."
        default: nil
        }
    }

    private func truncated(inStringAt start: Int? = nil) -> Failure {
        let missing = open.reversed().map { $0.bracket == UInt8(ascii: "{") ? "}" : "]" }.joined()
        var message = "The file ends in the middle"
        if let last = open.last {
            let source = SourceText(bytes: bytes)
            let kind = last.bracket == UInt8(ascii: "{") ? "object" : "array"
            message += " of the \(kind) that begins in line \(source.position(at: last.offset).line)"
        }
        if start != nil { message += ", inside a string" }
        return Failure(
            kind: .truncated,
            offset: bytes.count,
            message: message + ".",
            hint: missing.isEmpty
                ? "The file was probably not written to its end."
                : "The file was probably not written to its end; `\(missing)` is missing at least."
        )
    }
}

private func character(_ byte: UInt8) -> Character { Character(Unicode.Scalar(byte)) }

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
