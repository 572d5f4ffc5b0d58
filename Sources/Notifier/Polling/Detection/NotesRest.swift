import Platform

/// What a limit has left unread of an item's notes: the next reading goes on there, so that a list that is longer than what GitLab answers at a
/// time comes to its end.
struct NotesRest: Hashable, Sendable {
    /// As long as a reading may take from its first request to its last answer.
    static let lifetime = ListBounds().duration

    var place: ListRest
    /// The pages were as long as that.
    var rowsPerPage: Int
    /// When the reading began that had the first page.
    var since: MonotonicInstant

    /// Whether a reading that begins at `now` may go on there.
    func isValid(for list: ListRequest, at now: MonotonicInstant) -> Bool {
        rowsPerPage == list.rowsPerPage && since.duration(to: now) < Self.lifetime
    }
}
