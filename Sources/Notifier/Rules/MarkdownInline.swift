/// Blanks out what stands in a paragraph and is none of its text, whichever begins first: code spans, HTML, links and bare addresses. GitLab
/// seeks names in none of them (GitLab facts §6.2).
struct MarkdownInline {
    private(set) var text: [UInt8]
    /// Of the paragraph.
    private var end = 0
    /// Of backticks in the paragraph.
    private var runs: [Range<Int>] = []
    private var nextRun = 0
    /// At most so many runs are looked at, so that a text of nothing but backticks cannot take long.
    private var runsLeft = 2_000
    /// Open ones, which a link may begin with.
    private var brackets: [Int] = []
    private var hasCommentEnd = true

    init(_ text: [UInt8]) { self.text = text }

    /// Blanks out what is none of the text of a paragraph.
    mutating func blank(_ paragraph: Range<Int>) {
        end = paragraph.upperBound
        (runs, nextRun) = (backtickRuns(in: paragraph), 0)
        runsLeft -= runs.count
        (brackets, hasCommentEnd) = ([], true)
        var index = paragraph.lowerBound
        while index < end { index = take(index) }
    }

    /// Returns where to go on.
    private mutating func take(_ index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: "\\"): return index + 2
        case Self.backtick: return takeSpan(index)
        case UInt8(ascii: "<"): return takeMarkup(index)
        case UInt8(ascii: "["):
            brackets.append(index)
            return index + 1
        case UInt8(ascii: "]"): return takeLink(index)
        case UInt8(ascii: ":"): return takeAddress(index, behind: "://", isStart: index > 0 && isWord(index - 1))
        case UInt8(ascii: "w"): return takeAddress(index, behind: "www.", isStart: index == 0 || !isWord(index - 1))
        default: return index + 1
        }
    }

    private mutating func blank(_ start: Int, _ close: Int) -> Int {
        MarkdownCode.blank(&text, start..<close)
        return close
    }

    private static let backtick = UInt8(ascii: "`")

    // MARK: Code spans

    /// A code span reaches from a run of backticks to the next run of the same length; behind a backslash a run begins with its second one.
    private mutating func takeSpan(_ start: Int) -> Int {
        while nextRun < runs.count, runs[nextRun].upperBound <= start { nextRun += 1 }
        guard nextRun < runs.count, runs[nextRun].contains(start) else { return start + 1 }
        let length = runs[nextRun].upperBound - start
        guard let closing = runs[(nextRun + 1)...].first(where: { $0.count == length }) else { return start + length }
        return blank(start, closing.upperBound)
    }

    private func backtickRuns(in paragraph: Range<Int>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var position = paragraph.lowerBound
        while position < end, runs.count < runsLeft {
            guard text[position] == Self.backtick else {
                position += 1
                continue
            }
            let close = text[position..<end].firstIndex { $0 != Self.backtick } ?? end
            runs.append(position..<close)
            position = close
        }
        return runs
    }

    // MARK: HTML

    /// In these no names are sought.
    private static let opaque: Set<String> = ["a", "code", "pre", "style"]

    /// A comment, a tag, or an element in which no names are sought; one that is not closed reaches to the end of the paragraph.
    private mutating func takeMarkup(_ start: Int) -> Int {
        if has("<!--", at: start) {
            guard hasCommentEnd, let close = MarkdownCode.find("-->", in: text, start + 2..<end) else {
                hasCommentEnd = false
                return start + 4
            }
            return blank(start, close + 3)
        }
        guard let tag = tag(start) else { return start + 1 }
        guard Self.opaque.contains(tag.name) else { return blank(start, tag.end) }
        return blank(start, MarkdownCode.find("</\(tag.name)", in: text, tag.end..<end) ?? end)
    }

    /// The tag that begins with a `<`, in lower case; a closing one has no name. Nil where there is none.
    private func tag(_ start: Int) -> (name: String, end: Int)? {
        var index = start + 1
        let isClosing = index < end && text[index] == UInt8(ascii: "/")
        if isClosing { index += 1 }
        let first = index
        guard index < end, isLetter(index) else { return nil }
        while index < end, isWord(index) || text[index] == UInt8(ascii: "-") { index += 1 }
        let name = isClosing ? "" : String(decoding: text[first..<index], as: UTF8.self).lowercased()
        while index < end {
            if text[index] == UInt8(ascii: ">") { return (name: name, end: index + 1) }
            if text[index] == UInt8(ascii: "=") {
                guard let close = valueEnd(index + 1) else { return nil }
                index = close
            } else {
                guard isBlank(index) || isWord(index) || "/:.-_".utf8.contains(text[index]) else { return nil }
                index += 1
            }
        }
        return nil
    }

    /// Where an attribute's value ends.
    private func valueEnd(_ start: Int) -> Int? {
        let first = behindBlanks(start)
        guard first < end else { return nil }
        if text[first] == UInt8(ascii: "\"") || text[first] == UInt8(ascii: "'") {
            return text[(first + 1)..<end].firstIndex(of: text[first]).map { $0 + 1 }
        }
        return text[first..<end].firstIndex { $0 <= 0x20 || "<>='\"`".utf8.contains($0) }
    }

    // MARK: Links

    /// A link's text is no more sought through than its target; without a target the brackets are text like any other.
    private mutating func takeLink(_ closing: Int) -> Int {
        guard let opening = brackets.popLast(), has("](", at: closing), let close = targetEnd(closing + 2) else {
            return closing + 1
        }
        // A link holds no other, but pictures.
        if opening == 0 || text[opening - 1] != UInt8(ascii: "!") { brackets = [] }
        return blank(opening, close)
    }

    /// Behind the bracket that ends a link's target; nil where there is no target.
    private func targetEnd(_ start: Int) -> Int? {
        var index = behindBlanks(start)
        guard index < end else { return nil }
        if text[index] == UInt8(ascii: "<") {
            let close = text[(index + 1)..<end].firstIndex { "<>\n".utf8.contains($0) }
            guard let close, text[close] == UInt8(ascii: ">") else { return nil }
            index = close + 1
        } else {
            guard let close = bareEnd(index, deepest: 32, stops: "") else { return nil }
            index = close
        }
        index = behindBlanks(index)
        guard index < end else { return nil }
        let quotes: [UInt8: UInt8] = [
            UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "'"): UInt8(ascii: "'"),
            UInt8(ascii: "("): UInt8(ascii: ")"),
        ]
        if let quote = quotes[text[index]] {
            // One in round brackets holds no other that opens.
            let isRound = quote == UInt8(ascii: ")")
            let close = text[(index + 1)..<end].firstIndex { $0 == quote || isRound && $0 == UInt8(ascii: "(") }
            guard let close, text[close] == quote else { return nil }
            index = behindBlanks(close + 1)
        }
        return index < end && text[index] == UInt8(ascii: ")") ? index + 1 : nil
    }

    /// An address reaches to a blank, or to a bracket that closes none of its own.
    private mutating func takeAddress(_ index: Int, behind mark: String, isStart: Bool) -> Int {
        let start = index + mark.utf8.count
        guard isStart, has(mark, at: index), start < end, isWord(start) || text[start] >= 0x80 else {
            return index + 1
        }
        return blank(start, bareEnd(start, deepest: .max, stops: "<>]\"`") ?? start)
    }

    /// The first blank, the first of `stops` or the first round bracket that closes none that stands behind `start`; nil where more than
    /// `deepest` are open.
    private func bareEnd(_ start: Int, deepest: Int, stops: String) -> Int? {
        var (index, depth) = (start, 0)
        while index < end, text[index] > 0x20, !stops.utf8.contains(text[index]) {
            if text[index] == UInt8(ascii: "(") { depth += 1 }
            if text[index] == UInt8(ascii: ")") { depth -= 1 }
            guard depth <= deepest else { return nil }
            guard depth >= 0 else { return index }
            index += 1
        }
        return index
    }

    // MARK: Bytes

    private func has(_ word: String, at index: Int) -> Bool {
        index + word.utf8.count <= end && text[index...].starts(with: word.utf8)
    }

    private func behindBlanks(_ start: Int) -> Int {
        var index = start
        while index < end, isBlank(index) { index += 1 }
        return index
    }

    private func isBlank(_ index: Int) -> Bool { " \t\r\n".utf8.contains(text[index]) }

    private func isLetter(_ index: Int) -> Bool { (0x61...0x7A).contains(text[index] | 0x20) }

    private func isWord(_ index: Int) -> Bool { isLetter(index) || (0x30...0x39).contains(text[index]) }
}
