import JSON
import Testing

struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue {
        var reader = JSONReader(bytes: Array(text.utf8))
        return try reader.read().value
    }

    @Test func `values of every kind are read`() throws {
        let value = try read(" { \"a\" : [ 1, -2.5e+3, \"x\", true, false, null, {} , [] ] } ")
        let elements: [JSONValue] = [
            .number("1"), .number("-2.5e+3"), .string("x"), .bool(true), .bool(false), .null, .object([]), .array([]),
        ]
        #expect(value == .object([JSONMember("a", .array(elements))]))
    }

    @Test func `escapes are decoded, also pairs of surrogates`() throws {
        #expect(try read("\"\\u00e9\\n\\\"\\\\\\/\\ud83d\\ude00\"") == .string("é\n\"\\/😀"))
    }

    @Test(arguments: [
        "01", "1.", "-", "+1", ".5", "1e", "tru", "nul", "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "[1 2]", "{1: 2}",
        "{\"a\" 1}",
        "[,]", "{,}", "]", "1 2", "NaN", "\"a",
    ])
    func `what RFC 8259 forbids is refused`(text: String) {
        #expect(throws: JSONReader.Failure.self) { try read(text) }
    }

    @Test func `text that was written reads back the same`() throws {
        let value = JSONValue.object([
            JSONMember("text", .string("tab\tquote\" back\\slash \u{1} é 😀 </script>")),
            JSONMember("list", .array([.integer(-5), .null, .object([JSONMember("x", .bool(true))])])),
        ])
        #expect(try read(value.text(indented: true)) == value)
        #expect(try read(value.text(indented: false)) == value)
    }

    @Test func `a key that appears twice is noted and its first value kept`() throws {
        var reader = JSONReader(bytes: Array("{\"a\": {\"b\": 1, \"b\": 2}}".utf8))
        let node = try reader.read()
        #expect(reader.duplicates.map(\.pointer) == ["/a/b"])
        #expect(node["a"]?["b"]?.integer == 1)
    }

    @Test func `pointers escape tilde and slash`() {
        #expect(JSONPointer.text(["a/b", "c~d"]) == "/a~1b/c~0d")
    }
}
