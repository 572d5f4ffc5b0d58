import SwiftSyntax

extension ExprSyntaxProtocol {
    /// Whether it is a value in a dictionary: JSON, which takes literals and no integers or booleans.
    var isInDictionary: Bool { parent?.is(DictionaryElementSyntax.self) == true }

    /// Whether it is the number of a column in `row.text(2)`: another column has another type, and any run would end there.
    var isColumn: Bool {
        let call = parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
        return call?.calledExpression.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription == "row"
    }
}

extension ExprSyntax {
    /// Without `try` and `await` before it.
    var bare: ExprSyntax {
        if let attempt = self.as(TryExprSyntax.self) { return attempt.expression.bare }
        if let wait = self.as(AwaitExprSyntax.self) { return wait.expression.bare }
        return self
    }
}

extension FunctionCallExprSyntax {
    /// A call after which nothing comes.
    var isUnconditionalEnd: Bool {
        ["fatalError", "preconditionFailure", "assertionFailure"].contains(calledExpression.trimmedDescription)
    }

    /// A call that believes something.
    var isAssertion: Bool {
        ["precondition", "assert"].contains(calledExpression.trimmedDescription)
    }
}

extension CodeBlockItemSyntax {
    /// The call that is all of the statement, and may be left out.
    var bareCall: FunctionCallExprSyntax? {
        guard case .expr(let expression) = item, let call = expression.bare.as(FunctionCallExprSyntax.self),
            !call.isUnconditionalEnd, !call.isAssertion
        else { return nil }
        let name = call.calledExpression.trimmedDescription
        return name == "super.init" || name.hasPrefix("self.init") ? nil : call
    }

    /// Whether it only tells the log or the metrics something.
    var writesLog: Bool {
        guard let name = bareCall?.calledExpression.trimmedDescription else { return false }
        let parts = name.split(separator: ".")
        return parts.count > 1 && ["log", "metrics"].contains(parts[parts.count - 2])
    }

    /// Whether an initialiser is the nearest function round it.
    var isInInitializer: Bool {
        var outer = parent
        while let node = outer {
            if node.is(InitializerDeclSyntax.self) { return true }
            if node.is(FunctionDeclSyntax.self) || node.is(AccessorBlockSyntax.self) { return false }
            outer = node.parent
        }
        return false
    }
}

extension CodeBlockItemListSyntax {
    /// Whether its only statement may be left out: a closure or a function with a result could mean it as the result.
    var mayBecomeEmpty: Bool {
        guard let outer = parent else { return false }
        if outer.is(SwitchCaseSyntax.self) {
            return outer.isInFunctionWithoutResult
                && outer.parent?.parent?.parent?.is(ExpressionStmtSyntax.self) == true
        }
        guard outer.is(CodeBlockSyntax.self), let owner = outer.parent else { return false }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause == nil }
        return !owner.is(GuardStmtSyntax.self) && !owner.is(AccessorDeclSyntax.self)
    }
}

extension SyntaxProtocol {
    /// Whether the nearest function has no result; of a closure nothing is known.
    var isInFunctionWithoutResult: Bool {
        var outer = parent
        while let node = outer {
            if let function = node.as(FunctionDeclSyntax.self) { return function.signature.returnClause == nil }
            if node.is(ClosureExprSyntax.self) || node.is(AccessorBlockSyntax.self) { return false }
            outer = node.parent
        }
        return false
    }
}
