import Platform

/// Inserting people, projects and items.
extension InstanceState {
    mutating func addPerson(_ new: NewPerson, at now: WallTime) throws -> Int64 {
        try requireUnused(new.username)
        let person = Person(
            id: sequences.next(.person),
            username: new.username,
            name: new.name,
            state: new.state,
            isBot: new.isBot,
            createdAt: now.advanced(by: .days(-365))
        )
        peopleByUsername[new.username] = people.count
        people.append(person)
        return person.id
    }

    func requireUnused(_ username: String) throws {
        guard Self.isUsername(username) else {
            throw FakeGitLabError(
                .invalidValue,
                "\"\(username)\" is not a username.",
                hint: "Use letters, digits, dots, dashes and underscores, without @."
            )
        }
        guard peopleByUsername[username] == nil else {
            throw FakeGitLabError(.duplicateName, "There is a person \"\(username)\".", hint: "Use another username.")
        }
    }

    private static func isUsername(_ text: String) -> Bool {
        guard let last = text.utf8.last, text.utf8.count <= 255, last != UInt8(ascii: "."), last != UInt8(ascii: "-")
        else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    mutating func addProject(
        _ path: String,
        visibility: ProjectVisibility,
        members: [String: Role],
        at now: WallTime
    ) throws -> Int64 {
        try requireUnusedPath(path)
        var roles: [Int: Role] = [:]
        for (username, role) in members.sorted(by: { $0.key < $1.key }) { roles[try person(username)] = role }
        var project = Project(
            id: sequences.next(.project),
            path: path,
            name: path.split(separator: "/").last.map(String.init) ?? path,
            visibility: visibility,
            createdAt: now.advanced(by: .days(-365))
        )
        project.members = roles
        projectsByPath[path] = projects.count
        projectsByID[project.id] = projects.count
        projects.append(project)
        addConfiguredHook(to: projects.count - 1, at: project.createdAt)
        return project.id
    }

    func requireUnusedPath(_ path: String) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts.contains(where: \.isEmpty), !path.contains(where: \.isWhitespace) else {
            throw FakeGitLabError(
                .invalidValue,
                "\"\(path)\" is not a project path.",
                hint: "Write group and project, such as team/backend."
            )
        }
        guard projectsByPath[path] == nil else {
            throw FakeGitLabError(.duplicateName, "There is a project \"\(path)\".", hint: "Use another path.")
        }
    }

    mutating func add(_ new: NewItem, at now: WallTime) throws -> Int {
        let project = try project(new.project)
        let author = try person(new.author)
        let assignees = try new.assignees.map { try person($0) }
        let reviewers = try new.reviewers.map { try person($0) }
        let labels = try new.labels.map { try label($0, in: project) }.sorted()
        let milestone = try new.milestone.map { try self.milestone($0, project: project) }
        try requireUnusedIID(new, in: project)
        let item = insertItem(
            new.kind,
            project: project,
            author: author,
            title: new.title,
            iid: new.iid,
            at: new.createdAt ?? now,
            now: now
        ) { fields in
            fields.description = new.description
            fields.assignees = assignees
            fields.reviewers = reviewers
            fields.labels = labels
            fields.milestone = milestone
            fields.dueDate = new.dueDate
            fields.isConfidential = new.isConfidential
            fields.isDraft = new.isDraft
            if new.isDraft, !fields.title.hasPrefix("Draft: ") { fields.title = "Draft: " + fields.title }
        }
        return item
    }

    private func requireUnusedIID(_ new: NewItem, in project: Int) throws {
        guard !new.title.allSatisfy(\.isWhitespace) else {
            throw FakeGitLabError(.invalidValue, "An item has a title.", hint: "Give it one.")
        }
        guard let iid = new.iid else { return }
        let taken = new.kind == .issue ? projects[project].issues : projects[project].mergeRequests
        guard iid > 0, taken[iid] == nil else {
            let reference = ItemReference(project: new.project, kind: new.kind, iid: iid)
            throw FakeGitLabError(.duplicateName, "\(reference) cannot be added.", hint: "Use a free iid from 1 on.")
        }
    }

    /// Inserts a bare item.
    mutating func insertItem(
        _ kind: ItemKind,
        project: Int,
        author: Int,
        title: String,
        iid: Int64? = nil,
        at createdAt: WallTime,
        now: WallTime,
        configure: (inout ItemFields) -> Void = { _ in }
    ) -> Int {
        let index = items.count
        let iid = takeIID(kind, in: project, wanted: iid)
        var fields = ItemFields(title: title, updatedAt: createdAt)
        if kind == .mergeRequest {
            fields.sourceBranch = "feature-\(iid)"
            fields.sha = newSHA()
        }
        configure(&fields)
        let id = sequences.next(kind == .issue ? .issue : .mergeRequest)
        let item = Item(
            kind: kind,
            id: id,
            iid: iid,
            project: project,
            author: author,
            createdAt: createdAt,
            row: Row(id: id, visibleFrom: createdAt, value: fields)
        )
        items.append(item)
        if kind == .issue {
            projects[project].issues[iid] = index
        } else {
            projects[project].mergeRequests[iid] = index
            beginDiffs(of: index, head: fields.sha ?? "", title: fields.title, by: author, at: createdAt)
            requestReviews(of: index, from: fields.reviewers, at: createdAt)
        }
        projects[project].items.append(index)
        touchLog.record(item: index, updatedAt: createdAt)
        itemLooksDifferent(index, at: createdAt, now: now)
        return index
    }

    private mutating func takeIID(_ kind: ItemKind, in project: Int, wanted: Int64?) -> Int64 {
        if kind == .issue {
            let iid = wanted ?? projects[project].nextIssueIID
            projects[project].nextIssueIID = max(projects[project].nextIssueIID, iid + 1)
            return iid
        }
        let iid = wanted ?? projects[project].nextMergeRequestIID
        projects[project].nextMergeRequestIID = max(projects[project].nextMergeRequestIID, iid + 1)
        return iid
    }

    mutating func addHistory(
        of count: Int,
        to item: Int,
        by authors: [Int],
        every interval: Duration,
        at now: WallTime
    ) throws {
        guard count >= 0, !authors.isEmpty, interval >= .zero else {
            throw FakeGitLabError(.invalidValue, "That is not a history.", hint: "Name at least one author.")
        }
        for position in 0..<count {
            let createdAt = now.advanced(by: interval * (position - count))
            let author = authors[position % authors.count]
            let thread = newDiscussion(on: item, isIndividual: true)
            let note = Note(
                body: "Old comment \(position + 1) of \(count)",
                author: author,
                createdAt: createdAt,
                updatedAt: createdAt,
                discussion: thread
            )
            let id = sequences.next(.note)
            items[item].notes.append(id: id, value: note, visibleFrom: createdAt, now: now)
            items[item].discussions[thread].notes.append(id)
            participate(author, in: item, at: now)
        }
        items[item].humanNoteCount += count
        let last = count > 0 ? now.advanced(by: .zero - interval) : items[item].createdAt
        change(item, at: now) { fields in
            fields.noteCount += count
            fields.updatedAt = max(fields.updatedAt, last)
        }
        touchLog.record(item: item, updatedAt: items[item].row.current.updatedAt)
    }
}
