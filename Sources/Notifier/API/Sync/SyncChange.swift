import Configuration
import Duties
import Platform

/// What one change wants to hold from now on.
struct SyncChange: Sendable {
    enum Wanted: Sendable {
        case choice(ItemReference, ItemChoice.Choice)
        /// Nil lets the item speak again.
        case mute(ItemReference, until: WallTime?)
        case actor(DeniedActor, isDenied: Bool)
        case settings(SettingsPatch)
        case readMark(String, isRead: Bool)
        case duty(DutyChange)
        /// Nil lets the duty speak to the person again.
        case dutyMute(EntityID, until: WallTime?)

        /// What it is about, as rows for devices name it.
        var row: (entity: SyncRow.Entity, key: String) {
            switch self {
            case .choice(let item, _): (.choice, item.syncKey)
            case .mute(let item, _): (.watch, item.syncKey)
            case .actor(let actor, _): (.deniedActor, String(actor.gitlabUserID))
            case .settings: (.settings, "")
            case .readMark(let id, _): (.readMark, id)
            case .duty(let change): change.row
            case .dutyMute(let id, _): (.dutyMute, id.description)
            }
        }
    }

    var id: String
    /// The word by which the device said what it is about.
    var entity: String
    var changedAt: WallTime
    /// The same by the device's clock, which may be ahead.
    var saidAt: WallTime?
    var wanted: Wanted
}

/// An envelope of changes as a device sends it.
struct SyncEnvelope: Decodable {
    static let mostChanges = 500
    static let idLimit = 64

    struct Change: Decodable {
        var id: String
        var entity: String
        var changedAt: String
        var projectId: WholeNumber?
        var itemType: String?
        var itemIid: WholeNumber?
        var choice: String?
        var mutedUntil: String?
        var gitlabUserId: WholeNumber?
        var denied: Bool?
        var displayName: String?
        var reason: String?
        var notificationId: String?
        var read: Bool?
        var settings: RESTAPI.SettingsRequest?
        var dutyId: String?
        var duty: DutyInput?
        var members: [DutyInput.Member]?
        var deleted: Bool?
        var memberId: String?
        var name: String?
        var completionId: String?
        var reassignmentId: String?
        var occurrenceId: String?
        var kind: String?
        var by: String?
        var to: String?
        var note: String?
    }

    var baseRevision: WholeNumber
    var clientChangeId: String
    var changes: [Change]

    /// The envelope itself; what is wrong with a single change is said in its own answer.
    ///
    /// - Throws: `APIError.invalidField`.
    func check() throws(APIError) {
        guard baseRevision.value >= 0 else { throw .invalidField("baseRevision", expected: "0 or more") }
        guard Self.isID(clientChangeId) else { throw .invalidField("clientChangeId", expected: Self.expectedID) }
        guard changes.count <= Self.mostChanges else {
            throw .invalidField("changes", expected: "at most \(Self.mostChanges) changes")
        }
        guard changes.allSatisfy({ Self.isID($0.id) }) else { throw .invalidField("id", expected: Self.expectedID) }
        guard Set(changes.map(\.id)).count == changes.count else {
            throw .invalidField("id", expected: "another one for each change")
        }
    }

    private static let expectedID = "from 1 to \(idLimit) letters, digits and hyphens"

    private static func isID(_ text: String) -> Bool {
        (1...idLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: false
                }
            }
    }
}

extension SyncEnvelope.Change {
    /// What is meant.
    ///
    /// - Throws: `APIError.invalidField`, or `changeTooOld`.
    func read(at now: WallTime, _ context: APIContext) throws(APIError) -> SyncChange {
        let saidAt = try ChangeTime.said(self.changedAt)
        let changedAt = try ChangeTime.read(self.changedAt, at: now)
        let retention = context.configuration.syncRetention
        guard changedAt >= now.advanced(by: .zero - retention) else {
            throw .changeTooOld(days: Int(retention.components.seconds / 86_400))
        }
        if let change = try dutyChange(at: now, context) {
            return SyncChange(id: id, entity: entity, changedAt: changedAt, saidAt: saidAt, wanted: .duty(change))
        }
        let wanted = try wanted(at: now, context)
        return SyncChange(id: id, entity: entity, changedAt: changedAt, saidAt: saidAt, wanted: wanted)
    }

    private func wanted(at now: WallTime, _ context: APIContext) throws(APIError) -> SyncChange.Wanted {
        switch entity {
        case "choice":
            guard let choice = choice.flatMap(ItemChoice.Choice.init(rawValue:)) else {
                throw .invalidField("choice", expected: "\"watched\", \"unwatched\" or \"dismissed\"")
            }
            return .choice(try item(), choice)
        case "mute": return .mute(try item(), until: try muteEnd(at: now))
        case "dutyMute":
            return .dutyMute(try DutyInput.known(dutyId, "dutyId"), until: try muteEnd(at: now))
        case "deniedActor":
            guard let number = gitlabUserId?.value, number > 0 else {
                throw .invalidField("gitlabUserId", expected: "a positive number")
            }
            guard let denied else { throw .invalidField("denied", expected: "true or false") }
            for (name, text) in [("displayName", displayName), ("reason", reason)] {
                guard (text?.unicodeScalars.count ?? 0) <= RESTAPI.textLimit else {
                    throw .invalidField(name, expected: "at most \(RESTAPI.textLimit) characters long")
                }
            }
            return .actor(
                DeniedActor(gitlabUserID: number, displayName: displayName, reason: reason),
                isDenied: denied
            )
        case "settings":
            guard let settings else { throw .invalidField("settings", expected: "present") }
            return .settings(try settings.patch(context.zones))
        case "readMark":
            guard let notificationId, notificationId.unicodeScalars.count <= SyncEnvelope.idLimit else {
                throw .invalidField("notificationId", expected: "the id of a notification")
            }
            guard let read else { throw .invalidField("read", expected: "true or false") }
            return .readMark(notificationId.lowercased(), isRead: read)
        default:
            throw .invalidField(
                "entity",
                expected:
                    "\"choice\", \"mute\", \"deniedActor\", \"settings\", \"readMark\", \"duty\", \"dutyMember\", \"dutyMute\","
                    + " \"completion\" or \"reassignment\""
            )
        }
    }

    private func item() throws(APIError) -> ItemReference {
        guard let kind = itemType.flatMap(ItemKind.init(rawValue:)) else {
            throw .invalidField("itemType", expected: "\"issue\" or \"merge_request\"")
        }
        guard let iid = itemIid?.value, iid > 0 else { throw .invalidField("itemIid", expected: "a positive number") }
        guard let project = projectId?.value, project > 0 else {
            throw .invalidField("projectId", expected: "a positive number")
        }
        return ItemReference(project: ProjectID(rawValue: project), kind: kind, iid: iid)
    }

    /// An end that has passed meanwhile is as good as any: it still undoes what was chosen before.
    private func muteEnd(at now: WallTime) throws(APIError) -> WallTime? {
        guard let mutedUntil else { return nil }
        guard let end = ISO8601.wallTime(mutedUntil), end <= now.advanced(by: .hours(24 * 365)) else {
            throw .invalidField("mutedUntil", expected: "an instant within the next year, or absent")
        }
        return end
    }
}
