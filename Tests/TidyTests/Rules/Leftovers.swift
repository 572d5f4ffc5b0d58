extension Rule {
    /// What is left to do stands in the tracker, not in the sources.
    static let leftovers = Rule(name: "no work is left behind in a comment") { file in
        file.comments.compactMap { comment in
            let words = comment.text.split { !$0.isLetter }
            guard let word = words.first(where: { leftoverWords.contains(String($0)) }) else { return nil }
            return file.finding(comment.line, "do it or file it: \(word)")
        }
    }

    private static let leftoverWords: Set<String> = ["TODO", "FIXME", "XXX", "HACK"]
}
