/// A JSON Schema, draft 2020-12, or a part of one: the words that the descriptions of the scenario format, of the REST API and of
/// reports have in common.
package struct JSONSchema: Sendable, Equatable {
    /// The dialect, as a document names it in `$schema`.
    package static let dialect = "https://json-schema.org/draft/2020-12/schema"

    /// The schema itself.
    package private(set) var json: JSONValue

    /// What no word here says.
    package init(_ json: JSONValue) { self.json = json }

    // MARK: Scalars

    package static let null = JSONSchema(["type": "null"])
    package static let boolean = JSONSchema(["type": "boolean"])
    /// Any text.
    package static let text = JSONSchema(["type": "string"])
    /// Any number.
    package static let number = JSONSchema(["type": "number"])
    /// A number from 0.
    package static let amount = JSONSchema(["type": "number", "minimum": 0])
    /// A whole number from 0.
    package static let count = JSONSchema(["type": "integer", "minimum": 0])

    /// A whole number of the range.
    package static func integer(_ range: ClosedRange<Int64>) -> JSONSchema {
        JSONSchema(["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    /// Any number of the range.
    package static func number(_ range: ClosedRange<Double>) -> JSONSchema {
        JSONSchema(["type": "number", "minimum": .decimal(range.lowerBound), "maximum": .decimal(range.upperBound)])
    }

    /// A text of so many characters.
    package static func text(length: ClosedRange<Int>) -> JSONSchema {
        let bounds = (JSONValue.integer(Int64(length.lowerBound)), JSONValue.integer(Int64(length.upperBound)))
        return JSONSchema(["type": "string", "minLength": bounds.0, "maxLength": bounds.1])
    }

    /// A text with a match of the regular expression (ECMA 262).
    package static func matching(_ pattern: String) -> JSONSchema { text.with("pattern", .string(pattern)) }

    /// A text of a format that the specification names.
    package static func format(_ name: String) -> JSONSchema { text.with("format", .string(name)) }

    /// This very value.
    package static func constant(_ value: JSONValue) -> JSONSchema { JSONSchema(["const": value]) }

    /// One of these words.
    package static func oneOf(_ words: some Sequence<String>) -> JSONSchema { JSONSchema(["enum": .strings(words)]) }

    /// One of these numbers.
    package static func oneOf(_ numbers: some Sequence<Int64>) -> JSONSchema {
        JSONSchema(["enum": .array(numbers.map(JSONValue.integer))])
    }

    // MARK: Structures

    /// A list; of so many elements where that is said.
    package static func array(of element: JSONSchema, count: ClosedRange<Int>? = nil) -> JSONSchema {
        let array = JSONSchema(["type": "array", "items": element.json])
        guard let count else { return array }
        return array.with("minItems", .integer(Int64(count.lowerBound)))
            .with("maxItems", .integer(Int64(count.upperBound)))
    }

    /// An array of a fixed length with a schema for each place.
    package static func tuple(_ elements: [JSONSchema]) -> JSONSchema {
        let length = JSONValue.integer(Int64(elements.count))
        return JSONSchema([
            "type": "array", "prefixItems": .array(elements.map(\.json)), "minItems": length, "maxItems": length,
        ])
    }

    /// An object with these properties; closed, it has no others.
    package static func object(
        _ properties: [(String, JSONSchema)],
        required: [String],
        isClosed: Bool
    ) -> JSONSchema {
        let members = properties.map { JSONMember($0, $1.json) }
        var object = JSONSchema(["type": "object", "properties": .object(members)])
        if !required.isEmpty { object = object.with("required", .strings(required)) }
        return isClosed ? object.with("additionalProperties", false) : object
    }

    /// An object with all of these properties, and with others that a later program may add.
    package static func object(_ properties: [(String, JSONSchema)]) -> JSONSchema {
        object(properties, required: properties.map(\.0), isClosed: false)
    }

    /// An object of any names, or only of the given ones, each with a value of one kind.
    package static func map(of names: [String] = [], to value: JSONSchema) -> JSONSchema {
        var map = JSONSchema(["type": "object"])
        if !names.isEmpty { map = map.with("propertyNames", JSONSchema.oneOf(names).json) }
        return map.with("additionalProperties", value.json)
    }

    /// What at least one of these describes.
    package static func anyOf(_ schemas: [JSONSchema]) -> JSONSchema {
        JSONSchema(["anyOf": .array(schemas.map(\.json))])
    }

    // MARK: Variations

    /// The same or null.
    package var orNull: JSONSchema { .anyOf([self, .null]) }

    /// The same with one word more, which stands last.
    package func with(_ word: String, _ value: JSONValue) -> JSONSchema { JSONSchema(json.with(word, value)) }

    /// The same with a sentence for readers, which stands first.
    package func described(_ sentence: String) -> JSONSchema {
        let others = (json.members ?? []).filter { $0.key != "description" }
        return JSONSchema(.object([JSONMember("description", .string(sentence))] + others))
    }

    /// The text of a whole schema, with a newline at its end.
    package func document(title: String) -> String {
        let head = [JSONMember("$schema", .string(Self.dialect)), JSONMember("title", .string(title))]
        return JSONValue.object(head + (json.members ?? [])).text(indented: true) + "\n"
    }
}
