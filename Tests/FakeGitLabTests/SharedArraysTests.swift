import Testing

@testable import FakeGitLab

struct SharedArraysTests {
    private func address(_ bytes: [UInt8]) -> UnsafeRawPointer? { bytes.withUnsafeBytes(\.baseAddress) }

    @Test func `equal bodies are held once`() {
        var bodies = SharedArrays<UInt8>()
        let first = bodies.shared(Array("[1,2]".utf8), by: "W/1")
        let second = bodies.shared(Array("[1,2]".utf8), by: "W/1")
        #expect(address(first) == address(second))
    }

    @Test func `a body is never exchanged for another one, whatever its tag says`() {
        var bodies = SharedArrays<UInt8>()
        _ = bodies.shared(Array("[1,2]".utf8), by: "W/1")
        #expect(bodies.shared(Array("[1,3]".utf8), by: "W/1") == Array("[1,3]".utf8))
        #expect(bodies.shared(Array("[4]".utf8), by: "") == Array("[4]".utf8))
    }

    @Test func `however many there are, few are remembered`() {
        var bodies = SharedArrays<UInt8>()
        let first = bodies.shared(Array("[0]".utf8), by: "W/0")
        for number in 1...1_000 { _ = bodies.shared(Array("[\(number)]".utf8), by: "W/\(number)") }
        let again = bodies.shared(Array("[0]".utf8), by: "W/0")
        #expect(again == first)
        #expect(address(again) != address(first))
    }
}
