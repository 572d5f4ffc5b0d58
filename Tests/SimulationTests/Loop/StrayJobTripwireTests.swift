import Platform
import Testing

@testable import Simulation

@Suite struct StrayJobTripwireTests {
    @Test func `a detached task is noticed with the code that made it`() {
        let simulation = makeSimulation()
        let node = simulation.makeNode("node")
        node.start { await goAstray() }
        let strays = StrayJobTripwire.watch { simulation.run(for: .seconds(1)) }
        #expect(StrayJobTripwire.isAvailable)
        #expect(strays.count == 1)
        #expect(strays.first?.enqueuedBy.contains { $0.contains("goAstray") } == true)
    }

    @Test func `structured work passes unnoticed`() {
        let simulation = makeSimulation()
        let node = simulation.makeNode("node")
        node.start {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { try? await node.clock.sleep(for: .seconds(1)) } }
            }
        }
        let strays = StrayJobTripwire.watch { simulation.run(for: .seconds(10)) }
        #expect(strays.isEmpty)
    }
}

private func goAstray() async {
    // Nobody cancels it: it ends at once and is there to be noticed.
    Task.detached {}
}
