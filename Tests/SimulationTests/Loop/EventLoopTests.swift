import Platform
import Testing

@testable import Simulation

@Suite struct EventLoopTests {
    @Test func `a sleeping task wakes at its instant and not before`() {
        let simulation = makeSimulation()
        let notes = Notebook()
        let node = simulation.makeNode("node")
        node.start {
            try? await node.clock.sleep(for: .seconds(90))
            notes.write("woke at \(node.clock.monotonicNow.nanoseconds)")
        }
        simulation.run(for: .seconds(89))
        #expect(notes.lines.isEmpty)
        simulation.run(for: .seconds(1))
        #expect(notes.lines == ["woke at 90000000000"])
    }

    @Test func `events of one instant run in the order in which they were scheduled`() {
        let simulation = makeSimulation()
        let notes = Notebook()
        for number in 1...5 {
            simulation.schedule(after: .seconds(1)) { notes.write("\(number)") }
        }
        simulation.run(for: .seconds(1))
        #expect(notes.lines == ["1", "2", "3", "4", "5"])
    }

    @Test func `time jumps to the next event however far it lies`() {
        let simulation = makeSimulation()
        let notes = Notebook()
        simulation.schedule(after: .days(365)) { notes.write("a year later") }
        simulation.run(for: .days(366))
        #expect(notes.lines == ["a year later"])
        #expect(simulation.stepCount == 1)
        #expect(simulation.now.nanoseconds == Duration.days(366).wholeNanoseconds)
    }

    @Test func `a task that can run comes before every event`() {
        let simulation = makeSimulation()
        let notes = Notebook()
        let node = simulation.makeNode("node")
        simulation.schedule(after: .seconds(120)) { notes.write("two minutes later") }
        simulation.run(for: .seconds(1))
        #expect(simulation.nextInstant?.nanoseconds == Duration.seconds(120).wholeNanoseconds)
        node.start { notes.write("ran") }
        #expect(simulation.nextInstant == simulation.now)
        simulation.run(until: simulation.now)
        #expect(notes.lines == ["ran"])
        #expect(simulation.nextInstant?.nanoseconds == Duration.seconds(120).wholeNanoseconds)
    }

    @Test func `child tasks, groups and actors stay on the loop in one order`() {
        func run() -> (lines: [String], digest: String) {
            let simulation = makeSimulation()
            let notes = Notebook()
            let node = simulation.makeNode("node")
            let counter = Counter()
            node.start {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            let count = await counter.increment()
                            try? await node.clock.sleep(for: .milliseconds(Int64(count * 7 % 13)))
                            notes.write("\(number):\(count)")
                        }
                    }
                }
                async let left = counter.increment()
                async let right = counter.increment()
                notes.write("\(await left + right)")
            }
            simulation.run(for: .seconds(1))
            return (notes.lines, simulation.trace.digestText)
        }
        let first = run()
        let second = run()
        #expect(first.lines.count == 51)
        #expect(first.lines == second.lines)
        #expect(first.digest == second.digest)
    }

    @Test func `a cancelled sleep ends at once and with an error`() {
        let simulation = makeSimulation()
        let notes = Notebook()
        let node = simulation.makeNode("node")
        node.start {
            do {
                try await node.clock.sleep(for: .hours(1))
                notes.write("slept")
            } catch {
                notes.write("\(type(of: error)) at \(node.clock.monotonicNow.nanoseconds)")
            }
        }
        simulation.run(for: .seconds(1))
        node.stop()
        simulation.run(for: .seconds(1))
        #expect(notes.lines == ["CancellationError at 1000000000"])
    }

    @Test(arguments: 1...8) func `exploring schedules changes the order but not what a seed gives`(seed: UInt64) {
        func run(explores: Bool) -> [String] {
            let simulation = makeSimulation(seed: seed, exploresSchedules: explores)
            let notes = Notebook()
            for number in 0..<8 {
                simulation.makeNode("node\(number)").start { notes.write("\(number)") }
            }
            simulation.run(for: .seconds(1))
            return notes.lines
        }
        #expect(run(explores: true) == run(explores: true))
        #expect(run(explores: true).sorted() == run(explores: false))
        #expect(run(explores: true) != run(explores: false))
    }

    private actor Counter {
        private var count = 0
        func increment() -> Int {
            count += 1
            return count
        }
    }
}
