/// Writes the parts of JSON Schema, draft 2020-12, that the descriptions of the scenario format and of the REST API share.
package enum JSONSchema {
    /// The dialect, as a document names it in `$schema`.
    package static let dialect = "https://json-schema.org/draft/2020-12/schema"

    /// A whole number of the range.
    package static func integer(_ range: ClosedRange<Int64>) -> JSONValue {
        ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }

    /// Any number of the range.
    package static func number(_ range: ClosedRange<Double>) -> JSONValue {
        ["type": "number", "minimum": .decimal(range.lowerBound), "maximum": .decimal(range.upperBound)]
    }

    /// A text of so many characters.
    package static func string(length: ClosedRange<Int>) -> JSONValue {
        [
            "type": "string", "minLength": .integer(Int64(length.lowerBound)),
            "maxLength": .integer(Int64(length.upperBound)),
        ]
    }

    /// One of these words.
    package static func oneOf(_ words: some Sequence<String>) -> JSONValue { ["enum": .strings(words)] }

    /// A list of so many elements.
    package static func array(of element: JSONValue, count: ClosedRange<Int>) -> JSONValue {
        [
            "type": "array", "items": element, "minItems": .integer(Int64(count.lowerBound)),
            "maxItems": .integer(Int64(count.upperBound)),
        ]
    }

    /// An object with these properties; closed, it has no others.
    package static func object(_ properties: [JSONMember], required: [String], isClosed: Bool) -> JSONValue {
        var members: [JSONMember] = [JSONMember("type", "object"), JSONMember("properties", .object(properties))]
        if !required.isEmpty { members.append(JSONMember("required", .strings(required))) }
        if isClosed { members.append(JSONMember("additionalProperties", false)) }
        return .object(members)
    }

    /// What at least one of these describes.
    package static func anyOf(_ schemas: [JSONValue]) -> JSONValue { ["anyOf": .array(schemas)] }
}

extension JSONValue {
    /// The object with one member more, which stands last; what is no object stays as it is.
    package func with(_ key: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != key } + [JSONMember(key, value)])
    }
}
