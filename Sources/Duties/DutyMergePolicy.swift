/// What stands where two devices say different things about duties. It asks what was said and when, never who was heard first.
public enum DutyMergePolicy {
    /// Whether a change of a duty or of a member takes the place of what stands: the later does, and of one instant that of the larger device.
    ///
    /// - Parameters:
    ///   - change: when it was made and on which device.
    ///   - standing: the same of what stands; nil where nothing does.
    /// - Returns: True where it does.
    public static func takes(_ change: RowStamp, over standing: RowStamp?) -> Bool {
        standing.map { $0 <= change } ?? true
    }

    /// When something was done, by the server's measure: a clock that runs ahead counts as the arrival.
    ///
    /// - Parameters:
    ///   - at: by the device's clock, in seconds since 1970.
    ///   - receivedAt: when the server heard of it for the first time, in seconds since 1970.
    /// - Returns: The earlier of both.
    public static func clamped(_ at: Int64, receivedAt: Int64) -> Int64 { min(at, receivedAt) }

    /// Whether something ended an occurrence before what is known to have ended it.
    ///
    /// - Parameters:
    ///   - event: when it happened and what it was.
    ///   - known: the same of what is known; nil where nothing is.
    /// - Returns: True where it did.
    public static func ends(_ event: EventStamp, before known: EventStamp?) -> Bool {
        known.map { event < $0 } ?? true
    }

    /// Which of two copies of one occurrence stands: one that ended over one that did not, the one that ended first of two that did, one that
    /// was given away by hand over one that was not, and of two that were the one given away last.
    ///
    /// Two copies that are in no such order differ only in what a rotation computed; the one with the smaller text of its members stands,
    /// until it is computed anew.
    ///
    /// - Parameters:
    ///   - one: a copy.
    ///   - other: another copy of the same occurrence.
    /// - Returns: One of both.
    public static func merged(_ one: Occurrence, _ other: Occurrence) -> Occurrence {
        switch (rank(one.status), rank(other.status)) {
        case (let first, let second) where first != second: return first > second ? one : other
        default: break
        }
        if one.decision != other.decision {
            // Of one rank both or none have one; what lacks it knows less.
            guard let first = one.decision else { return other }
            guard let second = other.decision else { return one }
            return (first < second) == one.status.isTerminal ? one : other
        }
        return computed(one).lexicographicallyPrecedes(computed(other)) ? one : other
    }

    private static func rank(_ status: Occurrence.Status) -> Int {
        switch status {
        case .pending: 0
        case .reassigned: 1
        case .completed, .skipped: 2
        }
    }

    private static func computed(_ occurrence: Occurrence) -> [UInt64] {
        [
            UInt64(bitPattern: occurrence.dueAt), occurrence.assignee?.high ?? 0, occurrence.assignee?.low ?? 0,
            occurrence.status == .skipped ? 1 : 0,
        ]
    }
}

/// When a duty or a member was changed, and on which device.
public struct RowStamp: Hashable, Comparable, Sendable {
    /// Seconds since 1970, no later than the server heard of it.
    public var at: Int64
    /// The device and the change, which decide between changes of one instant.
    public var by: String

    /// A stamp.
    ///
    /// - Parameters:
    ///   - at: seconds since 1970.
    ///   - by: the device and the change.
    public init(at: Int64, by: String) {
        self.at = at
        self.by = by
    }

    /// The earlier first; of one instant the smaller device, by the bytes of its text.
    public static func < (one: RowStamp, other: RowStamp) -> Bool {
        one.at == other.at ? one.by.utf8.lexicographicallyPrecedes(other.by.utf8) : one.at < other.at
    }
}
