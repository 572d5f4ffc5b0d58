import Platform

/// Everything that one item's readings, or the to-dos on nothing watched, come to: what the notification pipeline takes in one
/// transaction or not at all.
struct FactCommit: Sendable {
    let account: AccountID
    /// Nil for to-dos on what is not watched.
    var watch: WatchID?
    /// Notes and state events first, to-dos behind them.
    var candidates: [Candidate] = []
    /// The rows behind them, and all others that were dealt with.
    var advance = ScanAdvance()
    /// System notes that say nothing to the person, for the log.
    var droppedSystemNotes = 0

    /// True when the store has nothing to learn.
    var isEmpty: Bool { advance.isEmpty && candidates.isEmpty }
}
