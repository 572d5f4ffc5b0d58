/// Writes shapes as JSON Schema, draft 2020-12. Every notation, object and form becomes a definition of its own, so that
/// editors show its description and messages name it.
package struct SchemaWriter {
    private var definitions: [JSONMember] = []
    private var written: Set<String> = []

    /// The schema of scenario files, with a newline at its end.
    package static func scenarioSchema() -> String {
        var writer = SchemaWriter()
        var members = [
            JSONMember("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            JSONMember("title", .string("Scenario of the notifier workbench")),
        ]
        members += writer.object(ScenarioShape.root)
        let definitions = writer.definitions.sorted { $0.key < $1.key }
        members.append(JSONMember("$defs", .object(definitions)))
        return JSONValue.object(members).text(indented: true) + "\n"
    }

    // MARK: Shapes

    private mutating func schema(_ shape: Shape) -> [JSONMember] {
        switch shape {
        case .notation(let notation): return reference(to: notation)
        case .choice(let values): return [JSONMember("enum", .strings(values))]
        case .integer(let range):
            return [
                JSONMember("type", .string("integer")),
                JSONMember("minimum", .integer(range.lowerBound)),
                JSONMember("maximum", .integer(range.upperBound)),
            ]
        case .boolean: return [JSONMember("type", .string("boolean"))]
        case .anyText: return [JSONMember("type", .string("string"))]
        case .list(let element, let count):
            return [
                JSONMember("type", .string("array")),
                JSONMember("items", .object(schema(element))),
                JSONMember("minItems", .integer(Int64(count.lowerBound))),
                JSONMember("maxItems", .integer(Int64(count.upperBound))),
            ]
        case .object(let object): return reference(to: object)
        case .variant(let variant): return reference(to: variant)
        case .setting(let shape): return schema(shape)
        case .either(let shapes): return [JSONMember("anyOf", .array(shapes.map { .object(schema($0)) }))]
        }
    }

    private mutating func define(_ name: String, _ content: () -> [JSONMember]) -> [JSONMember] {
        if written.insert(name).inserted { definitions.append(JSONMember(name, .object(content()))) }
        return [JSONMember("$ref", .string("#/$defs/\(name)"))]
    }

    private mutating func reference(to notation: Notation) -> [JSONMember] {
        define("notation-\(notation.rawValue)") {
            [
                JSONMember("type", .string("string")),
                JSONMember(
                    "description",
                    .string(notation.summary.prefix(1).uppercased() + notation.summary.dropFirst() + ".")
                ),
                JSONMember("pattern", .string(notation.pattern)),
                JSONMember("examples", .strings(notation.examples)),
            ]
        }
    }

    private mutating func reference(to shape: ObjectShape) -> [JSONMember] {
        guard !written.contains(shape.name) else { return define(shape.name) { [] } }
        let content = object(shape)
        return define(shape.name) { content }
    }

    /// The object's schema; keys in `inherited` are defined where it is used.
    private mutating func object(_ shape: ObjectShape, inherited: [String] = []) -> [JSONMember] {
        var properties = shape.fields.map { field in
            JSONMember(field.key, .object(schema(field.shape) + [JSONMember("description", .string(field.summary))]))
        }
        properties += inherited.map { JSONMember($0, .bool(true)) }
        var members = [
            JSONMember("description", .string(shape.summary)),
            JSONMember("type", .string("object")),
            JSONMember("properties", .object(properties)),
        ]
        let required = shape.fields.filter(\.isRequired).map(\.key)
        if !required.isEmpty { members.append(JSONMember("required", .strings(required))) }
        members.append(JSONMember("additionalProperties", .bool(false)))
        if !shape.rules.isEmpty { members.append(JSONMember("allOf", .array(shape.rules.map(Self.rule)))) }
        return members
    }

    // MARK: Variants

    private mutating func reference(to variant: VariantShape) -> [JSONMember] {
        guard !written.contains(variant.name) else { return define(variant.name) { [] } }
        let branches = variant.forms.map { form in
            let teller = form.value.map { JSONMember("properties", .object([Self.constant(form.key, $0)])) }
            let condition = [JSONMember("required", .strings([form.key]))] + (teller.map { [$0] } ?? [])
            return JSONValue.object([
                JSONMember("if", .object(condition)),
                JSONMember("then", .object(reference(to: form, of: variant))),
            ])
        }
        let tellers = variant.keys.map { key in
            let values = variant.values(of: key)
            return JSONMember(key, values.isEmpty ? .bool(true) : .object([JSONMember("enum", .strings(values))]))
        }
        let common = variant.commonFields.map { field in
            JSONMember(field.key, .object(schema(field.shape) + [JSONMember("description", .string(field.summary))]))
        }
        return define(variant.name) {
            [
                JSONMember("description", .string(variant.summary)),
                JSONMember("type", .string("object")),
                JSONMember("properties", .object(tellers + common)),
                JSONMember("oneOf", .array(variant.keys.map { Self.needs([$0]) })),
                JSONMember("allOf", .array(variant.commonRules.map(Self.rule) + branches)),
            ]
        }
    }

    private mutating func reference(to form: VariantShape.Form, of variant: VariantShape) -> [JSONMember] {
        let content = object(form.object, inherited: variant.commonFields.map(\.key))
        return define(form.object.name) { content }
    }

    // MARK: Rules

    private static func rule(_ rule: ObjectShape.Rule) -> JSONValue {
        switch rule {
        case .exactlyOne(let keys):
            return .object([JSONMember("oneOf", .array(keys.map { needs([$0]) }))])
        case .excludes(let key, let others):
            return whenPresent(key, without(others))
        case .needsOneOf(let key, let others):
            return whenPresent(key, .object([JSONMember("anyOf", .array(others.map { needs([$0]) }))]))
        case .whenEqual(let key, let value, let others):
            return .object([JSONMember("if", equals(key, value)), JSONMember("then", needs(others))])
        case .unlessEqual(let key, let value, let others):
            let branch = JSONValue.object([
                JSONMember("if", equals(key, value)),
                JSONMember("else", without(others)),
            ])
            return whenPresent(key, branch)
        case .notEmpty:
            return .object([JSONMember("minProperties", .integer(1))])
        }
    }

    private static func needs(_ keys: [String]) -> JSONValue { .object([JSONMember("required", .strings(keys))]) }

    private static func without(_ keys: [String]) -> JSONValue {
        .object([JSONMember("not", .object([JSONMember("anyOf", .array(keys.map { needs([$0]) }))]))])
    }

    private static func whenPresent(_ key: String, _ schema: JSONValue) -> JSONValue {
        .object([JSONMember("dependentSchemas", .object([JSONMember(key, schema)]))])
    }

    private static func equals(_ key: String, _ value: String) -> JSONValue {
        .object([
            JSONMember("properties", .object([constant(key, value)])),
            JSONMember("required", .strings([key])),
        ])
    }

    private static func constant(_ key: String, _ value: String) -> JSONMember {
        JSONMember(key, .object([JSONMember("const", .string(value))]))
    }
}
