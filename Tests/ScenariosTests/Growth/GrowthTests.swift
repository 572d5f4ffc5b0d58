import JSON
import ScenarioFixtures
import Testing

@testable import Scenarios

/// Worlds that grow as teams do.
struct GrowthTests {
    private static let mix =
        #"{ "rate": "30/h", "from": "5m", "until": "3h", "mix": { "comment": 3, "push": 1 }, "mention": "@maria" }"#
    private static let named =
        #"{ "every": "10m", "id": "ben", "action": "comment", "by": "@ben", "on": "team/backend!1" }"#
    private static let outage =
        #"{ "at": "2h", "for": "5m", "fault": "gitlab-outage", "mode": "502-text", "id": "out" }"#

    private func scenario() throws -> Scenario {
        try makeScenario(
            timeline: [Self.mix, Self.named, Self.outage].joined(separator: ","),
            expect: #"{ "latency.max": "<= 5m", "window": "after:out" }"#
        )
    }

    /// The scenario as the file that is written for it reads.
    private func readBack(_ scenario: Scenario) throws -> Scenario {
        let text = ScenarioEncoder.scenario(scenario).text(indented: true)
        return try ScenarioReader.read(Array(text.utf8), file: "grown.json")
    }

    @Test(arguments: GrowthAxis.allCases)
    func `at its own size a world is the file, and a larger one can be run`(_ axis: GrowthAxis) throws {
        let scenario = try scenario()
        let start = try #require(axis.size(of: scenario))
        #expect(axis.grown(scenario, to: start) == scenario)
        let grown = axis.grown(scenario, to: start + 2 * axis.step(of: scenario))
        #expect(grown != scenario)
        let read = try readBack(grown)
        #expect(read.timeline == grown.timeline && read.world == grown.world)
        #expect(grown.timeline.compactMap(\.faultID).map(\.text) == ["out"], "what goes wrong goes wrong once")
        _ = try read.plan(seed: 7)
    }

    @Test func `more people are more teams, each with its own projects, news and names`() throws {
        let grown = GrowthAxis.people.grown(try scenario(), to: 3)
        #expect(grown.world.people.count == 12 && grown.world.people.count { $0.notified != nil } == 3)
        #expect(grown.world.projects.map(\.path.text) == ["team/backend", "team/backend-2", "team/backend-3"])
        let name = try #require(Username("maria-3"))
        let maria = try #require(grown.world.person(name))
        #expect(maria.notified?.watches.map(\.description) == ["team/backend-3!1"])
        #expect(grown.world.projects[2].members.map(\.username.text).allSatisfy { $0.hasSuffix("-3") })
        #expect(grown.timeline.count == 1 + 2 * 3)
        let entries = grown.timeline.map { ScenarioEncoder.entry($0).text(indented: false) }
        #expect(entries[0].contains(#""on":["team/backend!1","team/backend#2"]"#), "any item is one of the team's own")
        #expect(entries[3].contains("team/backend-2#2") && entries[3].contains("@maria-2"))
        #expect(entries[4].contains("@ben-2") && !entries[4].contains("\"id\""))
    }

    @Test func `more items are copies that the same people watch, as busy as the first`() throws {
        let grown = GrowthAxis.items.grown(try scenario(), to: 5)
        #expect(
            grown.world.projects[0].items.map { "\($0.reference(in: grown.world.projects[0].path))" }.sorted() == [
                "team/backend!1", "team/backend!3", "team/backend!5", "team/backend#2", "team/backend#4",
            ]
        )
        #expect(grown.world.people[0].notified?.watches.map(\.iid) == [1, 3, 5])
        let entries = grown.timeline.map { ScenarioEncoder.entry($0).text(indented: false) }
        #expect(entries[0].contains(#""rate":"75/h""#), "two items had 30, five have 75: \(entries[0])")
        #expect(entries[1].contains(#""every":"3m20s""#) && entries[1].contains("team/backend!5"))
        #expect(GrowthAxis.items.grown(try scenario(), to: 4).world.projects[0].items.count == 4)
    }

    @Test(arguments: [(150, "45/h", "6m40s"), (101, "5090/w", "9m54.059s"), (400, "120/h", "2m30s")])
    func `a rate grows by per cents`(percent: Int, rate: String, every: String) throws {
        let grown = GrowthAxis.rate.grown(try scenario(), to: percent)
        let entries = grown.timeline.map { ScenarioEncoder.entry($0) }
        #expect(entries[0]["rate"] == .string(rate))
        let interval = try #require(entries[1]["every"].map { $0.text(indented: false) })
        #expect(interval.contains(every) || interval.contains("9m54s59ms"), "\(interval)")
    }

    @Test func `growth ends where a scenario or the notifier does`() throws {
        let scenario = try scenario()
        #expect(GrowthAxis.rate.ceiling(of: scenario).size == 6_400)
        #expect(GrowthAxis.people.ceiling(of: scenario).size == 64)
        var limited = scenario
        limited.notifier["watchLimit"] = .integer(10)
        #expect(GrowthAxis.items.ceiling(of: limited).size == 20, "one of two items is watched")
        #expect(GrowthAxis.items.ceiling(of: limited).reason.contains("watchLimit"))
        let empty = try makeScenario(timeline: "")
        #expect(GrowthAxis.rate.size(of: empty) == nil)
    }

    @Test(arguments: [
        ("latency.p95 <= 60s", "latency.p95 <= 1m"), ("missed=0", "missed = 0"),
        ("  excessLatency.max  <  2m ", "excessLatency.max < 2m"),
        ("requestsPerHour.gitlab <= 7200", "requestsPerHour.gitlab <= 7200"),
    ])
    func `a requirement is read as reports write it`(text: String, rule: String) throws {
        let gate = try #require(Gate(notation: text))
        #expect("\(gate.metric.rawValue) \(gate.comparison.notation)" == rule)
    }

    @Test func `a share may have a confidence, and nothing else is a requirement`() throws {
        #expect(Gate(notation: "delivery > 99% at 95%")?.confidence == Ratio(notation: "95%"))
        for text in [
            "", "latency", "latency.p95", "latency.p95 <= soon", "latency.p59 <= 1s", "delivery > 99% at 100%",
            "delivery > 99% at", "latency.p95 <= 60s at 95%", "missed = 0 at 95%",
        ] {
            #expect(Gate(notation: text) == nil, "\(text)")
        }
    }
}
