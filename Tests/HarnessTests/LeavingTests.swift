import FakeGitLab
import Platform
import ScenarioFixtures
import Simulation
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

/// What somebody leaves at GitLab who had signed in there and leaves after an hour.
struct LeavingTests {
    private func makeWorld(_ fault: String = "") throws -> SimulatedWorld {
        let text = makeScenarioText(
            duration: "\"2h\"",
            people:
                #", {"username": "@nora", "name": "Nora", "notified": {"devices": [{"name": "mac", "platform": "macos"}],"#
                + #" "signIn": "oauth", "watches": ["team/backend!1"]}}"#,
            timeline: #"{"at": "1h", "action": "leave-service", "by": "@nora"}\#(fault)"#
        )
        .replacing(
            #"{"username": "@maria", "role""#,
            with: #"{"username": "@nora", "role": "developer"}, {"username": "@maria", "role""#
        )
        let scenario = try ScenarioReader.read(Array(text.utf8), file: "made.json")
        return try SimulatedWorld(scenario.plan(seed: 3), RunOptions())
    }

    /// The world until the grant has been looked at, and what broke meanwhile.
    private func broken(_ world: SimulatedWorld, forgettingFaults: Bool = false) throws -> [ViolationRecord.Invariant] {
        try world.begin()
        world.simulation.run(for: .minutes(62))
        if forgettingFaults { world.recorder.record.faults = [] }
        world.simulation.run(for: .minutes(10))
        return world.outcome().record.violations.map(\.invariant)
    }

    @Test func `who leaves leaves no grant`() throws {
        let world = try makeWorld()
        #expect(try broken(world).isEmpty)
        #expect(!world.gitlab.hasGrant(of: "nora"))
    }

    @Test(arguments: ["replace-token", "sign-out"])
    func `nor one that they had granted before they signed in again`(action: String) throws {
        let world = try makeWorld(#", {"at": "30m", "action": "\#(action)", "by": "@nora"}"#)
        #expect(try broken(world).isEmpty)
        #expect(!world.gitlab.hasGrant(of: "nora", orFormer: true))
    }

    private static let outage = #", {"at": "50m", "fault": "gitlab-outage", "mode": "502-text", "for": "30m"}"#

    @Test func `a grant that GitLab could not end stays, and is wrong where it could`() throws {
        let world = try makeWorld(Self.outage)
        #expect(try broken(world).isEmpty)
        #expect(world.gitlab.hasGrant(of: "nora"))
        #expect(try broken(makeWorld(Self.outage), forgettingFaults: true).contains(.askedAfterLeaving))
    }
}
