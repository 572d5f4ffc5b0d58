import SwiftSyntax

/// What types names have, where every declaration of a name in the module says the same: all that a parser can tell.
struct TypeTable {
    private var types: [String: Set<String>] = [:]

    /// Reads the declarations of one file.
    mutating func read(_ tree: SourceFileSyntax) {
        let reader = DeclarationReader()
        reader.walk(tree)
        for (name, type) in reader.found { types[name, default: []].insert(type) }
    }

    /// The type of `x`, `self.x` or `a.b.x`; nil for other expressions and for names that stand for several types.
    func type(of expression: ExprSyntax) -> String? {
        var name: String?
        if let reference = expression.as(DeclReferenceExprSyntax.self) { name = reference.baseName.text }
        if let member = expression.as(MemberAccessExprSyntax.self), member.base != nil {
            name = member.declName.baseName.text
        }
        if expression.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        if expression.is(IntegerLiteralExprSyntax.self) { return "Int" }
        guard let name, let found = types[name], found.count == 1, let type = found.first, type != "?" else {
            return nil
        }
        return type
    }
}

/// Collects names with the types that are written beside them; `?` for those without.
private final class DeclarationReader: SyntaxVisitor {
    var found: [(String, String)] = []

    init() {
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if let name = node.pattern.as(IdentifierPatternSyntax.self) {
            found.append((name.identifier.text, node.typeAnnotation?.type.trimmedDescription ?? "?"))
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        found.append(((node.secondName ?? node.firstName).text, node.type.trimmedDescription))
        return .visitChildren
    }
}
