import Platform

/// What a limit of GitLab's, or of one's own, leaves of the readings of an item: with which list the next begins, so that none is kept back in every
/// round, and what those come to together that had one list each.
struct LimitedReadings: Hashable, Sendable {
    /// Whether a limit kept the last reading from something.
    private(set) var isHeldBack = false
    /// When the last reading began that had its notes answered.
    private(set) var readAt: MonotonicInstant?
    /// Whether a reading had its notes, and not its state events.
    private var areStateEventsOwed = false
    /// Whether the last reading began with them in vain.
    private var beganInVain = false
    /// Whether the last reading had the notes or the state events.
    private var hadAnswer = false
    /// Since when the notes have been read, and the state events.
    private var notesAt: MonotonicInstant?
    private var stateEventsAt: MonotonicInstant?

    init() {}

    /// Whether the next reading begins with the state events; with the notes where that was in vain.
    var owesStateEvents: Bool { areStateEventsOwed && !beganInVain }

    /// Whether the next reading may begin with lists that come behind these two.
    var mayOthersBegin: Bool { hadAnswer && !areStateEventsOwed }

    /// Since when both lists have been read, be it by one reading or by two; nil while one has not been.
    var readSince: MonotonicInstant? {
        guard let notesAt, let stateEventsAt else { return nil }
        return min(notesAt, stateEventsAt)
    }

    /// All that a reading brought is dealt with.
    mutating func take(_ reading: ItemReading) {
        let isOwed = reading.owesStateEvents || (areStateEventsOwed && reading.lacksStateEvents)
        beganInVain = isOwed && areStateEventsOwed && !beganInVain
        (isHeldBack, areStateEventsOwed) = (reading.isHeldBack, isOwed)
        hadAnswer = reading.notes != nil || reading.stateEvents != nil
        if let notes = reading.notes, !notes.isSpared {
            readAt = reading.startedAt
            if !notes.isPartial { notesAt = reading.notesSince }
        }
        if reading.stateEvents != nil { stateEventsAt = reading.startedAt }
    }
}
