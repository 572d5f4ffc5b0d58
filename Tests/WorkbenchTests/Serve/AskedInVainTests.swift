import HTTP
import Platform
import ScenarioFixtures
import Testing
import Verdict

@testable import Harness
@testable import Scenarios
@testable import Workbench

/// What somebody asks of GitLab in vain stands out in a run.
@Suite struct AskedInVainTests {
    @Test func `a parameter that GitLab ignores is in the trace and breaks an invariant`() throws {
        let world = try ServedWorld(makeScenario().plan(seed: 1))
        var lines: [String] = []
        world.onTrace = { lines.append($0) }
        let token = WorldSecrets.gitlabToken(of: try #require(Username("maria")), generation: 0)
        for target in ["/api/v4/todos?updated_after=2026-01-01", "/api/v4/todo"] {
            let request = HTTPRequest(
                method: .get,
                origin: WorldBuilder.gitlabOrigin,
                target: target,
                fields: ["PRIVATE-TOKEN": token]
            )
            _ = world.respond(.gitlab, request, HTTPPeer(address: "127.0.0.1", connection: 1))
        }
        let violations = world.simulated.recorder.record.violations
        #expect(violations.map(\.invariant) == [.ignoredParameter, .unknownRoute])
        #expect(violations[0].detail.hasPrefix("GET /todos ignores updated_after"))
        #expect(lines.contains { $0.contains("gitlab.ignored-parameter") && $0.contains("updated_after") })
        #expect(lines.contains { $0.contains("gitlab.unknown-route") })
        world.end()
    }
}
