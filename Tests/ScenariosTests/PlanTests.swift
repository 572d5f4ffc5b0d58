import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios

struct PlanTests {
    private static let talk =
        "{\"rate\": \"30/h\", \"mix\": {\"comment\": 5, \"push\": 2, \"approve\": 1}, \"mention\": \"@maria\"}"

    private func offsets(_ plan: ResolvedScenario, _ isIncluded: (Step.Event) -> Bool) -> [Duration] {
        plan.steps.filter { isIncluded($0.event) }.map(\.offset)
    }

    @Test func `the same seed gives the same plan and another seed another one`() throws {
        let scenario = try makeScenario(timeline: Self.talk)
        let plan = try scenario.plan(seed: 7)
        #expect(try scenario.plan(seed: 7) == plan)
        #expect(try scenario.plan(seed: 8).steps != plan.steps)
        #expect(plan.steps.count > 60)
    }

    @Test func `a change to one entry does not shift what others draw`() throws {
        let crashes = "{\"rate\": \"5/h\", \"fault\": \"crash\", \"id\": \"storm\", \"downFor\": \"5s\"}"
        let alone = try makeScenario(timeline: crashes).plan(seed: 3)
        let together = try makeScenario(timeline: "\(Self.talk), \(crashes)").plan(seed: 3)
        let isFault = { (event: Step.Event) in if case .fault = event { true } else { false } }
        #expect(offsets(alone, isFault) == offsets(together, isFault))
        #expect(alone.steps.count > 5)
    }

    @Test func `steps stand in the order of time and are numbered`() throws {
        let plan = try makeScenario(
            timeline: """
                {"at": "2h", "action": "close", "by": "@ben", "on": "team/backend#2"},
                {"every": "7m", "action": "comment", "by": "anyone", "on": "any"}
                """
        ).plan(seed: 1)
        #expect(plan.steps.map(\.sequence) == Array(0..<plan.steps.count))
        #expect(plan.steps.map(\.offset) == plan.steps.map(\.offset).sorted())
    }

    @Test func `an item takes as many comments as GitLab allows, and what is beyond is skipped`() throws {
        let entry = { (fields: String) in "{\"every\": \"1s\", \"from\": \"0s\", \"until\": \"84m\", \(fields)}" }
        let single = try makeScenario(
            timeline: entry("\"action\": \"comment\", \"by\": \"@ben\", \"on\": \"team/backend!1\"")
        ).plan(seed: 1)
        #expect(single.steps.count == 5_000)
        #expect(single.skippedOccurrences == 40)
        let reviews = try makeScenario(
            timeline: entry(
                "\"action\": \"publish-review\", \"count\": 3, \"by\": \"@maria\", \"on\": \"team/backend!1\""
            )
        ).plan(seed: 1)
        #expect(reviews.steps.count == 1_666)
    }

    @Test func `arrivals of a rate come as often as it says on average`() throws {
        let rate = Rate(count: 12, period: .hours(1))
        var random = RandomStream(seed: 11)
        let waits = (0..<20_000).map { _ in ExponentialTable.wait(rate, from: &random) }
        let mean = waits.reduce(0, +) / Int64(waits.count)
        // The mean of 20,000 waits of 300 s strays by 2.1 s (one standard deviation).
        #expect((293_000...307_000).contains(mean))
        // Of an exponential distribution 1/e, that is 36.8 %, exceed the mean; the standard deviation is 0.34 %.
        let longer = waits.count { $0 > 300_000 }
        #expect((7_080...7_640).contains(longer))
    }

    @Test func `recurring entries keep to working hours in the zone of the instance`() throws {
        let text = makeScenarioText(
            duration: "\"7d\"",
            timeline: """
                {"every": "30m", "weekdays": "mon-fri", "hours": "09:00-17:00", "action": "comment", "by": "@ben",
                 "on": "team/backend!1"}
                """
        ).replacing("\"people\": [", with: "\"gitlab\": {\"timeZone\": \"+02:00\"}, \"people\": [", maxReplacements: 1)
        let plan = try ScenarioReader.read(Array(text.utf8), file: "made.json").plan(seed: 1)
        // From a Monday 10:00 to the next by local time: 14 that day, 16 on each of four, none at the weekend, 2 on the last.
        #expect(plan.steps.count == 14 + 4 * 16 + 2)
    }

    @Test func `a random instant lies in its window`() throws {
        let scenario = try makeScenario(
            timeline:
                "{\"at\": \"random\", \"from\": \"1h\", \"until\": \"2h\", \"fault\": \"crash\", \"downFor\": \"5s\"}"
        )
        for seed in UInt64(1)...50 {
            let step = try #require(try scenario.plan(seed: seed).steps.first)
            #expect(step.offset >= .hours(1) && step.offset < .hours(2))
            guard case .fault(let fault) = step.event else { Issue.record("no fault"); return }
            #expect(fault.id.text == "crash@random")
        }
    }

    @Test func `occurrences of a recurring fault are numbered and end before the story does`() throws {
        let scenario = try makeScenario(
            timeline: "{\"every\": \"1h\", \"from\": \"30m\", \"fault\": \"stall\", \"id\": \"naps\", \"for\": \"31m\"}"
        )
        let plan = try scenario.plan(seed: 1)
        let faults = plan.steps.compactMap { step in if case .fault(let fault) = step.event { fault } else { nil } }
        #expect(faults.map(\.id.text) == ["naps#1", "naps#2", "naps#3"])
        #expect(faults.allSatisfy { $0.id.group == "naps" })
        #expect(plan.skippedOccurrences == 1)
    }

    @Test func `generated traffic does nothing GitLab would refuse`() throws {
        let mix = ActionKind.mixable.map { "\"\($0.rawValue)\": 3" }.joined(separator: ", ")
        let scenario = try makeScenario(duration: "\"20h\"", timeline: "{\"rate\": \"60/h\", \"mix\": {\(mix)}}")
        let plan = try scenario.plan(seed: 5)
        var world = PlannedWorld(scenario: scenario)
        for step in plan.steps {
            guard case .action(let resolved) = step.event else { continue }
            if case .onItem(_, let item, let person) = resolved.action {
                let kind = resolved.template.kind
                #expect(world.obstacle(to: kind, on: item) == nil)
                #expect(world.obstacle(to: kind, on: item, by: person) == nil)
            }
            world.apply(resolved)
        }
        let kinds = Set(
            plan.steps.compactMap { step in
                if case .action(let resolved) = step.event { resolved.template.kind } else { nil }
            }
        )
        #expect(
            kinds.isSuperset(of: [
                .comment, .push, .approve, .merge, .openIssue, .openMergeRequest, .close, .reopen, .assign,
            ])
        )
    }

    @Test func `anyone is no bot and none of those excepted`() throws {
        let scenario = try makeScenario(
            duration: "\"12h\"",
            timeline:
                "{\"every\": \"1m\", \"action\": \"comment\", \"by\": \"anyone\", \"except\": [\"@lea\"], \"on\": \"any\"}"
        )
        let people = try scenario.plan(seed: 2).steps.compactMap { step -> Username? in
            guard case .onItem(_, _, let person) = step.action else { return nil }
            return person
        }
        #expect(Set(people.map(\.text)) == ["maria", "ben"])
    }

    @Test func `a mention stands in the text that is sent`() throws {
        let scenario = try makeScenario(
            timeline: """
                {"at": "1h", "action": "comment", "by": "@ben", "on": "team/backend!1", "body": "Ready?", "mention": "@maria"}
                """
        )
        guard case .onItem(.comment(let text), _, _) = try scenario.plan(seed: 1).steps[0].action else {
            Issue.record("no comment"); return
        }
        #expect(text.body == "@maria Ready?")
        #expect(text.mentions.map(\.text) == ["maria"])
    }

    @Test func `items without a number get the next one that nobody claims`() throws {
        let scenario = try makeScenario(
            timeline: """
                {"at": "1h", "action": "open-issue", "by": "@ben", "on": "team/backend"},
                {"at": "2h", "action": "open-issue", "by": "@ben", "on": "team/backend#7"}
                """
        )
        let references = try scenario.plan(seed: 1).steps.compactMap { step -> String? in
            guard case .open(let item, _) = step.action else { return nil }
            return item.reference.description
        }
        #expect(references == ["team/backend#8", "team/backend#7"])
    }

    @Test func `a title that grows stays as short as GitLab takes it, and always changes`() {
        for start in ["First", String(repeating: "L", count: 255), String(repeating: "L", count: 246)] {
            var title = start
            for _ in 0..<60 {
                let next = PlausibleText.revision(of: title)
                #expect(next != title && next.count <= 255 && !next.isEmpty)
                title = next
            }
        }
    }

    @Test(arguments: [
        (#""move-issue", "by": "@lea", "on": "team/backend#2", "to": "team/backend""#, "already"),
        (#""change-title", "by": "@ben", "on": "team/backend!1", "title": "First""#, "already"),
        (#""approve", "by": "@ben", "on": "team/backend!1""#, "cannot approve"),
    ])
    func `what GitLab would refuse is refused before anything runs`(action: String, word: String) {
        let found = problems(in: makeScenarioText(timeline: #"{"at": "2h", "action": \#(action)}"#))
        #expect(found.count == 1 && found[0].message.contains(word), "\(found)")
    }

    @Test func `a closed issue is not moved, and a release before 17.9 snoozes nothing`() throws {
        let closed = #"{"at": "1h", "action": "close", "by": "@ben", "on": "team/backend#2"}"#
        let move = #"{"at": "2h", "action": "move-issue", "by": "@lea", "on": "team/backend#2", "to": "team/backend"}"#
        let found = problems(in: makeScenarioText(timeline: "\(closed), \(move)"))
        #expect(found.contains { $0.message.contains("closed") })
        let snooze = #"{"at": "1h", "action": "todo-snooze", "by": "@maria", "for": "1h"}"#
        let upgrade = #"{"at": "2h", "fault": "gitlab-upgrade", "version": "17.8", "for": "5m"}"#
        #expect(problems(in: makeScenarioText(timeline: snooze)).isEmpty)
        #expect(problems(in: makeScenarioText(timeline: "\(snooze), \(upgrade)")).count == 1)
    }

    @Test func `a guest sees no merge request`() throws {
        var scenario = try makeScenario()
        let person = Fixture.username("maria")
        let item = try #require(PlannedWorld(scenario: scenario).items.first { $0.kind == .mergeRequest })
        for (role, isHidden) in [(Member.Role.developer, false), (.guest, true)] {
            scenario.world.projects[0].members = [Member(username: person, role: role)]
            let world = PlannedWorld(scenario: scenario)
            #expect((world.obstacle(to: .comment, on: item, by: person) != nil) == isHidden)
            #expect((world.obstacle(to: .assign, on: item, user: person) != nil) == isHidden)
        }
    }

    @Test func `an occurrence for which nothing is possible is skipped and counted`() throws {
        let scenario = try makeScenario(
            timeline:
                "{\"every\": \"1h\", \"from\": \"30m\", \"action\": \"approve\", \"by\": \"@maria\", \"on\": \"any\"}"
        )
        let plan = try scenario.plan(seed: 1)
        #expect(plan.steps.count == 1)
        #expect(plan.skippedOccurrences == 3)
    }

    @Test func `too many steps are refused`() throws {
        var scenario = try makeScenario()
        let crash = Fault(id: try #require(EntryID("c")), effect: .crash, length: .milliseconds(1))
        let span = TimeSpan(from: .zero, until: .days(3_650))
        scenario.duration = .days(3_651)
        scenario.timeline = [TimelineEntry(occurrence: .every(.milliseconds(1), span, .always), event: .fault(crash))]
        #expect(throws: PlanError(entry: 0)) { try scenario.plan(seed: 1) }
    }

    @Test func `the plan of a resolved scenario is the same under any seed`() throws {
        let scenario = try makeScenario(
            timeline: Self.talk + ", {\"rate\": \"2/h\", \"fault\": \"crash\", \"downFor\": \"5s\"}"
        )
        let plan = try scenario.plan(seed: 9)
        let resolved = try ScenarioReader.read(Array(plan.json.utf8), file: "resolved.json")
        #expect(try resolved.plan(seed: 9).steps == plan.steps)
        #expect(try resolved.plan(seed: 10).steps == plan.steps)
        #expect(try resolved.plan(seed: 9).json == plan.json)
    }

    @Test(arguments: FaultKind.allCases)
    func `each fault writes and reads back`(kind: FaultKind) throws {
        let values = [
            "mode": "hang", "keeps": "torn", "operation": "sync", "reason": "Unregistered", "limiter": "a",
            "link": "api", "node": "gitlab", "change": "left-out",
            "step": "before-push",
            "latency": "{\"min\": \"1ms\", \"p50\": \"5ms\", \"max\": \"9ms\"}", "ratio": "1/3", "offset": "-2m",
            "jump": "+5s", "person": "@maria", "device": "phone", "version": "18.5",
            "route": "GET /projects/*/issues/**",
        ]
        let parameters = kind.form.fields.map { field in
            let value: String
            switch field.shape {
            case .integer: value = "7"
            case .either: value = values[field.key] ?? ""
            default: value = "\"\(values[field.key] ?? "3m")\""
            }
            return "\"\(field.key)\": \(value)"
        }
        let text = ["\"at\": \"1h\"", "\"fault\": \"\(kind.rawValue)\""] + parameters
        let scenario = try makeScenario(timeline: "{\(text.joined(separator: ", "))}")
        let plan = try scenario.plan(seed: 1)
        #expect(try ScenarioReader.read(Array(plan.json.utf8), file: "r.json").plan(seed: 1).steps == plan.steps)
        guard case .fault(let fault) = plan.steps[0].event else { Issue.record("no fault"); return }
        #expect(fault.kind == kind)
        let isInstant = [.clockStep, .deviceBlockDamage, .deviceTokenExpired].contains(kind)
        #expect(fault.length == (isInstant ? .zero : .minutes(3)))
    }
}
