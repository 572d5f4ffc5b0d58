import Platform

@testable import Notifier

/// Alice (user 7), the merge request she watches, and the rules that turn its rows into facts.
enum FactFixtures {
    static let now = WallTime(secondsSinceEpoch: 1_800_000_000)
    static let moment = FactRules.Moment(now: now, backdatedBefore: now.advanced(by: .zero - .hours(24)))
    static let project = ProjectID(rawValue: 1)
    static let watched = WatchedItem(
        watch: WatchID(rawValue: 1),
        item: ItemReference(project: project, kind: .mergeRequest, iid: 3),
        title: "Fix it",
        projectPath: "team/app",
        webURL: "https://gitlab.example.com/mr/3"
    )
    static let rules = FactRules(person: Person(id: 7, username: "alice"))
}

func makeUser(_ id: Int64) -> UserRow { UserRow(id: id, username: "user\(id)", name: "User \(id)") }

func makeNote(
    _ body: String = "Looks good",
    id: Int64 = 11,
    by author: UserRow? = makeUser(9),
    at time: WallTime? = FactFixtures.now,
    isSystem: Bool = false,
    isImported: Bool = false
) -> NoteRow {
    NoteRow(id: id, body: body, author: author, createdAt: time, isSystem: isSystem, isImported: isImported)
}

func makeTodo(
    _ id: Int64 = 21,
    _ action: String = "mentioned",
    note: Int64? = nil,
    by author: Int64 = 9,
    type: String = "MergeRequest",
    iid: Int64? = 3,
    project: Int64? = 1,
    body: String = "Looks good",
    at time: WallTime = FactFixtures.now
) -> TodoRow {
    TodoRow(
        id: id,
        project: project.map { TodoRow.Project(id: $0, path: "team/app") },
        author: makeUser(author),
        actionName: action,
        targetType: type,
        target: TodoRow.Target(iid: iid, title: "Fix it"),
        targetURL: "https://gitlab.example.com/mr/3" + (note.map { "#note_\($0)" } ?? ""),
        body: body,
        createdAt: time
    )
}
