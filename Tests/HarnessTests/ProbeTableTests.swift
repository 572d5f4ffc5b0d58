import Scenarios
import Testing

@testable import Harness
@testable import Verdict

struct ProbeTableTests {
    @Test func `a line of a log reaches the probes that an entry reaches`() throws {
        var table = ProbeTable()
        let line = try #require(LogLine(#"{"message":"poll.started","account.id":1}"#))
        #expect(table.probe(of: LogRecord(at: .zero, line: line)) == nil)
        #expect(table.probe(of: LogRecord(at: .zero, line: line)) == .restartResumed)
    }
}
