import JSON

extension APISchema {
    /// The schema as JSON Schema 2020-12.
    ///
    /// With `isClosed`, objects hold nothing else and leave out what they do not say, as those of answers do; a request may hold more than
    /// this server knows, and `null` in it is the same as nothing.
    func json(isClosed: Bool) -> JSONValue {
        switch self {
        case .text(let length): JSONSchema.string(length: length)
        case .matching(let pattern, let length):
            JSONSchema.string(length: length).with("pattern", .string("^(?:\(pattern))$"))
        case .null: ["type": "null"]
        case .opaque: ["type": "string", "minLength": 1]
        case .id: ["type": "string", "format": "uuid"]
        case .instant: ["type": "string", "format": "date-time"]
        case .day: ["type": "string", "format": "date"]
        case .url: ["type": "string", "format": "uri"]
        case .word(let words): JSONSchema.oneOf(words).with("type", "string")
        case .number(let range): JSONSchema.integer(range).with("format", "int64")
        case .decimal(let range): JSONSchema.number(range)
        case .boolean: ["type": "boolean"]
        case .list(let element, let count): JSONSchema.array(of: element.json(isClosed: isClosed), count: count)
        case .object(let properties): Self.object(properties, isClosed: isClosed)
        case .map(let value): ["type": "object", "additionalProperties": value.json(isClosed: isClosed)]
        case .either(let schemas): JSONSchema.anyOf(schemas.map { $0.json(isClosed: isClosed) })
        case .anyObject: ["type": "object"]
        }
    }

    private static func object(_ properties: [Property], isClosed: Bool) -> JSONValue {
        let members = properties.map { property in
            var schema = property.schema.json(isClosed: isClosed)
            if !isClosed, !property.isRequired, property.schema != .null {
                schema = JSONSchema.anyOf([schema, ["type": "null"]])
            }
            return JSONMember(property.name, schema.with("description", .string(property.summary)))
        }
        let required = properties.filter(\.isRequired).map(\.name)
        return JSONSchema.object(members, required: required, isClosed: isClosed)
    }
}
