import Platform

/// Everything that one item's readings, or the to-dos on nothing watched, come to: what the notification pipeline takes in one
/// transaction or not at all.
struct FactCommit: Sendable {
    let account: AccountID
    /// Nil for to-dos on what is not watched.
    var watch: WatchID?
    /// Notes and state events first, to-dos behind them.
    var candidates: [Candidate] = []
    var noteIDs: [Int64] = []
    var stateEventIDs: [Int64] = []
    var todoIDs: [Int64] = []
    /// What else the store learns of the item's lists.
    var effects: [ListEffect] = []
    /// System notes that say nothing to the person, for the log.
    var droppedSystemNotes = 0

    /// True when the store has nothing to learn.
    var isEmpty: Bool {
        noteIDs.isEmpty && stateEventIDs.isEmpty && todoIDs.isEmpty && candidates.isEmpty && effects.isEmpty
    }
}
