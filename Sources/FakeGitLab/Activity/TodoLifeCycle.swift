import Platform

/// Which of their own to-dos on an item somebody resolves by what they do there (GitLab facts §6.2).
enum TodoScope {
    case item
    /// Those that the thread's notes caused; before 17.8 all of the item. Nil for a thread that begins with it.
    case thread(Int?)
    case nothing
}

/// The life of to-dos (GitLab facts §6).
extension InstanceState {
    /// Gives a person a to-do about an item, unless the rules of §6.2 say that there is one already.
    mutating func addTodo(
        for person: Int,
        _ action: TodoAction,
        on item: Int,
        note: Int64? = nil,
        body: String? = nil,
        isCausedBySelf: Bool = false,
        draft: inout ActivityDraft
    ) {
        guard isCausedBySelf || person != draft.actor else { return }
        guard canRead(item: item, person), people[person].state == .active else { return }
        guard mayAddTodo(for: person, action, on: .item(item)) else { return }
        // With its note, which may be committed late; after an edit of the note, now.
        let created = max(draft.now, note.flatMap { noteCommit($0, on: item) } ?? draft.now)
        let todo = Todo(
            author: draft.actor,
            action: action,
            target: .item(item),
            project: items[item].project,
            note: note,
            body: body ?? items[item].row.current.title,
            createdAt: created,
            updatedAt: created
        )
        let id = insert(todo, for: person, notBefore: created, draft: &draft)
        draft.todos.append((person, id, action))
        if !items[item].todoHolders.contains(person) { items[item].todoHolders.append(person) }
    }

    /// Before 17.8 any pending to-do on the target stands in the way, later only one of the same action.
    func mayAddTodo(for person: Int, _ action: TodoAction, on target: TodoTarget) -> Bool {
        if version.hasMultipleTodos, action.repeats { return true }
        return !people[person].openTodos.contains { id in
            guard let index = people[person].todos.index(of: id) else { return false }
            let row = people[person].todos.rows[index]
            guard row.visibleUntil == .distantFuture, !row.current.isDone, row.current.target == target else {
                return false
            }
            return !version.hasMultipleTodos || row.current.action == action
        }
    }

    /// A note's to-dos are written after its commit.
    private func noteCommit(_ id: Int64, on item: Int) -> WallTime? {
        items[item].notes.index(of: id).map { items[item].notes.rows[$0].visibleFrom }
    }

    @discardableResult
    mutating func insert(_ todo: Todo, for person: Int, notBefore: WallTime, draft: inout ActivityDraft) -> Int64 {
        let id = sequences.next(.todo)
        let visibleFrom = max(notBefore, commitInstant(.todo, in: .todos(person), at: draft.now))
        pruneOpenTodos(of: person, at: draft.now)
        people[person].todos.append(id: id, value: todo, visibleFrom: visibleFrom, now: draft.now)
        people[person].openTodos.append(id)
        draft.readableAt = max(draft.readableAt, primary.clock(at: visibleFrom, now: draft.now))
        return id
    }

    /// Resolves the person's pending to-dos on an item; says which.
    mutating func resolveTodos(
        of person: Int,
        on item: Int,
        _ scope: TodoScope = .item,
        at now: WallTime
    ) -> [Int64] {
        let ids = people[person].openTodos.filter { id in
            guard let todo = currentTodo(id, of: person) else { return false }
            return !todo.isDone && todo.target == .item(item) && isIn(scope, todo, on: item)
        }
        for id in ids { setTodo(id, of: person, done: true, at: now) }
        return ids
    }

    private func isIn(_ scope: TodoScope, _ todo: Todo, on item: Int) -> Bool {
        switch scope {
        case .item: return true
        case .nothing: return false
        case .thread(let thread):
            guard version.hasMultipleTodos else { return true }
            guard let note = todo.note, let index = items[item].notes.index(of: note) else { return false }
            return items[item].notes.rows[index].current.discussion == thread
        }
    }

    /// A failed job concerns whoever made the merge request and whoever waits for it to merge by itself (GitLab facts §6.1).
    func mergeParticipants(of item: Int) -> [Int] {
        let author = items[item].author
        let waiting = items[item].row.current.autoMergeBy.map { $0 == author ? [] : [$0] } ?? []
        return [author] + waiting
    }

    /// What a note has caused goes with it; says which to-dos that were.
    mutating func removeTodos(ofNote note: Int64, on item: Int, at now: WallTime) -> [Int64] {
        var gone: [Int64] = []
        for holder in items[item].todoHolders {
            for row in people[holder].todos.rows
            where row.current.note == note && row.current.target == .item(item) && row.visibleUntil > now {
                people[holder].todos.remove(row.id, at: now, now: now)
                gone.append(row.id)
            }
        }
        return gone
    }

    /// A to-do item has no words of its own: it shows those that its note has now.
    mutating func rewordTodos(ofNote note: Int64, on item: Int, _ body: String, at now: WallTime) {
        for holder in items[item].todoHolders {
            for row in people[holder].todos.rows
            where row.current.note == note && row.current.target == .item(item) && row.visibleUntil > now {
                people[holder].todos.change(row.id, at: now) { $0.body = body }
            }
        }
    }

    mutating func setTodo(_ id: Int64, of person: Int, done: Bool, at now: WallTime) {
        people[person].todos.change(id, at: now) { todo in
            todo.isDone = done
            todo.updatedAt = now
            todo.snoozedUntil = nil
        }
        if done { people[person].resolvedSinceClearing += 1 }
        pruneOpenTodos(of: person, at: now)
        guard !people[person].openTodos.contains(id) else { return }
        let place = people[person].openTodos.firstIndex { $0 > id } ?? people[person].openTodos.count
        people[person].openTodos.insert(id, at: place)
    }

    func currentTodo(_ id: Int64, of person: Int) -> Todo? {
        guard let index = people[person].todos.index(of: id) else { return nil }
        let row = people[person].todos.rows[index]
        return row.visibleUntil == .distantFuture ? row.current : nil
    }

    /// Deletes to-dos of a project whose access was lost, an hour later; regained access takes it back.
    mutating func scheduleTodoDeletion(of person: Int, in project: Int, regained: Bool, at now: WallTime) {
        let instant = now.advanced(by: configuration.accessLossDelay)
        for row in people[person].todos.rows where row.current.project == project && row.visibleUntil > now {
            if regained {
                if row.visibleUntil != .distantFuture {
                    people[person].todos.remove(row.id, at: .distantFuture, now: now)
                }
            } else if row.visibleUntil == .distantFuture {
                people[person].todos.remove(row.id, at: instant, now: now)
            }
        }
    }

    /// Forgets to-dos that were done before the reach of a lagging replica; every few, so that a long list of pending
    /// ones is not walked each time.
    private mutating func pruneOpenTodos(of person: Int, at now: WallTime) {
        guard people[person].resolvedSinceClearing >= 16 + people[person].openTodos.count / 2 else { return }
        let horizon = now.advanced(by: .zero - Row<Todo>.replicaHorizon)
        let todos = people[person].todos
        people[person].openTodos.removeAll { id in
            guard let index = todos.index(of: id) else { return true }
            let row = todos.rows[index]
            return row.visibleUntil < horizon || (row.current.isDone && row.current.updatedAt < horizon)
        }
        people[person].resolvedSinceClearing = 0
    }
}
