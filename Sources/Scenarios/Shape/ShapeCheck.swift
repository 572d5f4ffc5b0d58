import JSON
import Platform

/// Compares a JSON tree with a shape and notes every difference.
struct ShapeCheck {
    private(set) var report: ProblemReport

    /// Notes in `report` what in `node` differs from `shape`.
    mutating func check(_ node: JSONNode, _ shape: Shape, at pointer: String) {
        switch shape {
        case .notation(let notation): checkText(node, notation, at: pointer)
        case .choice(let values): checkChoice(node, values, at: pointer)
        case .integer(let range): checkInteger(node, range, at: pointer)
        case .boolean: if node.bool == nil { wrongType(node, "true or false", at: pointer) }
        case .list(let element, let count): checkList(node, element, count, at: pointer)
        case .object(let object): checkObject(node, object, at: pointer)
        case .variant(let variant): checkVariant(node, variant, at: pointer)
        case .either(let shapes): checkEither(node, shapes, at: pointer)
        case .anyText: if node.string == nil { wrongType(node, "a string", at: pointer) }
        case .setting: break
        }
    }

    // MARK: Scalars

    private mutating func checkText(_ node: JSONNode, _ notation: Notation, at pointer: String) {
        guard let text = node.string else {
            let isBareNumber = node.integer != nil && notation.hasUnits
            report.add(
                isBareNumber ? .badUnit : .wrongType,
                at: node.offset,
                pointer,
                "Expected \(notation.summary), such as \(quoted(notation.examples[0])), found \(node.kindPhrase).",
                hint: isBareNumber ? "Times always carry a unit: write \"45m\", not 45." : nil
            )
            return
        }
        guard !notation.accepts(text) else { return }
        let unit = notation.hasUnits ? unitProblem(text) : nil
        report.add(
            unit == nil ? .badNotation : .badUnit,
            at: node.offset,
            pointer,
            unit ?? "\(quoted(text)) is not \(notation.summary).",
            hint: "Write it like " + notation.examples.map(quoted).joined(separator: " or ") + "."
        )
    }

    private func unitProblem(_ text: String) -> String? {
        let signs: Set<Character> = ["<", ">", "=", "+", "-", " "]
        let number = text.drop { signs.contains($0) }
        guard case .failure(let failure) = DurationNotation.read(String(number)) else { return nil }
        switch failure {
        case .noUnit: return "\(quoted(text)) has no unit; units are d, h, m, s and ms."
        case .unknownUnit(let unit):
            return "\(quoted(text)) has the unknown unit \(quoted(unit)); units are d, h, m, s and ms."
        case .malformed: return nil
        case .tooLong: return "\(quoted(text)) is longer than a hundred years."
        }
    }

    private mutating func checkChoice(_ node: JSONNode, _ values: [String], at pointer: String) {
        guard let text = node.string else {
            return wrongType(node, "one of the strings \(values.prefix(3).joined(separator: ", "))…", at: pointer)
        }
        guard !values.contains(text) else { return }
        report.add(
            .unknownValue,
            at: node.offset,
            pointer,
            "\(quoted(text)) is not known here.",
            allowed: values,
            nearest: NearestName.find(text, in: values)
        )
    }

    private mutating func checkInteger(_ node: JSONNode, _ range: ClosedRange<Int64>, at pointer: String) {
        guard case .number(let text) = node.content else { return wrongType(node, "a whole number", at: pointer) }
        guard let value = node.integer else {
            let isFraction = text.contains { ".eE".contains($0) }
            return report.add(
                isFraction ? .wrongType : .outOfRange,
                at: node.offset,
                pointer,
                "\(text) is not a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        guard !range.contains(value) else { return }
        let message = "\(value) lies outside \(range.lowerBound) to \(range.upperBound)."
        report.add(.outOfRange, at: node.offset, pointer, message)
    }

    private mutating func wrongType(_ node: JSONNode, _ expected: String, at pointer: String) {
        report.add(.wrongType, at: node.offset, pointer, "Expected \(expected), found \(node.kindPhrase).")
    }

    // MARK: Structures

    private mutating func checkList(_ node: JSONNode, _ element: Shape, _ count: ClosedRange<Int>, at pointer: String) {
        guard let elements = node.elements else { return wrongType(node, "an array", at: pointer) }
        if !count.contains(elements.count) {
            let message =
                "There are \(elements.count) elements; possible are \(count.lowerBound) to \(count.upperBound)."
            report.add(.outOfRange, at: node.offset, pointer, message)
        }
        for (index, child) in elements.enumerated() {
            guard !report.isFull else { return }
            check(child, element, at: JSONPointer.append(String(index), to: pointer))
        }
    }

    private mutating func checkObject(_ node: JSONNode, _ shape: ObjectShape, at pointer: String) {
        guard let members = node.members else { return wrongType(node, "an object", at: pointer) }
        // A key that was only misspelt is not missing as well.
        var misspelt: Set<String> = []
        for member in members {
            let path = JSONPointer.append(member.key, to: pointer)
            if let field = shape[member.key] {
                check(member.node, field.shape, at: path)
            } else if let reason = shape.absent[member.key] {
                let message = "The key \(quoted(member.key)) cannot be set here: \(reason)."
                report.add(.unknownKey, at: member.keyOffset, path, message)
            } else if let meant = unknownKey(member, allowed: shape.keys, present: members, at: path) {
                misspelt.insert(meant)
            }
        }
        for field in shape.fields where field.isRequired && node[field.key] == nil && !misspelt.contains(field.key) {
            let message = "The key \(quoted(field.key)) is missing: \(field.summary)"
            report.add(.missingKey, at: node.offset, pointer, message)
        }
        for rule in shape.rules where !rule.misses(anyOf: misspelt) { check(rule, node, members, at: pointer) }
    }

    /// Notes the key and returns the one that was probably meant.
    @discardableResult
    private mutating func unknownKey(
        _ member: JSONNode.NamedNode,
        allowed: [String],
        present: [JSONNode.NamedNode],
        at pointer: String
    ) -> String? {
        let free = allowed.filter { key in !present.contains { $0.key == key } }
        let nearest = NearestName.find(member.key, in: free) ?? NearestName.find(member.key, in: allowed)
        report.add(
            .unknownKey,
            at: member.keyOffset,
            pointer,
            "The key \(quoted(member.key)) is not known here.",
            allowed: allowed,
            nearest: nearest
        )
        return nearest
    }

    private mutating func checkEither(_ node: JSONNode, _ shapes: [Shape], at pointer: String) {
        guard let shape = shapes.first(where: { $0.takes(node) }) else {
            let expected = shapes.map(\.phrase).joined(separator: " or ")
            return wrongType(node, expected, at: pointer)
        }
        check(node, shape, at: pointer)
    }

    private mutating func checkVariant(_ node: JSONNode, _ variant: VariantShape, at pointer: String) {
        guard let members = node.members else { return wrongType(node, "an object", at: pointer) }
        let discriminators = variant.keys.filter { node[$0] != nil }
        guard discriminators.count == 1, let key = discriminators.first, let discriminator = node[key] else {
            return noForm(node, members, variant, discriminators, at: pointer)
        }
        let value = discriminator.string
        if let form = variant.forms.first(where: { $0.key == key && ($0.value == nil || $0.value == value) }) {
            return checkObject(node, variant.complete(form), at: pointer)
        }
        checkChoice(discriminator, variant.values(of: key), at: JSONPointer.append(key, to: pointer))
    }

    /// A variant without a key that tells its form, or with several.
    private mutating func noForm(
        _ node: JSONNode,
        _ members: [JSONNode.NamedNode],
        _ variant: VariantShape,
        _ discriminators: [String],
        at pointer: String
    ) {
        let names = variant.keys.map(quoted).joined(separator: ", ")
        guard discriminators.isEmpty else {
            let message = "Of the keys \(names) there must be exactly one; here are \(discriminators.count)."
            return report.add(.conflictingKeys, at: node.offset, pointer, message)
        }
        for field in variant.commonFields {
            if let child = node[field.key] { check(child, field.shape, at: JSONPointer.append(field.key, to: pointer)) }
        }
        let unknown = members.filter { !variant.allKeys.contains($0.key) }
        for member in unknown {
            unknownKey(
                member,
                allowed: variant.allKeys,
                present: members,
                at: JSONPointer.append(member.key, to: pointer)
            )
        }
        guard unknown.isEmpty else { return }
        report.add(.missingKey, at: node.offset, pointer, "One of the keys \(names) is missing.", allowed: variant.keys)
    }

    private mutating func check(
        _ rule: ObjectShape.Rule,
        _ node: JSONNode,
        _ members: [JSONNode.NamedNode],
        at pointer: String
    ) {
        func present(_ keys: [String]) -> [String] { keys.filter { node[$0] != nil } }
        func list(_ keys: [String]) -> String { keys.map(quoted).joined(separator: ", ") }
        switch rule {
        case .exactlyOne(let keys):
            guard present(keys).count != 1 else { return }
            let code: ProblemCode = present(keys).isEmpty ? .missingKey : .conflictingKeys
            let message = "Of the keys \(list(keys)) there must be exactly one; here are \(present(keys).count)."
            report.add(code, at: node.offset, pointer, message, allowed: keys)
        case .excludes(let key, let others):
            guard node[key] != nil, !present(others).isEmpty else { return }
            report.add(
                .conflictingKeys,
                at: node.offset,
                pointer,
                "\(quoted(key)) does not go with \(list(present(others)))."
            )
        case .needsOneOf(let key, let others):
            guard node[key] != nil, present(others).isEmpty else { return }
            report.add(
                .missingKey,
                at: node.offset,
                pointer,
                "\(quoted(key)) needs one of \(list(others)).",
                allowed: others
            )
        case .whenEqual(let key, let value, let needed):
            guard node[key]?.string == value, present(needed).count < needed.count else { return }
            report.add(.missingKey, at: node.offset, pointer, "\(quoted(key)): \(quoted(value)) needs \(list(needed)).")
        case .unlessEqual(let key, let value, let others):
            guard let text = node[key]?.string, text != value, !present(others).isEmpty else { return }
            let message = "\(list(present(others))) goes with \(quoted(key)) only when that is \(quoted(value))."
            report.add(.conflictingKeys, at: node.offset, pointer, message)
        case .notEmpty:
            guard members.isEmpty else { return }
            report.add(.missingKey, at: node.offset, pointer, "The object is empty.")
        }
    }
}

/// A text as it stands in a message; long ones are cut.
func quoted(_ text: String) -> String {
    let visible = text.prefix(60).map { $0.isNewline ? " " : $0 }
    return "\"" + String(visible) + (text.count > 60 ? "…\"" : "\"")
}

extension ObjectShape.Rule {
    /// Whether the rule asks for exactly one key and one of these would be it.
    fileprivate func misses(anyOf keys: Set<String>) -> Bool {
        guard case .exactlyOne(let wanted) = self else { return false }
        return wanted.contains(where: keys.contains)
    }
}

extension Shape {
    /// Whether a value of that JSON type could have this shape.
    fileprivate func takes(_ node: JSONNode) -> Bool {
        switch (self, node.content) {
        case (.notation, .string), (.choice, .string), (.anyText, .string), (.integer, .number), (.boolean, .bool): true
        case (.list, .array), (.object, .object), (.variant, .object): true
        case (.either(let shapes), _): shapes.contains { $0.takes(node) }
        case (.setting(let shape), _): shape.takes(node)
        default: false
        }
    }

    /// The JSON type as it stands in a sentence.
    fileprivate var phrase: String {
        switch self {
        case .notation(let notation): "\(notation.summary) in a string"
        case .choice, .anyText: "a string"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .list: "an array"
        case .object, .variant: "an object"
        case .either(let shapes): shapes.map(\.phrase).joined(separator: " or ")
        case .setting(let shape): shape.phrase
        }
    }
}
