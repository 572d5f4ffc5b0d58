import Platform

/// When an item's two lists were last looked at, and when each is due from end to end.
///
/// A list that fits on one page is read from end to end by every look at it, this account's own or another's that stands for one, so
/// that only a longer list, or one that nobody has looked at for long, needs a reading for that alone.
struct Reconciliation: Hashable, Sendable {
    /// The lists that are due from end to end.
    struct Lists: Hashable, Sendable {
        var notes = false
        var stateEvents = false

        var isEmpty: Bool { !notes && !stateEvents }
    }

    /// What is known of one list.
    private struct State: Hashable, Sendable {
        /// When the last look began of which everything has been dealt with.
        var lookedAt: MonotonicInstant
        var dueAt: MonotonicInstant

        mutating func take(from start: MonotonicInstant, isWhole: Bool, next: Duration) {
            lookedAt = max(lookedAt, start)
            if isWhole { dueAt = max(dueAt, start.advanced(by: next)) }
        }
    }

    private var notes: State
    private var stateEvents: State

    /// - Parameters:
    ///   - completeAt: when every row of both lists had been read.
    ///   - dueAt: when both are due from end to end.
    init(completeAt: MonotonicInstant, dueAt: MonotonicInstant) {
        notes = State(lookedAt: completeAt, dueAt: dueAt)
        stateEvents = notes
    }

    /// When every row that existed had been read and dealt with.
    var completeAt: MonotonicInstant { min(notes.lookedAt, stateEvents.lookedAt) }

    /// When the last look at the state events began.
    var stateEventsLookedAt: MonotonicInstant { stateEvents.lookedAt }

    /// From when on the state events are due from end to end.
    var stateEventsDueAt: MonotonicInstant { stateEvents.dueAt }

    /// The lists that are due at `now`.
    func due(at now: MonotonicInstant) -> Lists {
        Lists(notes: now >= notes.dueAt, stateEvents: now >= stateEvents.dueAt)
    }

    /// A look at the notes that began at `start` is dealt with. When it reached the list's end, the next is due `next` after it.
    mutating func takeNotes(from start: MonotonicInstant, isWhole: Bool, next: Duration) {
        notes.take(from: start, isWhole: isWhole, next: next)
    }

    /// As ``takeNotes(from:isWhole:next:)``, for the state events.
    mutating func takeStateEvents(from start: MonotonicInstant, isWhole: Bool, next: Duration) {
        stateEvents.take(from: start, isWhole: isWhole, next: next)
    }

    /// The notes were not read to their end: the rest comes at once.
    mutating func requireNotes(at now: MonotonicInstant) {
        notes.dueAt = now
    }
}
