import SwiftSyntax

/// Finds the mutants of one file. The tree's operators must be folded.
final class Planner: SyntaxVisitor {
    var plan = Plan()
    var catalogue: Catalogue
    let types: TypeTable
    private let places: Places

    init(_ file: String, _ tree: SourceFileSyntax, types: TypeTable, catalogue: Catalogue) {
        self.types = types
        self.catalogue = catalogue
        places = Places(file: file, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    /// Enters a mutant of a node; nil when it was refused before.
    func enter(_ rule: Rule, _ node: some SyntaxProtocol, _ mutated: String) -> Int? {
        catalogue.add(rule, places.place(of: node), node.trimmedDescription, mutated)
    }

    /// Enters a mutant that stands in place of an expression.
    func offer(_ rule: Rule, _ node: some SyntaxProtocol, _ text: String) {
        plan.addAlternative(enter(rule, node, text), text, for: node)
    }

    // Nothing is evaluated there, or what is evaluated only makes texts for people.
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        visitOperator(node)
        return .visitChildren
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        switch node.condition {
        case .expression(let condition) where !condition.is(BooleanLiteralExprSyntax.self):
            offer(.conditionNegated, condition, "!(\(condition.trimmedDescription))")
        case .optionalBinding(let binding):
            if let value = binding.initializer?.value { offer(.bindingNil, value, "nil") }
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        offer(.conditionNegated, node.condition, "!(\(node.condition.trimmedDescription))")
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if node.parent?.is(ConditionElementSyntax.self) == true || node.isInDictionary { return .skipChildren }
        let isTrue = node.literal.text == "true"
        if let id = enter(.literalFlipped, node, isTrue ? "false" : "true") {
            plan.replacements[node.id] = .init(id: id, text: isTrue ? "(!A_(\(id)))" : "A_(\(id))")
        }
        return .skipChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard !node.isInDictionary, !node.isColumn, let value = Int(node.literal.text.filter { $0 != "_" }) else {
            return .skipChildren
        }
        let isDuration = isDurationCount(node)
        let changed = isDuration && value > 0 ? value * 2 : value + 1
        if let id = enter(isDuration ? .durationDoubled : .constantChanged, node, "\(changed)") {
            plan.replacements[node.id] = .init(id: id, text: "I_(\(id), \(value), \(changed))")
        }
        return .skipChildren
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let text = node.trimmedDescription
        let isPlain = node.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
        for variant in isPlain ? SQLMistakes.variants(of: text) : [] {
            plan.addAlternative(enter(.sqlChanged, node, difference(text, variant)), variant, for: node)
        }
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.isUnconditionalEnd || node.isAssertion { return .skipChildren }
        visitCall(node)
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        visitStatements(node)
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if let body = node.body {
            let type = node.signature.returnClause?.type.trimmedDescription
            visitBody(body.statements, opening: body.leftBrace, returning: type)
        }
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if let block = node.accessorBlock, case .getter(let body) = block.accessors, let type = node.typeAnnotation {
            visitBody(body, opening: block.leftBrace, returning: type.type.trimmedDescription)
        }
        return .visitChildren
    }

    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind {
        visitCatch(node)
        return .visitChildren
    }

    /// What differs, with a few words round it.
    private func difference(_ text: String, _ variant: String) -> String {
        let common = zip(text, variant).prefix { $0 == $1 }.count
        return "…" + String(variant.dropFirst(max(0, common - 30)).prefix(70)) + "…"
    }
}
