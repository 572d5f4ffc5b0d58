import Platform

/// Changing items and telling the lists that show them.
extension InstanceState {
    /// A real edit: writes `updated_at`, unthrottled (GitLab facts §7.1).
    mutating func edit(_ item: Int, at now: WallTime, _ body: (inout ItemFields) -> Void) {
        change(item, at: now) { fields in
            body(&fields)
            fields.updatedAt = now
        }
        touchLog.record(item: item, updatedAt: now)
    }

    /// Changes an item without moving its `updated_at`.
    mutating func change(_ item: Int, at now: WallTime, _ body: (inout ItemFields) -> Void) {
        let instant = items[item].row.change(at: now, body)
        itemLooksDifferent(item, at: instant, now: now)
    }

    /// What saving a note does to its item: at most once per interval (GitLab facts §7.1). It shows when the note does,
    /// with the time at which the note was written.
    mutating func touch(_ item: Int, at now: WallTime, committedAt: WallTime? = nil, countsNote: Bool) {
        let elapsed = items[item].row.current.updatedAt.duration(to: now)
        let moves = elapsed > configuration.touchInterval
        guard moves || countsNote else { return }
        change(item, at: committedAt ?? now) { fields in
            if moves { fields.updatedAt = now }
            if countsNote { fields.noteCount += 1 }
        }
        if moves { touchLog.record(item: item, updatedAt: now) }
    }

    mutating func itemLooksDifferent(_ item: Int, at instant: WallTime, now: WallTime) {
        items[item].clock.changed(at: instant, now: now)
        itemClock.changed(at: instant, now: now)
        projects[items[item].project].itemClock.changed(at: instant, now: now)
        for holder in items[item].todoHolders { people[holder].todos.touch(at: instant, now: now) }
    }

    /// Taking part subscribes.
    mutating func participate(_ person: Int, in item: Int, at now: WallTime) {
        guard !items[item].participants.contains(person) else { return }
        items[item].participants.append(person)
        items[item].clock.changed(at: now, now: now)
    }

    /// Changes a note, and with it the events that carry it.
    mutating func changeNote(_ id: Int64, on item: Int, at now: WallTime, _ body: (inout Note) -> Void) {
        items[item].notes.change(id, at: now, body)
        projects[items[item].project].events.touch(at: now, now: now)
    }
}
