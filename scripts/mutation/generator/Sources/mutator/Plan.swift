import SwiftSyntax

/// What is to be written round or in place of the nodes of one file.
///
/// As only one mutant is active at a time, a mutated text is plain; only the original one may hold others.
struct Plan {
    /// A mutated text that stands for a node while its mutant is active.
    struct Alternative {
        var id: Int
        var text: String
    }

    /// For an expression `e`: `(A_(7) ? (text) : (e))`.
    var alternatives: [SyntaxIdentifier: [Alternative]] = [:]
    /// For a literal: the text that stands for it, switch and all.
    var replacements: [SyntaxIdentifier: Alternative] = [:]
    /// For an expression `e`: `((e) - O_(7))` or with a plus.
    var shifts: [SyntaxIdentifier: Alternative] = [:]
    /// For a statement: the mutants in which it is left out.
    var omissions: [SyntaxIdentifier: [Int]] = [:]
    /// Before a statement: what comes first while a mutant is active.
    var preludes: [SyntaxIdentifier: Alternative] = [:]
    /// Behind the brace that opens a body: the statements that may end it at once.
    var openings: [SyntaxIdentifier: [Alternative]] = [:]
    /// Before a statement that was the whole of a body, and so its result: `return `.
    var results: Set<SyntaxIdentifier> = []
    /// For a body: the mutant in which it is empty.
    var hollows: [SyntaxIdentifier: Int] = [:]

    /// Alternatives, in order, for one node.
    mutating func addAlternative(_ id: Int?, _ text: String, for node: some SyntaxProtocol) {
        guard let id else { return }
        alternatives[node.id, default: []].append(Alternative(id: id, text: text))
    }
}
