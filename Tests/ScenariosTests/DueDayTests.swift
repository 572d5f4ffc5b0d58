import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios

/// Days by which something is due, as scenarios name them, and which of them GitLab would take.
struct DueDayTests {
    private func days(_ timeline: String) throws -> [CivilDate?] {
        try makeScenario(timeline: timeline).plan(seed: 1).steps.compactMap { step in
            guard case .action(let action) = step.event, case .onItem(.setDueDate(let day), _, _) = action.action else {
                return nil
            }
            return .some(day)
        }
    }

    private func set(_ day: String, at time: String) -> String {
        "{\"at\": \"\(time)\", \"action\": \"set-due-date\", \"by\": \"@ben\", \"on\": \"team/backend#2\", \"due\": \"\(day)\"}"
    }

    private func milestone(_ fields: String, at time: String, on item: String = "team/backend#2") -> String {
        "{\"at\": \"\(time)\", \"action\": \"set-milestone\", \"by\": \"@ben\", \"on\": \"\(item)\", \(fields)}"
    }

    private let clear = "{\"at\": \"3h\", \"action\": \"clear-due-date\", \"by\": \"@ben\", \"on\": \"team/backend#2\"}"

    @Test func `a day is a date, or counts from the one on which the story begins`() throws {
        let timeline = [set("+0", at: "1h"), set("2026-03-30", at: "2h"), set("-2", at: "150m"), clear]
        #expect(
            try days(timeline.joined(separator: ", ")) == [
                CivilDate(year: 2026, month: 3, day: 2), CivilDate(year: 2026, month: 3, day: 30),
                CivilDate(year: 2026, month: 2, day: 28), nil,
            ]
        )
    }

    @Test func `the plan names the day itself, and is the same when it is read again`() throws {
        let plan = try makeScenario(timeline: set("+2", at: "1h")).plan(seed: 1)
        let text = plan.json
        #expect(text.contains("\"due\": \"2026-03-04\""))
        #expect(try ScenarioReader.read(Array(text.utf8), file: "again").plan(seed: 1).steps == plan.steps)
    }

    @Test(arguments: ["2026-02-30", "2026-13-01", "1969-12-31", "+", "-1000", "2", "2026-3-4", "tomorrow"])
    func `what is no day is refused`(text: String) {
        #expect(!problems(in: makeScenarioText(timeline: set(text, at: "1h"))).isEmpty)
    }

    @Test func `a milestone is moved to another day, or to none, once somebody has set it`() throws {
        func move(_ due: String, at time: String, by person: String = "@ben") -> String {
            "{\"at\": \"\(time)\", \"action\": \"move-milestone\", \"by\": \"\(person)\", \"project\": \"team/backend\", "
                + "\"milestone\": \"v1\"\(due)}"
        }
        let (set, later) = (milestone("\"milestone\": \"v1\", \"due\": \"+2\"", at: "1h"), ", \"due\": \"+3\"")
        let right = [set, move(later, at: "2h"), move("", at: "3h")].joined(separator: ", ")
        let plan = try makeScenario(timeline: right).plan(seed: 1)
        let days = plan.steps.compactMap { step -> CivilDate?? in
            guard case .action(let action) = step.event, case .moveMilestone(_, let day, _, _) = action.action else {
                return nil
            }
            return .some(day)
        }
        #expect(days == [CivilDate(year: 2026, month: 3, day: 5), nil])
        #expect(try ScenarioReader.read(Array(plan.json.utf8), file: "again").plan(seed: 1).steps == plan.steps)
        for wrong in [[move(later, at: "2h")], [set, move(", \"due\": \"+2\"", at: "2h")]] {
            let text = makeScenarioText(timeline: wrong.joined(separator: ", "))
            #expect(problems(in: text).map(\.code) == [.impossibleAction])
        }
    }

    @Test func `what would change nothing, or another milestone, is not possible`() throws {
        let same = [set("+2", at: "1h"), set("2026-03-04", at: "2h")].joined(separator: ", ")
        #expect(problems(in: makeScenarioText(timeline: same)).map(\.code) == [.impossibleAction])
        #expect(problems(in: makeScenarioText(timeline: clear)).map(\.code) == [.impossibleAction])
        let milestones = [
            milestone("\"milestone\": \"v1\", \"due\": \"+2\"", at: "1h"),
            milestone("\"milestone\": \"v1\", \"due\": \"+3\"", at: "2h", on: "team/backend!1"),
        ]
        let other = makeScenarioText(timeline: milestones.joined(separator: ", "))
        #expect(problems(in: other).map(\.code) == [.impossibleAction])
        let known = [milestones[0], milestone("\"milestone\": \"v1\"", at: "2h", on: "team/backend!1")]
        #expect(problems(in: makeScenarioText(timeline: known.joined(separator: ", "))).isEmpty)
    }
}
