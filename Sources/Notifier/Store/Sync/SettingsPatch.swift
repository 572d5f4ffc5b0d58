import Platform
import SQLite

/// Settings that are to be changed; those that are nil stay as they were.
struct SettingsPatch: Equatable, Sendable {
    var timeZone: String?
    var quietWindows: [QuietHours.Window]?
    var isUrgentBypassOn: Bool?
    var isAutoWatchOn: Bool?
    var isMirroringOn: Bool?
    var areRemindersOn: Bool?
    var areDueRemindersOn: Bool?
    var dueLeadHours: Int?
    var activityKinds: [String]?

    /// One setting: what the API calls it, and how it gets its new value.
    private struct Field {
        var name: String
        var isNamed: Bool
        var apply: (inout PersonSettings) -> Void
    }

    /// In the order of the names.
    private var fields: [Field] {
        [
            field("autoWatch", isAutoWatchOn) { $0.isAutoWatchOn = $1 },
            field("dueLeadHours", dueLeadHours) { $0.dueLeadHours = $1 },
            field("dueReminders", areDueRemindersOn) { $0.areDueRemindersOn = $1 },
            field("kinds", activityKinds) { $0.activityKinds = $1 },
            field("mirrorSubscriptions", isMirroringOn) { $0.isMirroringOn = $1 },
            field("quietHours", quietWindows) { $0.quietWindows = $1 },
            field("reminders", areRemindersOn) { $0.areRemindersOn = $1 },
            field("timeZone", timeZone) { $0.timeZone = $1 },
            field("urgentBypass", isUrgentBypassOn) { $0.isUrgentBypassOn = $1 },
        ]
    }

    private func field<Value>(
        _ name: String,
        _ value: Value?,
        _ set: @escaping (inout PersonSettings, Value) -> Void
    ) -> Field {
        Field(name: name, isNamed: value != nil) { settings in
            if let value { set(&settings, value) }
        }
    }

    /// What the API calls the settings that are to be changed, in the order of the alphabet.
    var names: [String] { fields.filter(\.isNamed).map(\.name) }

    /// The settings after the change, of which only `names` take part.
    func applied(to settings: PersonSettings, only names: [String]) -> PersonSettings {
        var changed = settings
        for field in fields where names.contains(field.name) { field.apply(&changed) }
        return changed
    }
}

extension Store {
    /// Changes an account's settings, each by itself: the last choice about it wins. Returns the names of those of which a later choice
    /// stands.
    func change(
        _ patch: SettingsPatch,
        of account: AccountID,
        _ stamp: ChangeStamp,
        at now: WallTime
    ) throws -> [String] {
        var taken: [String] = []
        for name in patch.names where try take(stamp, .setting, name, of: account) { taken.append(name) }
        if !taken.isEmpty {
            try setSettings(patch.applied(to: try settings(of: account), only: taken), of: account, at: now)
        }
        return patch.names.filter { !taken.contains($0) }
    }
}
