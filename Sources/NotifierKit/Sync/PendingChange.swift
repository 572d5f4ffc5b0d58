import Duties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What an item or a duty is called, as long as the server has not said so.
public struct ItemLabel: Sendable, Equatable, Codable {
    /// Its title.
    public var title: String
    /// Such as `team/backend`.
    public var projectPath: String?

    /// A value of these members.
    public init(title: String, projectPath: String? = nil) {
        (self.title, self.projectPath) = (title, projectPath)
    }
}

/// What the person chose on this device and the server has not answered.
public struct PendingChange: Sendable, Equatable, Codable {
    /// Counts the changes of this device.
    public var number: Int
    /// What is wanted.
    public var wanted: SyncChange.Wanted
    /// By this device's clock, and no earlier than what was chosen before it about the same thing.
    public var changedAt: Date
    /// What to call the item or the duty meanwhile; nil where that is not known.
    public var label: ItemLabel?
    /// The envelope that it goes in; nil before it was put into one. It stays there: the server may have the envelope already.
    public internal(set) var envelope: String?
    /// How often the server has answered that it cannot do it now.
    public internal(set) var delays = 0

    /// The id that the server knows it by. It rises, so that the later of two choices wins that a clock tells apart no more.
    public var id: String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }

    /// As it goes into an envelope.
    var change: SyncChange { SyncChange(id: id, changedAt: changedAt, wanted: wanted) }
}

/// A choice that was taken back because the server would not have it.
public struct SyncReversal: Error, Sendable, Equatable, Codable {
    /// What was chosen.
    public var change: PendingChange
    /// Why, in the words of the error catalogue.
    public var reason: NotifierError
}

extension SyncChange.Wanted {
    /// The item that it is about; nil for what is no item.
    public var item: ItemReference? {
        switch self {
        case .watch(let item), .unwatch(let item), .dismiss(let item), .mute(let item, _): item
        case .deny, .settings, .read, .duty: nil
        }
    }

    /// The occurrence of a duty that it ends or gives away; nil for anything else.
    var occurrence: EntityID? {
        switch self {
        case .duty(.end(_, let occurrence, _, _, _)), .duty(.give(_, let occurrence, _)): occurrence
        default: nil
        }
    }

    /// Whether one has to look at both to know what holds.
    func meets(_ other: SyncChange.Wanted) -> Bool {
        switch (self, other) {
        case (.deny(let one, _, _, _), .deny(let two, _, _, _)): one == two
        case (.read(let one, _), .read(let two, _)): one == two
        case (.settings, .settings): true
        case (.duty(let one), .duty(let two)): one.subject != nil && one.subject == two.subject
        default: item.map { $0 == other.item } ?? false
        }
    }

    /// What is left of it once `later` was chosen on the same device; nil when nothing is. Who ends a watch cares for nothing that was
    /// chosen before. An end stays before a watch that begins again, since the mute ends with it.
    func remainder(after later: SyncChange.Wanted) -> SyncChange.Wanted? {
        guard meets(later) else { return self }
        switch (self, later) {
        case (_, .unwatch), (_, .dismiss), (.watch, .watch), (.mute, .mute), (.deny, _), (.read, _): return nil
        case (.duty(.mute), .duty(.mute)): return nil
        // Each is an event, or changes something else of a duty.
        case (.duty, _): return self
        case (.settings(let earlier), .settings(let later)):
            let rest = earlier.without(later)
            return rest == SettingsChange() ? nil : .settings(rest)
        default: return self
        }
    }
}

extension SettingsChange {
    /// The settings that `other` does not name.
    func without(_ other: SettingsChange) -> SettingsChange {
        var rest = self
        if other.timeZone != nil { rest.timeZone = nil }
        if other.quietHours != nil { rest.quietHours = nil }
        if other.urgentBypass != nil { rest.urgentBypass = nil }
        if other.autoWatch != nil { rest.autoWatch = nil }
        if other.mirrorSubscriptions != nil { rest.mirrorSubscriptions = nil }
        if other.reminders != nil { rest.reminders = nil }
        if other.dueReminders != nil { rest.dueReminders = nil }
        if other.dueLeadHours != nil { rest.dueLeadHours = nil }
        if other.kinds != nil { rest.kinds = nil }
        return rest
    }
}

extension PersonSettings {
    /// What they are once `change` holds.
    func changed(by change: SettingsChange) -> PersonSettings {
        var settings = self
        if let zone = change.timeZone { settings.timeZone = zone }
        if let windows = change.quietHours { settings.quietHours = windows }
        if let isOn = change.urgentBypass { settings.urgentBypass = isOn }
        if let isOn = change.autoWatch { settings.autoWatch = isOn }
        if let isOn = change.mirrorSubscriptions { settings.mirrorSubscriptions = isOn }
        if let isOn = change.reminders { settings.reminders = isOn }
        if let isOn = change.dueReminders { settings.dueReminders = isOn }
        if let hours = change.dueLeadHours { settings.dueLeadHours = hours }
        if let kinds = change.kinds { settings.kinds = kinds }
        return settings
    }
}
