import FoundationEssentials
import NotifierKit
import Platform
import Scenarios

/// What the app says about what its person wants to be told.
extension AppClient {
    /// Puts somebody on the deny-list; true when the server did.
    func denyActor(_ user: Username) async -> Bool {
        let actor = DeniedActor(gitlabUserId: number(of: user), displayName: user.text)
        return await patiently { try await $0.deny(actor) } != nil
    }

    /// Takes somebody off the deny-list; true when the server did.
    func allowActor(_ user: Username) async -> Bool {
        let number = number(of: user)
        return await goneAfter { try await $0.allowActor(number) }
    }

    /// Switches watching by tags on or off.
    static func autoWatch(_ isOn: Bool) -> SettingsChange {
        var change = SettingsChange()
        change.autoWatch = isOn
        return change
    }

    /// Switches reminders of every kind on or off.
    static func reminders(_ isOn: Bool) -> SettingsChange {
        var change = SettingsChange()
        change.reminders = isOn
        change.dueReminders = isOn
        return change
    }

    /// Switches reminders of due dates on or off, and those of turns ahead of time.
    static func dueReminders(_ isOn: Bool) -> SettingsChange {
        var change = SettingsChange()
        change.dueReminders = isOn
        return change
    }

    /// Sets how many hours before a day reminders of what is due then come.
    static func dueLead(_ hours: Int) -> SettingsChange {
        var change = SettingsChange()
        change.dueLeadHours = hours
        return change
    }

    /// Replaces the kinds of activity that are told.
    static func kinds(_ kinds: [NotifiedKind]) -> SettingsChange {
        var change = SettingsChange()
        change.kinds = kinds.map(\.rawValue)
        return change
    }

    /// Replaces the quiet hours.
    static func quietHours(_ hours: QuietHours?) -> SettingsChange {
        var change = SettingsChange()
        change.quietHours = []
        if let hours {
            change.timeZone = hours.zone.rawValue
            change.urgentBypass = hours.letsUrgentThrough
            change.quietHours = [
                QuietWindow(
                    days: hours.weekdays.map { CalendarNotation.weekdayNames[$0 - 1] },
                    from: CalendarNotation.timeText(hours.from),
                    until: CalendarNotation.timeText(hours.until)
                )
            ]
        }
        return change
    }

    /// Changes settings; returns what holds then, nil when the server did not.
    func save(_ change: SettingsChange) async -> NotifierKit::PersonSettings? {
        await patiently { try await $0.changeSettings(change) }
    }

    /// The newest notification about an item; nil when the history's first page has none.
    func notification(about item: ItemReference) async -> String? {
        let item = reference(item)
        return await patiently { kit in
            try await kit.history(HistoryQuery(limit: 100)).notifications.first { $0.item == item }?.id
        } ?? nil
    }

    /// Taps Watch under a notification; returns the id of the entry.
    func watch(notification id: String) async -> String? {
        await patiently { try await $0.watch(notification: id).watchedItemId } ?? nil
    }

    /// Taps Dismiss under a notification; true when the server took it.
    func dismiss(notification id: String) async -> Bool {
        await patiently { _ = try await $0.dismiss(notification: id) } != nil
    }

    /// Takes a dismissal back; true when the server did.
    func undismiss(notification id: String) async -> Bool {
        await goneAfter { _ = try await $0.undismiss(notification: id) }
    }

    /// Taps Done or Later for everything that is asked of the person on an item; true when the server took it of something.
    func settleAsks(on item: ItemReference, _ action: SettleAction) async -> Bool {
        let item = reference(item)
        return await settleAsks(action) { $0.item == item }
    }

    /// Taps Done for everything that a program asks under that title; true when the server took it of something.
    func settleAsks(titled title: String) async -> Bool {
        await settleAsks(.done) { $0.itemTitle?.hasSuffix(title) == true }
    }

    private func settleAsks(_ action: SettleAction, where isMeant: (Ask) -> Bool) async -> Bool {
        guard let asks = await patiently({ try await $0.asks() }) else { return false }
        var isTaken = false
        for ask in asks where isMeant(ask) {
            if await patiently({ _ = try await $0.settle(ask.askId, action) }) != nil { isTaken = true }
        }
        return isTaken
    }

    /// Makes a token for a program; nil when the server made none.
    func letProgramIn(_ name: String) async -> OutsideProgram.LetIn? {
        await patiently { kit in
            let made = try await kit.makeSignalToken(named: name)
            return OutsideProgram.LetIn(tokenId: made.tokenId, token: made.token, subject: made.subject)
        }
    }

    /// Mutes a program; true when the server did.
    func muteProgram(_ id: String, until end: WallTime) async -> Bool {
        await patiently { try await $0.muteSignals(of: id, until: end.date) } != nil
    }

    /// Ends the mute of a program; true when the server did.
    func unmuteProgram(_ id: String) async -> Bool {
        await patiently { try await $0.unmuteSignals(of: id) } != nil
    }
}
