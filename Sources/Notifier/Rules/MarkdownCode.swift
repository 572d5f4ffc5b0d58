/// Blanks out the code in a Markdown text: fenced and indented blocks and code spans, as CommonMark delimits them.
enum MarkdownCode {
    /// `text` with a space for every byte that stands in code; lengths and line ends stay.
    static func blanked(_ text: [UInt8]) -> [UInt8] {
        var text = text
        let lines = self.lines(of: text)
        blankFences(in: &text, lines)
        blankIndented(in: &text, lines)
        if text.contains(backtick) { blankSpans(in: &text, lines) }
        return text
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

    // MARK: Fences

    private struct Fence {
        var mark: UInt8
        var length: Int
        var isQuoted: Bool
    }

    /// A fence stays open until one of its kind at least as long stands alone on a line, to the end of its quotation, or to the end.
    private static func blankFences(in text: inout [UInt8], _ lines: [Range<Int>]) {
        var open: Fence?
        for line in lines {
            if let fence = open, fence.isQuoted, !isQuoted(text[line]) { open = nil }
            if let fence = open {
                if let closing = Self.fence(in: text, line: line, mustStandAlone: true),
                    closing.mark == fence.mark, closing.length >= fence.length
                {
                    open = nil
                }
                blank(&text, line)
            } else if let opening = Self.fence(in: text, line: line, mustStandAlone: false) {
                open = opening
                blank(&text, line)
            }
        }
    }

    private static func fence(in text: [UInt8], line: Range<Int>, mustStandAlone: Bool) -> Fence? {
        var start = line.lowerBound
        // Within a quotation or a list a fence stands behind its marks.
        while start < line.upperBound, " >\t".utf8.contains(text[start]) { start += 1 }
        guard start < line.upperBound, text[start] == backtick || text[start] == tilde else { return nil }
        let mark = text[start]
        let end = text[start..<line.upperBound].firstIndex { $0 != mark } ?? line.upperBound
        guard end - start >= 3 else { return nil }
        let rest = text[end..<line.upperBound]
        if mustStandAlone, rest.contains(where: { $0 != space && $0 != UInt8(ascii: "\r") }) { return nil }
        // An opening line of backticks with another backtick is a code span.
        if mark == backtick, rest.contains(backtick) { return nil }
        return Fence(mark: mark, length: end - start, isQuoted: isQuoted(text[line]))
    }

    // MARK: Indented blocks

    /// Four spaces make code of a line that goes on with no paragraph and belongs to no list.
    private static func blankIndented(in text: inout [UInt8], _ lines: [Range<Int>]) {
        var (isInParagraph, isInList) = (false, false)
        for line in lines {
            let bytes = text[line]
            guard !isBlank(bytes) else {
                isInParagraph = false
                continue
            }
            let isOfList = beginsItem(bytes) || isInList && indentation(of: bytes) > 0
            if !isInParagraph, !isOfList, indentation(of: bytes) >= 4 {
                blank(&text, line)
            } else {
                // A line that goes on with an entry's paragraph belongs to it, however far it stands to the left.
                let goesOn = isInParagraph && isInList && !isHeading(bytes)
                (isInParagraph, isInList) = (!isHeading(bytes), isOfList || goesOn)
            }
        }
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

    // MARK: Spans

    /// At most so many runs are looked at, so that a text of nothing but backticks cannot take long.
    private static let mostRuns = 2_000

    /// A code span reaches from a run of backticks to the next run of the same length in its paragraph.
    private static func blankSpans(in text: inout [UInt8], _ lines: [Range<Int>]) {
        var left = mostRuns
        for paragraph in paragraphs(of: text, lines) {
            let runs = backtickRuns(in: text[paragraph], most: left)
            left -= runs.count
            var index = 0
            while index < runs.count {
                let opening = withoutEscape(runs[index], in: text)
                if !opening.isEmpty,
                    let closing = runs[(index + 1)...].firstIndex(where: { $0.count == opening.count })
                {
                    blank(&text, opening.lowerBound..<runs[closing].upperBound)
                    index = closing
                }
                index += 1
            }
        }
    }

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

    private static func backtickRuns(in text: ArraySlice<UInt8>, most: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var position = text.startIndex
        while position < text.endIndex, runs.count < most {
            guard text[position] == backtick else {
                position += 1
                continue
            }
            let end = text[position...].firstIndex { $0 != backtick } ?? text.endIndex
            runs.append(position..<end)
            position = end
        }
        return runs
    }

    /// The run as it may open a span: behind a backslash its first backtick stands for itself.
    private static func withoutEscape(_ run: Range<Int>, in text: [UInt8]) -> Range<Int> {
        let backslashes = text[..<run.lowerBound].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        return backslashes.isMultiple(of: 2) ? run : (run.lowerBound + 1)..<run.upperBound
    }

    private static func blank(_ text: inout [UInt8], _ range: Range<Int>) {
        for index in range where text[index] != newline { text[index] = space }
    }
}
