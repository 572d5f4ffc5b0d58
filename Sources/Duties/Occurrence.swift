/// One time that a duty is due.
public struct Occurrence: Hashable, Sendable {
    /// Follows from the duty and the index, so that everybody makes the same: see ``id(of:index:)``.
    public var id: EntityID
    /// The duty.
    public var duty: EntityID
    /// 0 for the first.
    public var index: Int
    /// When it is due, in seconds since 1970.
    public var dueAt: Int64
    /// Whose turn it is; of what is done, who did it. Nil when nobody takes part then.
    public var assignee: EntityID?
    /// How it stands.
    public var status: Status
    /// What made it so; nil while it is `pending`.
    public var decision: EventStamp?

    /// How an occurrence stands, in the order in which one state overcomes another.
    public enum Status: String, Sendable, CaseIterable {
        /// Somebody's turn by the rotation.
        case pending
        /// Given to somebody by hand.
        case reassigned
        /// Done; it stays so.
        case completed
        /// Left out; it stays so.
        case skipped

        /// Whether nothing changes it any more.
        public var isTerminal: Bool { self == .completed || self == .skipped }
    }

    /// An occurrence as it stands.
    ///
    /// - Parameters:
    ///   - duty: the duty.
    ///   - index: 0 for the first.
    ///   - dueAt: seconds since 1970.
    ///   - assignee: whose turn it is.
    ///   - status: how it stands.
    ///   - decision: what made it so.
    public init(
        duty: EntityID,
        index: Int,
        dueAt: Int64,
        assignee: EntityID?,
        status: Status = .pending,
        decision: EventStamp? = nil
    ) {
        self.id = Self.id(of: duty, index: index)
        self.duty = duty
        self.index = index
        self.dueAt = dueAt
        self.assignee = assignee
        self.status = status
        self.decision = decision
    }

    /// The UUID, version 5, of the name `<index>` in decimal digits in the space that is the id of the duty.
    ///
    /// - Parameters:
    ///   - duty: the duty.
    ///   - index: 0 for the first.
    /// - Returns: The id.
    public static func id(of duty: EntityID, index: Int) -> EntityID {
        duty.named(String(index).utf8)
    }
}

/// When something happened and what it was. Stamps are ordered in full, so that it does not matter which of two is heard of first.
public struct EventStamp: Hashable, Comparable, Sendable {
    /// Seconds since 1970, by the clock of whoever did it, but no later than the server heard of it.
    public var at: Int64
    /// The id of the event.
    public var id: EntityID

    /// A stamp.
    ///
    /// - Parameters:
    ///   - at: seconds since 1970.
    ///   - id: the id of the event.
    public init(at: Int64, id: EntityID) {
        self.at = at
        self.id = id
    }

    /// The earlier first; of one instant the smaller id.
    public static func < (one: EventStamp, other: EventStamp) -> Bool {
        one.at == other.at ? one.id < other.id : one.at < other.at
    }
}

/// Somebody did what was due, or left it out. It is written once and never changed.
public struct Completion: Hashable, Sendable {
    /// Made by whoever records it.
    public var id: EntityID
    /// What was due.
    public var occurrence: EntityID
    /// The member who did it, or left it out.
    public var by: EntityID
    /// Seconds since 1970, no later than the server heard of it.
    public var at: Int64
    /// Which of both.
    public var kind: Kind
    /// For the next in turn.
    public var note: String

    /// What became of an occurrence.
    public enum Kind: String, Sendable, CaseIterable, Codable {
        /// Whoever did it had a turn.
        case done
        /// Whoever's turn it was had it.
        case skip
    }

    /// A completion.
    ///
    /// - Parameters:
    ///   - id: made by whoever records it.
    ///   - occurrence: what was due.
    ///   - by: the member who did it, or left it out.
    ///   - at: seconds since 1970.
    ///   - kind: which of both.
    ///   - note: for the next in turn.
    public init(id: EntityID, occurrence: EntityID, by: EntityID, at: Int64, kind: Kind, note: String = "") {
        self.id = id
        self.occurrence = occurrence
        self.by = by
        self.at = at
        self.kind = kind
        self.note = note
    }

    /// When it happened and what it was.
    public var stamp: EventStamp { EventStamp(at: at, id: id) }
}

/// Somebody gave an occurrence to somebody, whatever the rotation says. It is written once and never changed.
public struct Reassignment: Hashable, Sendable {
    /// Made by whoever records it.
    public var id: EntityID
    /// What is due.
    public var occurrence: EntityID
    /// The member who is to do it.
    public var to: EntityID
    /// The member who said so.
    public var by: EntityID
    /// Seconds since 1970, no later than the server heard of it.
    public var at: Int64

    /// A reassignment.
    ///
    /// - Parameters:
    ///   - id: made by whoever records it.
    ///   - occurrence: what is due.
    ///   - to: the member who is to do it.
    ///   - by: the member who said so.
    ///   - at: seconds since 1970.
    public init(id: EntityID, occurrence: EntityID, to: EntityID, by: EntityID, at: Int64) {
        self.id = id
        self.occurrence = occurrence
        self.to = to
        self.by = by
        self.at = at
    }

    /// When it happened and what it was.
    public var stamp: EventStamp { EventStamp(at: at, id: id) }
}
