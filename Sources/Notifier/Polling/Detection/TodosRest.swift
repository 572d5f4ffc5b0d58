import Platform

/// What a limit has left unread of the to-dos: the next reading goes on there, with all that this one was shown.
struct TodosRest: Sendable {
    private let scan: TodosScan
    private let place: ListRest
    /// The pages were as long as that.
    private let rowsPerPage: Int
    /// What the first page showed; nil when it was as it was.
    let beginning: PageMark?
    /// What our clock showed when the first page was asked for.
    let askedAt: WallTime
    private let since: MonotonicInstant

    /// Nil when a reading has left nothing. What itself went on with `former` began when that did, or else at `now`.
    init?(
        _ reading: ListReading<TodosScan>,
        of list: ListRequest,
        after former: TodosRest?,
        askedAt: WallTime,
        at now: MonotonicInstant
    ) {
        guard let place = reading.rest else { return nil }
        (scan, self.place, rowsPerPage) = (reading.scan, place, list.rowsPerPage)
        (beginning, self.askedAt, since) = (reading.beginning, askedAt, former?.since ?? now)
    }

    /// Whether a reading that begins at `now` may go on there.
    func isValid(for list: ListRequest, at now: MonotonicInstant) -> Bool {
        rowsPerPage == list.rowsPerPage && since.duration(to: now) < NotesRest.lifetime
    }

    /// The reading as it goes on when those that are `known` were dealt with.
    func goingOn(known: IDSet) -> TodosScan { scan.goingOn(at: place.page, known: known) }
}
