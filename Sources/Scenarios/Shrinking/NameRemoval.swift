import JSON

/// Takes a person or a project out of a scenario, with everything that names them.
struct NameRemoval {
    /// A username, with its `@`, or a project's path.
    let name: String

    /// Members without which the rest of their object has a meaning.
    private static let dispensable = ["watches", "mention", "except"]

    /// What is left of `value`; nil when nothing is.
    func rest(of value: JSONValue) -> JSONValue? {
        switch value {
        // A plain `nil` would be JSON's null.
        case .string(let text): isNamed(in: text) ? .none : .some(value)
        case .array(let elements): rest(of: elements)
        case .object(let members): rest(of: members)
        case .null, .bool, .number: value
        }
    }

    /// The project itself, or one of its items.
    private func isNamed(in text: String) -> Bool {
        text == name || text.hasPrefix(name + "!") || text.hasPrefix(name + "#")
    }

    /// A list of names that loses all of them has lost its meaning; one of objects may be empty.
    private func rest(of elements: [JSONValue]) -> JSONValue? {
        let rest = elements.compactMap(rest)
        let namesOnly = elements.contains { if case .string = $0 { true } else { false } }
        return rest.isEmpty && namesOnly ? .none : .some(.array(rest))
    }

    private func rest(of members: [JSONMember]) -> JSONValue? {
        var kept: [JSONMember] = []
        for member in members {
            if let rest = rest(of: member.value) {
                kept.append(JSONMember(member.key, rest))
            } else if !Self.dispensable.contains(member.key) {
                return .none
            }
        }
        return .object(kept)
    }
}
