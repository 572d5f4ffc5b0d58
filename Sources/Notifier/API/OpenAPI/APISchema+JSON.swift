import JSON

extension APISchema {
    /// The schema as JSON Schema 2020-12.
    ///
    /// With `isClosed`, objects hold nothing else and leave out what they do not say, as those of answers do; a request may hold more than
    /// this server knows, and `null` in it is the same as nothing.
    func jsonSchema(isClosed: Bool) -> JSONSchema {
        switch self {
        case .text(let length): .text(length: length)
        case .matching(let pattern, let length):
            JSONSchema.text(length: length).with("pattern", .string("^(?:\(pattern))$"))
        case .null: .null
        case .opaque: JSONSchema.text.with("minLength", 1)
        case .id: .format("uuid")
        case .instant: .format("date-time")
        case .day: .format("date")
        case .url: .format("uri")
        case .word(let words): JSONSchema.oneOf(words).with("type", "string")
        case .number(let range): JSONSchema.integer(range).with("format", "int64")
        case .decimal(let range): .number(range)
        case .boolean: .boolean
        case .list(let element, let count): .array(of: element.jsonSchema(isClosed: isClosed), count: count)
        case .object(let properties): Self.object(properties, isClosed: isClosed)
        case .map(let value): .map(to: value.jsonSchema(isClosed: isClosed))
        case .either(let schemas): .anyOf(schemas.map { $0.jsonSchema(isClosed: isClosed) })
        case .anyObject: JSONSchema(["type": "object"])
        }
    }

    private static func object(_ properties: [Property], isClosed: Bool) -> JSONSchema {
        let members = properties.map { property in
            let schema = property.schema.jsonSchema(isClosed: isClosed)
            let mayBeNull = !isClosed && !property.isRequired && property.schema != .null
            return (property.name, (mayBeNull ? schema.orNull : schema).described(property.summary))
        }
        return .object(members, required: properties.filter(\.isRequired).map(\.name), isClosed: isClosed)
    }
}
