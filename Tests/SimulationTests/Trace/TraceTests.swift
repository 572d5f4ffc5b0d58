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

    @Test func `behaviour is what happened and when, not in which order within an instant`() {
        func behaviour(_ subjects: [Int64], after delay: Duration = .zero, exchange: Int64 = 1) -> String {
            let simulation = makeSimulation()
            simulation.run(for: delay)
            simulation.trace.record(.exchangeEnded(exchange: exchange, status: 200, failure: nil))
            for subject in subjects { simulation.trace.record(.world(kind: "activity", subject: subject, detail: "")) }
            return simulation.trace.behaviourText
        }
        #expect(behaviour([1, 2]) == behaviour([2, 1]))
        #expect(behaviour([1, 2]) == behaviour([1, 2], exchange: 2))
        let others = [
            behaviour([1, 2], after: .nanoseconds(1)), behaviour([1]), behaviour([1, 2, 2]), behaviour([1, 3]),
        ]
        #expect(Set(others + [behaviour([1, 2])]).count == 5)
    }

    @Test func `how many jobs a program takes is part of the run, not of its behaviour`() {
        func digests(hops: Int) -> (run: String, behaviour: String) {
            let simulation = makeSimulation()
            simulation.makeNode("node").start {
                for _ in 0..<hops { await Task.yield() }
            }
            simulation.run(for: .seconds(1))
            return (simulation.trace.digestText, simulation.trace.behaviourText)
        }
        #expect(digests(hops: 1).run != digests(hops: 9).run)
        #expect(digests(hops: 1).behaviour == digests(hops: 9).behaviour)
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
