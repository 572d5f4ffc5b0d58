import Duties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a person's devices keep alike.
extension NotifierClient {
    /// What has changed since a revision.
    ///
    /// - Parameters:
    ///   - revision: that of the last page; nil for a device that has nothing.
    ///   - snapshot: that of the last page, where it had one.
    ///   - limit: rows at most, 1 to 1000; nil for what the server thinks right.
    /// - Returns: a page; a device with more to come asks again at once.
    /// - Throws: why it could not be asked.
    public func changes(
        since revision: UInt64?,
        snapshot: UInt64? = nil,
        limit: Int? = nil
    ) async throws(NotifierError) -> SyncPage {
        try await value(
            .pullChanges,
            query: [
                QueryItem("since", revision.map { String($0) }), QueryItem("snapshot", snapshot.map { String($0) }),
                QueryItem("limit", limit.map { String($0) }),
            ]
        )
    }

    /// How much an envelope with nothing in it takes, in bytes, and more.
    static let envelopeOverhead = 256

    /// How much a change takes in an envelope, in bytes.
    static func size(of change: SyncChange) -> Int { WireCoding.encode(WireChange(change)).count + 1 }

    private struct Envelope: Encodable, Sendable {
        var baseRevision: UInt64
        var clientChangeId: String
        var changes: [WireChange]
    }

    private enum WireDuty: Encodable, Sendable {
        case new(NewDuty)
        case changes(DutyChanges)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .new(let duty): try duty.encode(to: encoder)
            case .changes(let changes): try changes.encode(to: encoder)
            }
        }
    }

    private struct WireChange: Encodable, Sendable {
        var id: String
        var changedAt: Date
        var entity: String
        var projectId: Int64?
        var itemType: ItemKind?
        var itemIid: Int64?
        var choice: String?
        var mutedUntil: Date?
        var gitlabUserId: Int64?
        var denied: Bool?
        var displayName: String?
        var reason: String?
        var notificationId: String?
        var read: Bool?
        var settings: SettingsChange?
        var dutyId: EntityID?
        var duty: WireDuty?
        var members: [NewDuty.Member]?
        var memberId: EntityID?
        var name: String?
        var deleted: Bool?
        var completionId: EntityID?
        var reassignmentId: EntityID?
        var occurrenceId: EntityID?
        var kind: Completion.Kind?
        var by: EntityID?
        var to: EntityID?
        var note: String?

        init(_ change: SyncChange) {
            (id, changedAt, entity) = (change.id, change.changedAt, "choice")
            switch change.wanted {
            case .watch(let item): name(item, "watched")
            case .unwatch(let item): name(item, "unwatched")
            case .dismiss(let item): name(item, "dismissed")
            case .mute(let item, let end):
                name(item, nil)
                (entity, mutedUntil) = ("mute", end)
            case .deny(let person, let isDenied, let displayName, let reason):
                (entity, gitlabUserId, denied) = ("deniedActor", person, isDenied)
                (self.displayName, self.reason) = (displayName, reason)
            case .settings(let change): (entity, settings) = ("settings", change)
            case .read(let notification, let isRead):
                (entity, notificationId, read) = ("readMark", notification, isRead)
            case .duty(let wish): say(wish)
            }
        }

        private mutating func say(_ wish: DutyWish) {
            switch wish {
            case .make(let new):
                var bare = new
                bare.members = []
                (entity, dutyId, duty, members) = ("duty", new.dutyId, .new(bare), new.members)
            case .change(let id, let changes): (entity, dutyId, duty) = ("duty", id, .changes(changes))
            case .stop(let id): (entity, dutyId, deleted) = ("duty", id, true)
            case .add(let id, let name, let of):
                (entity, memberId, self.name, dutyId) = ("dutyMember", id, name, of)
            case .leave(let id, let of): (entity, memberId, dutyId, deleted) = ("dutyMember", id, of, true)
            case .end(let id, let occurrence, let kind, let by, let note):
                (entity, completionId, occurrenceId) = ("completion", id, occurrence)
                (self.kind, self.by, self.note) = (kind, by, note)
            case .mute(let id, let end): (entity, dutyId, mutedUntil) = ("dutyMute", id, end)
            case .give(let id, let occurrence, let to):
                (entity, reassignmentId, occurrenceId, self.to) = ("reassignment", id, occurrence, to)
            }
        }

        private mutating func name(_ item: ItemReference, _ choice: String?) {
            (projectId, itemType, itemIid, self.choice) = (item.projectID, item.kind, item.iid, choice)
        }
    }

    /// Sends what this device has changed, at most 500 changes. Sent again with the same id it means the same.
    ///
    /// - Parameters:
    ///   - changes: in the order in which they were made.
    ///   - id: the envelope's: 1 to 64 letters, digits and hyphens, another one for each.
    ///   - revision: the device's; nil when it has none.
    /// - Returns: what became of each change.
    /// - Throws: why it could not be sent, or was refused as a whole: `revision_ahead` when the device has to begin anew.
    public func send(
        _ changes: [SyncChange],
        id: String,
        baseRevision revision: UInt64?
    ) async throws(NotifierError) -> SyncReceipt {
        let envelope = Envelope(
            baseRevision: revision ?? 0,
            clientChangeId: id,
            changes: changes.map { WireChange($0) }
        )
        return try await value(.pushChanges, body: envelope)
    }
}
