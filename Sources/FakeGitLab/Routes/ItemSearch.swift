/// `search` and `in` (supplement §2): issues by PostgreSQL's full text where the words are Latin, everything else by ILIKE.
struct ItemSearch: Sendable {
    private let words: [String]
    private let phrase: String
    private let inTitle: Bool
    private let inDescription: Bool
    private let isFullText: Bool

    /// Nil when nothing is searched for.
    init?(_ parameters: Parameters, _ kind: ItemKind) {
        guard let text = parameters["search"], !text.allSatisfy(\.isWhitespace) else { return nil }
        phrase = text.lowercased()
        words = phrase.split(whereSeparator: \.isWhitespace).map(String.init)
        let fields = parameters["in"]?.split(separator: ",").map(String.init) ?? []
        inTitle = fields.isEmpty || fields.contains("title")
        inDescription = fields.isEmpty || fields.contains("description")
        isFullText = kind == .issue && text.unicodeScalars.allSatisfy { $0.value < 0x250 }
    }

    func accepts(_ fields: ItemFields) -> Bool {
        let texts = [inTitle ? fields.title : "", inDescription ? fields.description ?? "" : ""].map { $0.lowercased() }
        return isFullText ? matches(texts.joined(separator: " ")) : texts.contains(where: isLike)
    }

    /// Each word of the search begins a word of the text, endings left aside.
    private func matches(_ text: String) -> Bool {
        let found = Self.terms(text)
        return words.flatMap(Self.terms).allSatisfy { term in
            let stem = Self.stem(term)
            return found.contains { $0.hasPrefix(stem) }
        }
    }

    /// Every word stands somewhere in the text; a search of short words alone must be the whole text.
    private func isLike(_ text: String) -> Bool {
        let terms = words.filter { $0.count >= 3 }
        return terms.isEmpty ? text == phrase : terms.allSatisfy(text.contains)
    }

    private static func terms(_ text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// A rough English stem.
    private static func stem(_ word: String) -> String {
        for ending in ["ing", "ed", "es", "s"] where word.hasSuffix(ending) && word.count >= ending.count + 3 {
            return String(word.dropLast(ending.count))
        }
        return word
    }
}
