import SwiftSyntax

extension Planner {
    private static let boundaries = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]
    private static let inverses = ["<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="]
    private static let conjunctions = ["&&": "||", "||": "&&"]
    private static let slices: Set = ["prefix", "suffix", "dropFirst", "dropLast"]
    private static let durations: Set = [
        "nanoseconds", "microseconds", "milliseconds", "seconds", "minutes", "hours", "days",
    ]

    /// Comparisons, conjunctions and ranges.
    func visitOperator(_ node: InfixOperatorExprSyntax) {
        guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return }
        let left = node.leftOperand.trimmedDescription
        let right = node.rightOperand.trimmedDescription
        if let other = Self.boundaries[name] { offer(.comparisonOffByOne, node, "\(left) \(other) \(right)") }
        // A whole condition is turned round by a rule of its own.
        if let other = Self.inverses[name], node.parent?.is(ConditionElementSyntax.self) != true {
            offer(.equalityNegated, node, "\(left) \(other) \(right)")
        }
        if let other = Self.conjunctions[name] { offer(.andOr, node, "(\(left)) \(other) (\(right))") }
        if name == "..<" || name == "..." { shiftBound(node.rightOperand) }
    }

    /// Arguments that are a bound, and neighbours that change places.
    func visitCall(_ node: FunctionCallExprSyntax) {
        if let name = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            Self.slices.contains(name), node.arguments.count == 1, let argument = node.arguments.first,
            argument.label == nil
        {
            shiftBound(argument.expression)
        }
        forgetInsertion(node)
        swapArguments(node)
    }

    /// Whether a literal is the only argument of `.seconds(…)` or the like.
    func isDurationCount(_ node: IntegerLiteralExprSyntax) -> Bool {
        guard let argument = node.parent?.as(LabeledExprSyntax.self), argument.label == nil,
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
            let called = call.calledExpression.as(MemberAccessExprSyntax.self)
        else { return false }
        return Self.durations.contains(called.declName.baseName.text)
    }

    /// Names only: a literal has a rule of its own, and of anything else the type is not known.
    private func shiftBound(_ bound: ExprSyntax) {
        guard bound.is(DeclReferenceExprSyntax.self) || bound.is(MemberAccessExprSyntax.self) else { return }
        if let id = enter(.boundOffByOne, bound, "\(bound.trimmedDescription) - 1") {
            plan.shifts[bound.id] = .init(id: id, text: "-")
        }
    }

    /// `set.insert(x).inserted` of a set that does not keep what it is given.
    private func forgetInsertion(_ node: FunctionCallExprSyntax) {
        guard let called = node.calledExpression.as(MemberAccessExprSyntax.self), let set = called.base,
            called.declName.baseName.text == "insert", node.arguments.count == 1, let element = node.arguments.first,
            element.label == nil, let result = node.parent?.as(MemberAccessExprSyntax.self),
            result.declName.baseName.text == "inserted"
        else { return }
        offer(.setForgets, result, "!\(set.trimmedDescription).contains(\(element.expression.trimmedDescription))")
    }

    /// Neighbours of one type change places, where the type of both can be told and what they are differs.
    private func swapArguments(_ node: FunctionCallExprSyntax) {
        // A delegation to another initialiser has to be a statement.
        if node.calledExpression.trimmedDescription.hasSuffix(".init") { return }
        if let parent = node.parent,
            parent.is(MemberAccessExprSyntax.self) || parent.is(OptionalChainingExprSyntax.self)
                || parent.is(FunctionCallExprSyntax.self) || parent.is(ForceUnwrapExprSyntax.self)
                || parent.is(SubscriptCallExprSyntax.self)
        {
            return
        }
        let arguments = Array(node.arguments)
        for (first, second) in zip(arguments, arguments.dropFirst()) {
            let (a, b) = (first.expression, second.expression)
            guard let type = types.type(of: a), type == types.type(of: b),
                a.trimmedDescription != b.trimmedDescription
            else { continue }
            offer(.argumentsSwapped, node, node.swapping(a, b))
        }
    }
}

extension FunctionCallExprSyntax {
    /// The text of the call with two of its arguments in each other's place.
    fileprivate func swapping(_ a: ExprSyntax, _ b: ExprSyntax) -> String {
        let bytes = Array(trimmedDescription.utf8)
        let start = positionAfterSkippingLeadingTrivia.utf8Offset
        func range(_ node: ExprSyntax) -> Range<Int> {
            node.positionAfterSkippingLeadingTrivia.utf8Offset - start..<node.endPositionBeforeTrailingTrivia.utf8Offset
                - start
        }
        let (first, second) = (range(a), range(b))
        let parts = [
            bytes[..<first.lowerBound], bytes[second], bytes[first.upperBound..<second.lowerBound], bytes[first],
            bytes[second.upperBound...],
        ]
        return String(decoding: parts.joined(), as: UTF8.self)
    }
}
