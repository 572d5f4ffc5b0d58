public import Duties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A duty as the server tells it, with its members and some of its occurrences.
public struct SharedDuty: Sendable, Equatable, Codable, Identifiable {
    /// The duty's id.
    public var dutyId: EntityID
    /// What it is called.
    public var title: String
    /// Every so many days; absent for one of days of the week.
    public var everyDays: Int?
    /// `mon` to `sun`; absent for one of every so many days.
    public var weekdays: [String]?
    /// Of every so many weeks.
    public var everyWeeks: Int?
    /// No occurrence is earlier.
    public var startOn: CivilDay
    /// `hh:mm`, by the clock of its zone.
    public var timeOfDay: String
    /// A name of the tz database.
    public var timeZone: String
    /// How long before it is due its person is reminded.
    public var leadHours: Int
    /// `alternate` or `fixed`; a newer server may have more words.
    public var mode: String
    /// Whether its person is reminded again.
    public var escalates: Bool
    /// The first occurrence that is kept.
    public var baseIndex: Int
    /// Members, in the order of their turns from there on.
    public var baseQueue: [EntityID]
    /// When it was changed last.
    public var changedAt: Date
    /// Who takes part or took part, in their order.
    public var members: [Member]
    /// The first first.
    public var occurrences: [Turn]
    /// Until when it tells the person nothing, which may be over; nil where it is not muted.
    public var mutedUntil: Date?

    /// The same as ``dutyId``.
    public var id: EntityID { dutyId }

    /// Somebody who takes part, or took part.
    public struct Member: Sendable, Equatable, Codable, Identifiable {
        /// The member's id.
        public var memberId: EntityID
        /// The duty's id.
        public var dutyId: EntityID
        /// What they are called.
        public var name: String
        /// Their place among those who joined at the same time.
        public var position: Int
        /// Whether they use the server and take part themselves.
        public var hasAccount: Bool
        /// Whether that is the person who is signed in.
        public var isYou: Bool
        /// From when on they have turns.
        public var joinedAt: Date
        /// From when on they have none; absent while they take part.
        public var leftAt: Date?

        /// The same as ``memberId``.
        public var id: EntityID { memberId }
    }

    /// One time that it is due.
    public struct Turn: Sendable, Equatable, Codable, Identifiable {
        /// The occurrence's id.
        public var occurrenceId: EntityID
        /// The duty's id.
        public var dutyId: EntityID
        /// 0 for the first.
        public var index: Int
        /// When it is due.
        public var dueAt: Date
        /// The member whose turn it is, or who did it; absent for nobody's.
        public var assignee: EntityID?
        /// `pending`, `reassigned`, `completed` or `skipped`.
        public var status: String
        /// When that was decided; absent for what the rotation says.
        public var decidedAt: Date?
        /// The completion or reassignment that decided.
        public var decidedBy: EntityID?

        /// The same as ``occurrenceId``.
        public var id: EntityID { occurrenceId }
        /// Whether it is done or left out.
        public var isOver: Bool { Occurrence.Status(rawValue: status)?.isTerminal ?? false }
    }

    /// The member that the signed-in person is.
    public var ownMember: Member? { members.first(where: \.isYou) }

    private enum CodingKeys: CodingKey {
        case dutyId, title, everyDays, weekdays, everyWeeks, startOn, timeOfDay, timeZone, leadHours, mode, escalates
        case baseIndex, baseQueue, changedAt, members, occurrences, mutedUntil
    }

    /// The member with an id.
    public func member(_ id: EntityID?) -> Member? { members.first { $0.memberId == id } }
}

extension SharedDuty {
    /// Reads what an answer holds: where devices are kept alike, members and occurrences are told by themselves.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        dutyId = try container.decode(EntityID.self, forKey: .dutyId)
        title = try container.decode(String.self, forKey: .title)
        everyDays = try container.decodeIfPresent(Int.self, forKey: .everyDays)
        weekdays = try container.decodeIfPresent([String].self, forKey: .weekdays)
        everyWeeks = try container.decodeIfPresent(Int.self, forKey: .everyWeeks)
        startOn = try container.decode(CivilDay.self, forKey: .startOn)
        timeOfDay = try container.decode(String.self, forKey: .timeOfDay)
        timeZone = try container.decode(String.self, forKey: .timeZone)
        leadHours = try container.decode(Int.self, forKey: .leadHours)
        mode = try container.decode(String.self, forKey: .mode)
        escalates = try container.decode(Bool.self, forKey: .escalates)
        baseIndex = try container.decode(Int.self, forKey: .baseIndex)
        baseQueue = try container.decode([EntityID].self, forKey: .baseQueue)
        changedAt = try container.decode(Date.self, forKey: .changedAt)
        members = try container.decodeIfPresent([Member].self, forKey: .members) ?? []
        occurrences = try container.decodeIfPresent([Turn].self, forKey: .occurrences) ?? []
        mutedUntil = try container.decodeIfPresent(Date.self, forKey: .mutedUntil)
    }

    private static let dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// What the engine computes turns from, without a network; nil where a newer server says what this program does not know.
    public var duty: Duty? {
        var recurrence: Recurrence?
        if let everyDays { recurrence = .everyDays(everyDays) }
        if let weekdays, let everyWeeks {
            let days = weekdays.compactMap { Self.dayNames.firstIndex(of: $0).map { $0 + 1 } }
            recurrence = days.count == weekdays.count ? .weekly(on: days, everyWeeks: everyWeeks) : nil
        }
        let clock = timeOfDay.split(separator: ":").compactMap { Int($0) }
        guard let recurrence, recurrence.flaw == nil, let mode = Duty.Mode(rawValue: mode), clock.count == 2 else {
            return nil
        }
        return Duty(
            id: dutyId,
            title: title,
            recurrence: recurrence,
            start: startOn,
            minute: clock[0] * 60 + clock[1],
            zone: timeZone,
            leadSeconds: Int64(leadHours) * 3_600,
            mode: mode,
            escalates: escalates,
            members: members.map { member in
                DutyMember(
                    id: member.memberId,
                    name: member.name,
                    position: member.position,
                    joinedAt: member.joinedAt.wholeSeconds,
                    leftAt: member.leftAt.map(\.wholeSeconds)
                )
            },
            base: RotationBase(nextIndex: baseIndex, queue: baseQueue)
        )
    }
}

/// A duty to be made.
public struct NewDuty: Sendable, Equatable, Codable {
    /// Made by this device, so that it may be sent again.
    public var dutyId: EntityID
    /// What it is called.
    public var title: String
    /// Every so many days; nil for days of the week.
    public var everyDays: Int?
    /// `mon` to `sun`; nil for every so many days.
    public var weekdays: [String]?
    /// Of every so many weeks.
    public var everyWeeks: Int?
    /// The first day.
    public var startOn: CivilDay
    /// `hh:mm`.
    public var timeOfDay: String
    /// A name of the tz database.
    public var timeZone: String
    /// How long before it is due its person is reminded.
    public var leadHours: Int?
    /// How people take turns; in turn without it.
    public var mode: String?
    /// Whether its person is asked for it when it is due, and told again.
    public var escalates: Bool?
    /// In the order of their turns; exactly one is the person who is signed in.
    public var members: [Member]

    /// One of its first members.
    public struct Member: Sendable, Equatable, Codable {
        /// Made by this device; needed in an envelope, and made by the server where it is nil otherwise.
        public var memberId: EntityID?
        /// What they are called.
        public var name: String
        /// Whether that is the person who is signed in.
        public var isYou: Bool

        /// Somebody by name.
        public init(name: String, isYou: Bool = false, id: EntityID? = nil) {
            (self.name, self.isYou, memberId) = (name, isYou, id)
        }
    }

    /// A duty of every so many days.
    ///
    /// - Parameters:
    ///   - id: made by this device.
    ///   - title: what it is called.
    ///   - everyDays: every so many days; nil where `weekdays` says it.
    ///   - startOn: the first day.
    ///   - timeOfDay: `hh:mm`.
    ///   - timeZone: a name of the tz database.
    ///   - members: in the order of their turns.
    public init(
        id: EntityID,
        title: String,
        everyDays: Int?,
        startOn: CivilDay,
        timeOfDay: String,
        timeZone: String,
        members: [Member]
    ) {
        dutyId = id
        (self.title, self.everyDays, self.startOn) = (title, everyDays, startOn)
        (self.timeOfDay, self.timeZone, self.members) = (timeOfDay, timeZone, members)
    }
}

/// What of a duty is to be otherwise; nil stays as it is.
public struct DutyChanges: Sendable, Equatable, Codable {
    /// What it is called.
    public var title: String?
    /// `hh:mm`.
    public var timeOfDay: String?
    /// A name of the tz database.
    public var timeZone: String?
    /// How long before it is due its person is reminded.
    public var leadHours: Int?
    /// How people take turns.
    public var mode: String?
    /// Whether its person is reminded again.
    public var escalates: Bool?
    /// When the person chose it.
    public var changedAt: Date?

    /// Nothing yet.
    public init() {}
}

/// A code with which somebody else's account can take part in a duty.
public struct DutyInvitation: Sendable, Equatable, Codable {
    /// Six letters and digits, for one use.
    public var invitationCode: String
    /// When it ends.
    public var expiresAt: Date
}

/// How an occurrence stands after what was said of it.
public struct OccurrenceAnswer: Sendable, Equatable, Codable {
    /// As it stands now.
    public var occurrence: SharedDuty.Turn
    /// False where something that was said before, or happened earlier, stands instead.
    public var stands: Bool
}
