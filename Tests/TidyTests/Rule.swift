import Testing

/// One house rule that the formatter cannot check.
struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    /// Where `file` breaks the rule.
    let check: @Sendable (SourceFile) -> [Finding]

    var testDescription: String { name }

    static let all: [Rule] = [
        .bannedCalls, .unstructuredTasks, .unprovenPromises, .fileLength, .functionLength, .documentation, .leftovers,
        .foundation, .targetImports,
    ]
}

/// A place where a rule is broken, and what to do instead.
struct Finding: Equatable, Sendable, CustomStringConvertible {
    let path: String
    let line: Int
    let advice: String

    var description: String { "\(path):\(line): \(advice)" }
}

extension SourceFile {
    func finding(_ line: Int, _ advice: String) -> Finding {
        Finding(path: path, line: line, advice: advice)
    }
}
