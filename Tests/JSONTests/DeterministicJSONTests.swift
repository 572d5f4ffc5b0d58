import JSON
import Testing

struct DeterministicJSONTests {
    private struct Push: Encodable {
        var title = "café"
        var address = "https://gitlab.example.com/a"
        var badge: Int?
    }

    @Test func `keys are sorted, what is nil is left out, and slashes stay as they are`() throws {
        let line = #"{"address":"https://gitlab.example.com/a","title":"café"}"#
        #expect(try DeterministicJSON.line(Push()) == line)
        #expect(try DeterministicJSON.bytes(Push()) == Array(line.utf8))
    }

    @Test func `a number that JSON cannot hold is an error`() {
        #expect(throws: EncodingError.self) { try DeterministicJSON.bytes([Double.infinity]) }
    }
}
