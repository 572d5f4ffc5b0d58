import Platform
import ScenarioFixtures
import Testing

@testable import Harness
@testable import Scenarios
@testable import Verdict

/// What an operator sends with an incident report is looked through.
struct IncidentCheckTests {
    private func check() throws -> IncidentCheck {
        let title = "{\"iid\": 1, \"title\": \"Retry the uploads\", \"author\": \"@ben\"}"
        return IncidentCheck(try makeScenario(mergeRequests: title).world)
    }

    @Test(
        arguments: [
            (#"{"kind":"account","id":1}"#, nil),
            (#"{"kind":"account","#, #"a line that is no JSON: {"kind":"account","#),
            (#"{"title":"Retry the uploads"}"#, #""Retry the uploads""#),
            (#"{"path":"team/backend"}"#, #""team/backend""#),
            (#"{"token":"glpat-s3cr3t-1"}"#, #""s3cr3t""#),
        ] as [(String, String?)]
    )
    func `names and secrets are found, and what is no JSON`(line: String, complaint: String?) throws {
        #expect(try check().complaint(about: [#"{"kind":"incident"}"#, line]) == complaint)
    }

    @Test func `of small worlds it is done under one seed of four, and finds nothing`() throws {
        let timeline = #"{"rate": "12/h", "action": "comment", "by": "@ben", "on": "team/backend!1"}"#
        let scenario = try makeScenario(timeline: timeline)
        #expect(IncidentCheck.isDone(in: try scenario.plan(seed: 5)))
        #expect(!IncidentCheck.isDone(in: try scenario.plan(seed: 6)))
        let outcome = try ScenarioRun.perform(try scenario.plan(seed: 5))
        #expect(outcome.record.violations.isEmpty)
        #expect(outcome.incidentLines.isEmpty)
    }
}
