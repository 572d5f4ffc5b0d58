import JSON
import Testing

struct JSONSchemaTests {
    private static let parts: [(JSONValue, String)] = [
        (JSONSchema.integer(-1...5), #"{"type":"integer","minimum":-1,"maximum":5}"#),
        (JSONSchema.number(0...0.5), #"{"type":"number","minimum":0.0,"maximum":0.5}"#),
        (JSONSchema.string(length: 1...64), #"{"type":"string","minLength":1,"maxLength":64}"#),
        (JSONSchema.oneOf(["a", "b"]), #"{"enum":["a","b"]}"#),
        (
            JSONSchema.array(of: ["type": "boolean"], count: 0...3),
            #"{"type":"array","items":{"type":"boolean"},"minItems":0,"maxItems":3}"#
        ),
        (
            JSONSchema.object([JSONMember("a", true)], required: ["a"], isClosed: true),
            #"{"type":"object","properties":{"a":true},"required":["a"],"additionalProperties":false}"#
        ),
        (JSONSchema.object([], required: [], isClosed: false), #"{"type":"object","properties":{}}"#),
        (JSONSchema.anyOf([["type": "null"]]), #"{"anyOf":[{"type":"null"}]}"#),
    ]

    @Test(arguments: parts.indices)
    func `a part is written by the words of the dialect`(index: Int) {
        let (schema, text) = Self.parts[index]
        #expect(schema.text(indented: false) == text)
    }
}
