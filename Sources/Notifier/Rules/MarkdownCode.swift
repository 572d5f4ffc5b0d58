/// Blanks out what is no text in a Markdown text, as CommonMark delimits it: fenced and indented blocks of code, comments and raw HTML, and what
/// ``MarkdownInline`` finds in paragraphs.
enum MarkdownCode {
    /// A text with a space for every byte that stands in no text; lengths and line ends stay.
    static func blanked(_ written: [UInt8]) -> [UInt8] {
        var text = written
        let lines = self.lines(of: text)
        for block in blocks(in: text, lines) {
            blank(&text, block.range)
            // What stands behind the end of HTML is no indented code.
            if block.isBeforeText, !block.range.isEmpty { text[block.range.lowerBound] = UInt8(ascii: ".") }
        }
        blankIndented(in: &text, lines, written)
        var inline = MarkdownInline(text)
        for paragraph in paragraphs(of: text, lines) { inline.blank(paragraph) }
        return inline.text
    }

    private static let backtick = UInt8(ascii: "`")
    private static let tilde = UInt8(ascii: "~")
    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")

    /// The lines without their ends.
    private static func lines(of text: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        while start <= text.count {
            let end = text[start...].firstIndex(of: newline) ?? text.count
            lines.append(start..<end)
            start = end + 1
        }
        return lines
    }

    // MARK: Fences and HTML

    /// What goes on over several lines and is no text.
    private struct Block {
        enum Kind {
            case fence(mark: UInt8, length: Int)
            /// Ends behind the word.
            case html(end: String)
        }

        var kind: Kind
        var isQuoted: Bool
        /// Where the text of the list's entry begins that it stands in; 0 in none.
        var column: Int
    }

    /// A fence stays open until one of its kind at least as long stands alone on a line, to the end of its quotation or entry of a list, or to
    /// the end; so do comments and raw HTML up to the word that ends them.
    private static func blocks(
        in text: [UInt8],
        _ lines: [Range<Int>]
    ) -> [(range: Range<Int>, isBeforeText: Bool)] {
        var blocks: [(range: Range<Int>, isBeforeText: Bool)] = []
        var open: Block?
        var entries = ListEntries()
        for line in lines {
            let inner = withoutQuotation(text[line])
            // Within a block that stands in no quotation the marks of one are as good as any.
            let content = open.map { $0.isQuoted } ?? true ? inner : text[line]
            if let block = open, isOver(block, at: content, isQuoted: isQuoted(text[line])) { open = nil }
            if let block = open {
                let last = ending(of: block, in: text, content)
                if last != nil { open = nil }
                let range = line.lowerBound..<(last ?? line.upperBound)
                blocks.append((range: range, isBeforeText: range.upperBound < line.upperBound))
                continue
            }
            entries.take(inner)
            guard !entries.isIndented else { continue }
            let start = entries.textStart
            guard let kind = beginning(in: text, start..<line.upperBound) else { continue }
            open = Block(kind: kind, isQuoted: isQuoted(text[line]), column: entries.column)
            entries.takeBlock()
            blocks.append((range: start..<line.upperBound, isBeforeText: false))
        }
        return blocks
    }

    private static func isOver(_ block: Block, at line: ArraySlice<UInt8>, isQuoted: Bool) -> Bool {
        if block.isQuoted, !isQuoted { return true }
        return !isBlank(line) && indentation(of: line) < block.column
    }

    /// Where a block ends in a line; nil when it goes on.
    private static func ending(of block: Block, in text: [UInt8], _ line: ArraySlice<UInt8>) -> Int? {
        switch block.kind {
        case .html(let end): return find(end, in: text, line.indices).map { $0 + end.utf8.count }
        case .fence(let mark, let length):
            let marks = line.drop { " \t".utf8.contains($0) }
            let rest = marks.drop { $0 == mark }
            guard rest.startIndex - marks.startIndex >= length, isBlank(rest) else { return nil }
            return line.endIndex
        }
    }

    /// What begins at the beginning of a line's text and does not end in it.
    private static func beginning(in text: [UInt8], _ range: Range<Int>) -> Block.Kind? {
        guard let mark = text[range].first else { return nil }
        if mark == backtick || mark == tilde {
            let end = text[range].firstIndex { $0 != mark } ?? range.upperBound
            // An opening line of backticks with another backtick is a code span.
            guard end - range.lowerBound >= 3, mark != backtick || !text[end..<range.upperBound].contains(backtick)
            else { return nil }
            return .fence(mark: mark, length: end - range.lowerBound)
        }
        guard mark == UInt8(ascii: "<") else { return nil }
        for (start, end) in rawHTML {
            let behind = min(range.lowerBound + start.utf8.count, range.upperBound)..<range.upperBound
            guard find(start, in: text, range.lowerBound..<behind.lowerBound) != nil else { continue }
            if start != "<!--", let next = text[behind].first, !" \t\r>".utf8.contains(next) { continue }
            // `<!-->` is a whole comment.
            let inner = start == "<!--" ? range.lowerBound + 2..<range.upperBound : behind
            return find(end, in: text, inner) == nil ? .html(end: end) : nil
        }
        return nil
    }

    private static let rawHTML = [
        ("<!--", "-->"), ("<pre", "</pre>"), ("<style", "</style>"), ("<script", "</script>"),
        ("<textarea", "</textarea>"),
    ]

    /// Where a word of ASCII stands first, in any case.
    static func find(_ word: String, in text: [UInt8], _ range: Range<Int>) -> Int? {
        let word = Array(word.utf8)
        guard let first = word.first, range.count >= word.count else { return nil }
        return (range.lowerBound...(range.upperBound - word.count)).first { start in
            lowered(text[start]) == first
                && word.indices.allSatisfy { lowered(text[start + $0]) == word[$0] }
        }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// A line behind its marks of quotation.
    private static func withoutQuotation(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = line
        while case let text = rest.drop(while: { $0 == space }), text.first == UInt8(ascii: ">") {
            rest = text.dropFirst()
            if rest.first == space { rest = rest.dropFirst() }
        }
        return rest
    }

    /// Follows the entries of lists from line to line.
    private struct ListEntries {
        /// Where the text of the present line's entry begins; 0 in none.
        private(set) var column = 0
        /// Where the line's text begins, behind indentation and the marks of entries.
        private(set) var textStart = 0
        /// Whether it stands four columns or more behind where the entry's text begins: code, or what goes on with a paragraph. Nothing else
        /// begins there.
        private(set) var isIndented = false
        private var last = 0
        private var isBehindBlank = true

        mutating func take(_ line: ArraySlice<UInt8>) {
            var rest = line
            var begun = 0
            while MarkdownCode.beginsItem(rest) {
                let text = rest.drop { " \t".utf8.contains($0) }
                let behind = text.dropFirst(text.prefix { (0x30...0x39).contains($0) }.count + 1)
                // Marks count like blanks, and the blank behind them belongs to them.
                for byte in rest[..<behind.startIndex] { begun += byte == UInt8(ascii: "\t") ? 4 - begun % 4 : 1 }
                begun += 1
                rest = behind.dropFirst()
            }
            let indentation = MarkdownCode.indentation(of: line)
            let isBlank = MarkdownCode.isBlank(line)
            if begun > 0 {
                last = begun
            } else if !isBlank, isBehindBlank, indentation < last {
                last = 0
            }
            column = begun > 0 || indentation >= last ? last : 0
            textStart = rest.firstIndex { !" \t".utf8.contains($0) } ?? line.endIndex
            isIndented = (begun > 0 ? MarkdownCode.indentation(of: rest) : indentation - column) >= 4
            isBehindBlank = isBlank
        }

        /// In the line that was taken last a block begins: one that stands in no entry ends them all, and no paragraph goes on behind it.
        mutating func takeBlock() {
            if column == 0 { last = 0 }
            isBehindBlank = true
        }
    }

    // MARK: Indented blocks

    /// Four spaces make code of a line that goes on with no paragraph and belongs to no list, in quotations as well. A quotation that begins
    /// ends the paragraph before it; a paragraph in one goes on in lines with fewer marks, or none.
    private static func blankIndented(in text: inout [UInt8], _ lines: [Range<Int>], _ written: [UInt8]) {
        var (isInParagraph, isInList) = (false, false)
        // Of the quotations that are open, and whether they stand in a list.
        var (open, isListAround) = (0, false)
        for line in lines {
            let quotations = quotations(of: text[line])
            let bytes = text[quotations.start..<line.upperBound]
            let columns = indentation(of: bytes)
            let isBlank = isBlank(bytes)
            let isEntryBegun = beginsItem(bytes) && columns < 4
            // A block that was blanked out has lost the marks of its quotation.
            let left = isEntryBegun ? quotations.outer : quotations.count
            let isLazy = isInParagraph && !isBlank && !isHeading(bytes) && !isEntryBegun
            if left < open, !isLazy, text[line] == written[line] {
                (isInParagraph, isInList, open) = (false, isListAround, left)
                isListAround = isListAround && open > 0
            }
            if quotations.count > open {
                isListAround = isListAround || quotations.isInEntry && (isInList || isEntryBegun)
                (isInParagraph, isInList, open) = (false, false, quotations.count)
            }
            guard !isBlank else {
                isInParagraph = false
                continue
            }
            // What looks like an entry is code, too, where neither a list nor a paragraph goes on.
            let isEntry = isEntryBegun || beginsItem(bytes) && (isInParagraph || isInList)
            let isOfList = isEntry || isInList && columns > 0
            if !isInParagraph, !isOfList, columns >= 4 {
                blank(&text, quotations.start..<line.upperBound)
            } else {
                // A line that goes on with an entry's paragraph belongs to it, however far it stands to the left.
                let goesOn = isInParagraph && isInList && !isHeading(bytes)
                (isInParagraph, isInList) = (!isHeading(bytes), isOfList || goesOn)
            }
        }
    }

    /// The quotations that a line stands in.
    private struct Quotations {
        var count = 0
        /// Those that are in none of its entries.
        var outer = 0
        /// Whether one of them is indented, or behind the mark of an entry.
        var isInEntry = false
        /// Where the line begins behind the marks of the outer ones.
        var start: Int
    }

    /// Four columns in no quotation begins.
    private static func quotations(of line: ArraySlice<UInt8>) -> Quotations {
        var found = Quotations(start: line.startIndex)
        var (rest, isBehindEntry) = (line, false)
        while indentation(of: rest) < 4 {
            let text = rest.drop { $0 == space }
            if text.first == UInt8(ascii: ">") {
                found.count += 1
                if isBehindEntry || text.startIndex > rest.startIndex { found.isInEntry = true }
                rest = text.dropFirst()
                if rest.first == space { rest = rest.dropFirst() }
                if !isBehindEntry { (found.outer, found.start) = (found.count, rest.startIndex) }
            } else if beginsItem(text) {
                isBehindEntry = true
                rest = text.drop { (0x30...0x39).contains($0) }.dropFirst(2)
            } else {
                break
            }
        }
        return found
    }

    /// In columns, of which a tab fills up four.
    private static func indentation(of line: ArraySlice<UInt8>) -> Int {
        var columns = 0
        for byte in line {
            switch byte {
            case space: columns += 1
            case UInt8(ascii: "\t"): columns += 4 - columns % 4
            default: return columns
            }
        }
        return columns
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { " \t\r".utf8.contains($0) } }

    private static func isQuoted(_ line: ArraySlice<UInt8>) -> Bool {
        line.first { $0 != space } == UInt8(ascii: ">")
    }

    /// One to six `#`, and a blank or nothing behind them: `#12` is an item.
    private static func isHeading(_ line: ArraySlice<UInt8>) -> Bool {
        let marks = line.prefix { $0 == UInt8(ascii: "#") }.count
        return (1...6).contains(marks) && (line.dropFirst(marks).first.map { " \t\r".utf8.contains($0) } ?? true)
    }

    /// Whether a line begins an entry of a list: `- `, `* `, `+ `, `1. ` or `1) `.
    private static func beginsItem(_ line: ArraySlice<UInt8>) -> Bool {
        let text = line.drop { " \t>".utf8.contains($0) }
        let number = text.prefix { (0x30...0x39).contains($0) }
        let rest = text.dropFirst(number.count)
        guard let mark = rest.first, rest.dropFirst().first.map({ " \t\r".utf8.contains($0) }) ?? true else {
            return false
        }
        return number.isEmpty ? "-*+".utf8.contains(mark) : number.count < 10 && ".)".utf8.contains(mark)
    }

    // MARK: Paragraphs

    /// A paragraph ends at a blank line, a heading, the next entry of a list, and where a quotation begins or ends.
    private static func paragraphs(of text: [UInt8], _ lines: [Range<Int>]) -> [Range<Int>] {
        var paragraphs: [Range<Int>] = []
        var goesOn = false
        var wasQuoted = false
        for line in lines {
            let bytes = text[line]
            let isHeading = isHeading(bytes)
            guard !isBlank(bytes.drop { " >".utf8.contains($0) }) else {
                goesOn = false
                continue
            }
            let isQuoted = isQuoted(bytes)
            if goesOn, !isHeading, isQuoted == wasQuoted, !beginsItem(bytes), let last = paragraphs.last {
                paragraphs[paragraphs.count - 1] = last.lowerBound..<line.upperBound
            } else {
                paragraphs.append(line)
            }
            (goesOn, wasQuoted) = (!isHeading, isQuoted)
        }
        return paragraphs
    }

    static func blank(_ text: inout [UInt8], _ range: Range<Int>) {
        for index in range where text[index] != newline { text[index] = space }
    }
}
