import Platform

extension FakeGitLab {
    /// Adds and removes labels: one label event each, all with one `created_at`, and no note (GitLab facts §10).
    @discardableResult
    package func changeLabels(
        by username: String,
        on item: ItemReference,
        adding: [String] = [],
        removing: [String] = []
    ) throws -> Activity {
        try act { try $0.changeLabels(by: username, on: $0.item(item), adding: adding, removing: removing, at: $1) }
    }

    /// Sets the milestone, or removes it when `title` is nil: milestone events and no note.
    @discardableResult
    package func setMilestone(by username: String, on item: ItemReference, to title: String?) throws -> Activity {
        try act { try $0.setMilestone(by: username, on: $0.item(item), to: title, at: $1) }
    }

    /// Changes the title: a system note that tells what changed. A draft keeps its mark, as it does for people who edit the words.
    @discardableResult
    package func changeTitle(by username: String, on item: ItemReference, to title: String) throws -> Activity {
        try act { state, now in
            let index = try state.item(item)
            let keepsMark = state.items[index].row.current.isDraft && DraftTitle.base(of: title) == nil
            return try state.changeTitle(by: username, on: index, to: keepsMark ? "Draft: " + title : title, at: now)
        }
    }

    /// Marks a merge request as draft or as ready.
    @discardableResult
    package func setDraft(by username: String, on item: ItemReference, _ isDraft: Bool) throws -> Activity {
        try act { try $0.setDraft(by: username, on: $0.mergeRequest(item), isDraft, at: $1) }
    }
}

extension InstanceState {
    mutating func changeLabels(
        by username: String,
        on item: Int,
        adding: [String],
        removing: [String],
        at now: WallTime
    ) throws -> Activity {
        let before = items[item].row.current.labels
        let added = try adding.map { try label($0, in: items[item].project) }.filter { !before.contains($0) }
        let removed = try removing.map { try label($0, in: items[item].project) }.filter(before.contains)
        guard !added.isEmpty || !removed.isEmpty else {
            throw FakeGitLabError(.wrongState, "No label would change.", hint: "Name other labels.")
        }
        var draft = try begin(.labelsChanged, by: username, on: item, at: now)
        edit(item, at: now) { $0.labels = (before.filter { !removed.contains($0) } + added).sorted() }
        for label in added { insertLabelEvent(label, isAddition: true, on: item, draft: &draft) }
        for label in removed { insertLabelEvent(label, isAddition: false, on: item, draft: &draft) }
        let words = added.map { "added ~\(labels[$0].name)" } + removed.map { "removed ~\(labels[$0].name)" }
        draft.body = words.joined(separator: ", ")
        return conclude(draft)
    }

    mutating func setMilestone(by username: String, on item: Int, to title: String?, at now: WallTime) throws
        -> Activity
    {
        let before = items[item].row.current.milestone
        let after = try title.map { try milestone($0, project: items[item].project) }
        guard before != after else {
            throw FakeGitLabError(.wrongState, "The milestone would not change.", hint: "Name another one.")
        }
        var draft = try begin(.milestoneChanged, by: username, on: item, at: now)
        edit(item, at: now) { $0.milestone = after }
        if let before { insertMilestoneEvent(before, isAddition: false, on: item, draft: &draft) }
        if let after { insertMilestoneEvent(after, isAddition: true, on: item, draft: &draft) }
        draft.body = title.map { "set milestone \($0)" } ?? "removed the milestone"
        return conclude(draft)
    }

    mutating func changeTitle(by username: String, on item: Int, to title: String, at now: WallTime) throws -> Activity
    {
        let before = items[item].row.current.title
        guard !title.allSatisfy(\.isWhitespace), title.count <= 255, title != before else {
            throw FakeGitLabError(
                .invalidValue,
                "That title cannot be set.",
                hint: "Use a new one of 1 to 255 characters."
            )
        }
        var draft = try begin(.titleChanged, by: username, on: item, at: now)
        let known = mentions(inWordsOf: item)
        let isMergeRequest = items[item].kind == .mergeRequest
        let (old, new) = isMergeRequest ? (DraftTitle.base(of: before), DraftTitle.base(of: title)) : (nil, nil)
        edit(item, at: now) { fields in
            fields.title = title
            if isMergeRequest { fields.isDraft = new != nil }
        }
        if (old == nil) != (new == nil) {
            let text = "marked this merge request as **\(new == nil ? "ready" : "draft")**"
            insertSystemNote(text, into: item, draft: &draft)
        }
        if (old ?? before) != (new ?? title) {
            let text = TitleNote.text(from: before, to: title, inHTML: version.tellsTitlesInHTML)
            insertSystemNote(text, into: item, draft: &draft)
        }
        notify(ofWords: known, on: item, draft: &draft)
        draft.body = "changed title from \(before) to \(title)"
        let activity = conclude(draft)
        crossReference(from: title, on: item, by: draft.actor, at: now)
        return activity
    }

    mutating func setDraft(by username: String, on item: Int, _ isDraft: Bool, at now: WallTime) throws -> Activity {
        guard items[item].row.current.isDraft != isDraft else {
            throw FakeGitLabError(.wrongState, "It is so already.", hint: "Leave it as it is.")
        }
        var draft = try begin(isDraft ? .markedDraft : .markedReady, by: username, on: item, at: now)
        edit(item, at: now) { fields in
            fields.isDraft = isDraft
            if isDraft {
                fields.title = "Draft: " + fields.title
            } else if fields.title.hasPrefix("Draft: ") {
                fields.title.removeFirst("Draft: ".count)
            }
        }
        let text = "marked this merge request as **\(isDraft ? "draft" : "ready")**"
        insertSystemNote(text, into: item, draft: &draft)
        draft.body = text
        let activity = conclude(draft)
        if !isDraft { try mergeAutomatically(item, at: now) }
        return activity
    }
}
