import Platform
import Simulation
import Testing

@Suite struct TraceTests {
    @Test func `the digest is the same whether events are kept or not`() {
        func digest(_ retention: Trace.Retention) -> String {
            let simulation = makeSimulation(retention: retention)
            simulation.trace.record(.world(kind: "activity", subject: 7, detail: "a comment"))
            return simulation.trace.digestText
        }
        #expect(digest(.digestOnly) == digest(.everything))
    }

    @Test(arguments: [
        TraceEvent.world(kind: "activity", subject: 8, detail: "a comment"),
        .world(kind: "activity", subject: 7, detail: "a Comment"),
        .world(kind: "display", subject: 7, detail: "a comment"),
        .nodeCrashed(name: "notifier"),
        .log(LogEntry(level: .info, message: "poll", fields: [])),
    ])
    func `any difference in an event is a difference in the digest`(event: TraceEvent) {
        func digest(_ event: TraceEvent) -> String {
            let simulation = makeSimulation()
            simulation.trace.record(event)
            return simulation.trace.digestText
        }
        #expect(digest(event) != digest(.world(kind: "activity", subject: 7, detail: "a comment")))
    }

    @Test func `the same events at other instants or of another node give another digest`() {
        func digest(after delay: Duration, node: UInt32) -> String {
            let simulation = makeSimulation()
            simulation.run(for: delay)
            simulation.trace.record(.faultEnded(id: "outage"), node: node)
            return simulation.trace.digestText
        }
        let digests = [
            digest(after: .zero, node: 1), digest(after: .nanoseconds(1), node: 1), digest(after: .zero, node: 2),
        ]
        #expect(Set(digests).count == 3)
    }

    @Test func `kept events stand in order with their instants`() {
        let simulation = makeSimulation()
        for second in [3, 1, 2] {
            simulation.schedule(after: .seconds(second)) {
                simulation.trace.record(.world(kind: "tick", subject: Int64(second), detail: ""))
            }
        }
        simulation.run(for: .seconds(5))
        #expect(simulation.trace.records.map { $0.at.nanoseconds / 1_000_000_000 } == [1, 2, 3])
    }
}
