import JSON
import Testing

struct JSONValueTests {
    @Test func `a value written in code is the one that is read`() throws {
        let value: JSONValue = [
            "b": [1, -2, 2.5, true, nil], "a": "x", "c": ["d": [:], "e": []],
        ]
        let text = #"{"b":[1,-2,2.5,true,null],"a":"x","c":{"d":{},"e":[]}}"#
        #expect(value.text(indented: false) == text)
        var reader = JSONReader(bytes: Array(text.utf8))
        #expect(try reader.read().value == value)
    }

    @Test func `members keep their order unless they are to be sorted`() {
        let value: JSONValue = ["b": 1, "a": 2]
        #expect(value.members?.map(\.key) == ["b", "a"])
        #expect(JSONValue.sorted(["b": 1, "a": 2, "c": 3]).text(indented: false) == #"{"a":2,"b":1,"c":3}"#)
    }

    @Test func `a member is found by its key, and in nothing but an object`() {
        let value: JSONValue = ["a": ["b": 7]]
        #expect(value["a"]?["b"] == 7)
        #expect(value["b"] == nil && JSONValue.string("a")["a"] == nil && JSONValue.array(["a"])["a"] == nil)
    }

    @Test func `a member that is set replaces the one of its name`() {
        let value: JSONValue = ["a": 1, "b": 2]
        #expect(value.with("c", 3).text(indented: false) == #"{"a":1,"b":2,"c":3}"#)
        #expect(value.with("a", 3).text(indented: false) == #"{"b":2,"a":3}"#)
        #expect(JSONValue.null.with("a", 1) == .null)
    }

    @Test(arguments: [
        ("\u{0}", #""\u0000""#), ("\u{1F}", #""\u001f""#), ("\u{7F}", "\"\u{7F}\""), ("\\\"/", #""\\\"/""#),
        ("\n\r\t", #""\n\r\t""#), ("é😀\u{2028}", "\"é😀\u{2028}\""), ("\r\n", #""\r\n""#),
    ])
    func `a string escapes what RFC 8259 forbids in one, and nothing else`(string: String, text: String) {
        #expect(JSONValue.string(string).text(indented: false) == text)
    }
}
