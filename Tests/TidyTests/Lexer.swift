/// Splits Swift source into tokens and comments: as much of the grammar as the rules need. Regex literals are not known.
struct Lexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private(set) var tokens: [Token] = []
    private(set) var comments: [Comment] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        readCode(untilParenthesisCloses: false)
    }

    /// Reads code to the end of the text, or to the parenthesis that closes an interpolation.
    private mutating func readCode(untilParenthesisCloses: Bool) {
        var depth = 0
        while let byte = byte(at: 0) {
            switch byte {
            case newline:
                line += 1
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                position += 1
            case slash where self.byte(at: 1) == slash:
                readLineComment()
            case slash where self.byte(at: 1) == UInt8(ascii: "*"):
                readBlockComment()
            case quote:
                readString(hashes: 0)
            case hash where hashesBeforeQuote > 0:
                readString(hashes: hashesBeforeQuote)
            case UInt8(ascii: "`"):
                readRawIdentifier()
            case _ where Self.isWordByte(byte):
                readWord()
            default:
                tokens.append(Token(text: String(UnicodeScalar(byte)), line: line))
                position += 1
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if untilParenthesisCloses && depth < 0 { return }
            }
        }
    }

    private mutating func readWord() {
        let start = position
        while let byte = byte(at: 0), Self.isWordByte(byte) { position += 1 }
        tokens.append(Token(text: text(from: start), line: line))
    }

    /// A name between backticks may hold any sign but a backtick and a line end.
    private mutating func readRawIdentifier() {
        let start = position
        position += 1
        while let byte = byte(at: 0), byte != newline {
            position += 1
            if byte == UInt8(ascii: "`") { break }
        }
        tokens.append(Token(text: text(from: start), line: line))
    }

    private mutating func readLineComment() {
        let start = position
        while let byte = byte(at: 0), byte != newline { position += 1 }
        comments.append(Comment(text: text(from: start), line: line, lastLine: line))
    }

    /// Block comments nest.
    private mutating func readBlockComment() {
        let start = position
        let startLine = line
        var depth = 0
        while let byte = byte(at: 0) {
            if byte == newline { line += 1 }
            if byte == slash && self.byte(at: 1) == UInt8(ascii: "*") {
                depth += 1
                position += 1
            } else if byte == UInt8(ascii: "*") && self.byte(at: 1) == slash {
                depth -= 1
                position += 1
            }
            position += 1
            if depth == 0 { break }
        }
        comments.append(Comment(text: text(from: start), line: startLine, lastLine: line))
    }

    /// Skips a literal with `hashes` signs before its quote, and reads the code in its interpolations.
    private mutating func readString(hashes: Int) {
        tokens.append(Token(text: "\"\"", line: line))
        position += hashes
        let isMultiline = byte(at: 1) == quote && byte(at: 2) == quote
        let quotes = isMultiline ? 3 : 1
        position += quotes
        while let byte = byte(at: 0) {
            if byte == newline {
                // A literal that is not closed on its line is no literal; going on would swallow the file.
                if !isMultiline { return }
                line += 1
            }
            if byte == UInt8(ascii: "\\") && isRun(of: hash, count: hashes, at: 1) {
                position += 1 + hashes
                readEscape()
            } else if byte == quote && isRun(of: quote, count: quotes, at: 0)
                && isRun(of: hash, count: hashes, at: quotes)
            {
                position += quotes + hashes
                return
            } else {
                position += 1
            }
        }
    }

    private mutating func readEscape() {
        guard let byte = byte(at: 0), byte != newline else { return }
        position += 1
        if byte == UInt8(ascii: "(") { readCode(untilParenthesisCloses: true) }
    }

    private var hashesBeforeQuote: Int {
        var count = 0
        while byte(at: count) == hash { count += 1 }
        return byte(at: count) == quote ? count : 0
    }

    private func isRun(of wanted: UInt8, count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(at: offset + $0) == wanted }
    }

    private func byte(at offset: Int) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }
}

private let newline = UInt8(ascii: "\n")
private let slash = UInt8(ascii: "/")
private let quote = UInt8(ascii: "\"")
private let hash = UInt8(ascii: "#")
