import Platform

extension FakeGitLab {
    /// Approves a merge request: a system note, an entry in the approvals and an event (GitLab facts §8.2, §11.1). It is the
    /// note that touches the merge request, at most once a minute (§7.1).
    @discardableResult
    package func approve(by username: String, on item: ItemReference) throws -> Activity {
        try act { try $0.approve(by: username, on: $0.mergeRequest(item), at: $1) }
    }

    /// Takes the person's approval back.
    @discardableResult
    package func unapprove(by username: String, on item: ItemReference) throws -> Activity {
        try act { try $0.unapprove(by: username, on: $0.mergeRequest(item), at: $1) }
    }

    /// Pushes commits to the source branch of an open merge request: a system note, which touches it, and a push event.
    @discardableResult
    package func push(by username: String, to item: ItemReference, commits: [String]) throws -> Activity {
        try act { try $0.push(by: username, to: $0.mergeRequest(item), commits: commits, at: $1) }
    }

    /// The newest pipeline of the merge request, or a new one when that has ended, stands at `status` from now on; a failed one
    /// makes a `build_failed` to-do for the author, caused by himself (GitLab facts §6.1).
    @discardableResult
    package func finishPipeline(on item: ItemReference, status: PipelineStatus) throws -> Activity {
        try act { try $0.finishPipeline(on: $0.mergeRequest(item), status: status, at: $1) }
    }

    /// The newest pipeline, which has ended, runs again under its id (GitLab facts §11.3).
    @discardableResult
    package func retryPipeline(on item: ItemReference) throws -> Activity {
        try act { try $0.retryPipeline(on: $0.mergeRequest(item), at: $1) }
    }
}

extension InstanceState {
    mutating func approve(by username: String, on item: Int, at now: WallTime) throws -> Activity {
        let actor = try person(username)
        try requireOpen(item)
        guard canApprove(item, actor), !hasApproved(items[item].row.current, actor) else {
            throw FakeGitLabError(
                .notAllowed,
                "\(username) may not approve \(items[item].reference(in: projects)).",
                hint: "Let a developer approve who is not the author and has not approved yet."
            )
        }
        var draft = try begin(.approved, by: username, on: item, at: now)
        change(item, at: now) { $0.approvals.append(Approval(person: actor, at: now)) }
        if losesApprovalNotes == nil {
            insertSystemNote("approved this merge request", into: item, draft: &draft)
        }
        setReview(of: item, by: actor, to: .approved)
        draft.eventID = recordEvent(.approved, on: item, by: actor, at: now)
        draft.body = "approved this merge request"
        return conclude(draft)
    }

    mutating func unapprove(by username: String, on item: Int, at now: WallTime) throws -> Activity {
        let actor = try person(username)
        guard hasApproved(items[item].row.current, actor) else {
            throw FakeGitLabError(.wrongState, "\(username) has not approved.", hint: "Approve first.")
        }
        var draft = try begin(.unapproved, by: username, on: item, resolving: .nothing, at: now)
        change(item, at: now) { $0.approvals.removeAll { $0.person == actor } }
        insertSystemNote("unapproved this merge request", into: item, draft: &draft)
        setReview(of: item, by: actor, to: .unapproved)
        draft.body = "unapproved this merge request"
        return conclude(draft)
    }

    mutating func push(by username: String, to item: Int, commits: [String], at now: WallTime) throws -> Activity {
        try requireOpen(item)
        guard !commits.isEmpty else {
            throw FakeGitLabError(.invalidValue, "A push has at least one commit.", hint: "Pass the commits' titles.")
        }
        var draft = try begin(.pushed, by: username, on: item, at: now)
        let fields = items[item].row.current
        let shas = commits.map { _ in newSHA() }
        let head = shas[shas.count - 1]
        let resets = configuration.resetsApprovalsOnPush
        change(item, at: now) { fields in
            fields.sha = head
            fields.hasConflicts = false
            if resets { fields.approvals = [] }
        }
        let body = pushText(shas: shas, titles: commits, item: item, from: fields.sha ?? shas[0])
        insertSystemNote(body, into: item, draft: &draft)
        recordPush(Array(zip(shas, commits)), to: item, by: draft.actor, at: now)
        let event = FeedEvent(
            action: .pushed,
            author: draft.actor,
            project: items[item].project,
            createdAt: now,
            target: .push(
                branch: fields.sourceBranch,
                from: fields.sha ?? shas[0],
                to: head,
                commits: commits.count,
                title: commits[commits.count - 1]
            )
        )
        draft.eventID = append(event, visibleFrom: now, now: now)
        draft.body = "added \(commits.count) commit\(commits.count == 1 ? "" : "s")"
        let activity = conclude(draft)
        abortAutoMerge(on: item, by: draft.actor, because: "source branch was updated", at: now)
        for (sha, title) in zip(shas, commits) {
            crossReference(fromCommit: sha, titled: title, on: item, by: draft.actor, at: now)
        }
        return activity
    }

    /// The wording of GitLab facts §8.2.
    private func pushText(shas: [String], titles: [String], item: Int, from start: String) -> String {
        let list = zip(shas, titles).map { sha, title in
            "<li>\(sha.prefix(8)) - \(Self.escapedHTML(title))</li>"
        }
        let path = "/\(projects[items[item].project].path)/-/merge_requests/\(items[item].iid)/diffs"
        return """
            added \(shas.count) commit\(shas.count == 1 ? "" : "s")

            <ul>\(list.joined())</ul>

            [Compare with previous version](\(path)?diff_id=\(items[item].notes.rows.count + 1)&start_sha=\(start))
            """
    }

    static func escapedHTML(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    mutating func finishPipeline(on item: Int, status: PipelineStatus, at now: WallTime) throws -> Activity {
        let author = items[item].author
        var draft = draft(.pipelineFinished, by: author, on: item, at: now)
        draft.pipelineID = setPipeline(of: item, to: status, author: author, draft: &draft, at: now)
        itemLooksDifferent(item, at: now, now: now)
        if status == .failed {
            for person in mergeParticipants(of: item) {
                addTodo(for: person, .buildFailed, on: item, isCausedBySelf: true, draft: &draft)
            }
        }
        let activity = concludePipeline(draft, author: author)
        try mergeAutomatically(item, at: now)
        return activity
    }

    mutating func retryPipeline(on item: Int, at now: WallTime) throws -> Activity {
        guard let newest = items[item].pipelines.rows.last, newest.current.status.isFinal else {
            throw FakeGitLabError(
                .wrongState,
                "\(items[item].reference(in: projects)) has no pipeline that has ended.",
                hint: "Let one end first."
            )
        }
        let author = items[item].author
        var draft = draft(.pipelineFinished, by: author, on: item, at: now)
        items[item].pipelines.change(newest.id, at: now) { pipeline in
            pipeline.status = .running
            pipeline.run += 1
            pipeline.updatedAt = now
        }
        itemLooksDifferent(item, at: now, now: now)
        draft.pipelineID = newest.id
        draft.pipelineStatus = .running
        draft.pipelineRun = newest.current.run + 1
        // All that they had to do there counts as done by it, whoever has asked for the retry (GitLab facts §6.2).
        draft.resolvedTodoIDs = mergeParticipants(of: item).flatMap { resolveTodos(of: $0, on: item, at: now) }
        return concludePipeline(draft, author: author)
    }

    /// The pipeline that moved.
    private mutating func setPipeline(
        of item: Int,
        to status: PipelineStatus,
        author: Int,
        draft: inout ActivityDraft,
        at now: WallTime
    ) -> Int64 {
        draft.pipelineStatus = status
        if let newest = items[item].pipelines.rows.last, !newest.current.status.isFinal {
            draft.pipelineRun = newest.current.run
            items[item].pipelines.change(newest.id, at: now) { pipeline in
                pipeline.status = status
                pipeline.updatedAt = now
            }
            return newest.id
        }
        let id = sequences.next(.pipeline)
        let pipeline = Pipeline(
            iid: Int64(items[item].pipelines.rows.count + 1),
            sha: items[item].row.current.sha ?? String(repeating: "0", count: 40),
            ref: "refs/merge-requests/\(items[item].iid)/head",
            status: status,
            author: author,
            createdAt: now.advanced(by: .seconds(-90)),
            updatedAt: now
        )
        draft.pipelineRun = 1
        items[item].pipelines.append(id: id, value: pipeline, visibleFrom: now, now: now)
        return id
    }

    /// Nobody did it, so that it makes nobody a writer.
    private mutating func concludePipeline(_ draft: ActivityDraft, author: Int) -> Activity {
        var draft = draft
        draft.body = "pipeline \(draft.pipelineStatus?.rawValue ?? "")"
        let lastWrite = people[author].lastWrite
        defer { people[author].lastWrite = lastWrite }
        return conclude(draft)
    }

    func requireOpen(_ item: Int) throws {
        guard items[item].row.current.state == .opened else {
            throw FakeGitLabError(
                .wrongState,
                "\(items[item].reference(in: projects)) is \(items[item].row.current.state.rawValue).",
                hint: "Only an open item can be acted upon so; reopen it first."
            )
        }
    }
}
