import JSON
import Testing

struct JSONSchemaTests {
    private static let parts: [(JSONSchema, String)] = [
        (JSONSchema.integer(-1...5), #"{"type":"integer","minimum":-1,"maximum":5}"#),
        (JSONSchema.number(0...0.5), #"{"type":"number","minimum":0.0,"maximum":0.5}"#),
        (JSONSchema.text(length: 1...64), #"{"type":"string","minLength":1,"maxLength":64}"#),
        (JSONSchema.oneOf(["a", "b"]), #"{"enum":["a","b"]}"#),
        (
            JSONSchema.array(of: .boolean, count: 0...3),
            #"{"type":"array","items":{"type":"boolean"},"minItems":0,"maxItems":3}"#
        ),
        (
            JSONSchema.object([("a", JSONSchema(true))], required: ["a"], isClosed: true),
            #"{"type":"object","properties":{"a":true},"required":["a"],"additionalProperties":false}"#
        ),
        (JSONSchema.object([], required: [], isClosed: false), #"{"type":"object","properties":{}}"#),
        (JSONSchema.anyOf([.null]), #"{"anyOf":[{"type":"null"}]}"#),
        (JSONSchema.count.orNull, #"{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]}"#),
        (JSONSchema.matching("^a$"), #"{"type":"string","pattern":"^a$"}"#),
        (JSONSchema.oneOf([1, 2]), #"{"enum":[1,2]}"#),
        (JSONSchema.constant(1).described("x"), #"{"description":"x","const":1}"#),
        (
            JSONSchema.tuple([.count, .null]),
            #"{"type":"array","prefixItems":[{"type":"integer","minimum":0},{"type":"null"}],"minItems":2,"maxItems":2}"#
        ),
        (
            JSONSchema.map(of: ["a"], to: .boolean),
            #"{"type":"object","propertyNames":{"enum":["a"]},"additionalProperties":{"type":"boolean"}}"#
        ),
        (
            JSONSchema.object([("a", .text)]),
            #"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}"#
        ),
    ]

    @Test(arguments: parts.indices)
    func `a part is written by the words of the dialect`(index: Int) {
        let (schema, text) = Self.parts[index]
        #expect(schema.json.text(indented: false) == text)
    }
}
