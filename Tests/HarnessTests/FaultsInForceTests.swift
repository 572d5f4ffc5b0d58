import Platform
import SQLite
import ScenarioFixtures
import Simulation
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

struct FaultsInForceTests {
    @Test func `the one that began last counts, and behind it the one before`() {
        var faults = FaultsInForce<Int>()
        #expect(faults.current == nil)
        faults.begin(Fixture.entry("a"), 1)
        faults.begin(Fixture.entry("b"), 2)
        #expect(faults.current == 2)
        faults.end(Fixture.entry("b"))
        #expect(faults.current == 1)
        faults.begin(Fixture.entry("c"), 3)
        faults.end(Fixture.entry("a"))
        #expect(faults.current == 3)
        faults.end(Fixture.entry("c"))
        #expect(faults.current == nil)
    }

    /// Seconds that GitLab's clock has gained after an hour.
    private func gained(_ timeline: String) throws -> Int64 {
        let world = try SimulatedWorld(makeScenario(duration: "\"1h\"", timeline: timeline).plan(seed: 1), RunOptions())
        try world.begin()
        world.simulation.run(for: .hours(1))
        let gained = world.simulation.clock.wallNow.duration(to: world.gitlabClock.wallNow)
        _ = world.outcome()
        return gained.components.seconds
    }

    @Test func `a clock goes on drifting when a shorter drift of the same clock ends`() throws {
        let long =
            #"{"at": "10m", "fault": "clock-drift", "id": "long", "node": "gitlab", "partsPerMillion": 10000, "for": "40m"}"#
        let short =
            #"{"at": "20m", "fault": "clock-drift", "id": "short", "node": "gitlab", "partsPerMillion": 10000, "for": "10m"}"#
        #expect(try gained(long) == 24)
        #expect(try gained("\(long), \(short)") == 24)
    }
}
