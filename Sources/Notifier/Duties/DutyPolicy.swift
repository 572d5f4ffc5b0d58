import Duties
import Platform

/// Bounds of duties.
enum DutyPolicy {
    /// Occurrences are there for so long ahead.
    static let horizon: Duration = .days(60)
    /// What was due longer ago is forgotten.
    static let kept: Duration = .days(365)
    /// Duties in which one account takes part.
    static let dutyLimit = 50
    /// Members of one duty who take part, and those who left beside them.
    static let memberLimit = 50
    static let formerMemberLimit = 150
    /// What may happen to one occurrence: ends and reassignments.
    static let eventLimit = 20
    /// Occurrences that are not over, of the last day and up to the horizon.
    static let mostOpen = 70
    static let titleCharacters = 1...100
    static let nameCharacters = 1...64
    static let noteCharacters = 0...500
    static let leadHours: ClosedRange<Int64> = 0...336
    /// The first day lies so many days back at most, and so many ahead.
    static let startDays = -31...366
    /// An invitation is good for so long, once.
    static let invitationLifetime: Duration = .minutes(60)
}

/// Why something about a duty is not done.
enum DutyError: Error, Equatable, Sendable {
    /// There is none, or the account does not take part.
    case dutyNotFound, occurrenceNotFound, memberNotFound
    /// Something has that id already; whose it is, is not told.
    case idTaken
    /// Who is to have a turn did not take part yet when it was due.
    case memberAbsent
    case dutyLimit, memberLimit, eventLimit
    case alreadyMember
}

/// A duty that somebody wants to make.
struct DutyWish: Sendable {
    struct Member: Sendable {
        var id: EntityID
        var name: String
        /// The one who makes the duty.
        var isOwn: Bool
    }

    var id: EntityID
    var title: String
    var recurrence: Recurrence
    var start: CivilDay
    var minute: Int
    var zone: String
    var leadSeconds: Int64
    var mode: Duty.Mode
    var escalates: Bool
    /// In their order; exactly one is the maker's own.
    var members: [Member]
}

/// What of a duty somebody wants otherwise; nil stays as it is.
struct DutyEdit: Sendable {
    var title: String?
    var minute: Int?
    var zone: String?
    var leadSeconds: Int64?
    var mode: Duty.Mode?
    var escalates: Bool?

    func apply(to duty: inout Duty) {
        duty.title = title ?? duty.title
        duty.minute = minute ?? duty.minute
        duty.zone = zone ?? duty.zone
        duty.leadSeconds = leadSeconds ?? duty.leadSeconds
        duty.mode = mode ?? duty.mode
        duty.escalates = escalates ?? duty.escalates
    }
}

/// What somebody says happened to an occurrence.
struct DutyEventWish: Sendable {
    enum What: Equatable, Sendable {
        case end(Completion.Kind, note: String)
        case give(to: EntityID)
    }

    var id: EntityID
    var occurrence: EntityID
    /// Who did it; nil for the account's own member.
    var by: EntityID?
    /// Seconds since 1970, no later than now.
    var at: Int64
    var what: What
}
