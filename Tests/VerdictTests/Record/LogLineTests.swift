import Platform
import Testing

@testable import Verdict

/// A line of the log of a process.
struct LogLineTests {
    @Test func `is the entry that was written`() throws {
        let text =
            #"{"time":"2026-03-02T07:00:00.000Z","level":"info","message":"fact.notified","#
            + #""fact.key":"note/7 \"x\"","account.id":3,"wait.ms":-1}"#
        let line = try #require(LogLine(text))
        #expect(line.message == "fact.notified")
        #expect(line.fields.map(\.key) == ["account.id", "fact.key", "wait.ms"])
        #expect(line.number("account.id") == 3)
        let record = LogRecord(at: .zero, line: line)
        #expect(record.text("fact.key") == "note/7 \"x\"")
        #expect(record.number("wait.ms") == -1)
        #expect(record.number("fact.key") == nil)
        #expect(record.text("account.id") == nil)
    }

    @Test(arguments: [
        "", "Fatal error: index out of range", "{}", #"{"message":1}"#, #"{"message":"x","field":[]}"#, "[",
    ])
    func `is nothing else`(text: String) {
        #expect(LogLine(text) == nil)
    }

    /// The entry's message, its field, and the port.
    private static let ports: [(String, String, UInt16?)] = [
        ("daemon.ready", "8080", 8_080), ("daemon.ready", "65536", nil), ("daemon.ready", "-1", nil),
        ("daemon.ready", #""8080""#, nil), ("daemon.stopped", "8080", nil),
    ]

    @Test(arguments: ports)
    func `tells the port where the server listens, if it can be one`(message: String, value: String, port: UInt16?)
        throws
    {
        let line = try #require(LogLine(#"{"message":"\#(message)","listen.port":\#(value)}"#))
        #expect(line.servingPort == port)
    }
}
