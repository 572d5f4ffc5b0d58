public import Duties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What several people do in turn.
extension NotifierClient {
    private struct List: Decodable, Sendable {
        var duties: [SharedDuty]
    }

    /// The duties in which the person takes part, the first first, each with the next that is to be done.
    public func duties() async throws(NotifierError) -> [SharedDuty] {
        let list: List = try await value(.listDuties)
        return list.duties
    }

    /// All of a duty, with its occurrences of the last and the next 60 days.
    ///
    /// - Throws: `duty_not_found` for one in which the person does not take part.
    public func duty(_ id: EntityID) async throws(NotifierError) -> SharedDuty {
        try await value(.readDuty, id.description)
    }

    /// Makes a duty; sent again with its id it makes none.
    ///
    /// - Throws: `invalid_field`, `duty_limit`, `id_taken`.
    public func make(_ duty: NewDuty) async throws(NotifierError) -> SharedDuty {
        try await value(.makeDuty, body: duty)
    }

    /// Changes a duty, unless it was changed later.
    public func change(_ id: EntityID, _ changes: DutyChanges) async throws(NotifierError) -> SharedDuty {
        try await value(.changeDuty, id.description, body: changes)
    }

    /// Ends a duty for everybody who takes part.
    public func endDuty(_ id: EntityID) async throws(NotifierError) {
        try await done(.endDuty, id.description)
    }

    private struct MuteRequest: Encodable, Sendable {
        var until: Date
        var changedAt: Date?
    }

    private struct MuteAnswer: Decodable, Sendable {
        var mutedUntil: Date?
    }

    /// Keeps a duty silent for the person until an instant within a year; everybody else hears of it as ever.
    ///
    /// - Parameters:
    ///   - id: the duty's.
    ///   - end: until when.
    ///   - chosenAt: when the person chose it, if that was earlier: the last choice of all their devices wins.
    /// - Returns: until when it is silent now, which is another device's choice when that was made later.
    /// - Throws: `duty_not_found` for one in which the person does not take part.
    public func muteDuty(_ id: EntityID, until end: Date, chosenAt: Date? = nil) async throws(NotifierError) -> Date? {
        let body = MuteRequest(until: end, changedAt: chosenAt)
        let answer: MuteAnswer = try await value(.muteDuty, id.description, body: body)
        return answer.mutedUntil
    }

    /// Lets a muted duty speak to the person again; answers as a mute does.
    public func unmuteDuty(_ id: EntityID, chosenAt: Date? = nil) async throws(NotifierError) -> Date? {
        let query = [QueryItem("changedAt", chosenAt.map(WireCoding.instant))]
        let answer: MuteAnswer = try await value(.unmuteDuty, id.description, query: query)
        return answer.mutedUntil
    }

    // MARK: Members

    private struct NewMember: Encodable, Sendable {
        var name: String
        var memberId: EntityID
    }

    /// Adds somebody who is known by name alone.
    public func addMember(
        _ member: EntityID,
        named name: String,
        to duty: EntityID
    ) async throws(NotifierError) -> SharedDuty {
        try await value(.addDutyMember, duty.description, body: NewMember(name: name, memberId: member))
    }

    /// Lets somebody take part no longer, also the person themselves.
    public func removeMember(_ member: EntityID, of duty: EntityID) async throws(NotifierError) {
        try await done(.removeDutyMember, duty.description, member.description)
    }

    /// A code with which somebody else's account can take part; an earlier one ends.
    public func invite(to duty: EntityID) async throws(NotifierError) -> DutyInvitation {
        try await value(.inviteToDuty, duty.description)
    }

    private struct Join: Encodable, Sendable {
        var invitationCode: String
        var name: String
    }

    /// Takes part in a duty of somebody else's.
    ///
    /// - Throws: `invitation_unknown`, `already_member`, `too_many_attempts`.
    public func joinDuty(code: String, as name: String) async throws(NotifierError) -> SharedDuty {
        try await value(.joinDuty, body: Join(invitationCode: code, name: name))
    }

    // MARK: Occurrences

    private struct End: Encodable, Sendable {
        var completionId: EntityID
        var by: EntityID?
        var at: Date
        var note: String?
    }

    /// Says that what was due is done, or left out. Sent again with its id it says nothing new.
    ///
    /// - Parameters:
    ///   - occurrence: what was due.
    ///   - kind: which of both.
    ///   - id: made by this device.
    ///   - member: who did it; nil for the person.
    ///   - date: when.
    ///   - note: for the next in turn.
    /// - Returns: How it stands now.
    /// - Throws: `occurrence_not_found`, `id_taken`, `event_limit`.
    public func end(
        _ occurrence: EntityID,
        _ kind: Completion.Kind,
        id: EntityID,
        by member: EntityID? = nil,
        at date: Date,
        note: String? = nil
    ) async throws(NotifierError) -> OccurrenceAnswer {
        let operation = kind == .done ? Operation.completeOccurrence : .skipOccurrence
        let body = End(completionId: id, by: member, at: date, note: note)
        return try await value(operation, occurrence.description, body: body)
    }

    private struct Gift: Encodable, Sendable {
        var reassignmentId: EntityID
        var to: EntityID
        var at: Date
    }

    /// Gives an occurrence to somebody who takes part, whatever the rotation says.
    ///
    /// - Throws: `occurrence_not_found`, `member_not_found`, `member_absent`, `id_taken`, `event_limit`.
    public func give(
        _ occurrence: EntityID,
        to member: EntityID,
        id: EntityID,
        at date: Date
    ) async throws(NotifierError) -> OccurrenceAnswer {
        try await value(
            .reassignOccurrence,
            occurrence.description,
            body: Gift(reassignmentId: id, to: member, at: date)
        )
    }
}
