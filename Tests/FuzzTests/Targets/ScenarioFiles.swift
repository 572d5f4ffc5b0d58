import HTTP
import JSON
import Platform

@testable import Scenarios
@testable import Workbench

extension FuzzTarget {
    /// A scenario file. What is sound is written so that it reads back.
    static let scenarios = FuzzTarget("scenarios") { bytes in
        guard let scenario = try? ScenarioReader.read(bytes, file: "fuzzed.json") else { return }
        let text = ScenarioEncoder.scenario(scenario).text(indented: true)
        do {
            let again = try ScenarioReader.read(Array(text.utf8), file: "written.json")
            // A fault without a name has one when it is written.
            promise(ScenarioEncoder.scenario(again).text(indented: true) == text, "a scenario reads back as it was")
        } catch {
            promise(false, "a written scenario is sound: \(error)")
        }
        resolve(scenario)
    }

    /// `scenario.resolved.json` says the same again, whatever the seed.
    private static func resolve(_ scenario: Scenario) {
        guard let resolved = try? scenario.plan(seed: scenario.seed), resolved.steps.count <= 200 else { return }
        let text = resolved.json
        do {
            let again = try ScenarioReader.read(Array(text.utf8), file: "scenario.resolved.json")
            promise(again.json == text, "a resolved scenario reads back as it was")
            let steps = try again.plan(seed: scenario.seed ^ 1).steps
            promise(steps.map(\.offset) == resolved.steps.map(\.offset), "and has the same steps under any seed")
        } catch {
            promise(false, "a resolved scenario is sound: \(error)")
        }
    }

    /// What is posted to the control API of a served world: `POST /actions`, an empty line, the body.
    static let controlRequests = FuzzTarget("control-requests") { bytes in
        let message = MessageText(bytes)
        guard let entries = try? postedEntries.get() else { return promise(false, "the scenario is sound") }
        do {
            _ = try entries.read(message.body, after: ServedWorld.Past(entries: [], next: .seconds(60)))
        } catch let refusal as ControlRefusal {
            promise((400..<500).contains(refusal.status), "bad input is the client's mistake")
        } catch let invalid as InvalidScenario {
            promise(!invalid.problems.isEmpty, "a refusal says why")
        } catch {
            promise(false, "bad input is answered as such, not \(error)")
        }
    }

    private static let postedEntries = Result { PostedEntries(try servedScenario.get()) }

    /// What is served to clients of the control API.
    static let servedScenario = Result {
        let text = """
            {"name":"fuzzed","description":"For posted entries.","seed":1,"duration":"1h",
            "start":"2026-03-02T07:00:00Z","world":{"people":[{"username":"@maria","name":"Maria"},{"username":"@omar","name":"Omar"}],
            "projects":[{"path":"team/backend","members":[{"username":"@maria","role":"developer"},
            {"username":"@omar","role":"developer"}],
            "mergeRequests":[{"iid":7,"title":"Cache","author":"@maria"}]}]},
            "timeline":[],"expect":[{"unexpected":"<= 0"}]}
            """
        return try ScenarioReader.read(Array(text.utf8), file: "corpus.json")
    }
}
