import Platform
import ScenarioFixtures
import Testing

@testable import Harness
@testable import Scenarios
@testable import Workbench

@Suite struct PostedEntriesTests {
    private static let scenario = """
        {
          "name": "served", "description": "A world to serve.", "seed": 3, "duration": "1h",
          "start": "2026-03-02T08:00:00Z",
          "world": {
            "people": [
              {
                "username": "@maria", "name": "Maria",
                "notified": { "devices": [{ "name": "phone", "platform": "ios" }], "watches": ["team/app!1"] }
              },
              { "username": "@ben", "name": "Ben" }
            ],
            "projects": [
              {
                "path": "team/app",
                "members": [{ "username": "@maria", "role": "developer" }, { "username": "@ben", "role": "developer" }],
                "mergeRequests": [{ "iid": 1, "title": "One", "author": "@maria" }]
              }
            ]
          },
          "timeline": [], "expect": [{ "unexpected": "<= 0" }]
        }
        """

    @Test func `an entry in the file's own syntax happens now`() throws {
        let events = try makeEntries().read(
            Array(#"{"action":"comment","by":"@ben","on":"team/app!1","body":"Ready?"}"#.utf8),
            after: ServedWorld.Past()
        )
        guard case .action(let resolved) = try #require(events.first),
            case .onItem(.comment(let text), let item, let person) = resolved.action
        else {
            Issue.record("\(events) is no comment")
            return
        }
        #expect(text.body == "Ready?")
        #expect(item.description == "team/app!1")
        #expect(person.text == "ben")
        #expect(events.count == 1)
    }

    @Test func `several entries happen in their order`() throws {
        let text = """
            [{"action":"close","by":"@maria","on":"team/app!1"},{"action":"reopen","by":"@maria","on":"team/app!1"},
             {"fault":"apns-outage","id":"down","mode":"503","for":"1h"}]
            """
        #expect(try makeEntries().read(Array(text.utf8), after: ServedWorld.Past()).count == 3)
    }

    @Test(arguments: [
        ("nothing", 400), ("[]", 422), ("[1]", 422), ("7", 422),
        (#"{"at":"1m","action":"close","by":"@maria","on":"team/app!1"}"#, 422),
    ])
    func `what is no entry is refused by status`(text: String, status: Int) throws {
        let refusal = #expect(throws: ControlRefusal.self) {
            try makeEntries().read(Array(text.utf8), after: ServedWorld.Past())
        }
        #expect(refusal?.status == status)
    }

    @Test(arguments: [
        (#"{"action":"dance","by":"@ben"}"#), (#"{"action":"close","by":"@nobody","on":"team/app!1"}"#),
        (#"{"action":"close","by":"@ben","on":"team/app!7"}"#), "{}",
        (#"{"action":"close","by":"@ben","on":"team/app!1"}],"probes":[]"#),
    ])
    func `an entry that a file could not hold is refused with its problems`(text: String) throws {
        let error = #expect(throws: (any Error).self) {
            try makeEntries().read(Array(text.utf8), after: ServedWorld.Past())
        }
        #expect((error as? InvalidScenario)?.problems.isEmpty == false || (error as? ControlRefusal)?.status == 400)
    }

    @Test func `what has happened decides what may happen next`() throws {
        let world = try ServedWorld(try ScenarioReader.read(Array(Self.scenario.utf8), file: "t").plan(seed: 1))
        defer { world.end() }
        let entries = try makeEntries()
        func post(_ text: String) throws {
            for event in try entries.read(Array(text.utf8), after: world.past) { try world.carryOut(event) }
        }
        let reopen = #"{"action":"reopen","by":"@maria","on":"team/app!1"}"#
        #expect(throws: InvalidScenario.self) { try post(reopen) }
        try post(#"{"action":"close","by":"@maria","on":"team/app!1"}"#)
        try post(reopen)
        try post(#"{"action":"open-issue","by":"@ben","on":"team/app#9","title":"New"}"#)
        try post(#"{"action":"comment","by":"@maria","on":"team/app#9","body":"Seen."}"#)
        #expect(world.past.entries.count == 4)
    }

    @Test func `what needs a notifier of the world's own is not possible in it`() throws {
        let plan = try ScenarioReader.read(Array(Self.scenario.utf8), file: "t").plan(seed: 1)
        let maria = try #require(plan.scenario.world.people.first?.username)
        let registration = try ActionTemplate(kind: .register, by: .oneOf([maria])).resolved()
        #expect(ServedWorld.obstacle(to: .action(registration)) != nil)
        let absence = try ActionTemplate(kind: .deviceOffline, by: .oneOf([maria])).resolved()
        #expect(ServedWorld.obstacle(to: .action(absence)) == nil)
        let id = try #require(EntryID("f"))
        #expect(ServedWorld.obstacle(to: .fault(Fault(id: id, effect: .crash, length: .seconds(1)))) != nil)
        let outage = FaultEffect.gitlabSlow(.constant(.seconds(1)), ratio: .one)
        #expect(ServedWorld.obstacle(to: .fault(Fault(id: id, effect: outage, length: .seconds(1)))) == nil)
    }

    @Test func `faults of webhooks strike only where webhooks go somewhere`() throws {
        let id = try #require(EntryID("f"))
        let event = Step.Event.fault(Fault(id: id, effect: .webhookDuplicate(ratio: .one), length: .seconds(1)))
        #expect(ServedWorld.obstacle(to: event) != nil)
        #expect(ServedWorld.obstacle(to: event, sendsWebhooks: true) == nil)
    }

    @Test func `a fault that is ended before its time ends once`() throws {
        let plan = try ScenarioReader.read(Array(Self.scenario.utf8), file: "t").plan(seed: 1)
        let world = try ServedWorld(plan)
        defer { world.end() }
        var ended: [String] = []
        world.onTrace = { if $0.contains("fault.ended") { ended.append($0) } }
        let id = try #require(EntryID("slow"))
        let effect = FaultEffect.gitlabSlow(.constant(.seconds(1)), ratio: .one)
        try world.simulated.carryOut(.fault(Fault(id: id, effect: effect, length: .seconds(60))))
        #expect(world.simulated.end(id))
        #expect(!world.simulated.end(id))
        world.advance(to: .seconds(120))
        #expect(ended.count == 1)
    }

    private func makeEntries() throws -> PostedEntries {
        PostedEntries(try ScenarioReader.read(Array(Self.scenario.utf8), file: "t"))
    }
}
