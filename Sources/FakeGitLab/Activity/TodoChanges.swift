package import Platform

extension FakeGitLab {
    /// The person marks one of their to-dos as done on the web.
    @discardableResult
    package func completeTodo(of username: String, _ id: Int64) throws -> Activity {
        try act { try $0.handleTodo(.todoDone, of: $0.person(username), id, at: $1) }
    }

    /// The person takes "done" back: the to-do is pending again with the same id and `created_at` (GitLab facts §6.2).
    @discardableResult
    package func restoreTodo(of username: String, _ id: Int64) throws -> Activity {
        try act { try $0.handleTodo(.todoRestored, of: $0.person(username), id, at: $1) }
    }

    /// The person snoozes a pending to-do: it is left out of the pending list until `end` (17.9 or later, §6.1).
    @discardableResult
    package func snoozeTodo(of username: String, _ id: Int64, until end: WallTime) throws -> Activity {
        try act { try $0.snoozeTodo(of: $0.person(username), id, until: end, at: $1) }
    }

    /// Gives a person a to-do about something that is no issue or merge request (trap 31).
    @discardableResult
    package func addTodo(
        for username: String,
        by author: String,
        _ action: TodoAction,
        about target: OtherTodoTarget
    ) throws -> Activity {
        try act { try $0.addTodo(for: $0.person(username), by: $0.person(author), action, about: target, at: $1) }
    }

    /// The target branch has moved, so that the merge request conflicts with it until the next push: an `unmergeable` to-do for the
    /// author, and for whoever armed auto-merge, caused by themselves (GitLab facts §6.1).
    @discardableResult
    package func reportUnmergeable(_ item: ItemReference) throws -> Activity {
        try act { state, now in
            let index = try state.mergeRequest(item)
            try state.requireOpen(index)
            var draft = state.draft(.becameUnmergeable, by: state.items[index].author, on: index, at: now)
            state.change(index, at: now) { $0.hasConflicts = true }
            let armer = state.items[index].row.current.autoMergeBy
            for person in [draft.actor] + (armer.map { $0 == draft.actor ? [] : [$0] } ?? []) {
                state.addTodo(for: person, .unmergeable, on: index, isCausedBySelf: true, draft: &draft)
            }
            draft.body = "cannot be merged"
            return state.conclude(draft)
        }
    }
}

extension InstanceState {
    mutating func handleTodo(_ kind: Activity.Kind, of person: Int, _ id: Int64, at now: WallTime) throws -> Activity {
        let todo = try todo(id, of: person)
        guard todo.isDone == (kind == .todoRestored) else {
            throw FakeGitLabError(
                .wrongState,
                "To-do \(id) is \(todo.isDone ? "done" : "pending") already.",
                hint: "Leave it as it is."
            )
        }
        var draft = draft(kind, by: person, on: itemIndex(of: todo), at: now)
        setTodo(id, of: person, done: kind == .todoDone, at: now)
        if kind == .todoDone { draft.resolvedTodoIDs = [id] } else { draft.restoredTodoIDs = [id] }
        draft.body = kind == .todoDone ? "marked a to-do as done" : "restored a to-do"
        return conclude(draft)
    }

    mutating func snoozeTodo(of person: Int, _ id: Int64, until end: WallTime, at now: WallTime) throws -> Activity {
        guard version.hasSnooze else {
            throw FakeGitLabError(.notAllowed, "GitLab \(version) cannot snooze.", hint: "Imitate 17.9 or later.")
        }
        let todo = try todo(id, of: person)
        guard !todo.isDone, end > now else {
            throw FakeGitLabError(
                .wrongState,
                "To-do \(id) cannot be snoozed until then.",
                hint: "Snooze a pending to-do until a later instant."
            )
        }
        var draft = draft(.todoSnoozed, by: person, on: itemIndex(of: todo), at: now)
        people[person].todos.change(id, at: now) { $0.snoozedUntil = end }
        people[person].todos.touch(at: end, now: now)
        draft.body = "snoozed a to-do"
        return conclude(draft)
    }

    mutating func addTodo(
        for person: Int,
        by author: Int,
        _ action: TodoAction,
        about target: OtherTodoTarget,
        at now: WallTime
    ) throws -> Activity {
        let project = try projectIndex(of: target)
        guard mayAddTodo(for: person, action, on: .other(target)) else {
            throw FakeGitLabError(.wrongState, "There is such a to-do already.", hint: "Resolve it first.")
        }
        var draft = draft(.todoAdded, by: author, on: nil, at: now)
        draft.project = project
        let todo = Todo(
            author: author,
            action: action,
            target: .other(target),
            project: project,
            note: nil,
            body: target.title,
            createdAt: now,
            updatedAt: now
        )
        let id = insert(todo, for: person, notBefore: now, draft: &draft)
        draft.todos.append((person, id, action))
        draft.body = target.title
        return conclude(draft)
    }

    private func projectIndex(of target: OtherTodoTarget) throws -> Int? {
        switch target {
        case .commit(let path, _, _), .project(let path), .workItem(let path, _, _), .design(let path, _):
            try project(path)
        case .key, .group: nil
        }
    }

    func todo(_ id: Int64, of person: Int) throws -> Todo {
        if let todo = currentTodo(id, of: person) { return todo }
        throw FakeGitLabError(
            .unknownTodo,
            "\(people[person].username) has no to-do \(id).",
            hint: "Use a to-do id of the activity that made it."
        )
    }

    func itemIndex(of todo: Todo) -> Int? {
        if case .item(let index) = todo.target { index } else { nil }
    }
}

extension OtherTodoTarget {
    var title: String {
        switch self {
        case .commit(_, _, let title), .key(let title), .workItem(_, _, let title), .design(_, let title): title
        case .project(let path), .group(let path): path
        }
    }

    /// `target_type`.
    var className: String {
        switch self {
        case .commit: "Commit"
        case .key: "Key"
        case .project: "Project"
        case .group: "Namespace"
        case .workItem: "WorkItem"
        case .design: "DesignManagement::Design"
        }
    }
}
