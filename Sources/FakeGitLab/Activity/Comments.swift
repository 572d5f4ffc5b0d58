import Platform

extension FakeGitLab {
    /// Writes a comment. Mentions outside code make to-dos, by the rules of the release imitated.
    @discardableResult
    package func comment(
        by username: String,
        on item: ItemReference,
        body: String,
        isInternal: Bool = false
    ) throws -> Activity {
        try act { try $0.comment(by: username, on: $0.item(item), body: body, isInternal: isInternal, at: $1) }
    }

    /// Replies in the thread of a note; a single comment becomes a thread by it, its id unchanged (GitLab facts §9).
    @discardableResult
    package func reply(by username: String, on item: ItemReference, to note: Int64, body: String) throws -> Activity {
        try act { try $0.reply(by: username, on: $0.item(item), to: note, body: body, at: $1) }
    }

    /// Starts a thread on a line of a merge request's diff.
    @discardableResult
    package func diffNote(
        by username: String,
        on item: ItemReference,
        body: String,
        position: DiffPosition
    ) throws -> Activity {
        try act { try $0.diffNote(by: username, on: $0.mergeRequest(item), body: body, position: position, at: $1) }
    }

    /// Edits a comment. Newly mentioned people get a to-do; the note keeps its id (GitLab facts §6.2).
    @discardableResult
    package func editNote(by username: String, on item: ItemReference, note: Int64, body: String) throws -> Activity {
        try act { try $0.editNote(by: username, on: $0.item(item), note: note, body: body, at: $1) }
    }

    /// Deletes a comment and its event, without a trace (GitLab facts §8.1).
    @discardableResult
    package func deleteNote(by username: String, on item: ItemReference, note: Int64) throws -> Activity {
        try act { try $0.deleteNote(by: username, on: $0.item(item), note: note, at: $1) }
    }

    /// Reacts to a comment, which moves the comment's `updated_at`, or to the item when `note` is nil.
    @discardableResult
    package func react(by username: String, on item: ItemReference, note: Int64? = nil) throws -> Activity {
        try act { try $0.react(by: username, on: $0.item(item), note: note, at: $1) }
    }

    /// Resolves the thread of a note on a merge request, or unresolves it.
    @discardableResult
    package func resolveThread(
        by username: String,
        on item: ItemReference,
        of note: Int64,
        resolved: Bool = true
    ) throws -> Activity {
        try act { try $0.resolveThread(by: username, on: $0.mergeRequest(item), of: note, resolved: resolved, at: $1) }
    }

    /// Publishes a review: many diff notes at once, with adjoining ids and nearly equal `created_at` (GitLab facts
    /// §8.1).
    @discardableResult
    package func publishReview(by username: String, on item: ItemReference, bodies: [String]) throws -> Activity {
        try act { try $0.publishReview(by: username, on: $0.mergeRequest(item), bodies: bodies, at: $1) }
    }
}

extension InstanceState {
    mutating func comment(
        by username: String,
        on item: Int,
        body: String,
        isInternal: Bool = false,
        createdAt: WallTime? = nil,
        at now: WallTime
    ) throws -> Activity {
        try requireText(body)
        try requireRoom(on: item)
        var draft = try begin(.commented, by: username, on: item, at: now)
        let thread = newDiscussion(on: item, isIndividual: true)
        var note = Note(
            body: body,
            author: draft.actor,
            createdAt: createdAt ?? now,
            updatedAt: createdAt ?? now,
            discussion: thread
        )
        note.isInternal = isInternal
        insertWithMentions(note, into: item, draft: &draft)
        draft.body = body
        return concludeComment(draft, on: item, isInternal: isInternal)
    }

    mutating func reply(
        by username: String,
        on item: Int,
        to target: Int64,
        body: String,
        at now: WallTime
    ) throws -> Activity {
        try requireText(body)
        try requireRoom(on: item)
        let first = items[item].notes.rows[try note(target, on: item)].current
        guard !first.isSystem else { throw Self.systemNoteError }
        var draft = try begin(.replied, by: username, on: item, resolving: .thread(first.discussion), at: now)
        makeThread(first.discussion, on: item, at: now)
        var reply = Note(
            type: first.type == .diff ? .diff : .discussion,
            body: body,
            author: draft.actor,
            createdAt: now,
            updatedAt: now,
            discussion: first.discussion
        )
        reply.position = first.position
        reply.isInternal = first.isInternal
        insertWithMentions(reply, into: item, draft: &draft)
        draft.concerned += threadAuthors(first.discussion, on: item)
        draft.body = body
        return concludeComment(draft, on: item, isInternal: first.isInternal)
    }

    /// A thread of its own, as `POST …/discussions` makes it.
    mutating func startThread(by username: String, on item: Int, body: String, at now: WallTime) throws -> Activity {
        try requireText(body)
        try requireRoom(on: item)
        var draft = try begin(.commented, by: username, on: item, resolving: .thread(nil), at: now)
        let thread = newDiscussion(on: item, isIndividual: false)
        let note = Note(
            type: .discussion,
            body: body,
            author: draft.actor,
            createdAt: now,
            updatedAt: now,
            discussion: thread
        )
        insertWithMentions(note, into: item, draft: &draft)
        draft.body = body
        return concludeComment(draft, on: item)
    }

    /// What a comment refers to learns of it, unless few may read the comment.
    private mutating func concludeComment(_ draft: ActivityDraft, on item: Int, isInternal: Bool = false) -> Activity {
        let activity = conclude(draft)
        if !isInternal { crossReference(from: draft.body, on: item, by: draft.actor, at: draft.now) }
        return activity
    }

    mutating func diffNote(
        by username: String,
        on item: Int,
        body: String,
        position: DiffPosition,
        at now: WallTime
    ) throws -> Activity {
        try requireText(body)
        try requireRoom(on: item)
        var draft = try begin(.diffCommented, by: username, on: item, resolving: .thread(nil), at: now)
        insertDiffNote(body, at: position, createdAt: now, into: item, draft: &draft)
        draft.body = body
        return concludeComment(draft, on: item)
    }

    mutating func publishReview(
        by username: String,
        on item: Int,
        bodies: [String],
        at now: WallTime
    ) throws -> Activity {
        guard !bodies.isEmpty else {
            throw FakeGitLabError(.invalidValue, "A review has at least one note.", hint: "Pass the notes' bodies.")
        }
        for body in bodies { try requireText(body) }
        try requireRoom(on: item, for: bodies.count)
        var draft = try begin(.reviewPublished, by: username, on: item, at: now)
        for (index, body) in bodies.enumerated() {
            let earlier = Int64(bodies.count - 1 - index) * 137
            let createdAt = WallTime(microseconds: now.microseconds - earlier)
            let position = DiffPosition(path: "Sources/App/File\(index / 10 + 1).swift", line: index % 10 * 7 + 1)
            insertDiffNote(body, at: position, createdAt: createdAt, into: item, draft: &draft)
        }
        setReview(of: item, by: draft.actor, to: .reviewed)
        draft.body = "published a review of \(bodies.count) notes"
        let activity = conclude(draft)
        for body in bodies { crossReference(from: body, on: item, by: draft.actor, at: now) }
        return activity
    }

    private mutating func insertDiffNote(
        _ body: String,
        at position: DiffPosition,
        createdAt: WallTime,
        into item: Int,
        draft: inout ActivityDraft
    ) {
        let thread = newDiscussion(on: item, isIndividual: false)
        var note = Note(
            type: .diff,
            body: body,
            author: draft.actor,
            createdAt: createdAt,
            updatedAt: createdAt,
            discussion: thread
        )
        note.position = position
        insertWithMentions(note, into: item, draft: &draft)
    }

    /// Inserts a human note and gives those it mentions their to-dos.
    mutating func insertWithMentions(_ note: Note, into item: Int, draft: inout ActivityDraft) {
        var note = note
        let mentions = mentions(in: note.body)
        note.mentioned = mentions.map(\.person)
        let id = insert(note, into: item, draft: &draft)
        notify(mentions, of: note, id: id, on: item, draft: &draft)
    }

    func mentions(in body: String) -> [(person: Int, isDirect: Bool)] {
        guard body.utf8.contains(UInt8(ascii: "@")) else { return [] }
        return Mentions.find(in: body).compactMap { mention in
            mentioned(mention.username).map { ($0, mention.isDirect) }
        }
    }

    /// Whom a name in a text means, in whichever case it is written.
    private func mentioned(_ name: String) -> Int? {
        if let exact = peopleByUsername[name] { return exact }
        let name = name.lowercased()
        return people.firstIndex { $0.username.lowercased() == name }
    }

    mutating func notify(
        _ mentions: [(person: Int, isDirect: Bool)],
        of note: Note,
        id: Int64,
        on item: Int,
        draft: inout ActivityDraft
    ) {
        for mention in mentions where !draft.named.contains(mention.person) { draft.named.append(mention.person) }
        for (person, isDirect) in mentions where canRead(note, on: item, person) && canRead(item: item, person) {
            if !draft.mentioned.contains(person) { draft.mentioned.append(person) }
            participate(person, in: item, at: draft.now)
            let action: TodoAction = isDirect ? .directlyAddressed : .mentioned
            addTodo(for: person, action, on: item, note: id, body: note.body, draft: &draft)
        }
    }

    private mutating func makeThread(_ discussion: Int, on item: Int, at now: WallTime) {
        guard items[item].discussions[discussion].isIndividual else { return }
        items[item].discussions[discussion].isIndividual = false
        for id in items[item].discussions[discussion].notes {
            changeNote(id, on: item, at: now) { if $0.type == .plain { $0.type = .discussion } }
        }
    }

    private func threadAuthors(_ discussion: Int, on item: Int) -> [Int] {
        items[item].discussions[discussion].notes.compactMap { id in
            items[item].notes.index(of: id).map { items[item].notes.rows[$0].current.author }
        }
    }

    static var systemNoteError: FakeGitLabError {
        FakeGitLabError(
            .wrongKind,
            "System notes cannot be answered, edited or deleted.",
            hint: "Use the id of a comment."
        )
    }

    func requireText(_ body: String) throws {
        guard !body.allSatisfy(\.isWhitespace) else {
            throw FakeGitLabError(.invalidValue, "A note cannot be blank.", hint: "Write something in its body.")
        }
        guard body.utf8.count <= 1_000_000 else {
            throw FakeGitLabError(.limitReached, "A note has at most 1,000,000 bytes.", hint: "Write a shorter one.")
        }
    }

    private func requireRoom(on item: Int, for count: Int = 1) throws {
        guard items[item].humanNoteCount + count <= configuration.notesPerItemLimit else {
            throw FakeGitLabError(
                .limitReached,
                "An item takes at most \(configuration.notesPerItemLimit) comments.",
                hint: "Use another item, or raise notesPerItemLimit."
            )
        }
    }
}
