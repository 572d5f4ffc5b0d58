import FakeAPNs
import FakeGitLab
import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Harness

/// A worker plays hundreds of worlds one after the other.
struct WorldLifeTests {
    private static let timeline = """
        {"every": "4m", "from": "3m", "until": "50m", "action": "comment", "by": "@ben", "on": "team/backend!1"}
        """

    /// What happens to the process on the way; a crash leaves its tasks where they stood.
    private static let fates = [
        "",
        #", {"at": "20m", "fault": "restart", "downFor": "30s"}"#,
        #", {"at": "20m", "fault": "crash", "downFor": "30s"}"#,
        #", {"at": "20m", "fault": "crash", "downFor": "30s"}, {"at": "40m", "fault": "stall", "for": "2m"}"#,
    ]

    @Test(arguments: fates, [nil, Duration.seconds(60)])
    func `a finished world gives its memory back`(fate: String, metricsEvery: Duration?) throws {
        weak var recorder: Recorder?
        weak var gitlab: FakeGitLab?
        weak var fleet: DeviceFleet?
        weak var person: PersonApp?
        do {
            let plan = try makeScenario(duration: "\"1h\"", timeline: Self.timeline + fate).plan(seed: 1)
            let world = try SimulatedWorld(plan, RunOptions(metricsEvery: metricsEvery))
            (recorder, gitlab, fleet, person) = (world.recorder, world.gitlab, world.fleet, world.people.first)
            #expect(recorder != nil && gitlab != nil && fleet != nil && person != nil)
            try world.play()
            _ = world.outcome()
        }
        #expect(recorder == nil)
        #expect(gitlab == nil)
        #expect(fleet == nil)
        #expect(person == nil)
    }
}
