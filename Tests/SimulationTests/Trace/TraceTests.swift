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

    /// Three exchanges that overlap: the first ends last, the second with 304, the third is still under way in the end.
    private func recordExchanges(in trace: Trace) {
        func sent(_ exchange: Int64) {
            trace.record(.requestSent(exchange: exchange, link: "gitlab", method: "GET", target: "/", bodyBytes: 0))
        }
        func ended(_ exchange: Int64, _ status: Int) {
            trace.record(.exchangeEnded(exchange: exchange, status: status, failure: nil))
        }
        func tick(_ subject: Int64) { trace.record(.world(kind: "tick", subject: subject, detail: "")) }
        tick(1)
        sent(1)
        sent(2)
        tick(2)
        ended(2, 304)
        sent(3)
        tick(3)
        ended(1, 200)
        tick(4)
    }

    private func exchange(of record: TraceRecord) -> Int64? {
        switch record.event {
        case .requestSent(let exchange, _, _, _, _), .exchangeEnded(let exchange, _, _): exchange
        default: nil
        }
    }

    private func names(_ records: [TraceRecord]) -> [String] {
        records.map { record in
            if case .world(_, let subject, _) = record.event { return "tick \(subject)" }
            return "\(record.event.name) \(exchange(of: record) ?? 0)"
        }
    }

    private static let notable = [
        "tick 1", "request.sent 1", "tick 2", "request.sent 3", "tick 3", "exchange.ended 1", "tick 4",
    ]

    @Test func `what is notable leaves out exchanges that ended with 304, and keeps the order`() {
        let simulation = makeSimulation(retention: .notable)
        recordExchanges(in: simulation.trace)
        #expect(names(simulation.trace.records) == Self.notable)
        simulation.trace.endKeeping()
        simulation.trace.record(.world(kind: "tick", subject: 5, detail: ""))
        #expect(names(simulation.trace.records) == Self.notable)
    }

    @Test func `a sink has the same events in the same order, each once it is certain, and nothing stays behind`() {
        let simulation = makeSimulation(retention: .notable)
        var taken: [TraceRecord] = []
        simulation.trace.sink = { taken.append($0) }
        recordExchanges(in: simulation.trace)
        #expect(names(taken) == Array(Self.notable.prefix(3)))
        simulation.trace.endKeeping()
        #expect(names(taken) == Self.notable)
        #expect(simulation.trace.records.isEmpty)
    }

    @Test func `events leave in order however many there are`() {
        let simulation = makeSimulation(retention: .notable)
        var taken: [Int64] = []
        simulation.trace.sink = { record in if let exchange = exchange(of: record) { taken.append(exchange) } }
        let exchanges: ClosedRange<Int64> = 1...20_000
        for exchange in exchanges {
            let (link, method) = ("gitlab", "GET")
            simulation.trace.record(
                .requestSent(exchange: exchange, link: link, method: method, target: "/", bodyBytes: 0)
            )
            if exchange > 3 {
                let status = exchange % 2 == 0 ? 304 : 200
                simulation.trace.record(.exchangeEnded(exchange: exchange - 3, status: status, failure: nil))
            }
        }
        simulation.trace.endKeeping()
        let kept = exchanges.filter { $0 > 19_997 || $0 % 2 == 0 }
        // Those that ended come twice; the order is that of the beginnings and ends.
        #expect(Set(taken) == Set(kept))
        #expect(taken.count == 2 * kept.count - 3)
        #expect(zip(taken, taken.dropFirst()).allSatisfy { $1 >= $0 - 3 })
    }
}
