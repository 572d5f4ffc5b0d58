/// A text in which people and items can be named.
struct MarkdownParagraph {
    var text: [UInt8]
    /// In no list and no quotation, and no heading.
    var isTopLevel: Bool

    /// The paragraphs of a Markdown text, as CommonMark delimits them: fences and indented blocks are code and left out. What stands in a
    /// quotation counts as what does not (GitLab facts §6.2).
    static func all(in text: String) -> [MarkdownParagraph] {
        var reader = MarkdownReader()
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            reader.take(Array(line.utf8))
        }
        reader.endParagraph()
        return reader.found
    }
}

/// Reads Markdown line by line.
private struct MarkdownReader {
    private struct Fence: Equatable {
        var mark: UInt8
        var length: Int
        var isQuoted: Bool
    }

    var found: [MarkdownParagraph] = []
    private var paragraph: [UInt8] = []
    private var isQuoted = false
    private var isInList = false
    private var fence: Fence?

    mutating func take(_ line: [UInt8]) {
        let inner = Self.withoutQuotation(line)
        let isLineQuoted = inner.count < line.count
        if let open = fence {
            // A quotation that ends takes its fence along.
            guard open.isQuoted, !isLineQuoted else { return close(open, with: inner) }
            fence = nil
        }
        if let opening = Self.fence(inner, isQuoted: isLineQuoted) {
            endParagraph()
            fence = opening
        } else if inner.allSatisfy(Self.isBlank) {
            endParagraph()
        } else if !paragraph.isEmpty || isInList || !Self.isIndented(inner) {
            takeText(inner, isQuoted: isLineQuoted)
        }
    }

    private mutating func close(_ open: Fence, with line: [UInt8]) {
        let text = line.drop(while: Self.isBlank)
        let marks = text.prefix { $0 == open.mark }.count
        if marks >= open.length, text.dropFirst(marks).allSatisfy(Self.isBlank) { fence = nil }
    }

    private mutating func takeText(_ line: [UInt8], isQuoted: Bool) {
        let startsItem = Self.startsItem(line)
        let marks = line.prefix { $0 == UInt8(ascii: "#") }.count
        let isHeading = (1...6).contains(marks) && line.dropFirst(marks).first.map(Self.isBlank) ?? true
        if startsItem || isHeading || isQuoted != self.isQuoted { endParagraph() }
        self.isQuoted = isQuoted
        // What goes on with an entry's paragraph belongs to it.
        let isLazy = !paragraph.isEmpty && isInList
        if startsItem { isInList = true } else if line.first.map(Self.isBlank) != true, !isLazy { isInList = false }
        if !paragraph.isEmpty { paragraph.append(UInt8(ascii: "\n")) }
        paragraph += line
        if isHeading {
            found.append(MarkdownParagraph(text: paragraph, isTopLevel: false))
            paragraph = []
        }
    }

    mutating func endParagraph() {
        if !paragraph.isEmpty {
            found.append(MarkdownParagraph(text: paragraph, isTopLevel: !isQuoted && !isInList))
        }
        paragraph = []
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isIndented(_ line: [UInt8]) -> Bool {
        line.first == UInt8(ascii: "\t") || line.prefix(4).count { $0 == UInt8(ascii: " ") } == 4
    }

    /// The line behind its marks of quotation, `> `.
    private static func withoutQuotation(_ line: [UInt8]) -> [UInt8] {
        var rest = line[...]
        while case let text = rest.drop(while: isBlank), rest.count - text.count < 4, text.first == UInt8(ascii: ">") {
            rest = text.dropFirst()
            if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        }
        return Array(rest)
    }

    /// `- `, `* `, `+ `, `1. ` or `1) `.
    private static func startsItem(_ line: [UInt8]) -> Bool {
        let text = line.drop(while: isBlank)
        let digits = text.prefix { (0x30...0x39).contains($0) }
        let mark = text.dropFirst(digits.count).first
        let behind = text.dropFirst(digits.count + 1).first.map(isBlank) ?? true
        guard let mark, behind else { return false }
        return digits.isEmpty ? "-*+".utf8.contains(mark) : digits.count < 10 && ".)".utf8.contains(mark)
    }

    private static func fence(_ line: [UInt8], isQuoted: Bool) -> Fence? {
        let text = line.drop(while: isBlank)
        guard let mark = text.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else { return nil }
        let length = text.prefix { $0 == mark }.count
        // With another backtick on its line it is a span.
        guard length >= 3, mark != UInt8(ascii: "`") || !text.dropFirst(length).contains(mark) else { return nil }
        return Fence(mark: mark, length: length, isQuoted: isQuoted)
    }
}
