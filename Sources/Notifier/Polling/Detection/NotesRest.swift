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
    /// The next reading begins there: the limit let the last do no more than look at what has come since.
    var isNext = false

    /// What a reading has left that itself had `former` to go on with; where it did not get further, the next begins with the other end.
    init(place: ListRest, rowsPerPage: Int, since: MonotonicInstant, after former: NotesRest? = nil) {
        (self.place, self.rowsPerPage, self.since) = (place, rowsPerPage, since)
        guard place.page != ListRest.end else { return }
        if let former, former.isNext {
            isNext = place.page == former.place.page
        } else {
            isNext = place.page <= former?.place.page ?? 2
        }
    }

    /// Whether a reading that begins at `now` may go on there.
    func isValid(for list: ListRequest, at now: MonotonicInstant) -> Bool {
        rowsPerPage == list.rowsPerPage && since.duration(to: now) < Self.lifetime
    }
}
