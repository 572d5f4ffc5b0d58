import SwiftSyntax

/// Numbers and names the mutants, leaving out those that the compiler refused before.
struct Catalogue {
    private(set) var mutants: [Mutant] = []
    private let refused: Set<String>
    private var seen: [String: Int] = [:]

    init(refused: Set<String>) {
        self.refused = refused
    }

    /// The number of a new mutant; nil for one that was refused.
    mutating func add(_ rule: Rule, _ place: Place, _ original: String, _ mutated: String) -> Int? {
        let name = "\(place.file):\(rule.rawValue)"
        let ordinal = seen["\(name):\(place.lineText)", default: 0] + 1
        seen["\(name):\(place.lineText)"] = ordinal
        let key = "\(name):\(ordinal):\(place.lineText)"
        guard !refused.contains(key) else { return nil }
        mutants.append(
            Mutant(
                id: mutants.count + 1,
                key: key,
                rule: rule,
                file: place.file,
                line: place.line,
                column: place.column,
                original: oneLine(original),
                mutated: oneLine(mutated)
            )
        )
        return mutants.count
    }

    private func oneLine(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count <= 120 ? words : words.prefix(119) + "…"
    }
}

/// A place in a source.
struct Place {
    var file: String
    var line: Int
    var column: Int
    /// The whole line without the blanks round it.
    var lineText: String
}

/// Finds the places of one file.
struct Places {
    private let file: String
    private let converter: SourceLocationConverter
    private let lines: [String]

    init(file: String, tree: SourceFileSyntax) {
        self.file = file
        converter = SourceLocationConverter(fileName: file, tree: tree)
        lines = converter.sourceLines.map { String($0.trimmed) }
    }

    func place(of node: some SyntaxProtocol) -> Place {
        let start = node.startLocation(converter: converter)
        return Place(file: file, line: start.line, column: start.column, lineText: lines[start.line - 1])
    }
}

extension StringProtocol {
    /// Without the blanks at both ends.
    var trimmed: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}
