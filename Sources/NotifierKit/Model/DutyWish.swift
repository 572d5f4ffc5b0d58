public import Duties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a person wants of what several people do in turn, as it waits on a device and goes into an envelope.
public enum DutyWish: Sendable, Equatable, Codable {
    /// Each of its members has an id.
    case make(NewDuty)
    case change(EntityID, DutyChanges)
    /// It ends for everybody.
    case stop(EntityID)
    /// Somebody who is known by name alone takes part.
    case add(EntityID, name: String, of: EntityID)
    case leave(EntityID, of: EntityID)
    /// It was done, or left out; by the person where nobody is named.
    case end(EntityID, of: EntityID, Completion.Kind, by: EntityID?, note: String?)
    /// It is somebody's, whatever the rotation says.
    case give(EntityID, of: EntityID, to: EntityID)
    /// It tells this person nothing until then; nil lets it speak again.
    case mute(EntityID, until: Date?)

    /// The duty or the member of which the later of two changes stands; nil for what happened to an occurrence.
    var subject: EntityID? {
        switch self {
        case .make(let duty): duty.dutyId
        case .change(let id, _), .stop(let id), .add(let id, _, _), .leave(let id, _), .mute(let id, _): id
        case .end, .give: nil
        }
    }
}

/// Somebody did what was due, or left it out, as the server tells it.
public struct DutyEnd: Sendable, Equatable, Codable {
    /// The event's id.
    public var completionId: EntityID
    /// What was due.
    public var occurrenceId: EntityID
    /// The member who did it.
    public var by: EntityID
    /// When.
    public var at: Date
    /// `done` or `skip`; a newer server may have more words.
    public var kind: String
    /// For the next in turn.
    public var note: String?

    /// What the engine takes; nil where a newer server says what this program does not know.
    public var completion: Completion? {
        Completion.Kind(rawValue: kind).map { kind in
            Completion(
                id: completionId,
                occurrence: occurrenceId,
                by: by,
                at: at.wholeSeconds,
                kind: kind,
                note: note ?? ""
            )
        }
    }
}

/// Somebody gave what is due to somebody, as the server tells it.
public struct DutyGift: Sendable, Equatable, Codable {
    /// The event's id.
    public var reassignmentId: EntityID
    /// What is due.
    public var occurrenceId: EntityID
    /// Whose it is from then on.
    public var to: EntityID
    /// Who said so.
    public var by: EntityID
    /// When.
    public var at: Date

    /// What the engine takes.
    public var reassignment: Reassignment {
        Reassignment(id: reassignmentId, occurrence: occurrenceId, to: to, by: by, at: at.wholeSeconds)
    }
}

/// Until when a duty tells the person nothing, as the server tells it.
public struct DutyMute: Sendable, Equatable, Codable {
    /// The duty's id.
    public var dutyId: EntityID
    /// The end, which may be over; nil where it is not muted.
    public var mutedUntil: Date?

    /// Of that duty until then.
    public init(dutyId: EntityID, mutedUntil: Date?) { (self.dutyId, self.mutedUntil) = (dutyId, mutedUntil) }
}

extension Date {
    /// Since 1970, as duties count.
    var wholeSeconds: Int64 { Int64(timeIntervalSince1970.rounded(.down)) }
}
