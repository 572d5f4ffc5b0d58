import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios

struct ScenarioReaderTests {
    @Test func `a problem names its place, pointer and the nearest name`() throws {
        let text = makeScenarioText(
            timeline: "{\"at\": \"1h\",\n  \"action\": \"aprove\", \"by\": \"@ben\", \"on\": \"team/backend!1\"}"
        )
        let problem = try #require(problems(in: text).first)
        #expect(problem.code == .unknownValue)
        #expect(problem.file == "made.json")
        #expect(problem.position == SourcePosition(line: 12, column: 13))
        #expect(problem.pointer == "/timeline/0/action")
        #expect(problem.nearest == "approve")
        #expect(problem.allowed.count == ActionKind.allCases.count)
        #expect(problem.text.hasPrefix("made.json:12:13: error: "))
    }

    @Test func `all problems are reported, in the order of the file`() {
        let text = makeScenarioText(
            duration: "45",
            timeline: "{\"at\": \"1h\"}, {\"every\": \"5\"}",
            extra: ", \"probs\": []"
        )
        #expect(problems(in: text).map(\.code) == [.badUnit, .missingKey, .missingKey, .badUnit, .unknownKey])
    }

    @Test func `what the notifier refuses is found in the file, at the key`() throws {
        let text = makeScenarioText(extra: ",\n \"notifier\": {\"perPage\": 50, \"leaseDuration\": \"1ms\"}")
        let problem = try #require(problems(in: text).first)
        #expect(problem.code == .outOfRange)
        #expect(problem.position == SourcePosition(line: 12, column: 47))
        #expect(problem.pointer == "/notifier/leaseDuration")
        #expect(problem.hint == nil)
    }

    @Test func `a rule of the notifier about a key that the file leaves alone is told at the object`() throws {
        let text = makeScenarioText(extra: ",\n \"notifier\": {\"sendTimeout\": \"2m\"}")
        let problem = try #require(problems(in: text).first)
        #expect(problem.code == .outOfRange)
        #expect(problem.position == SourcePosition(line: 12, column: 14))
        #expect(problem.pointer == "/notifier")
        #expect(problem.hint?.contains("leaseDuration") == true)
    }

    @Test func `no more than fifty problems of one file are reported`() {
        let text = makeScenarioText(timeline: Array(repeating: "{\"at\": 1}", count: 80).joined(separator: ","))
        #expect(problems(in: text).count == InvalidScenario.maximumCount)
    }

    @Test func `a misspelt key is not reported as missing, too`() {
        let text = makeScenarioText().replacing("\"duration\"", with: "\"duratoin\"")
        #expect(problems(in: text).map(\.code) == [.unknownKey])
        #expect(problems(in: text).first?.nearest == "duration")
    }

    @Test func `a merge request named with the sign of issues is pointed out`() {
        let entry = "{\"at\": \"1h\", \"action\": \"comment\", \"by\": \"@ben\", \"on\": \"team/backend#1\"}"
        #expect(problems(in: makeScenarioText(timeline: entry)).first?.nearest == "team/backend!1")
    }

    @Test func `columns count characters, not bytes`() {
        let entry = "{\"description\": \"äöü\", \"at\": 7}"
        let plain = "{\"description\": \"aou\", \"at\": 7}"
        let columns = [entry, plain].map { problems(in: makeScenarioText(timeline: $0)).last?.position?.column }
        #expect(columns[0] == columns[1])
    }

    @Test func `every prefix of a scenario file is refused without a crash`() throws {
        let text = Array(makeScenarioText(timeline: "{\"at\": \"1h\", \"fault\": \"crash\", \"downFor\": \"5s\"}").utf8)
        for length in 0..<text.count {
            #expect(throws: InvalidScenario.self) {
                try ScenarioReader.read(Array(text.prefix(length)), file: "cut.json")
            }
        }
    }

    @Test func `defaults are filled in`() throws {
        let scenario = try makeScenario()
        #expect(scenario.seed == 1)
        #expect(scenario.world.gitlab == GitLabWorld())
        #expect(scenario.world.apns == APNsWorld())
        let maria = try #require(Username("maria"))
        let person = try #require(scenario.world.person(maria))
        #expect(person.notified?.devices.first?.platform == .ios)
        #expect(person.notified?.token.scopes == [.readAPI])
        #expect(scenario.registeredFromStart == [person])
    }

    @Test func `one who registers in the story is not registered from its start`() throws {
        let scenario = try makeScenario(timeline: "{\"at\": \"1h\", \"action\": \"register\", \"by\": \"@maria\"}")
        #expect(scenario.registeredFromStart.isEmpty)
    }

    @Test func `an unnamed fault is called by kind and instant`() throws {
        let scenario = try makeScenario(
            timeline: "{\"at\": \"90m\", \"fault\": \"stall\", \"for\": \"5s\"}",
            expect: "{\"missed\": \"= 0\", \"window\": \"after:stall@1h30m\"}"
        )
        #expect(scenario.timeline.first?.faultID == EntryID("stall@1h30m"))
        #expect(scenario.expectations.first?.window == .after(try #require(EntryID("stall@1h30m"))))
    }

    @Test func `overrides of the notifier are kept as JSON in the order of the file`() throws {
        let scenario = try makeScenario(
            extra: ", \"notifier\": {\"overlap\": \"5m\", \"retryDelays\": [\"1s\", \"9s\"], \"perPage\": 20}"
        )
        #expect(scenario.notifier.json == "{\"overlap\":\"5m\",\"retryDelays\":[\"1s\",\"9s\"],\"perPage\":20}")
    }

    @Test func `numbers in URLs, zones and quirks arrive in the model`() throws {
        let gitlab = """
            {"version": "18.5", "edition": "ee", "url": "https://git.example.org:8443", "timeZone": "-05:30",
             "limits": {"authenticated": {"requests": 7200, "period": "1h"}, "notesPerMinute": 30},
             "quirks": {"omitTotalsAbove": 50, "largeIdentifiers": true}}
            """
        let text = makeScenarioText().replacing(
            "\"people\": [",
            with: "\"gitlab\": \(gitlab), \"people\": [",
            maxReplacements: 1
        )
        let world = try ScenarioReader.read(Array(text.utf8), file: "made.json").world.gitlab
        #expect(world.timeZoneOffset == .minutes(-330))
        #expect(world.noteLimit == RequestLimit(requests: 30, period: .minutes(1)))
        #expect(world.externalURL == "https://git.example.org:8443")
        #expect(world.authenticatedLimit == RequestLimit(requests: 7200, period: .hours(1)))
        #expect(
            world.quirks == [
                QuirkSetting(quirk: .omitTotalsAbove, value: .number(50)),
                QuirkSetting(quirk: .largeIdentifiers, value: .on(true)),
            ]
        )
    }
}
