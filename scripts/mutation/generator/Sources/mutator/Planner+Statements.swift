import SwiftSyntax

extension Planner {
    /// Statements left out, and neighbours in the other order.
    func visitStatements(_ list: CodeBlockItemListSyntax) {
        var previous: (item: CodeBlockItemSyntax, text: String)?
        for item in list {
            defer { previous = item.bareCall.map { _ in (item, item.trimmedDescription) } }
            guard let rule = ruleForLeavingOut(item), list.count > 1 || list.mayBecomeEmpty else { continue }
            if let id = enter(rule, item, "") { plan.omissions[item.id, default: []].append(id) }
            guard let previous, item.bareCall != nil, rule != .logLeftOut, !previous.item.writesLog,
                previous.text != item.trimmedDescription
            else { continue }
            if let id = enter(.stepsReordered, previous.item, "\(item.trimmedDescription); \(previous.text)") {
                plan.preludes[previous.item.id] = .init(id: id, text: item.trimmedDescription)
                plan.omissions[item.id, default: []].append(id)
            }
        }
    }

    private func ruleForLeavingOut(_ item: CodeBlockItemSyntax) -> Rule? {
        if let call = item.bareCall {
            if item.writesLog { return .logLeftOut }
            let name = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            return name == "insert" ? .setForgets : .callLeftOut
        }
        guard case .expr(let expression) = item.item, let assignment = expression.bare.as(InfixOperatorExprSyntax.self)
        else { return nil }
        // The first value of a constant, or of anything in an initialiser, cannot be left out.
        if item.isInInitializer { return nil }
        let compound = assignment.operator.as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=") == true
        let isComparison = ["==", "!=", "<=", ">="].contains(assignment.operator.trimmedDescription)
        if assignment.operator.is(AssignmentExprSyntax.self) {
            return assignment.leftOperand.is(DiscardAssignmentExprSyntax.self) ? .callLeftOut : .assignmentLeftOut
        }
        return compound && !isComparison ? .assignmentLeftOut : nil
    }

    /// A function that ends at its beginning with what says the least.
    func visitBody(_ body: CodeBlockItemListSyntax, opening: TokenSyntax, returning type: String?) {
        guard let first = body.first else { return }
        for value in leastValues(of: type) {
            if body.count == 1, !value.isEmpty, case .expr(let expression) = first.item, !expression.isBranch {
                let isLiteral = expression.is(BooleanLiteralExprSyntax.self) || expression.is(NilLiteralExprSyntax.self)
                if !isLiteral && expression.trimmedDescription != value { offer(.earlyReturn, expression, value) }
                continue
            }
            if body.count == 1, !value.isEmpty, first.isBranchWithoutReturn { plan.results.insert(first.id) }
            let text = value.isEmpty ? "return" : "return \(value)"
            if let id = enter(.earlyReturn, first, text) {
                plan.openings[opening.id, default: []].append(.init(id: id, text: text))
            }
        }
    }

    private func leastValues(of type: String?) -> [String] {
        guard let type, type != "Void", type != "()" else { return [""] }
        if type.hasSuffix("?") { return ["nil"] }
        if type == "Bool" { return ["true", "false"] }
        if type.hasPrefix("Set<") { return ["[]"] }
        guard type.hasPrefix("["), type.hasSuffix("]") else { return [] }
        return [type.contains(":") ? "[:]" : "[]"]
    }

    /// A body of `catch` that does nothing, where what follows can do with that.
    func visitCatch(_ node: CatchClauseSyntax) {
        guard let last = node.body.statements.last?.item else { return }
        var leaves = false
        if case .stmt(let statement) = last { leaves = statement.endsItsBody }
        if case .expr(let expression) = last {
            leaves = expression.as(FunctionCallExprSyntax.self)?.isUnconditionalEnd == true
        }
        // Behind a body that leaves there may be nothing to return.
        guard !leaves || node.isInFunctionWithoutResult else { return }
        if let id = enter(.catchSwallows, node, "catch {}") { plan.hollows[node.body.id] = id }
    }
}

extension ExprSyntax {
    fileprivate var isBranch: Bool { self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) }
}

extension CodeBlockItemSyntax {
    /// Whether it is an `if` or `switch` whose branches are values.
    fileprivate var isBranchWithoutReturn: Bool {
        var expression: ExprSyntax?
        if case .expr(let whole) = item { expression = whole }
        if case .stmt(let statement) = item { expression = statement.as(ExpressionStmtSyntax.self)?.expression }
        guard let expression, expression.isBranch else { return false }
        return !expression.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.return) }
    }
}

extension StmtSyntax {
    fileprivate var endsItsBody: Bool {
        self.is(ReturnStmtSyntax.self) || self.is(ThrowStmtSyntax.self) || self.is(ContinueStmtSyntax.self)
            || self.is(BreakStmtSyntax.self)
    }
}
