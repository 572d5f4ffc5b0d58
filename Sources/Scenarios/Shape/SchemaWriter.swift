import JSON

/// Writes shapes as JSON Schema, draft 2020-12. Every notation, object and form becomes a definition of its own, so that
/// editors show its description and messages name it.
package struct SchemaWriter {
    private var definitions: [JSONMember] = []
    private var written: Set<String> = []

    /// The schema of scenario files, with a newline at its end.
    package static func scenarioSchema() -> String {
        var writer = SchemaWriter()
        let root = writer.object(ScenarioShape.root)
        let definitions = writer.definitions.sorted { $0.key < $1.key }
        return root.with("$defs", .object(definitions)).document(title: "Scenario of the notifier workbench")
    }

    // MARK: Shapes

    private mutating func schema(_ shape: Shape) -> JSONSchema {
        switch shape {
        case .notation(let notation): reference(to: notation)
        case .choice(let values): .oneOf(values)
        case .integer(let range): .integer(range)
        case .boolean: .boolean
        case .anyText: .text
        case .list(let element, let count): .array(of: schema(element), count: count)
        case .object(let object): reference(to: object)
        case .variant(let variant): reference(to: variant)
        case .setting(let shape): schema(shape)
        case .either(let shapes): .anyOf(shapes.map { schema($0) })
        }
    }

    private mutating func property(_ field: Field) -> (String, JSONSchema) {
        (field.key, schema(field.shape).described(field.summary))
    }

    private mutating func define(_ name: String, _ content: () -> JSONSchema) -> JSONSchema {
        if written.insert(name).inserted { definitions.append(JSONMember(name, content().json)) }
        return JSONSchema(["$ref": .string("#/$defs/\(name)")])
    }

    private mutating func reference(to notation: Notation) -> JSONSchema {
        define("notation-\(notation.rawValue)") {
            JSONSchema.text.described(notation.summary.prefix(1).uppercased() + notation.summary.dropFirst() + ".")
                .with("pattern", .string(notation.pattern)).with("examples", .strings(notation.examples))
        }
    }

    private mutating func reference(to shape: ObjectShape) -> JSONSchema {
        guard !written.contains(shape.name) else { return define(shape.name) { JSONSchema([:]) } }
        let content = object(shape)
        return define(shape.name) { content }
    }

    /// The object's schema; keys in `inherited` are defined where it is used.
    private mutating func object(_ shape: ObjectShape, inherited: [String] = []) -> JSONSchema {
        let properties = shape.fields.map { property($0) } + inherited.map { ($0, JSONSchema(true)) }
        let required = shape.fields.filter(\.isRequired).map(\.key)
        let object = JSONSchema.object(properties, required: required, isClosed: true)
        let described = object.described(shape.summary)
        return shape.rules.isEmpty ? described : described.with("allOf", .array(shape.rules.map(Self.rule)))
    }

    // MARK: Variants

    private mutating func reference(to variant: VariantShape) -> JSONSchema {
        guard !written.contains(variant.name) else { return define(variant.name) { JSONSchema([:]) } }
        let branches = variant.forms.map { form in
            let present = Self.needs([form.key])
            let condition = form.value.map { present.with("properties", .object([Self.constant(form.key, $0)])) }
            return ["if": condition ?? present, "then": reference(to: form, of: variant).json] as JSONValue
        }
        let discriminators = variant.keys.map { key in
            let values = variant.values(of: key)
            return JSONMember(key, values.isEmpty ? true : JSONSchema.oneOf(values).json)
        }
        let common = variant.commonFields.map { property($0) }.map { JSONMember($0, $1.json) }
        return define(variant.name) {
            JSONSchema([
                "description": .string(variant.summary),
                "type": "object",
                "properties": .object(discriminators + common),
                "oneOf": .array(variant.keys.map { Self.needs([$0]) }),
                "allOf": .array(variant.commonRules.map(Self.rule) + branches),
            ])
        }
    }

    private mutating func reference(to form: VariantShape.Form, of variant: VariantShape) -> JSONSchema {
        let content = object(form.object, inherited: variant.commonFields.map(\.key))
        return define(form.object.name) { content }
    }

    // MARK: Rules

    private static func rule(_ rule: ObjectShape.Rule) -> JSONValue {
        switch rule {
        case .exactlyOne(let keys): ["oneOf": .array(keys.map { needs([$0]) })]
        case .excludes(let key, let others): whenPresent(key, without(others))
        case .needsOneOf(let key, let others): whenPresent(key, ["anyOf": .array(others.map { needs([$0]) })])
        case .whenEqual(let key, let value, let others): ["if": equals(key, value), "then": needs(others)]
        case .unlessEqual(let key, let value, let others):
            whenPresent(key, ["if": equals(key, value), "else": without(others)])
        case .notEmpty: ["minProperties": 1]
        }
    }

    private static func needs(_ keys: [String]) -> JSONValue { ["required": .strings(keys)] }

    private static func without(_ keys: [String]) -> JSONValue {
        ["not": ["anyOf": .array(keys.map { needs([$0]) })]]
    }

    private static func whenPresent(_ key: String, _ schema: JSONValue) -> JSONValue {
        ["dependentSchemas": .object([JSONMember(key, schema)])]
    }

    private static func equals(_ key: String, _ value: String) -> JSONValue {
        ["properties": .object([constant(key, value)]), "required": .strings([key])]
    }

    private static func constant(_ key: String, _ value: String) -> JSONMember {
        JSONMember(key, ["const": .string(value)])
    }
}
