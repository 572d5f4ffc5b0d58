import Platform

/// What every action is made of: inserting rows, with the side effects GitLab gives them.
extension InstanceState {
    func draft(_ kind: Activity.Kind, by actor: Int, on item: Int?, at now: WallTime) -> ActivityDraft {
        ActivityDraft(kind, actor: actor, item: item, now: now)
    }

    /// Starts an action on an item, which resolves what it does of the actor's own pending to-dos there.
    mutating func begin(
        _ kind: Activity.Kind,
        by username: String,
        on item: Int,
        resolving scope: TodoScope = .item,
        at now: WallTime
    ) throws -> ActivityDraft {
        let actor = try person(username)
        try requireAccess(actor, to: item)
        var draft = draft(kind, by: actor, on: item, at: now)
        draft.resolvedTodoIDs = resolveTodos(of: actor, on: item, scope, at: now)
        return draft
    }

    func requireAccess(_ person: Int, to item: Int) throws {
        guard people[person].state == .active else {
            throw FakeGitLabError(
                .notAllowed,
                "\(people[person].username) is \(people[person].state.rawValue) and cannot act.",
                hint: "Unblock the account first, or let someone else act."
            )
        }
        guard canRead(item: item, person) else {
            throw FakeGitLabError(
                .notAllowed,
                "\(people[person].username) cannot see \(items[item].reference(in: projects)).",
                hint: "Make the person a member of the project with a sufficient role."
            )
        }
    }

    /// Inserts one note into its thread, touches the item and writes the event of a human comment.
    @discardableResult
    mutating func insert(_ note: Note, into item: Int, touches: Bool = true, draft: inout ActivityDraft) -> Int64 {
        let id = sequences.next(.note)
        let visibleFrom = commitInstant(.note, in: .notes(item), at: draft.now)
        items[item].notes.append(id: id, value: note, visibleFrom: visibleFrom, now: draft.now)
        items[item].discussions[note.discussion].notes.append(id)
        draft.noteIDs.append(id)
        draft.readableAt = max(draft.readableAt, primary.clock(at: visibleFrom, now: draft.now))
        if note.isSystem {
            draft.systemNoteIDs.append(id)
            if touches { touch(item, at: draft.now, committedAt: visibleFrom, countsNote: false) }
        } else {
            items[item].humanNoteCount += 1
            participate(note.author, in: item, at: draft.now)
            touch(item, at: draft.now, committedAt: visibleFrom, countsNote: true)
            recordCommentEvent(note, id: id, on: item, committedAt: visibleFrom, now: draft.now)
        }
        return id
    }

    /// `other` is the item that the note names: who cannot see that one does not see the note.
    mutating func insertSystemNote(
        _ body: String,
        into item: Int,
        about other: Int? = nil,
        draft: inout ActivityDraft
    ) {
        let thread = newDiscussion(on: item, isIndividual: true)
        var note = Note(
            body: body,
            author: draft.actor,
            createdAt: draft.now,
            updatedAt: draft.now,
            isSystem: true,
            discussion: thread
        )
        note.referringItem = other
        insert(note, into: item, draft: &draft)
    }

    /// Inserts a copy of another item's note, as a move makes it: nobody hears of it, and the feed of the project does not have it.
    mutating func insertCopy(_ note: Note, into item: Int, thread: Int, at now: WallTime) {
        let id = sequences.next(.note)
        items[item].notes.append(id: id, value: note.moved(to: thread), visibleFrom: now, now: now)
        items[item].discussions[thread].notes.append(id)
        guard !note.isSystem else { return }
        items[item].humanNoteCount += 1
        participate(note.author, in: item, at: now)
    }

    mutating func newDiscussion(on item: Int, isIndividual: Bool) -> Int {
        var bytes: [UInt8] = []
        bytes.appendHex(nextDiscussion &* 0x9E37_79B9_7F4A_7C15)
        bytes.appendHex(nextDiscussion ^ 0x5BD1_E995_0000_0000)
        bytes.appendHex(nextDiscussion &* 0xD6E8_FEB8_6659_FD93)
        nextDiscussion += 1
        let id = String(decoding: bytes.prefix(40), as: UTF8.self)
        items[item].discussions.append(Discussion(id: id, notes: [], isIndividual: isIndividual))
        return items[item].discussions.count - 1
    }

    mutating func insertStateEvent(
        _ state: String,
        on item: Int,
        mergeRequest: Int? = nil,
        draft: inout ActivityDraft
    ) {
        let id = sequences.next(.stateEvent)
        let visibleFrom = commitInstant(.stateEvent, in: .stateEvents(item), at: draft.now)
        var event = StateEvent(person: draft.actor, createdAt: draft.now, state: state)
        event.sourceMergeRequest = mergeRequest
        items[item].stateEvents.append(id: id, value: event, visibleFrom: visibleFrom, now: draft.now)
        draft.stateEventID = id
        draft.readableAt = max(draft.readableAt, primary.clock(at: visibleFrom, now: draft.now))
    }

    mutating func insertLabelEvent(_ label: Int, isAddition: Bool, on item: Int, draft: inout ActivityDraft) {
        let id = sequences.next(.labelEvent)
        let visibleFrom = commitInstant(.labelEvent, in: .labelEvents(item), at: draft.now)
        let event = LabelEvent(person: draft.actor, createdAt: draft.now, label: label, isAddition: isAddition)
        items[item].labelEvents.append(id: id, value: event, visibleFrom: visibleFrom, now: draft.now)
        draft.labelEventIDs.append(id)
        draft.readableAt = max(draft.readableAt, primary.clock(at: visibleFrom, now: draft.now))
    }

    mutating func insertMilestoneEvent(_ milestone: Int, isAddition: Bool, on item: Int, draft: inout ActivityDraft) {
        let id = sequences.next(.milestoneEvent)
        let visibleFrom = commitInstant(.milestoneEvent, in: .milestoneEvents(item), at: draft.now)
        let event = MilestoneEvent(
            person: draft.actor,
            createdAt: draft.now,
            milestone: milestone,
            isAddition: isAddition,
            state: items[item].row.current.state
        )
        items[item].milestoneEvents.append(id: id, value: event, visibleFrom: visibleFrom, now: draft.now)
        draft.milestoneEventIDs.append(id)
        draft.readableAt = max(draft.readableAt, primary.clock(at: visibleFrom, now: draft.now))
    }
}
