import Duties
import Platform

/// A duty as the server keeps it.
struct DutyRecord: Equatable, Sendable {
    /// The row's number, which nobody outside knows.
    var id: Int64
    /// With everybody who takes part or took part.
    var duty: Duty
    /// When it was changed last, and on which device.
    var stamp: RowStamp
    /// In the order of the duty's members.
    var members: [DutyMemberRecord]

    /// The member that an account is; nil when it does not take part.
    func member(of account: AccountID) -> DutyMemberRecord? { members.first { $0.account == account } }

    /// A member by its id.
    func member(_ id: EntityID) -> DutyMemberRecord? { members.first { $0.member.id == id } }

    /// Accounts that take part.
    var accounts: [AccountID] { members.compactMap(\.account).sorted() }
}

/// A member as the server keeps it.
struct DutyMemberRecord: Equatable, Sendable {
    var member: DutyMember
    /// Nil for somebody who is known by name alone, and for whoever left.
    var account: AccountID?
    /// When it was changed last, and on which device.
    var stamp: RowStamp
}

/// Something that happened to an occurrence, with the occurrence's place in the duty.
struct DutyEvent: Equatable, Sendable {
    enum What: Equatable, Sendable {
        case completion(Completion)
        case reassignment(Reassignment)
    }

    var index: Int
    var what: What

    var id: EntityID {
        switch what {
        case .completion(let completion): completion.id
        case .reassignment(let reassignment): reassignment.id
        }
    }
}

/// How an occurrence differs from what was known of it.
struct OccurrenceChange: Equatable, Sendable {
    /// Nil when it is new.
    var before: Occurrence?
    var after: Occurrence
}
