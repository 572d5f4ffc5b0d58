import Platform
import Testing

@testable import Simulation

@Suite struct NodeTests {
    @Test func `a crash drops the node's work where it stands, without its defers`() {
        let simulation = makeSimulation()
        let notes = Notebook()
        let node = simulation.makeNode("notifier")
        node.start {
            defer { notes.write("defer") }
            notes.write("before")
            try? await node.clock.sleep(for: .seconds(10))
            notes.write("after")
        }
        simulation.run(for: .seconds(5))
        node.crash()
        simulation.run(for: .minutes(1))
        #expect(notes.lines == ["before"])
        #expect(!node.isAlive)
    }

    @Test func `a restart has a random stream of its own and the same one in every run`() {
        func draws() -> [UInt64] {
            let simulation = makeSimulation(seed: 7)
            let first = simulation.makeNode("notifier")
            let second = simulation.makeNode("notifier")
            return [first.entropy.nextUInt64(), second.entropy.nextUInt64()]
        }
        #expect(draws() == draws())
        #expect(Set(draws()).count == 2)
    }

    @Test func `a stalled node does everything at once when the stall ends`() {
        let simulation = makeSimulation()
        let notes = Notebook()
        let node = simulation.makeNode("notifier")
        for second in 1...3 {
            node.start {
                try? await node.clock.sleep(for: .seconds(second))
                notes.write("\(second) at \(node.clock.monotonicNow.nanoseconds / 1_000_000_000)")
            }
        }
        simulation.run(for: .milliseconds(500))
        node.stall(for: .seconds(30))
        simulation.run(for: .minutes(1))
        #expect(notes.lines == ["1 at 30", "2 at 30", "3 at 30"])
    }

    /// Tells when each of its jobs ran.
    private actor Keeper {
        nonisolated let executor: any SerialExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ executor: any SerialExecutor) { self.executor = executor }

        func note(_ name: String, in notes: Notebook, at clock: NodeClock) {
            notes.write("\(name) at \(clock.monotonicNow.nanoseconds / 1_000_000_000)")
        }
    }

    @Test func `jobs of a serial executor that is delayed take their time, one after the other`() {
        let simulation = makeSimulation()
        let notes = Notebook()
        let node = simulation.makeNode("notifier")
        let keeper = Keeper(node.serialExecutor)
        node.delaySerialJobs(by: .seconds(10))
        for name in ["a", "b", "c", "d"] {
            node.start { await keeper.note(name, in: notes, at: node.clock) }
        }
        simulation.run(for: .seconds(25))
        #expect(notes.lines == ["a at 10", "b at 20"])
        // What waits runs at once when the delay ends, and what comes then waits for nothing.
        node.delaySerialJobs(by: .zero)
        node.start { await keeper.note("e", in: notes, at: node.clock) }
        simulation.run(for: .seconds(60))
        #expect(notes.lines == ["a at 10", "b at 20", "c at 25", "d at 25", "e at 25"])
    }

    @Test func `what waits for a serial executor is dropped with the node`() {
        let simulation = makeSimulation()
        let notes = Notebook()
        let node = simulation.makeNode("notifier")
        let keeper = Keeper(node.serialExecutor)
        node.delaySerialJobs(by: .seconds(10))
        node.start { await keeper.note("a", in: notes, at: node.clock) }
        simulation.run(for: .seconds(5))
        node.crash()
        simulation.run(for: .minutes(1))
        #expect(notes.lines.isEmpty)
    }

    @Test func `a wall clock steps and drifts while monotonic time runs on`() {
        let simulation = makeSimulation()
        let node = simulation.makeNode("notifier")
        let start = node.clock.wallNow
        node.clock.step(by: .seconds(-30))
        simulation.run(for: .minutes(1))
        #expect(start.duration(to: node.clock.wallNow) == .seconds(30))
        node.clock.setDrift(microsecondsPerSecond: 500)
        simulation.run(for: .seconds(2_000))
        #expect(start.duration(to: node.clock.wallNow) == .seconds(30 + 2_000 + 1))
        #expect(node.clock.monotonicNow.nanoseconds == Duration.seconds(2_060).wholeNanoseconds)
    }
}
