import JSON
import Platform
import Scenarios

extension MissedNews {
    /// The smallest story in which it can happen: the default world, in which somebody comments on the item at that instant.
    ///
    /// - Parameters:
    ///   - missed: at least one.
    ///   - name: of the scenario.
    /// - Returns: The scenario, which nobody has checked.
    static func scenario(_ missed: [MissedNews], name: String) -> JSONValue {
        let start = (missed.map(\.at).min() ?? WallTime(microseconds: 0)).advanced(by: .hours(-1))
        let end = (missed.map(\.at).max() ?? start).advanced(by: .hours(1))
        let people = Set(missed.map(\.person)).sorted()
        let colleague = unused("colleague", people)
        return .object([
            JSONMember("$schema", "./scenario.schema.json"), JSONMember("name", .string(name)),
            JSONMember(
                "description",
                .string(
                    "What was reported as missed, in a world of which nothing else is known. Guesses: that it was a comment, and "
                        + "everything but person, item and instant."
                )
            ),
            JSONMember("seed", 1), JSONMember("duration", .string(DurationNotation.text(start.duration(to: end)))),
            JSONMember("start", .string(start.utcText(.seconds))),
            JSONMember("world", world(missed, people, colleague)),
            JSONMember(
                "timeline",
                .array(missed.sorted { $0.at < $1.at }.map { $0.entry(from: start, by: colleague) })
            ),
            JSONMember("expect", [["missed": "= 0"], ["duplicates": "= 0"], ["latency.max": "<= 5m"]]),
        ])
    }

    private func entry(from start: WallTime, by colleague: String) -> JSONValue {
        .object([
            JSONMember("description", "Guess: it was a comment."),
            JSONMember("at", .string(DurationNotation.text(start.duration(to: at)))), JSONMember("action", "comment"),
            JSONMember("by", .string(colleague)), JSONMember("on", .string("\(item)")),
        ])
    }

    private static func world(_ missed: [MissedNews], _ people: [Username], _ colleague: String) -> JSONValue {
        let users = people.map { person in
            let watched = Set(missed.filter { $0.person == person }.map(\.item)).sorted().map { "\($0)" }
            return JSONValue.object([
                JSONMember("username", .string("\(person)")), JSONMember("name", .string(person.text)),
                JSONMember(
                    "notified",
                    ["devices": [["name": "phone", "platform": "ios"]], "watches": .strings(watched)]
                ),
            ])
        }
        let other: JSONValue = ["username": .string(colleague), "name": "Colleague"]
        let members = people.map { "\($0)" } + [colleague]
        let items = Set(missed.map(\.item)).sorted()
        return .object([
            JSONMember("people", .array(users + [other])),
            JSONMember(
                "projects",
                .array(
                    Set(items.map(\.project)).sorted().map { project in
                        .object([
                            JSONMember("path", .string(project.text)),
                            JSONMember(
                                "members",
                                .array(members.map { ["username": .string($0), "role": "developer"] })
                            ),
                            JSONMember("mergeRequests", list(items, .mergeRequest, project, colleague)),
                            JSONMember("issues", list(items, .issue, project, colleague)),
                        ])
                    }
                )
            ),
        ])
    }

    private static func list(
        _ items: [ItemReference],
        _ kind: ItemKind,
        _ project: ProjectPath,
        _ author: String
    ) -> JSONValue {
        .array(
            items.filter { $0.kind == kind && $0.project == project }.map { item in
                ["iid": .integer(item.iid), "title": .string("Item \(item.iid)"), "author": .string(author)]
            }
        )
    }

    private static func unused(_ name: String, _ people: [Username]) -> String {
        let taken = Set(people.map(\.text))
        let names = [name] + (2...people.count + 2).map { "\(name)\($0)" }
        return "@" + (names.first { !taken.contains($0) } ?? name)
    }
}
