import JSON
import Platform

/// What a schema does not allow: an example of what it allows, spoilt in one place.
struct StrangeValues {
    private let check: SchemaCheck

    /// How often another place or value is tried: some are allowed after all.
    private static let attempts = 12

    init(_ check: SchemaCheck) { self.check = check }

    /// A member or an element, by its way from the whole.
    private struct Place {
        var path: [String]
        var schema: JSONValue
    }

    /// The example with something in one place that must not be there, or without something that must; nil when none was found.
    func spoil(_ example: JSONValue, by schema: JSONValue, _ random: inout RandomStream) -> JSONValue? {
        let places = places(in: example, by: schema)
        for _ in 0..<Self.attempts {
            guard let place = random.pick(places) else { return nil }
            let value = candidate(for: place.schema, &random)
            let spoilt = example.replacing(place.path[...], by: value)
            if check.breach(of: schema, by: spoilt) != nil { return spoilt }
        }
        return nil
    }

    /// Every place in it, also of what it leaves out.
    private func places(in value: JSONValue, by schema: JSONValue, at path: [String] = []) -> [Place] {
        if let alternatives = schema["anyOf"]?.elements {
            let met = alternatives.first { check.breach(of: $0, by: value) == nil }
            return places(in: value, by: met ?? alternatives.first ?? true, at: path)
        }
        var found = [Place(path: path, schema: schema)]
        for property in schema["properties"]?.members ?? [] {
            found += places(in: value[property.key] ?? .null, by: property.value, at: path + [property.key])
        }
        if let items = schema["items"], let first = value.elements.first {
            found += places(in: first, by: items, at: path + ["0"])
        }
        return found
    }

    /// Mostly one of the right kind: what is of another is refused before anybody looks at it.
    private func candidate(for schema: JSONValue, _ random: inout RandomStream) -> JSONValue? {
        let all = Self.candidates(for: schema)
        let near = all.filter { value in value.map { SchemaCheck.isOf(schema["type"]?.text ?? "", $0) } ?? false }
        return random.pick(near.isEmpty || random.chance(1, in: 4) ? all : near) ?? nil
    }

    /// Something of each kind, and what lies just beyond the bounds; nil for nothing at all.
    private static func candidates(for schema: JSONValue) -> [JSONValue?] {
        var values: [JSONValue?] = [
            nil, .null, true, -1, 1.5, 9_223_372_036_854_775_807, "", "no such word", "\u{0}", [], [nil], .object([]),
        ]
        if case .number(let most)? = schema["maxLength"], let most = Int(most) {
            values.append(.string(String(repeating: "ä", count: most + 1)))
        }
        if case .number(let least)? = schema["minimum"], let least = Int64(least), least > .min {
            values.append(.integer(least - 1))
        }
        if case .number(let most)? = schema["maximum"], let most = Int64(most), most < .max {
            values.append(.integer(most + 1))
        }
        return values
    }
}

extension JSONValue {
    /// With another value at that place, or without it where that is nil.
    fileprivate func replacing(_ path: ArraySlice<String>, by value: JSONValue?) -> JSONValue {
        guard let name = path.first else { return value ?? .null }
        let rest = path.dropFirst()
        switch self {
        case .object(let members):
            let old = self[name]
            if rest.isEmpty, value == nil { return .object(members.filter { $0.key != name }) }
            return with(name, (old ?? .object([])).replacing(rest, by: value))
        case .array(var elements):
            guard let index = Int(name), elements.indices.contains(index) else { return self }
            if rest.isEmpty, value == nil {
                elements.remove(at: index)
            } else {
                elements[index] = elements[index].replacing(rest, by: value)
            }
            return .array(elements)
        default: return self
        }
    }
}
