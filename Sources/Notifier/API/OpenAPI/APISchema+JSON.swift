extension APISchema {
    /// The schema as JSON Schema 2020-12.
    ///
    /// With `isClosed`, objects hold nothing else and leave out what they do not say, as those of answers do; a request may hold more than
    /// this server knows, and `null` in it is the same as nothing.
    func json(isClosed: Bool) -> JSONValue {
        switch self {
        case .text(let length):
            [
                "type": "string", "minLength": .number(Int64(length.lowerBound)),
                "maxLength": .number(Int64(length.upperBound)),
            ]
        case .matching(let pattern, let length):
            [
                "type": "string", "pattern": .text("^(?:\(pattern))$"), "minLength": .number(Int64(length.lowerBound)),
                "maxLength": .number(Int64(length.upperBound)),
            ]
        case .null: ["type": "null"]
        case .opaque: ["type": "string", "minLength": 1]
        case .id: ["type": "string", "format": "uuid"]
        case .instant: ["type": "string", "format": "date-time"]
        case .day: ["type": "string", "format": "date"]
        case .url: ["type": "string", "format": "uri"]
        case .word(let words): ["type": "string", "enum": .list(words.map(JSONValue.text))]
        case .number(let range):
            [
                "type": "integer", "format": "int64", "minimum": .number(range.lowerBound),
                "maximum": .number(range.upperBound),
            ]
        case .decimal(let range):
            ["type": "number", "minimum": .decimal(range.lowerBound), "maximum": .decimal(range.upperBound)]
        case .boolean: ["type": "boolean"]
        case .list(let element, let count):
            [
                "type": "array", "items": element.json(isClosed: isClosed),
                "minItems": .number(Int64(count.lowerBound)),
                "maxItems": .number(Int64(count.upperBound)),
            ]
        case .object(let properties): Self.object(properties, isClosed: isClosed)
        case .map(let value): ["type": "object", "additionalProperties": value.json(isClosed: isClosed)]
        case .either(let schemas): ["anyOf": .list(schemas.map { $0.json(isClosed: isClosed) })]
        case .anyObject: ["type": "object"]
        }
    }

    private static func object(_ properties: [Property], isClosed: Bool) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for property in properties {
            var json = property.schema.json(isClosed: isClosed)
            if !isClosed, !property.isRequired, property.schema != .null { json = ["anyOf": [json, ["type": "null"]]] }
            guard case .object(var schema) = json else { continue }
            schema["description"] = .text(property.summary)
            members[property.name] = .object(schema)
        }
        var object: [String: JSONValue] = ["type": "object", "properties": .object(members)]
        let required = properties.filter(\.isRequired).map { JSONValue.text($0.name) }
        if !required.isEmpty { object["required"] = .list(required) }
        if isClosed { object["additionalProperties"] = false }
        return .object(object)
    }
}
