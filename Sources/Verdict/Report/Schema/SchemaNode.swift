import JSON
import Scenarios

/// A piece of a JSON Schema (draft 2020-12) for a file that the workbench writes.
///
/// Objects stay open, because a later program may add members; what is said here must be there and be of its kind.
struct SchemaNode {
    private var members: [JSONMember]

    private init(_ members: [JSONMember]) { self.members = members }

    var json: JSONValue { .object(members) }

    static let text = SchemaNode([JSONMember("type", .string("string"))])
    /// A number that may be negative.
    static let number = SchemaNode([JSONMember("type", .string("number"))])
    /// A number from 0.
    static let amount = SchemaNode([JSONMember("type", .string("number")), JSONMember("minimum", .integer(0))])
    /// A whole number from 0.
    static let count = SchemaNode([JSONMember("type", .string("integer")), JSONMember("minimum", .integer(0))])
    /// Sixteen hexadecimal digits; nothing when nothing was run.
    static let digest = SchemaNode([
        JSONMember("type", .string("string")), JSONMember("pattern", .string("^([0-9a-f]{16})?$")),
    ])

    /// An object without members.
    static let nothing = SchemaNode([JSONMember("type", .string("object")), JSONMember("maxProperties", .integer(0))])

    /// This very value.
    static func constant(_ value: Int64) -> SchemaNode { SchemaNode([JSONMember("const", .integer(value))]) }

    /// One of these words.
    static func choice(_ words: [String]) -> SchemaNode { SchemaNode([JSONMember("enum", .strings(words))]) }

    /// One of these numbers.
    static func choice(_ numbers: [Int64]) -> SchemaNode {
        SchemaNode([JSONMember("enum", .array(numbers.map(JSONValue.integer)))])
    }

    static func list(_ element: SchemaNode) -> SchemaNode {
        SchemaNode([JSONMember("type", .string("array")), JSONMember("items", element.json)])
    }

    /// An array of a fixed length with a kind for each place.
    static func tuple(_ elements: [SchemaNode]) -> SchemaNode {
        SchemaNode([
            JSONMember("type", .string("array")),
            JSONMember("prefixItems", .array(elements.map(\.json))),
            JSONMember("minItems", .integer(Int64(elements.count))),
            JSONMember("maxItems", .integer(Int64(elements.count))),
        ])
    }

    /// Any names, or only the given ones, each with a value of one kind.
    static func map(of names: [String] = [], to value: SchemaNode) -> SchemaNode {
        var members = [JSONMember("type", .string("object"))]
        if !names.isEmpty { members.append(JSONMember("propertyNames", SchemaNode.choice(names).json)) }
        return SchemaNode(members + [JSONMember("additionalProperties", value.json)])
    }

    /// Members that must all be there, in the order in which they are written.
    static func object(_ fields: [(String, SchemaNode)]) -> SchemaNode {
        SchemaNode([
            JSONMember("type", .string("object")),
            JSONMember("properties", .object(fields.map { JSONMember($0.0, $0.1.json) })),
            JSONMember("required", .strings(fields.map(\.0))),
        ])
    }

    /// Obeys one of these.
    static func either(_ nodes: [SchemaNode]) -> SchemaNode {
        SchemaNode([JSONMember("anyOf", .array(nodes.map(\.json)))])
    }

    var orNull: SchemaNode { .either([self, SchemaNode([JSONMember("type", .string("null"))])]) }

    /// The same with a sentence for readers.
    func described(_ sentence: String) -> SchemaNode {
        SchemaNode([JSONMember("description", .string(sentence))] + members)
    }

    /// The text of a whole schema, with a newline at its end.
    func document(title: String) -> String {
        let head = [
            JSONMember("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            JSONMember("title", .string(title)),
        ]
        return JSONValue.object(head + members).text(indented: true) + "\n"
    }
}
