/// Finds mentions in the text of a comment.
enum Mentions {
    /// The usernames after an at sign at the start of a word, each once, in order. Text between backticks does not count
    /// (GitLab facts §6.2); a full stop at the end of a name belongs to the sentence.
    static func find(in body: String) -> [Username] {
        var found: [Username] = []
        for (index, part) in body.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where index.isMultiple(of: 2) {
            for username in usernames(in: part) where !found.contains(username) { found.append(username) }
        }
        return found
    }

    private static func usernames(in text: Substring) -> [Username] {
        var found: [Username] = []
        var previous: Character = " "
        for (index, character) in zip(text.indices, text) {
            if character == "@" && !isNamePart(previous) {
                var name = String(text[text.index(after: index)...].prefix(while: isNamePart))
                while let last = name.last, last == "." || last == "-" { name.removeLast() }
                if let username = Username(name) { found.append(username) }
            }
            previous = character
        }
        return found
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "_-.".contains(character))
    }
}
