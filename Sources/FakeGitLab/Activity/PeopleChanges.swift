import Platform

extension FakeGitLab {
    /// Assigns people, themselves included; a system note, and a to-do for each but those assigned before.
    @discardableResult
    package func assign(by username: String, on item: ItemReference, to usernames: [String]) throws -> Activity {
        try act { try $0.assign(by: username, on: $0.item(item), adding: usernames, removing: [], at: $1) }
    }

    /// Takes an assignment back.
    @discardableResult
    package func unassign(by username: String, on item: ItemReference, from usernames: [String]) throws -> Activity {
        try act { try $0.assign(by: username, on: $0.item(item), adding: [], removing: usernames, at: $1) }
    }

    /// Asks people to review a merge request.
    @discardableResult
    package func requestReview(by username: String, on item: ItemReference, from usernames: [String]) throws -> Activity
    {
        try act { try $0.review(by: username, on: $0.mergeRequest(item), adding: usernames, removing: [], at: $1) }
    }

    /// Takes a review request back.
    @discardableResult
    package func removeReviewRequest(
        by username: String,
        on item: ItemReference,
        from usernames: [String]
    ) throws -> Activity {
        try act { try $0.review(by: username, on: $0.mergeRequest(item), adding: [], removing: usernames, at: $1) }
    }

    /// The author of a merge request puts people into its approval rule (Enterprise Edition). That makes no note and does not touch the merge
    /// request; each of them gets a to-do, in the author's name whoever changes the rule (GitLab facts §6.1). Who is taken out
    /// again keeps it.
    @discardableResult
    package func requireApproval(by username: String, on item: ItemReference, from usernames: [String]) throws
        -> Activity
    {
        try act { try $0.requireApproval(by: username, on: $0.mergeRequest(item), from: usernames, at: $1) }
    }
}

extension InstanceState {
    mutating func requireApproval(by username: String, on item: Int, from usernames: [String], at now: WallTime) throws
        -> Activity
    {
        let actor = try person(username)
        try requireAccess(actor, to: item)
        try requireOpen(item)
        guard configuration.edition == .enterprise, items[item].author == actor else {
            throw FakeGitLabError(
                .notAllowed,
                "\(username) cannot require approvals of \(items[item].reference(in: projects)).",
                hint: "Let its author do it, on the Enterprise Edition."
            )
        }
        let before = items[item].row.current.requiredApprovers
        let added = try usernames.map { try person($0) }.filter { !before.contains($0) && canApprove(item, $0) }
        try requireChange(added, [])
        var draft = draft(.approvalRequired, by: actor, on: item, at: now)
        change(item, at: now) { $0.requiredApprovers = before + added }
        for person in added { addTodo(for: person, .approvalRequired, on: item, draft: &draft) }
        draft.body = phrase("requires approval from", added)
        return conclude(draft)
    }

    mutating func assign(
        by username: String,
        on item: Int,
        adding: [String],
        removing: [String],
        at now: WallTime
    ) throws -> Activity {
        let before = items[item].row.current.assignees
        let added = try adding.map { try person($0) }.filter { !before.contains($0) }
        let removed = try removing.map { try person($0) }.filter(before.contains)
        try requireChange(added, removed)
        var draft = try begin(added.isEmpty ? .unassigned : .assigned, by: username, on: item, at: now)
        edit(item, at: now) { $0.assignees = before.filter { !removed.contains($0) } + added }
        let parts = [phrase("assigned to", added), phrase("unassigned", removed)].filter { !$0.isEmpty }
        let text = parts.joined(separator: " and ")
        insertSystemNote(text, into: item, draft: &draft)
        for person in added { addTodo(for: person, .assigned, on: item, isCausedBySelf: true, draft: &draft) }
        draft.concerned += removed
        draft.body = text
        return conclude(draft)
    }

    mutating func review(
        by username: String,
        on item: Int,
        adding: [String],
        removing: [String],
        at now: WallTime
    ) throws -> Activity {
        let before = items[item].row.current.reviewers
        let added = try adding.map { try person($0) }
        let removed = try removing.map { try person($0) }.filter(before.contains)
        try requireChange(added, removed)
        var draft = try begin(added.isEmpty ? .reviewRequestRemoved : .reviewRequested, by: username, on: item, at: now)
        // Asking somebody anew takes their approval back, naming a reviewer does not (supplement §3).
        let again = version.unapprovesOnRequest ? added.filter(before.contains) : []
        let approved = again.filter { hasApproved(items[item].row.current, $0) }
        edit(item, at: now) { fields in
            fields.approvals.removeAll { approved.contains($0.person) }
            fields.reviewers = before.filter { !removed.contains($0) } + added.filter { !before.contains($0) }
        }
        requestReviews(of: item, from: added, at: now)
        forgetReviews(of: item, by: removed)
        let parts = [phrase("requested review from", added), phrase("removed review request for", removed)]
        let end = approved.isEmpty ? "" : " and removed approval"
        let text = parts.filter { !$0.isEmpty }.joined(separator: " and ") + end
        insertSystemNote(text, into: item, draft: &draft)
        for person in added { addTodo(for: person, .reviewRequested, on: item, isCausedBySelf: true, draft: &draft) }
        draft.concerned += removed
        draft.body = text
        return conclude(draft)
    }

    private func requireChange(_ added: [Int], _ removed: [Int]) throws {
        guard added.isEmpty, removed.isEmpty else { return }
        throw FakeGitLabError(
            .wrongState,
            "Nobody would be added or removed.",
            hint: "Name people who are not assigned yet, or who are assigned now."
        )
    }

    /// `assigned to @a and @b`, `assigned to @a, @b, and @c` (supplement §3), or nothing.
    private func phrase(_ verb: String, _ persons: [Int]) -> String {
        guard !persons.isEmpty else { return "" }
        let names = persons.map { "@" + people[$0].username }
        switch names.count {
        case 1: return "\(verb) \(names[0])"
        case 2: return "\(verb) \(names[0]) and \(names[1])"
        default: return "\(verb) \(names.dropLast().joined(separator: ", ")), and \(names[names.count - 1])"
        }
    }
}
