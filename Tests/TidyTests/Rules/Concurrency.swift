extension Rule {
    /// A task that no group owns is cancelled by someone, and a comment says by whom.
    static let unstructuredTasks = Rule(name: "an unstructured task names who cancels it") { file in
        file.tokens.indices.filter { createsTask(at: $0, in: file) }.compactMap { index in
            let line = file.tokens[index].line
            let isExplained = file.commentsBeside(line).contains { $0.text.lowercased().contains("cancel") }
            guard !isExplained else { return nil }
            return file.finding(line, "use a task group, or say in a comment above who cancels this task")
        }
    }

    /// What the compiler cannot prove, a comment does, by one of a few reasons. Where the reason alone is no proof, the proof follows it.
    static let unprovenPromises = Rule(name: "a promise the compiler cannot check names its reason") { file in
        let promises = [["@", "unchecked", "Sendable"], ["nonisolated", "(", "unsafe", ")"]]
        return file.tokens.indices.compactMap { index in
            let line = file.tokens[index].line
            guard promises.contains(where: { file.matches($0, at: index) }),
                !file.commentsBeside(line).contains(where: { UncheckedReason(in: $0.text) != nil })
            else { return nil }
            let reasons = UncheckedReason.allCases.map(\.rawValue).joined(separator: ", ")
            return file.finding(
                line,
                "say above why this is safe, as in \"Unchecked: REASON: ...\", by one of: \(reasons)"
            )
        }
    }

    /// `Task {`, `Task(priority: …) {`, `Task<Void, Never> {`, `Task.detached` and `Task.immediate`.
    private static func createsTask(at index: Int, in file: SourceFile) -> Bool {
        guard file.token(index) == "Task", file.token(index - 1) != "extension" else { return false }
        if file.token(index + 1) == "." {
            return ["detached", "immediate", "init"].contains(file.token(index + 2))
        }
        var next = index + 1
        if file.token(next) == "<" { next = position(behind: "<", ">", from: next, in: file) }
        return file.token(next) == "{" || file.token(next) == "("
    }

    private static func position(behind open: String, _ close: String, from start: Int, in file: SourceFile) -> Int {
        var depth = 0
        for index in start..<file.tokens.count {
            if file.tokens[index].text == open { depth += 1 }
            if file.tokens[index].text == close { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        return file.tokens.count
    }
}
