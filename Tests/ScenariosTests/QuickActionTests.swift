import ScenarioFixtures
import Testing

@testable import Scenarios

/// Comments by which GitLab does several things at once.
struct QuickActionTests {
    private func actions(_ timeline: String) throws -> [ItemAction] {
        try makeScenario(timeline: timeline).plan(seed: 1).steps.compactMap { step in
            guard case .action(let made) = step.event, case .onItem(let action, _, _) = made.action else {
                return nil
            }
            return action
        }
    }

    private func entry(_ members: String, at time: String, by person: String = "@lea") -> String {
        #"{"at": "\#(time)", "action": "quick-actions", "by": "\#(person)", "on": "team/backend!1", \#(members)}"#
    }

    @Test func `what is not possible is passed over, and a plan is the same when it is read again`() throws {
        let all = QuickCommand.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let timeline = entry(#""commands": [\#(all)], "user": "@maria", "label": "bug", "body": "Done""#, at: "1h")
        let maria = Fixture.username("maria")
        let expected: [ItemAction] = [
            .approve, .close, .addTodo, .assign(maria), .requestReview(maria), .addLabel("bug"), .markDraft,
        ]
        #expect(try actions(timeline) == [.quickActions(expected, text: CommentText("Done"))])
        let plan = try makeScenario(timeline: timeline).plan(seed: 1)
        #expect(try ScenarioReader.read(Array(plan.json.utf8), file: "again").plan(seed: 2).steps == plan.steps)
    }

    @Test func `what they change is known from then on`() throws {
        let close = entry(#""commands": ["close", "reopen"]"#, at: "1h")
        let again = entry(#""commands": ["reopen", "close"]"#, at: "2h")
        let made = try actions([close, again].joined(separator: ", "))
        #expect(made == [.quickActions([.close], text: nil), .quickActions([.reopen], text: nil)])
        let edit = #"{"at": "3h", "action": "edit-comment", "by": "@lea", "on": "team/backend!1"}"#
        let text = entry(#""commands": ["todo"], "body": "Later""#, at: "2h")
        #expect(problems(in: makeScenarioText(timeline: [text, edit].joined(separator: ", "))).isEmpty)
        let silent = makeScenarioText(timeline: [close, edit].joined(separator: ", "))
        #expect(problems(in: silent).map(\.code) == [.impossibleAction])
    }

    @Test func `a comment none of whose quick actions is possible does not happen`() {
        for commands in [#""commands": ["reopen"]"#, #""commands": ["assign", "add-label"]"#] {
            let text = makeScenarioText(timeline: entry(commands, at: "1h"))
            #expect(problems(in: text).map(\.code) == [.impossibleAction])
        }
        #expect(!problems(in: makeScenarioText(timeline: entry(#""body": "Hi""#, at: "1h"))).isEmpty)
    }
}
