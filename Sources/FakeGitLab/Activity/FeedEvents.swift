import Platform

/// Rows of the activity feed. Label, milestone, assignee and reviewer changes and system notes make none (GitLab facts
/// §12).
extension InstanceState {
    /// Returns the event's id.
    @discardableResult
    mutating func recordEvent(
        _ action: FeedEvent.Action,
        on item: Int,
        by author: Int,
        at now: WallTime,
        isImported: Bool = false
    ) -> Int64 {
        var event = FeedEvent(
            action: action,
            author: author,
            project: items[item].project,
            createdAt: now,
            target: .item(item)
        )
        event.title = items[item].row.current.title
        event.isImported = isImported
        return append(event, visibleFrom: now, now: now)
    }

    /// A background job will write it after the note became visible.
    mutating func recordCommentEvent(_ note: Note, id: Int64, on item: Int, committedAt: WallTime, now: WallTime) {
        let instant = committedAt.advanced(by: configuration.commentEventDelay)
        var event = FeedEvent(
            action: .commented,
            author: note.author,
            project: items[item].project,
            createdAt: instant,
            target: .note(item: item, id: id, type: note.type)
        )
        event.title = items[item].row.current.title
        event.isImported = note.isImported
        let place = pendingEvents.firstIndex { $0.createdAt > instant } ?? pendingEvents.count
        pendingEvents.insert(event, at: place)
    }

    /// Writes the events whose background jobs have run by `now`: they get their ids in the order of writing.
    mutating func writePendingEvents(until now: WallTime) {
        while let event = pendingEvents.first, event.createdAt <= now {
            pendingEvents.removeFirst()
            append(event, visibleFrom: event.createdAt, now: event.createdAt)
        }
    }

    @discardableResult
    mutating func append(_ event: FeedEvent, visibleFrom: WallTime, now: WallTime) -> Int64 {
        let source = PageSource.projectEvents(event.project)
        let committed = max(visibleFrom, commitInstant(.event, in: source, at: now))
        let id = sequences.next(.event)
        projects[event.project].events.append(id: id, value: event, visibleFrom: committed, now: now)
        people[event.author].events.append(EventPlace(project: event.project, id: id))
        return id
    }

    /// A deleted note takes its event with it.
    mutating func removeEvent(ofNote id: Int64, on item: Int, at now: WallTime) {
        pendingEvents.removeAll { if case .note(_, id, _) = $0.target { true } else { false } }
        let project = items[item].project
        let row = projects[project].events.rows.last { row in
            if case .note(_, id, _) = row.current.target { true } else { false }
        }
        guard let row else { return }
        projects[project].events.remove(row.id, at: now, now: now)
        people[row.current.author].events.removeAll { $0.project == project && $0.id == row.id }
    }
}
