/// A text in which people and items can be named.
struct MarkdownParagraph {
    var text: [UInt8]
    /// In no list and no quotation, and no heading.
    var isTopLevel: Bool

    /// The paragraphs of a Markdown text, as CommonMark delimits them: fences and indented blocks are code and left out. What stands in a
    /// quotation counts as what does not (GitLab facts §6.2).
    static func all(in text: String) -> [MarkdownParagraph] {
        var reader = MarkdownReader()
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            reader.take(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
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
        /// How far what stands in the same entry of a list is indented.
        var indentation: Int
    }

    /// A comment, or an element whose lines are no Markdown.
    private struct RawHTML {
        var end: String
        var isQuoted: Bool
        /// How far what stands in the same entry of a list is indented.
        var indentation: Int
    }

    var found: [MarkdownParagraph] = []
    private var paragraph: [UInt8] = []
    private var isQuoted = false
    private var isInList = false
    /// Where the text of the entry begins that was begun last.
    private var entry = 0
    private var fence: Fence?
    private var html: RawHTML?
    /// How many quotations are open.
    private var quotations = 0
    /// Whether they stand in an entry of a list.
    private var isEntryQuoting = false

    mutating func take(_ line: [UInt8]) {
        let inner = Self.withoutQuotation(line)
        let isLineQuoted = inner.count < line.count
        if let open = fence {
            // A quotation or an entry that ends takes its fence along; in one outside of quotations their marks are text.
            let rest = open.isQuoted ? inner : line
            let isLeft = !rest.allSatisfy(Self.isBlank) && Self.indentation(rest[...]) < open.indentation
            guard open.isQuoted && !isLineQuoted || isLeft else { return close(open, with: rest) }
            fence = nil
        }
        if let open = html {
            let rest = open.isQuoted ? inner : line
            let isLeft = !rest.allSatisfy(Self.isBlank) && Self.indentation(rest[...]) < open.indentation
            guard open.isQuoted && !isLineQuoted || isLeft else { return close(open, with: rest) }
            html = nil
        }
        followQuotations(line, inner)
        let startsItem = Self.startsItem(inner[...])
        // Code, or what goes on with a paragraph: nothing begins there.
        let isDeep = !startsItem && Self.indentation(inner[...]) - (isInList ? entry : 0) >= 4
        let text = isDeep ? [] : Self.withoutMarks(inner[...])
        if startsItem { entry = inner.count - text.count }
        if let opening = fenceBeginning(text, in: inner, isQuoted: isLineQuoted) {
            endParagraph()
            fence = opening
            if startsItem { isInList = true }
        } else if let end = Self.endOfHTML(text) {
            endParagraph()
            html = RawHTML(end: end, isQuoted: isLineQuoted, indentation: indentation(of: text, in: inner))
            if startsItem { isInList = true }
        } else if inner.allSatisfy(Self.isBlank) {
            endParagraph()
        } else if !paragraph.isEmpty || isInList || !isDeep && !Self.isIndented(inner) {
            takeText(inner, isQuoted: isLineQuoted)
        }
    }

    private mutating func close(_ open: Fence, with line: [UInt8]) {
        let text = line.drop(while: Self.isBlank)
        let marks = text.prefix { $0 == open.mark }.count
        if marks >= open.length, text.dropFirst(marks).allSatisfy(Self.isBlank) { fence = nil }
    }

    /// What stands behind the end is text, and no paragraph.
    private mutating func close(_ open: RawHTML, with line: [UInt8]) {
        guard let place = MarkdownMarkup.find(open.end, in: line[...]) else { return }
        html = nil
        let rest = line[(place + open.end.utf8.count)...]
        if !rest.allSatisfy(Self.isBlank) { takeText([UInt8(ascii: ".")] + rest, isQuoted: open.isQuoted) }
    }

    /// A quotation that begins interrupts a paragraph. One ends with a line of fewer marks, unless that goes on with its paragraph.
    private mutating func followQuotations(_ line: [UInt8], _ inner: [UInt8]) {
        let marks = Self.quotationMarks(line[...])
        let isNearItem = Self.startsItem(inner[...]) && Self.indentation(inner[...]) < 4
        let isText = !inner.allSatisfy(Self.isBlank) && !Self.isHeading(inner) && !isNearItem
        // An entry ends what it does not stand in, and may begin with another.
        let around = isNearItem ? marks.beforeItems : marks.count
        if around < quotations, paragraph.isEmpty || !isText {
            endParagraph()
            quotations = around
            isInList = isEntryQuoting
            if around == 0 { isEntryQuoting = false }
        }
        if marks.count > quotations {
            endParagraph()
            if marks.isWithinEntry, isInList || isNearItem { isEntryQuoting = true }
            quotations = marks.count
            isInList = false
        }
    }

    private mutating func takeText(_ line: [UInt8], isQuoted: Bool) {
        let startsItem = Self.startsItem(line[...])
        let isHeading = Self.isHeading(line)
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

    private static func isHeading(_ line: [UInt8]) -> Bool {
        let marks = line.prefix { $0 == UInt8(ascii: "#") }.count
        return (1...6).contains(marks) && line.dropFirst(marks).first.map(isBlank) ?? true
    }

    private struct QuotationMarks {
        var count = 0
        var beforeItems = 0
        /// One is indented, or behind the mark of an entry.
        var isWithinEntry = false
    }

    private static func quotationMarks(_ line: ArraySlice<UInt8>) -> QuotationMarks {
        var marks = QuotationMarks()
        var rest = line
        var isItem = false
        while indentation(rest) < 4 {
            let text = rest.drop(while: isBlank)
            if text.first == UInt8(ascii: ">") {
                marks.count += 1
                if !isItem { marks.beforeItems += 1 }
                if isItem || text.count < rest.count { marks.isWithinEntry = true }
                rest = text.dropFirst()
            } else if startsItem(text) {
                isItem = true
                rest = text.drop { (0x30...0x39).contains($0) }.dropFirst()
            } else {
                break
            }
            if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        }
        return marks
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
    private static func startsItem(_ line: ArraySlice<UInt8>) -> Bool {
        let text = line.drop(while: isBlank)
        let digits = text.prefix { (0x30...0x39).contains($0) }
        let mark = text.dropFirst(digits.count).first
        let behind = text.dropFirst(digits.count + 1).first.map(isBlank) ?? true
        guard let mark, behind else { return false }
        return digits.isEmpty ? "-*+".utf8.contains(mark) : digits.count < 10 && ".)".utf8.contains(mark)
    }

    /// The line behind its indentation and the marks of its entries.
    private static func withoutMarks(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = line
        while startsItem(rest) {
            rest = rest.drop(while: isBlank).drop { (0x30...0x39).contains($0) }.dropFirst()
        }
        return rest.drop(while: isBlank)
    }

    private static func indentation(_ line: ArraySlice<UInt8>) -> Int {
        line.prefix(while: isBlank).reduce(0) { $0 + ($1 == UInt8(ascii: "\t") ? 4 : 1) }
    }

    private func fenceBeginning(_ text: ArraySlice<UInt8>, in line: [UInt8], isQuoted: Bool) -> Fence? {
        guard let mark = text.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else { return nil }
        let length = text.prefix { $0 == mark }.count
        // With another backtick on its line it is a span.
        guard length >= 3, mark != UInt8(ascii: "`") || !text.dropFirst(length).contains(mark) else { return nil }
        let indentation = indentation(of: text, in: line)
        return Fence(mark: mark, length: length, isQuoted: isQuoted, indentation: indentation)
    }

    /// How far what follows is indented when it stands in the same entry of a list as the text of a line.
    private func indentation(of text: ArraySlice<UInt8>, in line: [UInt8]) -> Int {
        if Self.startsItem(line[...]) { return line.count - text.count }
        return isInList ? min(2, Self.indentation(line[...])) : 0
    }

    /// What ends the HTML that a line begins with, where it goes on over the line.
    private static func endOfHTML(_ text: ArraySlice<UInt8>) -> String? {
        if text.starts(with: "<!--".utf8) {
            return MarkdownMarkup.find("-->", in: text.dropFirst(2)) == nil ? "-->" : nil
        }
        for name in ["pre", "style", "script", "textarea"] {
            let opening = text.prefix(name.utf8.count + 1)
            guard MarkdownMarkup.find("<\(name)", in: opening) != nil else { continue }
            let next = text.dropFirst(opening.count).first
            guard next.map({ Self.isBlank($0) || $0 == UInt8(ascii: ">") }) ?? true else { continue }
            return MarkdownMarkup.find("</\(name)>", in: text) == nil ? "</\(name)>" : nil
        }
        return nil
    }
}
