import Configuration
import Duties
import JSON
import Platform

/// What holds, as answers show it.
extension SyncApplier {
    /// What holds of the thing that a change is about.
    func value(of wanted: SyncChange.Wanted, in store: Store) throws -> JSONValue {
        switch wanted {
        case .choice(let item, _):
            let choice = try store.choice(on: item, of: account)
            return SyncValues.choice(item, choice)
        case .mute(let item, _):
            let mute = try store.mute(on: item, of: account)
            return SyncValues.mute(item, mute?.end, mute?.stamp)
        case .actor(let actor, _):
            return SyncValues.actor(
                try store.deniedActor(actor.gitlabUserID, of: account) ?? DeniedActor(gitlabUserID: actor.gitlabUserID),
                isDenied: try store.isDenied(actor.gitlabUserID, of: account)
            )
        case .settings: return SyncValues.settings(try store.settings(of: account), context)
        case .readMark(let id, _): return SyncValues.readMark(id, isRead: try store.isRead(id, of: account))
        case .duty(let change): return try value(of: change, in: store)
        case .dutyMute(let id, _):
            let mute = try dutyMute(id, in: store)
            return SyncValues.dutyMute(id.description, mute?.end, mute?.stamp)
        }
    }

    /// The last choice about a duty; nil before there is one, and of a duty that is none of the account's.
    func dutyMute(_ id: EntityID, in store: Store) throws -> (end: WallTime?, stamp: ChangeStamp)? {
        guard let duty = try store.duty(id, of: account) else { return nil }
        return try store.dutyMute(duty, of: account)
    }

    /// What a change wanted, in the same shape; of settings the names.
    func value(wanted change: SyncChange) -> JSONValue {
        switch change.wanted {
        case .choice(let item, let choice): SyncValues.choice(item, ItemChoice(choice: choice, stamp(change)))
        case .mute(let item, let end): SyncValues.mute(item, end, stamp(change))
        case .actor(let actor, let isDenied): SyncValues.actor(actor, isDenied: isDenied)
        case .settings(let patch): ["settings": .strings(patch.names)]
        case .readMark(let id, let isRead): SyncValues.readMark(id, isRead: isRead)
        case .duty(let wanted): value(wanted: wanted)
        case .dutyMute(let id, let end): SyncValues.dutyMute(id.description, end, stamp(change))
        }
    }
}

/// The shapes of what devices keep alike.
enum SyncValues {
    /// What names an item.
    static func item(_ item: ItemReference) -> [JSONMember] {
        [
            JSONMember("projectId", .integer(item.project.rawValue)),
            JSONMember("itemType", .string(item.kind.rawValue)), JSONMember("itemIid", .integer(item.iid)),
        ]
    }

    /// The last choice about an item; "unwatched" where there is none.
    static func choice(_ item: ItemReference, _ choice: ItemChoice?) -> JSONValue {
        var members = Self.item(item)
        members.append(JSONMember("choice", .string((choice?.choice ?? .unwatched).rawValue)))
        if let choice { members.append(JSONMember("changedAt", .string(ISO8601.text(choice.changedAt)))) }
        return .object(members)
    }

    static func mute(_ item: ItemReference, _ end: WallTime?, _ stamp: ChangeStamp?) -> JSONValue {
        var members = Self.item(item)
        if let end { members.append(JSONMember("mutedUntil", .string(ISO8601.text(end)))) }
        if let stamp { members.append(JSONMember("changedAt", .string(ISO8601.text(stamp.at)))) }
        return .object(members)
    }

    static func dutyMute(_ duty: String, _ end: WallTime?, _ stamp: ChangeStamp?) -> JSONValue {
        var members = [JSONMember("dutyId", .string(duty))]
        if let end { members.append(JSONMember("mutedUntil", .string(ISO8601.text(end)))) }
        if let stamp { members.append(JSONMember("changedAt", .string(ISO8601.text(stamp.at)))) }
        return .object(members)
    }

    static func actor(_ actor: DeniedActor, isDenied: Bool? = nil) -> JSONValue {
        var members = [JSONMember("gitlabUserId", .integer(actor.gitlabUserID))]
        if let isDenied { members.append(JSONMember("denied", .bool(isDenied))) }
        if let name = actor.displayName { members.append(JSONMember("displayName", .string(name))) }
        if let reason = actor.reason { members.append(JSONMember("reason", .string(reason))) }
        return .object(members)
    }

    static func readMark(_ id: String, isRead: Bool) -> JSONValue {
        ["notificationId": .string(id), "read": .bool(isRead)]
    }

    /// An entry of the watch list, as `GET /watch` shows it.
    static func watch(_ watch: Watch, at now: WallTime) -> JSONValue {
        var members = [JSONMember("watchedItemId", .string(watch.publicID))]
        members += item(watch.item)
        members.append(JSONMember("title", .string(watch.description.title)))
        let texts: [(String, String?)] = [
            ("projectPath", watch.description.projectPath), ("webUrl", watch.description.webURL),
            ("missingSince", watch.missingSince.map(ISO8601.text)), ("createdAt", ISO8601.text(watch.createdAt)),
            ("mutedUntil", watch.mutedUntil.flatMap { now < $0 ? ISO8601.text($0) : nil }),
            ("watchSource", watch.origin.rawValue),
        ]
        for (name, text) in texts {
            if let text { members.append(JSONMember(name, .string(text))) }
        }
        return .object(members)
    }

    /// The settings, without what only the present instant makes of them.
    static func settings(_ settings: PersonSettings, _ context: APIContext) -> JSONValue {
        let entry = RESTAPI.SettingsEntry(settings, context)
        let quietHours = entry.quietHours.map { text -> JSONValue in
            [
                "days": .strings(text.days ?? QuietHoursText.dayNames), "from": .string(text.from),
                "until": .string(text.until),
            ]
        }
        return [
            "timeZone": .string(entry.timeZone), "quietHours": .array(quietHours),
            "urgentBypass": .bool(entry.urgentBypass), "autoWatch": .bool(entry.autoWatch),
            "mirrorSubscriptions": .bool(entry.mirrorSubscriptions), "reminders": .bool(entry.reminders),
            "dueReminders": .bool(entry.dueReminders), "dueLeadHours": .integer(Int64(entry.dueLeadHours)),
            "kinds": .strings(entry.kinds),
        ]
    }
}
