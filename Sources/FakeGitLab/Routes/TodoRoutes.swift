import Platform

/// `/todos` and what changes them (GitLab facts §6).
extension InstanceState {
    /// By id descending, always; filtered for visibility after the page is cut.
    mutating func todoList(_ call: Call) throws(APIError) -> RouteResponse {
        let ids = matchingTodos(call)
        let page = try page(call, of: ids.count)
        let range = page.request.range(of: page.total)
        var writer = writer(capacity: 64 + range.count * 3_072)
        writer.array { array in
            for position in range {
                let id = ids[ids.count - 1 - position]
                guard let todo = people[call.reader].todos.value(id, at: call.instant),
                    canRead(todo.target, project: todo.project, call.reader)
                else { continue }
                writeTodo(todo, id: id, call, into: &array)
            }
        }
        return RouteResponse(body: writer.bytes, page: page, source: .todos(call.reader))
    }

    /// Ids ascending. Pending ones come from the short list of open to-dos, so that old ones cost nothing.
    private func matchingTodos(_ call: Call) -> [Int64] {
        let person = people[call.reader]
        let wantsDone = call.parameters["state"] == "done"
        let ids = wantsDone ? person.todos.rows.map(\.id) : person.openTodos
        return ids.filter { id in
            guard let todo = person.todos.value(id, at: call.instant) else { return false }
            guard wantsDone ? todo.isDone : todo.isPending(at: call.instant) else { return false }
            return matches(todo, call.parameters)
        }
    }

    private func matches(_ todo: Todo, _ parameters: Parameters) -> Bool {
        if let actions = version.acceptsActionArray ? parameters.list("action") : parameters["action"].map({ [$0] }),
            !actions.contains(todo.action.rawValue)
        {
            return false
        }
        if let author = parameters.integer("author_id"), people[todo.author].id != author { return false }
        if let project = parameters.integer("project_id"), todo.project.map({ projects[$0].id }) != project {
            return false
        }
        if let type = parameters["type"], type != className(of: todo.target) { return false }
        return parameters["group_id"] == nil
    }

    private func className(of target: TodoTarget) -> String {
        switch target {
        case .item(let item): items[item].kind.className
        case .other(let target): target.className
        }
    }

    private func canRead(_ target: TodoTarget, project: Int?, _ person: Int) -> Bool {
        if case .item(let item) = target { return canRead(item: item, person) }
        return project.map { canRead(project: $0, person) } ?? true
    }

    mutating func writeTodo(_ call: Call) throws(APIError) -> RouteResponse {
        let username = people[call.reader].username
        switch call.route.endpoint {
        case .completeTodo:
            let id = call.parameters.integer("id") ?? 0
            guard let todo = currentTodo(id, of: call.reader) else { throw .recordNotFound }
            if !todo.isDone {
                _ = try APIError.translating { try handleTodo(.todoDone, of: call.reader, id, at: call.now) }
            }
            return try todoAnswer(id, call)
        case .completeAllTodos:
            try completeAllTodos(call)
            return .noContent
        default:
            let item = try item(of: call)
            guard mayAddTodo(for: call.reader, .marked, on: .item(item)) else { return .notModified }
            var draft = draft(.todoAdded, by: call.reader, on: item, at: call.now)
            addTodo(for: call.reader, .marked, on: item, isCausedBySelf: true, draft: &draft)
            draft.body = "\(username) added a to-do"
            let activity = conclude(draft)
            guard let id = activity.todos.first?.id else { return .notModified }
            return try todoAnswer(id, call)
        }
    }

    private mutating func completeAllTodos(_ call: Call) throws(APIError) {
        for id in people[call.reader].openTodos {
            guard let todo = currentTodo(id, of: call.reader), todo.isPending(at: call.now) else { continue }
            _ = try APIError.translating { try handleTodo(.todoDone, of: call.reader, id, at: call.now) }
        }
    }

    /// The to-do as writes answer it: its target tells `subscribed` then.
    private mutating func todoAnswer(_ id: Int64, _ call: Call) throws(APIError) -> RouteResponse {
        guard let todo = currentTodo(id, of: call.reader) else { throw .recordNotFound }
        var writer = writer(capacity: 3_072)
        writeTodo(todo, id: id, call, into: &writer)
        return RouteResponse(status: 201, body: writer.bytes)
    }
}
