import Configuration
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
    /// Where the item goes on, and since when, if it was moved.
    var move: (destination: IssueDestination, at: WallTime)?
    /// When the person last answered on the item, by notes that were committed before though they were written after these.
    var answer: (item: ItemReference, at: WallTime)?
    /// What GitLab's clock showed when the item's notes or changes of state were read; nil where neither was, or it did not say.
    var serverTime: WallTime?
    /// System notes that say nothing to the person, for the log.
    var droppedSystemNotes = 0
    /// The kinds of activity that its rows were judged by; nil where they are told whatever kinds the person has chosen.
    var kinds: JudgedKinds?
    /// The lists that were taken for ones that had been read before.
    var continuedLists: Set<MetadataList> = []

    /// What rows were judged by.
    struct JudgedKinds: Hashable, Sendable {
        var wanted: Set<ActivityKind>
        /// What is told to a person who has chosen nothing.
        var standard: Set<ActivityKind>
    }

    /// True when the store has nothing to learn.
    var isEmpty: Bool { advance.isEmpty && candidates.isEmpty }

    /// When the person last answered, by its notes; nil where they did not.
    var lastAnswer: WallTime? {
        let answers = candidates.filter { $0.fact.source == .note && AskRecord.isAnswer($0) }
        return answers.map(\.fact.occurredAt).max()
    }

    /// The person's answer, unless it bears a time that GitLab's clock has yet to come to: what is asked since that was set back seems older.
    var datedAnswer: (item: ItemReference, at: WallTime)? {
        guard let known = answer else { return nil }
        let isYetToCome = serverTime.map { $0.advanced(by: Store.clockLead) < known.at } ?? false
        return isYetToCome ? nil : known
    }

    /// What the watch is to follow, as it is noticed at `now`; nil when the item was not moved.
    func movedIssue(at now: WallTime) -> MovedIssue? {
        guard let watch, let move else { return nil }
        return MovedIssue(watch: watch, destination: move.destination, movedAt: move.at, noticedAt: now)
    }
}
