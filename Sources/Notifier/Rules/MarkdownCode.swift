/// Blanks out the code in a Markdown text: fenced blocks and code spans, as CommonMark delimits them.
enum MarkdownCode {
    /// `text` with a space for every byte that stands in code; lengths and line ends stay.
    static func blanked(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 == backtick || $0 == tilde }) else { return text }
        var text = text
        blankFences(in: &text)
        blankSpans(in: &text)
        return text
    }

    private static let backtick = UInt8(ascii: "`")
    private static let tilde = UInt8(ascii: "~")
    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")

    private struct Fence {
        var mark: UInt8
        var length: Int
    }

    /// A fence stays open until one of its kind at least as long stands alone on a line, or to the end.
    private static func blankFences(in text: inout [UInt8]) {
        var open: Fence?
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: newline) ?? text.count
            let line = start..<end
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
            start = end + 1
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
        return Fence(mark: mark, length: end - start)
    }

    /// A code span reaches from a run of backticks to the next run of the same length.
    private static func blankSpans(in text: inout [UInt8]) {
        let runs = backtickRuns(in: text)
        var index = 0
        while index < runs.count {
            let length = runs[index].count
            if let closing = runs[(index + 1)...].firstIndex(where: { $0.count == length }) {
                blank(&text, runs[index].lowerBound..<runs[closing].upperBound)
                index = closing
            }
            index += 1
        }
    }

    /// At most so many runs are looked at, so that a text of nothing but backticks cannot take long.
    private static let mostRuns = 2_000

    private static func backtickRuns(in text: [UInt8]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var position = 0
        while position < text.count, runs.count < mostRuns {
            guard text[position] == backtick else {
                position += 1
                continue
            }
            let end = text[position...].firstIndex { $0 != backtick } ?? text.count
            runs.append(position..<end)
            position = end
        }
        return runs
    }

    private static func blank(_ text: inout [UInt8], _ range: Range<Int>) {
        for index in range where text[index] != newline { text[index] = space }
    }
}
