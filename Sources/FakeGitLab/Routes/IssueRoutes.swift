import Platform

/// Creating, changing, moving and deleting issues (supplement §1.6). One request is as many activities as it changes things.
extension InstanceState {
    /// What an update may change, in the order in which a refusal names it.
    private static let updatable = [
        "assignee_id", "assignee_ids", "confidential", "created_at", "description", "discussion_locked", "due_date",
        "labels", "add_labels", "remove_labels", "milestone_id", "state_event", "title", "issue_type",
    ]

    mutating func writeIssue(_ call: Call) throws(APIError) -> RouteResponse {
        if call.parameters["confidential"]?.isEmpty == true { throw .error(400, "confidential is empty") }
        switch call.route.endpoint {
        case .createIssue: return try createIssue(call)
        case .updateIssue: return try updateIssue(call)
        case .moveIssue: return try moveIssue(call)
        default:
            let item = try item(of: call)
            try requireRole(.owner, call, in: items[item].project)
            let username = people[call.reader].username
            _ = try APIError.translating { try deleteItem(by: username, on: item, at: call.now) }
            return .noContent
        }
    }

    // MARK: Creating

    private mutating func createIssue(_ call: Call) throws(APIError) -> RouteResponse {
        let project = try project(of: call)
        let parameters = call.parameters
        let role = role(call, in: project)
        try Self.requireIssueTitle(parameters["title"] ?? "")
        var new = NewItem(
            project: projects[project].path,
            kind: .issue,
            title: parameters["title"] ?? "",
            author: people[call.reader].username,
            description: parameters["description"],
            isConfidential: parameters.isTrue("confidential")
        )
        if role == .owner {
            new.iid = parameters.integer("iid")
            new.createdAt = parameters.time("created_at")
            if let iid = new.iid, projects[project].issues[iid] != nil { throw .message(409, "Duplicated issue") }
        }
        // What others than reporters set is dropped.
        if let role, role >= .reporter {
            new.labels = issueLabels(parameters.list("labels") ?? [], in: project)
            new.milestone = milestoneTitle(parameters, in: project) ?? nil
            new.dueDate = parameters["due_date"].flatMap(TimestampParser.parseDate)
            new.assignees = (wantedAssignees(call, in: project) ?? []).map { people[$0].username }
        }
        _ = try APIError.translating { try open(new, at: call.now) }
        return RouteResponse(status: 201, body: singleJSON(items.count - 1, call))
    }

    private static func requireIssueTitle(_ title: String) throws(APIError) {
        guard !title.allSatisfy(\.isWhitespace) else { throw .fields([("title", "can't be blank")]) }
        guard title.count <= 255 else { throw .fields([("title", "is too long (maximum is 255 characters)")]) }
    }

    /// Labels by name; those that are not there yet are made.
    private mutating func issueLabels(_ names: [String], in project: Int) -> [String] {
        var found: [String] = []
        for name in names.map(Self.trimmed) where !name.isEmpty && !found.contains(name) {
            if knownLabel(name, in: project) == nil { _ = insertLabel(name, in: project) }
            found.append(name)
        }
        return found
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Nil when nothing is asked for, or for a milestone that the project does not have; an inner nil takes it away.
    private func milestoneTitle(_ parameters: Parameters, in project: Int) -> String?? {
        guard let text = parameters["milestone_id"] else { return nil }
        guard let id = Int64(text), id != 0 else { return .some(nil) }
        let index = milestones.firstIndex { $0.id == id && $0.project == project && !$0.isDeleted }
        guard let index else { return nil }
        return .some(milestones[index].title)
    }

    /// Nil when nothing is asked for. Unknown people and those who cannot see the project are dropped, and without a licence
    /// an issue has one assignee.
    private func wantedAssignees(_ call: Call, in project: Int) -> [Int]? {
        let single = call.parameters["assignee_id"].map { [$0] }
        guard let texts = call.parameters.list("assignee_ids") ?? single else { return nil }
        let found = texts.compactMap { text in Int64(text).flatMap { id in people.firstIndex { $0.id == id } } }
        return Array(found.filter { canRead(project: project, $0) }.prefix(1))
    }

    // MARK: Changing

    private mutating func updateIssue(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        try call.parameters.requireOne(of: Self.updatable)
        if let title = call.parameters["title"] { try Self.requireIssueTitle(title) }
        let isReporter = (role(call, in: items[item].project) ?? .guest) >= .reporter
        guard isReporter || isInvolved(call.reader, in: item) else { throw .forbidden }
        do {
            try changeText(of: item, call)
            if isReporter { try changeMetadata(of: item, call) }
            try changeState(of: item, call)
        } catch {
            throw APIError(error)
        }
        return RouteResponse(body: singleJSON(item, call))
    }

    private mutating func changeText(of item: Int, _ call: Call) throws {
        let username = people[call.reader].username
        if let title = call.parameters["title"], title != items[item].row.current.title {
            _ = try changeTitle(by: username, on: item, to: title, at: call.now)
        }
        if let description = call.parameters["description"], description != items[item].row.current.description ?? "" {
            _ = try changeDescription(by: username, on: item, to: description, at: call.now)
        }
    }

    private mutating func changeMetadata(of item: Int, _ call: Call) throws {
        let username = people[call.reader].username
        let project = items[item].project
        let before = items[item].row.current
        if let wanted = wantedAssignees(call, in: project), wanted != before.assignees {
            let added = wanted.filter { !before.assignees.contains($0) }.map { people[$0].username }
            let removed = before.assignees.filter { !wanted.contains($0) }.map { people[$0].username }
            _ = try assign(by: username, on: item, adding: added, removing: removed, at: call.now)
        }
        try changeLabels(of: item, call)
        if let title = milestoneTitle(call.parameters, in: project),
            title != before.milestone.map({ milestones[$0].title })
        {
            _ = try setMilestone(by: username, on: item, to: title, at: call.now)
        }
        if let text = call.parameters["due_date"], TimestampParser.parseDate(text) != before.dueDate {
            _ = try setDueDate(by: username, on: item, to: TimestampParser.parseDate(text), at: call.now)
        }
    }

    /// `labels` replaces, `add_labels` and `remove_labels` change.
    private mutating func changeLabels(of item: Int, _ call: Call) throws {
        let project = items[item].project
        let before = items[item].row.current.labels.map { labels[$0].name }
        var after = call.parameters.list("labels").map { issueLabels($0, in: project) } ?? before
        after += issueLabels(call.parameters.list("add_labels") ?? [], in: project).filter { !after.contains($0) }
        let removed = (call.parameters.list("remove_labels") ?? []).map(Self.trimmed)
        after.removeAll(where: removed.contains)
        let adding = after.filter { !before.contains($0) }
        let removing = before.filter { !after.contains($0) }
        guard !adding.isEmpty || !removing.isEmpty else { return }
        let username = people[call.reader].username
        _ = try changeLabels(by: username, on: item, adding: adding, removing: removing, at: call.now)
    }

    /// What is so already is no error and no activity.
    private mutating func changeState(of item: Int, _ call: Call) throws {
        let username = people[call.reader].username
        let fields = items[item].row.current
        if call.parameters["confidential"] != nil, call.parameters.isTrue("confidential") != fields.isConfidential {
            _ = try setConfidential(by: username, on: item, !fields.isConfidential, at: call.now)
        }
        switch (call.parameters["state_event"], fields.state) {
        case ("close", .opened): _ = try close(by: username, on: item, through: nil, at: call.now)
        case ("reopen", .closed): _ = try reopen(by: username, on: item, at: call.now)
        default: break
        }
    }

    // MARK: Moving

    private mutating func moveIssue(_ call: Call) throws(APIError) -> RouteResponse {
        let item = try item(of: call)
        let id = call.parameters.integer("to_project_id") ?? 0
        guard let target = projectsByID[id], canRead(project: target, call.reader) else { throw .notFound("Project") }
        guard target != items[item].project else {
            throw .message(400, "Cannot move issue to project it originates from!")
        }
        for project in [items[item].project, target] where (role(call, in: project) ?? .guest) < .reporter {
            throw .message(400, "Cannot move issue due to insufficient permissions!")
        }
        let username = people[call.reader].username
        do {
            _ = try moveIssue(by: username, on: item, to: target, at: call.now)
        } catch {
            throw .message(400, "Cannot move issue due to insufficient permissions!")
        }
        guard let successor = items[item].row.current.movedTo else { throw .internalError }
        return RouteResponse(status: 201, body: singleJSON(successor, call))
    }
}
