import Platform

/// Editing, deleting and resolving notes.
extension InstanceState {
    mutating func editNote(
        by username: String,
        on item: Int,
        note id: Int64,
        body: String,
        at now: WallTime
    ) throws -> Activity {
        try requireText(body)
        let old = items[item].notes.rows[try note(id, on: item)].current
        guard !old.isSystem else { throw Self.systemNoteError }
        let isIndividual = items[item].discussions[old.discussion].isIndividual
        let scope = isIndividual ? TodoScope.item : .thread(old.discussion)
        var draft = try begin(.noteEdited, by: username, on: item, resolving: scope, at: now)
        let mentions = mentions(in: body)
        changeNote(id, on: item, at: now) { note in
            note.body = body
            note.updatedAt = now
            note.mentioned = mentions.map(\.person)
        }
        rewordTodos(ofNote: id, on: item, body, at: now)
        touch(item, at: now, countsNote: false)
        let added = mentions.filter { !old.mentioned.contains($0.person) }
        notify(added, of: old.with(body: body), id: id, on: item, draft: &draft)
        draft.noteIDs = [id]
        draft.body = body
        let activity = conclude(draft)
        if !old.isInternal { crossReference(from: body, on: item, by: draft.actor, at: now) }
        return activity
    }

    mutating func deleteNote(by username: String, on item: Int, note id: Int64, at now: WallTime) throws -> Activity {
        let old = items[item].notes.rows[try note(id, on: item)].current
        guard !old.isSystem else { throw Self.systemNoteError }
        var draft = draft(.noteDeleted, by: try person(username), on: item, at: now)
        try requireAccess(draft.actor, to: item)
        items[item].notes.remove(id, at: now, now: now)
        items[item].discussions[old.discussion].notes.removeAll { $0 == id }
        items[item].humanNoteCount -= 1
        removeEvent(ofNote: id, on: item, at: now)
        draft.resolvedTodoIDs = removeTodos(ofNote: id, on: item, at: now)
        change(item, at: now) { $0.noteCount -= 1 }
        draft.noteIDs = [id]
        draft.body = old.body
        return conclude(draft)
    }

    mutating func resolveThread(
        by username: String,
        on item: Int,
        of id: Int64,
        resolved: Bool,
        at now: WallTime
    ) throws -> Activity {
        let target = items[item].notes.rows[try note(id, on: item)].current
        guard target.isResolvable(on: items[item].kind) else {
            throw FakeGitLabError(
                .wrongState,
                "Note \(id) is in no thread that can be resolved.",
                hint: "Resolve a diff note, or a comment that has been replied to, on a merge request."
            )
        }
        guard (target.resolvedAt != nil) != resolved else {
            throw FakeGitLabError(
                .wrongState,
                "The thread is \(resolved ? "resolved" : "unresolved") already.",
                hint: "Leave it as it is."
            )
        }
        let kind: Activity.Kind = resolved ? .threadResolved : .threadUnresolved
        var draft = try begin(kind, by: username, on: item, resolving: .nothing, at: now)
        for member in items[item].discussions[target.discussion].notes {
            changeNote(member, on: item, at: now) { note in
                note.resolvedBy = resolved ? draft.actor : nil
                note.resolvedAt = resolved ? now : nil
                note.updatedAt = now
            }
        }
        touch(item, at: now, countsNote: false)
        draft.noteIDs = [id]
        if resolved, hasOnlyResolvedThreads(item) {
            insertSystemNote("resolved all threads", into: item, draft: &draft)
        }
        draft.concerned.append(target.author)
        draft.body = resolved ? "resolved a thread" : "unresolved a thread"
        return conclude(draft)
    }
}

extension InstanceState {
    fileprivate func hasOnlyResolvedThreads(_ item: Int) -> Bool {
        let (kind, instant) = (items[item].kind, WallTime.distantFuture.advanced(by: .microseconds(-1)))
        return items[item].notes.rows.allSatisfy { row in
            !row.exists(at: instant) || !row.current.isResolvable(on: kind) || row.current.resolvedAt != nil
        }
    }
}

extension Note {
    func with(body: String) -> Note {
        var copy = self
        copy.body = body
        return copy
    }
}
