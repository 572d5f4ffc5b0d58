import Platform
import ScenarioFixtures
import Simulation
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

/// Somebody signs in to the notifier before they come into the project.
struct NewcomerTests {
    @Test func `that somebody was kept out before they registered is written down`() throws {
        let timeline = """
            {"at": "1s", "action": "lose-access", "user": "@maria", "project": "team/backend"},
            {"at": "10m", "action": "register", "by": "@maria"},
            {"at": "20m", "action": "regain-access", "user": "@maria", "project": "team/backend"}
            """
        let world = try SimulatedWorld(makeScenario(timeline: timeline).plan(seed: 1), RunOptions())
        try world.begin()
        world.simulation.run(for: .minutes(30))
        let registration = try #require(world.outcome().record.registrations.first)
        #expect(registration.requestedAt >= .minutes(10))
        #expect(registration.noAccess.map(\.span) == [Span(from: .seconds(1), until: .minutes(20))])
    }
}
