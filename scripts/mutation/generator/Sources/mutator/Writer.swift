import SwiftSyntax

/// Writes a file with all its mutants, and remembers where each one lies.
struct Writer {
    private let plan: Plan
    private(set) var text = ""
    private(set) var ranges: [WrittenRange] = []
    /// Whether the blanks and comments before the next token are written already.
    private var hasLead = false

    init(_ plan: Plan) {
        self.plan = plan
    }

    private var offset: Int { text.utf8.count }

    mutating func write(_ node: Syntax) {
        if let token = node.as(TokenSyntax.self) { return write(token) }
        if let replacement = plan.replacements[node.id] { return replace(node, replacement) }
        if let id = plan.hollows[node.id], let body = node.as(CodeBlockSyntax.self) { return hollow(body, id) }
        let omitted = plan.omissions[node.id] ?? []
        let prelude = plan.preludes[node.id]
        let isResult = plan.results.contains(node.id)
        if !omitted.isEmpty || prelude != nil || isResult { return guardStatement(node, omitted, prelude) }
        if let shift = plan.shifts[node.id] { return self.shift(node, shift) }
        if let alternatives = plan.alternatives[node.id] { return choose(node, alternatives) }
        writeChildren(of: node)
    }

    private mutating func writeChildren(of node: Syntax) {
        for child in node.children(viewMode: .sourceAccurate) { write(child) }
    }

    private mutating func write(_ token: TokenSyntax) {
        if !hasLead { text += token.leadingTrivia.description }
        hasLead = false
        text += token.text
        for opening in plan.openings[token.id] ?? [] {
            let start = offset
            text += " if A_(\(opening.id)) { "
            let inner = offset
            text += opening.text
            note(opening.id, inner..<offset, start)
            text += " };"
        }
        text += token.trailingTrivia.description
    }

    /// Blanks and comments stay outside what is put round a node.
    private mutating func wrap(_ node: Syntax, _ write: (inout Writer) -> Void) {
        if !hasLead { text += node.leadingTrivia.description }
        hasLead = true
        write(&self)
        text += node.trailingTrivia.description
    }

    /// The node itself without its trailing blanks.
    private mutating func writeBare(_ node: Syntax) {
        writeChildren(of: node)
        text.removeLast(node.trailingTrivia.description.count)
    }

    private mutating func replace(_ node: Syntax, _ replacement: Plan.Alternative) {
        wrap(node) { writer in
            let start = writer.offset
            writer.text += replacement.text
            writer.note(replacement.id, start..<writer.offset, start)
            writer.hasLead = false
        }
    }

    private mutating func choose(_ node: Syntax, _ alternatives: [Plan.Alternative]) {
        wrap(node) { writer in
            let start = writer.offset
            var texts: [Range<Int>] = []
            for alternative in alternatives {
                writer.text += "(A_(\(alternative.id)) ? ("
                let inner = writer.offset
                writer.text += alternative.text
                texts.append(inner..<writer.offset)
                writer.text += ") : "
            }
            writer.text += "("
            writer.writeBare(node)
            writer.text += ")" + String(repeating: ")", count: alternatives.count)
            for (alternative, range) in zip(alternatives, texts) { writer.note(alternative.id, range, start) }
        }
    }

    private mutating func shift(_ node: Syntax, _ shift: Plan.Alternative) {
        wrap(node) { writer in
            let start = writer.offset
            writer.text += "(("
            writer.writeBare(node)
            writer.text += ") \(shift.text) O_(\(shift.id)))"
            writer.note(shift.id, start..<writer.offset, start)
        }
    }

    private mutating func guardStatement(_ node: Syntax, _ omitted: [Int], _ prelude: Plan.Alternative?) {
        wrap(node) { writer in
            let start = writer.offset
            if let prelude {
                writer.text += "if A_(\(prelude.id)) { "
                let inner = writer.offset
                writer.text += prelude.text
                writer.note(prelude.id, inner..<writer.offset, start)
                writer.text += " }; "
            }
            if writer.plan.results.contains(node.id) { writer.text += "return " }
            guard !omitted.isEmpty else { return writer.writeBare(node) }
            writer.text += "if " + omitted.map { "!A_(\($0))" }.joined(separator: ", ") + " { "
            writer.writeBare(node)
            writer.text += " }"
            for id in omitted where !writer.ranges.contains(where: { $0.id == id }) {
                writer.note(id, start..<start, start)
            }
        }
    }

    private mutating func hollow(_ body: CodeBlockSyntax, _ id: Int) {
        write(body.leftBrace)
        let start = offset
        text += "if !A_(\(id)) {"
        write(Syntax(body.statements))
        text += "}"
        note(id, start..<start, start)
        write(body.rightBrace)
    }

    private mutating func note(_ id: Int, _ text: Range<Int>, _ start: Int) {
        ranges.append(WrittenRange(id: id, text: text, whole: start..<offset))
    }
}
