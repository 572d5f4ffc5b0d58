import Platform

/// What the fake knows and was asked, as values.
extension FakeGitLab {
    /// Everything that happened, in order: the ground truth.
    var ledger: [Activity] { act { state, _ in state.ledger } }

    /// How many activities there are; with `activities(from:)` for those who read along.
    package var activityCount: Int { act { state, _ in state.ledger.count } }

    /// Activities whose sequence number is greater than `sequence`.
    package func activities(after sequence: Int) -> [Activity] {
        act { state, _ in Array(state.ledger.dropFirst(max(0, sequence))) }
    }

    /// Requests that no route answers, the first 1,000 of them.
    var unknownRequests: [UnknownRequest] { act { state, _ in state.unknownRequests } }

    /// How many requests no route answers.
    var unknownRequestCount: Int { act { state, _ in state.unknownRequestCount } }

    /// Requests by person, route and status, sorted by these; rejected ones included.
    var requestCounts: [RequestCount] {
        act { state, _ in
            let counted = state.counts.map { key, count in
                RequestCount(
                    person: key.person.map { state.people[$0].username },
                    route: key.route.map { RouteTable.routes[$0].name },
                    status: key.status,
                    count: count
                )
            }
            return counted.sorted {
                ($0.person ?? "", $0.route ?? "", $0.status) < ($1.person ?? "", $1.route ?? "", $1.status)
            }
        }
    }

    /// How many requests came in.
    var requestCount: UInt64 { act { state, _ in state.requestNumber } }

    /// The id of a person.
    ///
    /// - Throws: `FakeGitLabError` with `unknownPerson`.
    func id(ofPerson username: String) throws -> Int64 {
        try act { state, _ in state.people[try state.person(username)].id }
    }

    /// The id of a project.
    ///
    /// - Throws: `FakeGitLabError` with `unknownProject`.
    package func id(ofProject path: String) throws -> Int64 {
        try act { state, _ in state.projects[try state.project(path)].id }
    }

    /// The person's to-dos about `item`, or all of them when that is nil, that are done or not, by rising id. None for an item that
    /// is not there any more.
    ///
    /// - Throws: `FakeGitLabError` with `unknownPerson`.
    package func todoIDs(of username: String, on item: ItemReference?, done: Bool) throws -> [Int64] {
        try act { state, _ in
            let person = try state.person(username)
            let target = item.flatMap { try? state.item($0) }
            if item != nil && target == nil { return [] }
            return state.people[person].todos.rows.map(\.id).sorted().filter { id in
                guard let todo = state.currentTodo(id, of: person), todo.isDone == done else { return false }
                return target.map { todo.target == .item($0) } ?? true
            }
        }
    }

    /// The open items that the person may see.
    ///
    /// - Throws: `FakeGitLabError` with `unknownPerson`.
    package func openItems(seenBy username: String) throws -> [ItemReference: SeenItem] {
        try act { state, now in
            let person = try state.person(username)
            let mentions = state.mentions(of: person, at: now)
            var seen: [ItemReference: SeenItem] = [:]
            for project in state.projects {
                for index in [project.issues, project.mergeRequests].flatMap(\.values) {
                    let (item, fields) = (state.items[index], state.items[index].row.current)
                    guard fields.state == .opened, state.canRead(item: index, person) else { continue }
                    var involvement: Set<SeenItem.Involvement> = []
                    if item.author == person { involvement.insert(.author) }
                    if fields.assignees.contains(person) { involvement.insert(.assignee) }
                    if fields.reviewers.contains(person) { involvement.insert(.reviewer) }
                    seen[item.reference(in: state.projects)] = SeenItem(
                        title: fields.title,
                        involvement: involvement,
                        isSubscribed: state.isSubscribed(person, to: index),
                        mention: mentions[index] ?? .never
                    )
                }
            }
            return seen
        }
    }

    /// Whether the release it imitates marks what was imported (GitLab facts §8.1).
    package var tellsImported: Bool { act { state, _ in state.version.tellsImported } }

    /// Whether the person may see the item now.
    ///
    /// - Throws: `FakeGitLabError` with `unknownPerson`, `unknownProject` or `unknownItem`.
    func canRead(_ username: String, _ item: ItemReference) throws -> Bool {
        try act { state, _ in state.canRead(item: try state.item(item), try state.person(username)) }
    }
}

/// An item as somebody sees it.
package struct SeenItem: Sendable, Equatable {
    /// What somebody has to do with an item.
    package enum Involvement: Sendable, Hashable { case author, assignee, reviewer }
    /// Whether a to-do item says that somebody is mentioned there.
    package enum Mention: Sendable { case never, certain, unclear }

    package var title: String
    /// What the one who sees it has to do with it.
    package var involvement: Set<Involvement>
    /// Whether they are subscribed to it (GitLab facts §13).
    package var isSubscribed: Bool
    /// Unclear where that changed lately, or where so many to-do items are there that nobody need read all of them.
    package var mention: Mention
}

extension InstanceState {
    /// The items on which a to-do item says that the person is mentioned, or has said so.
    fileprivate func mentions(of person: Int, at now: WallTime) -> [Int: SeenItem.Mention] {
        let rows = people[person].todos.rows
        let settled = now.advanced(by: .zero - .minutes(10))
        var found: [Int: SeenItem.Mention] = [:]
        for row in rows {
            let todo = row.current
            guard case .item(let item) = todo.target, todo.action == .mentioned || todo.action == .directlyAddressed
            else { continue }
            let isSettled =
                rows.count <= 100 && todo.snoozedUntil == nil && row.visibleUntil == .distantFuture
                && row.visibleFrom <= settled && todo.updatedAt <= settled
            if isSettled || found[item] == nil { found[item] = isSettled ? .certain : .unclear }
        }
        return found
    }
}
