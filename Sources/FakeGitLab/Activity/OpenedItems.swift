package import Platform

extension FakeGitLab {
    /// Opens an issue or merge request now: to-dos for assignees, reviewers and those its description mentions.
    @discardableResult
    package func open(_ new: NewItem) throws -> Activity {
        try act { try $0.open(new, at: $1) }
    }

    /// Notes with new ids and old `created_at`, as an importer writes them, marked as imported (GitLab facts §8.1,
    /// trap 5).
    @discardableResult
    package func importNotes(
        by username: String,
        on item: ItemReference,
        bodies: [String],
        firstAt: WallTime,
        every interval: Duration = .seconds(60)
    ) throws -> Activity {
        try act {
            try $0.importNotes(
                by: username,
                on: $0.item(item),
                bodies: bodies,
                firstAt: firstAt,
                every: interval,
                at: $1
            )
        }
    }

    /// Another item mentions this one: a system note here, hidden from those who cannot see the other, that does not
    /// touch the item (GitLab facts §7.1, §8.2).
    @discardableResult
    func crossReference(by username: String, on item: ItemReference, from other: ItemReference) throws
        -> Activity
    {
        try act { try $0.crossReference(by: username, on: $0.item(item), from: $0.item(other), at: $1) }
    }
}

extension InstanceState {
    mutating func open(_ new: NewItem, at now: WallTime) throws -> Activity {
        let item = try add(new, at: now)
        var draft = draft(.opened, by: items[item].author, on: item, at: now)
        recordEvent(.created, on: item, by: draft.actor, at: now)
        let fields = items[item].row.current
        for person in fields.assignees {
            addTodo(for: person, .assigned, on: item, isCausedBySelf: true, draft: &draft)
        }
        for person in fields.reviewers { addTodo(for: person, .reviewRequested, on: item, draft: &draft) }
        notify(ofWords: [], on: item, draft: &draft)
        draft.body = fields.description ?? fields.title
        let activity = conclude(draft)
        crossReference(from: fields.title, on: item, by: draft.actor, at: now)
        crossReference(from: fields.description ?? "", on: item, by: draft.actor, at: now)
        return activity
    }

    /// People whom an item's title or its description names (GitLab facts §6.2). A title addresses nobody.
    func mentions(inWordsOf item: Int) -> [(person: Int, isDirect: Bool)] {
        let fields = items[item].row.current
        let described = mentions(in: fields.description ?? "")
        let named = mentions(in: fields.title).map { (person: $0.person, isDirect: false) }
        return described + named.filter { mention in !described.contains { $0.person == mention.person } }
    }

    /// To-dos for those of them who were not named before.
    mutating func notify(ofWords before: [(person: Int, isDirect: Bool)], on item: Int, draft: inout ActivityDraft) {
        for (person, isDirect) in mentions(inWordsOf: item) {
            guard !before.contains(where: { $0.person == person }), canRead(item: item, person) else { continue }
            draft.mentioned.append(person)
            participate(person, in: item, at: draft.now)
            addTodo(for: person, isDirect ? .directlyAddressed : .mentioned, on: item, draft: &draft)
        }
    }

    mutating func importNotes(
        by username: String,
        on item: Int,
        bodies: [String],
        firstAt: WallTime,
        every interval: Duration,
        at now: WallTime
    ) throws -> Activity {
        guard !bodies.isEmpty else {
            throw FakeGitLabError(.invalidValue, "An import has at least one note.", hint: "Pass the notes' bodies.")
        }
        for body in bodies { try requireText(body) }
        var draft = draft(.notesImported, by: try person(username), on: item, at: now)
        try requireAccess(draft.actor, to: item)
        for (index, body) in bodies.enumerated() {
            let createdAt = firstAt.advanced(by: interval * index)
            let thread = newDiscussion(on: item, isIndividual: true)
            var note = Note(
                body: body,
                author: draft.actor,
                createdAt: createdAt,
                updatedAt: createdAt,
                discussion: thread
            )
            note.isImported = true
            insert(note, into: item, draft: &draft)
        }
        draft.claimedAt = firstAt
        draft.body = "imported \(bodies.count) notes"
        return conclude(draft)
    }

    mutating func crossReference(by username: String, on item: Int, from other: Int, at now: WallTime) throws
        -> Activity
    {
        var draft = draft(.crossReferenced, by: try person(username), on: item, at: now)
        try requireAccess(draft.actor, to: other)
        let thread = newDiscussion(on: item, isIndividual: true)
        var note = Note(
            body: "mentioned in \(crossReferenceText(from: other, on: item))",
            author: draft.actor,
            createdAt: now,
            updatedAt: now,
            isSystem: true,
            discussion: thread
        )
        note.referringItem = other
        items[item].mentionedBy.insert(other)
        insert(note, into: item, touches: false, draft: &draft)
        draft.body = note.body
        return conclude(draft)
    }

    func crossReferenceText(from other: Int, on item: Int) -> String {
        let word = items[other].kind == .issue ? "issue " : "merge request "
        return word + referenceText(of: other, from: items[item].project)
    }

    /// How GitLab writes an item in a text of `project`.
    func referenceText(of other: Int, from project: Int) -> String {
        let (kind, iid) = (items[other].kind, items[other].iid)
        return "\(projectText(of: items[other].project, from: project))\(kind.mark)\(iid)"
    }

    /// How GitLab begins a reference into `other` that stands in a text of `project`: with nothing within the project, with the
    /// project's own name within its namespace, and with the whole path elsewhere (GitLab facts §8.2).
    func projectText(of other: Int, from project: Int) -> String {
        guard other != project else { return "" }
        let path = projects[other].path
        guard let slash = path.lastIndex(of: "/"), projects[project].path.hasPrefix(path[...slash]),
            !projects[project].path.dropFirst(path[...slash].count).contains("/")
        else { return path }
        return String(path[path.index(after: slash)...])
    }
}
