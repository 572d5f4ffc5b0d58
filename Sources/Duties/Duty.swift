/// Something that several people do in turn, such as triage or the release, and on which days.
public struct Duty: Hashable, Sendable {
    /// Made by whoever made the duty.
    public var id: EntityID
    /// What it is called.
    public var title: String
    /// On which days it is due. It stays what it is: another rhythm is another duty.
    public var recurrence: Recurrence
    /// No occurrence is earlier. It stays what it is.
    public var start: CivilDay
    /// When it is due, in minutes after midnight of the zone, 0 to 1,439.
    public var minute: Int
    /// The name of the time zone in the tz database.
    public var zone: String
    /// How many seconds before it is due its person is reminded.
    public var leadSeconds: Int64
    /// Who has a turn.
    public var mode: Mode
    /// Whether its person is reminded again while it is not done.
    public var escalates: Bool
    /// Who takes part or took part, in any order; ``DutyMember/position`` says theirs.
    public var members: [DutyMember]
    /// What is left of the history that is kept no more.
    public var base: RotationBase

    /// How people take turns.
    public enum Mode: String, Sendable, CaseIterable {
        /// Whoever had no turn for longest is next.
        case alternate
        /// The first who is present has every turn.
        case fixed
    }

    /// A duty as it is.
    ///
    /// - Parameters:
    ///   - id: made by whoever made the duty.
    ///   - title: what it is called.
    ///   - recurrence: on which days it is due.
    ///   - start: the first day on which it can be due.
    ///   - minute: minutes after midnight, 0 to 1,439.
    ///   - zone: the name of its time zone.
    ///   - leadSeconds: how long before it is due its person is reminded.
    ///   - mode: how people take turns.
    ///   - escalates: whether its person is reminded again.
    ///   - members: who takes part or took part.
    ///   - base: what is left of the history that is kept no more.
    public init(
        id: EntityID,
        title: String,
        recurrence: Recurrence,
        start: CivilDay,
        minute: Int,
        zone: String,
        leadSeconds: Int64 = 0,
        mode: Mode = .alternate,
        escalates: Bool = false,
        members: [DutyMember],
        base: RotationBase = RotationBase()
    ) {
        self.id = id
        self.title = title
        self.recurrence = recurrence
        self.start = start
        self.minute = minute
        self.zone = zone
        self.leadSeconds = leadSeconds
        self.mode = mode
        self.escalates = escalates
        self.members = members
        self.base = base
    }
}

/// Somebody who takes part in a duty. Who comes back is a new member.
public struct DutyMember: Hashable, Sendable {
    /// Made by whoever added them.
    public var id: EntityID
    /// What they are called.
    public var name: String
    /// Their place among those who joined at the same time; it stays what it is.
    public var position: Int
    /// From when on they can be due, in seconds since 1970.
    public var joinedAt: Int64
    /// From when on they have no turn any more, in seconds since 1970; nil while they take part.
    public var leftAt: Int64?

    /// Somebody as they are.
    ///
    /// - Parameters:
    ///   - id: made by whoever added them.
    ///   - name: what they are called.
    ///   - position: their place among those who joined at the same time.
    ///   - joinedAt: seconds since 1970.
    ///   - leftAt: seconds since 1970; nil while they take part.
    public init(id: EntityID, name: String, position: Int, joinedAt: Int64, leftAt: Int64? = nil) {
        self.id = id
        self.name = name
        self.position = position
        self.joinedAt = joinedAt
        self.leftAt = leftAt
    }

    /// Whether they take part at an instant: from when they joined to just before they left.
    ///
    /// - Parameter second: seconds since 1970.
    /// - Returns: True while they do.
    public func isPresent(at second: Int64) -> Bool {
        joinedAt <= second && leftAt.map { second < $0 } ?? true
    }
}

/// Where a rotation stands behind what is kept of its history: whoever begins there comes to the same as whoever knows all of it.
public struct RotationBase: Hashable, Sendable {
    /// The first occurrence that is kept.
    public var nextIndex: Int
    /// Who is next in turn there, and who after them.
    public var queue: [EntityID]

    /// A place in a rotation; by default its beginning.
    ///
    /// - Parameters:
    ///   - nextIndex: the first occurrence that is kept, 0 or more.
    ///   - queue: who is next in turn there, and who after them.
    public init(nextIndex: Int = 0, queue: [EntityID] = []) {
        self.nextIndex = nextIndex
        self.queue = queue
    }
}
