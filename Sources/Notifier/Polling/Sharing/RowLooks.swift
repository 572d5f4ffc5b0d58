import Platform

/// What others have seen of the rows of a list since one account was last shown them, to be looked up when the account asks for the list, and
/// again when its turn has come.
struct RowLooks: Sendable {
    /// A row as the account was shown it last.
    struct Row: Hashable, Sendable {
        var item: SharedLooks.Item
        var place: SharedLooks.Place?
        var validator: String
    }

    let looks: SharedLooks
    let rows: [Row]
    /// When the account's own last look began.
    let since: MonotonicInstant
    let cycleInterval: Duration
    /// When the account came to ask.
    let askedAt: MonotonicInstant

    /// When the oldest of the looks began that stand for one of this account at `now`; nil when it must look itself.
    func lookedAt(_ now: MonotonicInstant) -> MonotonicInstant? {
        var substitute = SweepSubstitute(cycleInterval: cycleInterval, askedAt: askedAt, now: now)
        let isSpared = looks.look(at: rows, \.item, in: \.place) { row, known in
            substitute.take(known, of: row.validator, since: since)
        }
        return isSpared ? substitute.lookedAt : nil
    }
}
