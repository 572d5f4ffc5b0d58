import HTTP
import Platform
import ScenarioFixtures
import Simulation
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

/// What slow links and a slow GitLab leave open of what the notifier asks.
struct RecorderDelaysTests {
    private let simulation: Simulation
    private let recorder: Recorder

    init() throws {
        let plan = try makeScenario().plan(seed: 1)
        let simulation = Simulation(seed: 1, start: plan.scenario.start)
        let recorder = Recorder(plan, simulation: simulation)
        simulation.trace.observer = { [weak recorder] in recorder?.observe($0) }
        (self.simulation, self.recorder) = (simulation, recorder)
        recorder.learn(gitlabToken: "token", of: RecordBuilder.maria)
        recorder.learn(GitLabNumbers(projects: [RecordBuilder.backend: 7]))
    }

    private func wait(until seconds: Int) {
        simulation.run(for: .seconds(seconds) - recorder.now)
    }

    /// A fault from the beginning on.
    private func strike(_ kind: FaultKind, until seconds: Int) {
        let span = Span(from: .seconds(5), until: .seconds(seconds))
        recorder.record.faults.append(FaultRecord(id: Fixture.entry("slow"), kind: kind, span: span))
    }

    /// GitLab is asked with maria's token, and answers.
    private func ask(_ target: String, _ response: HTTPResponse = HTTPResponse(status: 200), at seconds: Int) {
        wait(until: seconds)
        let fields: HTTPFields = ["PRIVATE-TOKEN": "token"]
        let request = HTTPRequest(method: .get, origin: WorldBuilder.gitlabOrigin, target: target, fields: fields)
        recorder.observe(gitlabRequest: request, SentResponse(response))
    }

    @Test(
        arguments: [
            (.latency, 10_200, false), (.stallBeforeFirstByte, 10_200, false), (.latency, 6_500, false),
            (.latency, 6_300, true), (.gitlabOutage, 10_200, true),
        ] as [(FaultKind, Int, Bool)]
    )
    func `what a slow link may have held up since before a limit does not ignore it`(
        kind: FaultKind,
        until end: Int,
        isIgnored: Bool
    ) {
        strike(kind, until: end)
        ask("/api/v4/todos", HTTPResponse(status: 429, fields: ["Retry-After": "600"]), at: 10_000)
        ask("/api/v4/todos", at: 10_300)
        #expect(recorder.record.violations.map(\.invariant) == (isIgnored ? [.retryAfterIgnored] : []))
    }

    @Test(
        arguments: [
            (.latency, 60, 20, 25, true), (.latency, 60, 20, 320, false), (.latency, 2_000, 1_000, 1_100, true),
            (.gitlabSlow, 15, 20, 25, true), (.gitlabSlow, 15, 20, 320, false), (.gitlabSlow, 15, 320, 325, false),
            (.gitlabOutage, 60, 20, 25, false),
        ] as [(FaultKind, Int, Int, Int, Bool)]
    )
    func `what GitLab answers late an app may have waited for that has given up since`(
        kind: FaultKind,
        until end: Int,
        givenUpAt: Int,
        answeredAt: Int,
        isForApp: Bool
    ) {
        strike(kind, until: end)
        wait(until: givenUpAt - 10)
        let (link, method) = (Link.api.rawValue, HTTPMethod.post.rawValue)
        simulation.trace.record(.requestSent(exchange: 1, link: link, method: method, target: "/watches", bodyBytes: 0))
        simulation.trace.record(.requestArrived(exchange: 1))
        wait(until: givenUpAt)
        simulation.trace.record(.replySent(exchange: 1, status: 503, bodyBytes: 0, fault: nil))
        ask("/api/v4/projects/7/issues/2/notes", at: answeredAt)
        #expect(recorder.finish().itemRequests.isEmpty == isForApp)
    }
}
