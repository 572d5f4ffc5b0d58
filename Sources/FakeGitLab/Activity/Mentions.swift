/// Finds `@username` as GitLab's reference filter does: not inside code, HTML, links or addresses, not inside a word (GitLab facts §6.2).
enum Mentions {
    /// One mention.
    struct Mention: Equatable {
        let username: String
        /// True when a paragraph outside lists, headings and quotations begins with it, alone or behind other mentions and blanks: that addresses the
        /// person directly.
        let isDirect: Bool
    }

    static func find(in text: String) -> [Mention] {
        var found: [Mention] = []
        for paragraph in MarkdownParagraph.all(in: text) { scan(paragraph, into: &found) }
        return found
    }

    private static func scan(_ paragraph: MarkdownParagraph, into found: inout [Mention]) {
        let text = paragraph.text
        var isLeading = paragraph.isTopLevel
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\\") {
                index += 2
                isLeading = false
            } else if byte == UInt8(ascii: "`") {
                index = endOfSpan(text, from: index)
                isLeading = false
            } else if let end = MarkdownMarkup.end(in: text, from: index) {
                index = end
                isLeading = false
            } else if byte == UInt8(ascii: "@"), index == 0 || !isWord(text[index - 1]) {
                let end = text[(index + 1)...].firstIndex { !isName($0) } ?? text.count
                let isGroup = end + 1 < text.count && text[end] == UInt8(ascii: "/") && isName(text[end + 1])
                if !isGroup { note(trimmed(text[(index + 1)..<end]), isDirect: isLeading, in: &found) }
                if isGroup { isLeading = false }
                index = max(end, index + 1)
            } else {
                if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\n") { isLeading = false }
                index += 1
            }
        }
    }

    private static func note(_ name: String, isDirect: Bool, in found: inout [Mention]) {
        guard !name.isEmpty else { return }
        guard let place = found.firstIndex(where: { $0.username == name }) else {
            return found.append(Mention(username: name, isDirect: isDirect))
        }
        if isDirect { found[place] = Mention(username: name, isDirect: true) }
    }

    /// A username does not end in a full stop.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Behind the code that begins at a run of backticks and ends with the next one as long; behind the run alone where there is none.
    static func endOfSpan(_ text: [UInt8], from start: Int) -> Int {
        let opening = text[start...].prefix { $0 == UInt8(ascii: "`") }.count
        var index = start + opening
        while index < text.count {
            let run = text[index...].prefix { $0 == UInt8(ascii: "`") }.count
            if run == opening { return index + run }
            index += max(run, 1)
        }
        return start + opening
    }

    /// Of a word are ASCII letters, digits and `_` alone: a name may stand right behind a letter of another script.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
