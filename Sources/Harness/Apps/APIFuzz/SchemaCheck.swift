import JSON

/// Whether a JSON value is what a schema of the API's description allows: those words of JSON Schema 2020-12 that the description uses.
/// A word that is not among them counts as a breach, so that nothing is left unlooked at.
struct SchemaCheck {
    /// What `$ref` leads to, by its name, and the patterns that were met.
    final class Definitions {
        fileprivate let schemas: JSONValue
        fileprivate var patterns: [String: Regex<AnyRegexOutput>] = [:]

        init(_ schemas: JSONValue?) { self.schemas = schemas ?? .object([]) }
    }

    private let definitions: Definitions

    init(_ definitions: Definitions) { self.definitions = definitions }

    /// The first breach in words, with its place; nil when there is none.
    func breach(of schema: JSONValue, by value: JSONValue, at place: String = "") -> String? {
        guard case .object(let words) = schema else {
            return schema == false ? "\(Self.shown(place)) may not be there" : nil
        }
        for word in words {
            if let breach = breach(of: word, in: schema, by: value, at: place) { return breach }
        }
        return nil
    }

    private func breach(of word: JSONMember, in schema: JSONValue, by value: JSONValue, at place: String) -> String? {
        switch word.key {
        case "description": return nil
        case "format" where word.value == "int64": return nil
        case "$ref": return breach(of: referenced(word.value), by: value, at: place)
        case "anyOf":
            let isOne = word.value.elements.contains { breach(of: $0, by: value, at: place) == nil }
            return isOne ? nil : "\(Self.shown(place)) is none of what it may be"
        case "type":
            return Self.isOf(word.value.text ?? "", value) ? nil : "\(Self.shown(place)) is no \(word.value.text ?? "")"
        case "enum":
            return word.value.elements.contains(value) ? nil : "\(Self.shown(place)) is another word"
        case "const": return word.value == value ? nil : "\(Self.shown(place)) is another value"
        default: break
        }
        switch value {
        case .string(let text): return breach(of: word, by: text, at: place)
        case .number(let digits): return breach(of: word, by: Double(digits) ?? .nan, at: place)
        case .array(let elements): return breach(of: word, by: elements, at: place)
        case .object(let members): return breach(of: word, in: schema, by: members, at: place)
        case .null, .bool: return nil
        }
    }

    private func referenced(_ reference: JSONValue) -> JSONValue {
        let name = reference.text?.split(separator: "/").last.map(String.init) ?? ""
        return definitions.schemas[name] ?? false
    }

    /// Whether the value is of the kind that `type` names.
    static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("number", .number), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let digits)): Int64(digits) != nil
        default: false
        }
    }

    // MARK: Texts and numbers

    private func breach(of word: JSONMember, by text: String, at place: String) -> String? {
        // JSON Schema counts code points.
        let isMet: Bool
        switch word.key {
        case "minLength": isMet = Double(text.unicodeScalars.count) >= word.number
        case "maxLength": isMet = Double(text.unicodeScalars.count) <= word.number
        case "pattern": isMet = matches(text, word.value.text ?? "")
        case "format": isMet = Self.isFormatted(text, as: word.value.text ?? "")
        default: return Self.unknown(word, "a text", place)
        }
        return isMet ? nil : "\(Self.shown(place)) is not of \(word.key) \(word.value.text(indented: false))"
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        if definitions.patterns[pattern] == nil { definitions.patterns[pattern] = try? Regex(pattern) }
        return definitions.patterns[pattern].map { text.firstMatch(of: $0) != nil } ?? false
    }

    /// Whether it is an id as servers make them.
    static func isUUID(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
    }

    private static func isFormatted(_ text: String, as format: String) -> Bool {
        switch format {
        case "uuid": isUUID(text)
        case "date-time": text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/) != nil
        case "date": text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
        case "uri": text.firstMatch(of: /^[a-zA-Z][a-zA-Z0-9+.-]*:/) != nil
        default: false
        }
    }

    private func breach(of word: JSONMember, by number: Double, at place: String) -> String? {
        let isMet: Bool
        switch word.key {
        case "minimum": isMet = number >= word.number
        case "maximum": isMet = number <= word.number
        default: return Self.unknown(word, "a number", place)
        }
        return isMet ? nil : "\(Self.shown(place)) is beyond its \(word.key)"
    }

    // MARK: Lists and objects

    private func breach(of word: JSONMember, by elements: [JSONValue], at place: String) -> String? {
        switch word.key {
        case "minItems", "maxItems":
            let isMet =
                word.key == "minItems"
                ? Double(elements.count) >= word.number : Double(elements.count) <= word.number
            return isMet ? nil : "\(Self.shown(place)) has \(elements.count) elements"
        case "items":
            for (index, element) in elements.enumerated() {
                if let breach = breach(of: word.value, by: element, at: "\(place)/\(index)") { return breach }
            }
            return nil
        default: return Self.unknown(word, "a list", place)
        }
    }

    private func breach(
        of word: JSONMember,
        in schema: JSONValue,
        by members: [JSONMember],
        at place: String
    ) -> String? {
        switch word.key {
        case "properties":
            for member in members {
                guard let schema = word.value[member.key] else { continue }
                if let breach = breach(of: schema, by: member.value, at: "\(place)/\(member.key)") { return breach }
            }
            return nil
        case "required":
            let names = Set(members.map(\.key))
            let missing = word.value.elements.compactMap(\.text).first { !names.contains($0) }
            return missing.map { "\(Self.shown(place)) lacks \($0)" }
        case "additionalProperties":
            let known = Set((schema["properties"]?.members ?? []).map(\.key))
            for member in members where !known.contains(member.key) {
                if let breach = breach(of: word.value, by: member.value, at: "\(place)/\(member.key)") { return breach }
            }
            return nil
        default: return Self.unknown(word, "an object", place)
        }
    }

    // MARK: Words

    /// Words about other kinds of values say nothing about this one.
    private static let words: Set<String> = [
        "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "minItems", "maxItems", "items",
        "properties",
        "required", "additionalProperties",
    ]

    private static func unknown(_ word: JSONMember, _ kind: String, _ place: String) -> String? {
        words.contains(word.key) ? nil : "\(shown(place)) is \(kind) under \(word.key), which is not looked at"
    }

    private static func shown(_ place: String) -> String { place.isEmpty ? "the whole" : place }
}

extension JSONMember {
    /// The value as a number; none for anything else.
    fileprivate var number: Double {
        guard case .number(let digits) = value else { return .nan }
        return Double(digits) ?? .nan
    }
}
