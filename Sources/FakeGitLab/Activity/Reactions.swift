import Platform

/// Reactions (supplement §1.1): rows of their own, kept by item.
extension InstanceState {
    /// Every reaction to the item or its notes, by id.
    func awards(on item: Int, note: Int64?, at instant: WallTime) -> [Row<Award>] {
        (awards[item]?.rows ?? []).filter { $0.current.note == note && $0.exists(at: instant) }
    }

    func hasAwarded(_ person: Int, _ name: String, on item: Int, note: Int64?, at now: WallTime) -> Bool {
        awards(on: item, note: note, at: now).contains { $0.current.person == person && $0.current.name == name }
    }

    /// Somebody reacts; the actor's own to-dos on the item are done by it. `name` nil is the first usual one that the
    /// person has not given here, and after all of them the oldest one anew.
    mutating func react(
        by username: String,
        on item: Int,
        note id: Int64?,
        name wanted: String? = nil,
        at now: WallTime
    ) throws -> Activity {
        let reacted = try id.map { items[item].notes.rows[try note($0, on: item)].current.author }
        var draft = try begin(.reacted, by: username, on: item, at: now)
        let own = awards(on: item, note: id, at: now).filter { $0.current.person == draft.actor }
        let free = Emoji.usual.first { name in !own.contains { $0.current.name == name } }
        if wanted == nil, free == nil, let oldest = own.first { removeAward(oldest.id, on: item, at: now) }
        let name = wanted ?? free ?? own.first?.current.name ?? Emoji.usual[0]
        let award = Award(name: name, person: draft.actor, note: id, createdAt: now)
        awards[item, default: Table()].append(id: sequences.next(.award), value: award, visibleFrom: now, now: now)
        showAwards(on: item, note: id, at: now)
        if let id { draft.noteIDs = [id] }
        if let reacted { draft.concerned.append(reacted) }
        draft.body = "reacted with :\(name):"
        return conclude(draft)
    }

    /// Takes a reaction back.
    mutating func removeReaction(_ award: Int64, on item: Int, at now: WallTime) throws -> Activity {
        guard let row = awards[item]?.rows.first(where: { $0.id == award && $0.exists(at: now) }) else {
            throw FakeGitLabError(.unknownItem, "There is no reaction \(award).", hint: "Name one that is there.")
        }
        try requireAccess(row.current.person, to: item)
        var draft = draft(.reactionRemoved, by: row.current.person, on: item, at: now)
        removeAward(award, on: item, at: now)
        showAwards(on: item, note: row.current.note, at: now)
        if let note = row.current.note { draft.noteIDs = [note] }
        draft.body = "took :\(row.current.name): back"
        return conclude(draft)
    }

    private mutating func removeAward(_ award: Int64, on item: Int, at now: WallTime) {
        awards[item]?.remove(award, at: now, now: now)
    }

    /// A reaction moves the `updated_at` of its note, or of the item, which counts thumbs.
    private mutating func showAwards(on item: Int, note id: Int64?, at now: WallTime) {
        if let id {
            changeNote(id, on: item, at: now) { $0.updatedAt = now }
            touch(item, at: now, countsNote: false)
        } else {
            let names = awards(on: item, note: nil, at: now).map(\.current.name)
            edit(item, at: now) { fields in
                fields.upvotes = names.count { $0 == "thumbsup" }
                fields.downvotes = names.count { $0 == "thumbsdown" }
            }
        }
    }
}
