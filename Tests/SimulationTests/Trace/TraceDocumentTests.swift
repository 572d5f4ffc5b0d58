import FoundationEssentials
import Platform
import Simulation
import Testing

@Suite struct TraceDocumentTests {
    @Test(arguments: [
        TraceEvent.nodeStarted(name: "", incarnation: 0), .nodeStopped(name: ""), .nodeCrashed(name: ""),
        .nodeStalled(name: ""), .requestSent(exchange: 1, link: "", method: "", target: "", bodyBytes: 0),
        .requestArrived(exchange: 1), .replySent(exchange: 1, status: 200, bodyBytes: 0, fault: nil),
        .exchangeEnded(exchange: 1, status: 200, failure: nil), .faultBegan(id: "", kind: ""), .faultEnded(id: ""),
        .log(LogEntry(level: .info, message: "", fields: [])), .world(kind: "activity", subject: 1, detail: ""),
    ])
    func `every kind of event stands in the document`(event: TraceEvent) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/trace.md"), encoding: .utf8)
        #expect(text.contains("| `\(event.name)` |"))
    }
}
