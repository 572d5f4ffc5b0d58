import Platform

extension FakeGitLab {
    /// Merges an open merge request: a state event and an event, no note (GitLab facts §8.2).
    @discardableResult
    package func merge(by username: String, on item: ItemReference) throws -> Activity {
        try act { try $0.merge(by: username, on: $0.mergeRequest(item), at: $1) }
    }

    /// Closes an open item; `throughMergeRequest` names the merge request whose merge closed an issue.
    @discardableResult
    package func close(
        by username: String,
        on item: ItemReference,
        throughMergeRequest: ItemReference? = nil
    ) throws -> Activity {
        try act { state, now in
            let source = try throughMergeRequest.map { try state.mergeRequest($0) }
            return try state.close(by: username, on: state.item(item), through: source, at: now)
        }
    }

    /// Reopens a closed item.
    @discardableResult
    package func reopen(by username: String, on item: ItemReference) throws -> Activity {
        try act { try $0.reopen(by: username, on: $0.item(item), at: $1) }
    }

    /// Makes an issue confidential, or open to all again: those who may not see it get 404 from then on.
    @discardableResult
    package func setConfidential(by username: String, on item: ItemReference, _ isConfidential: Bool) throws -> Activity
    {
        try act { try $0.setConfidential(by: username, on: $0.issue(item), isConfidential, at: $1) }
    }

    /// Moves an issue to another project: it is closed here and gets a successor there, which `moved_to_id` names, with copies of its
    /// notes (GitLab facts §8.2).
    ///
    /// - Parameters:
    ///   - username: Who moves it.
    ///   - item: The issue that moves.
    ///   - project: The path of the other project.
    ///   - iid: The successor's number; nil for the next one of the project.
    /// - Returns: The activity on the old issue.
    /// - Throws: `FakeGitLabError` when it is closed, in that project already, or not theirs to move, or the number is taken.
    @discardableResult
    package func moveIssue(
        by username: String,
        on item: ItemReference,
        to project: String,
        iid: Int64? = nil
    ) throws -> Activity {
        try act { try $0.moveIssue(by: username, on: $0.issue(item), to: $0.project(project), iid: iid, at: $1) }
    }

    /// Deletes an item with everything on it; whoever asks for it gets 404.
    @discardableResult
    package func deleteItem(by username: String, on item: ItemReference) throws -> Activity {
        try act { try $0.deleteItem(by: username, on: $0.item(item), at: $1) }
    }
}

extension InstanceState {
    mutating func merge(by username: String, on item: Int, at now: WallTime) throws -> Activity {
        try requireOpen(item)
        guard !items[item].row.current.isDraft else {
            throw FakeGitLabError(.wrongState, "A draft cannot be merged.", hint: "Mark it as ready first.")
        }
        guard !items[item].row.current.hasConflicts else {
            throw FakeGitLabError(.wrongState, "What conflicts cannot be merged.", hint: "Push a commit first.")
        }
        var draft = try begin(.merged, by: username, on: item, at: now)
        let commit = newSHA()
        edit(item, at: now) { fields in
            fields.state = .merged
            fields.mergedAt = now
            fields.mergedBy = draft.actor
            fields.mergeCommit = commit
            fields.autoMergeBy = nil
        }
        insertStateEvent("merged", on: item, draft: &draft)
        draft.eventID = recordEvent(.merged, on: item, by: draft.actor, at: now)
        draft.body = "merged"
        return conclude(draft)
    }

    mutating func close(by username: String, on item: Int, through source: Int?, at now: WallTime) throws -> Activity {
        try requireOpen(item)
        var draft = try begin(.closed, by: username, on: item, at: now)
        edit(item, at: now) { fields in
            fields.state = .closed
            fields.closedAt = now
            fields.closedBy = draft.actor
        }
        insertStateEvent("closed", on: item, mergeRequest: source, draft: &draft)
        draft.eventID = recordEvent(.closed, on: item, by: draft.actor, at: now)
        draft.body = "closed"
        let activity = conclude(draft)
        abortAutoMerge(on: item, by: draft.actor, because: "merge request was closed", at: now)
        return activity
    }

    mutating func reopen(by username: String, on item: Int, at now: WallTime) throws -> Activity {
        guard items[item].row.current.state == .closed else {
            throw FakeGitLabError(
                .wrongState,
                "\(items[item].reference(in: projects)) is not closed.",
                hint: "Only a closed item can be reopened."
            )
        }
        var draft = try begin(.reopened, by: username, on: item, resolving: .nothing, at: now)
        edit(item, at: now) { fields in
            fields.state = .opened
            fields.closedAt = nil
            fields.closedBy = nil
        }
        insertStateEvent("reopened", on: item, draft: &draft)
        draft.eventID = recordEvent(.reopened, on: item, by: draft.actor, at: now)
        draft.body = "reopened"
        return conclude(draft)
    }

    mutating func setConfidential(
        by username: String,
        on item: Int,
        _ isConfidential: Bool,
        at now: WallTime
    ) throws -> Activity {
        guard items[item].row.current.isConfidential != isConfidential else {
            throw FakeGitLabError(.wrongState, "The issue is so already.", hint: "Leave it as it is.")
        }
        var draft = try begin(.confidentialityChanged, by: username, on: item, resolving: .nothing, at: now)
        edit(item, at: now) { $0.isConfidential = isConfidential }
        let text = isConfidential ? "made the issue confidential" : "made the issue visible to everyone"
        insertSystemNote(text, into: item, draft: &draft)
        invalidateEverything()
        draft.body = text
        return conclude(draft)
    }

    mutating func moveIssue(
        by username: String,
        on item: Int,
        to project: Int,
        iid: Int64? = nil,
        at now: WallTime
    ) throws -> Activity {
        try requireOpen(item)
        guard project != items[item].project else {
            throw FakeGitLabError(.invalidValue, "The issue is in that project.", hint: "Name another project.")
        }
        guard canRead(project: project, try person(username)) else {
            throw FakeGitLabError(.notAllowed, "\(username) cannot see the project.", hint: "Add a membership first.")
        }
        if let iid, projects[project].issues[iid] != nil {
            throw FakeGitLabError(.invalidValue, "The project has an issue #\(iid).", hint: "Leave the number out.")
        }
        try requireAccess(try person(username), to: item)
        let successor = insertSuccessor(of: item, in: project, iid: iid, at: now)
        // The old one is closed as by anybody, with its state event (GitLab facts §8.2).
        _ = try close(by: username, on: item, through: nil, at: now)
        var draft = try begin(.moved, by: username, on: item, at: now)
        draft.successor = successor
        draft.body = "moved to \(referenceText(of: successor, from: items[item].project))"
        insertSystemNote(draft.body, into: item, about: successor, draft: &draft)
        edit(item, at: now) { $0.movedTo = successor }
        let activity = conclude(draft)
        var arrival = self.draft(.moved, by: draft.actor, on: successor, at: now)
        arrival.body = "moved from \(referenceText(of: item, from: project))"
        insertSystemNote(arrival.body, into: successor, about: item, draft: &arrival)
        _ = conclude(arrival)
        return activity
    }

    /// The issue as it goes on in the other project: notes and events are copied with their times and get ids of today.
    private mutating func insertSuccessor(of item: Int, in project: Int, iid: Int64?, at now: WallTime) -> Int {
        let fields = items[item].row.current
        let author = items[item].author
        let title = fields.title
        let successor = insertItem(.issue, project: project, author: author, title: title, iid: iid, at: now, now: now)
        {
            copy in
            copy.description = fields.description
            copy.assignees = fields.assignees
            copy.labels = fields.labels
            copy.isConfidential = fields.isConfidential
            copy.dueDate = fields.dueDate
        }
        var threads: [Int: Int] = [:]
        for row in items[item].notes.rows where row.exists(at: now) {
            let note = row.current
            let isIndividual = items[item].discussions[note.discussion].isIndividual
            let thread = threads[note.discussion] ?? newDiscussion(on: successor, isIndividual: isIndividual)
            threads[note.discussion] = thread
            insertCopy(note, into: successor, thread: thread, at: now)
        }
        for row in items[item].stateEvents.rows where row.exists(at: now) {
            let id = sequences.next(.stateEvent)
            items[successor].stateEvents.append(id: id, value: row.current, visibleFrom: now, now: now)
        }
        return successor
    }

    mutating func deleteItem(by username: String, on item: Int, at now: WallTime) throws -> Activity {
        let actor = try person(username)
        try requireAccess(actor, to: item)
        var draft = draft(.itemDeleted, by: actor, on: item, at: now)
        draft.body = "deleted"
        let activity = conclude(draft)
        items[item].row.visibleUntil = now
        let project = items[item].project
        if items[item].kind == .issue {
            projects[project].issues[items[item].iid] = nil
        } else {
            projects[project].mergeRequests[items[item].iid] = nil
        }
        projects[project].items.removeAll { $0 == item }
        removeTodos(on: item, at: now)
        removeEvents(on: item, at: now)
        itemLooksDifferent(item, at: now, now: now)
        invalidateEverything()
        return activity
    }

    private mutating func removeTodos(on item: Int, at now: WallTime) {
        for holder in items[item].todoHolders {
            for row in people[holder].todos.rows where row.current.target == .item(item) {
                people[holder].todos.remove(row.id, at: now, now: now)
            }
        }
    }

    private mutating func removeEvents(on item: Int, at now: WallTime) {
        pendingEvents.removeAll { if case .note(item, _, _) = $0.target { true } else { false } }
        let project = items[item].project
        for row in projects[project].events.rows {
            switch row.current.target {
            case .item(item), .note(item, _, _): projects[project].events.remove(row.id, at: now, now: now)
            default: break
            }
        }
    }
}
