import NotifierKit
import Platform
import Scenarios
import Simulation
import Verdict

/// A choice about the deny-list, the settings or the mute of a duty that the kit has not had answered yet.
struct WaitingPreference {
    var choice: PreferenceRecord.Choice
    /// As the kit has it.
    var wanted: NotifierKit::SyncChange.Wanted
    var chosenAt: Duration
    /// By the clock of the device.
    var datedAt: Duration
    /// The kit's; nil before it has kept the choice.
    var number: Int?

    /// Whether what the server says holds is what was chosen.
    func isHeld(in held: SyncReceipt.Held) -> Bool {
        switch (wanted, held) {
        case (.deny(let one, let isDenied, _, _), .deniedActor(let other, let isHeld)):
            one == other.gitlabUserId && isDenied == isHeld
        case (.duty(.mute(let duty, let end)), .dutyMute(let held)): duty == held.dutyId && end == held.mutedUntil
        case (.settings(let change), .settings(let settings)): change.holds(in: settings)
        default: false
        }
    }
}

/// What is chosen in an open app about anything but the watch list.
extension WatchChoices {
    /// The person chooses something now, by a clock that is so far ahead.
    func chosen(_ choice: PreferenceRecord.Choice, _ wanted: NotifierKit::SyncChange.Wanted, ahead offset: Duration) {
        let now = recorder.now
        preferences.append(WaitingPreference(choice: choice, wanted: wanted, chosenAt: now, datedAt: now + offset))
    }

    /// The kit has kept it.
    func notePreference(_ change: PendingChange, _ after: SyncState) {
        let index = preferences.firstIndex { $0.number == nil && $0.wanted == change.wanted }
        if let index {
            preferences[index].number = change.number
            let (shown, chosenAt) = (preferences[index].datedAt, preferences[index].chosenAt)
            let dated = date(of: change, shown: shown, chosenAt: chosenAt, after)
            if shown + .milliseconds(5) < dated { preferences[index].datedAt = dated }
            return
        }
        guard let index = doubtfulPreferences.lastIndex(where: { $0.wanted == change.wanted }) else { return }
        var preference = doubtfulPreferences.remove(at: index)
        preference.number = change.number
        preferences.append(preference)
    }

    /// It could not be kept, as far as the person was told.
    func notKept(_ wanted: NotifierKit::SyncChange.Wanted) {
        guard let index = preferences.lastIndex(where: { $0.number == nil && $0.wanted == wanted }) else { return }
        recorder.reach(.choiceNotKept)
        doubtfulPreferences.append(preferences.remove(at: index))
    }

    /// The process has ended before it said that they are taken.
    func cutOffPreferences() {
        doubtfulPreferences += preferences.filter { $0.number == nil }
        preferences.removeAll { $0.number == nil }
    }

    /// It waits no more.
    func settlePreference(_ change: PendingChange, _ answer: SyncReceipts.Answer?, _ after: SyncState) {
        guard let index = preferences.firstIndex(where: { $0.number == change.number }) else { return }
        let waiting = preferences.remove(at: index)
        switch answer {
        case nil:
            let isReplaced = after.pending.contains { $0.number > change.number && $0.wanted.item == nil }
            if !isReplaced { forgotten("about \(waiting.choice)") }
            // The server may have heard of it all the same.
            if isReplaced, change.isAboutSettings { leaveOpen(waiting) }
        case .refused: break
        case .holds(let held), .lost(let held):
            noteDelay(since: waiting.chosenAt)
            if case .settings(let settings) = held {
                recorder.told(settings, to: person, on: device, askedAt: waiting.chosenAt)
            }
            let isHeld = waiting.isHeld(in: held)
            // Of several settings some may hold.
            guard isHeld || change.isAboutSettings else { return }
            write(waiting, answeredAt: isHeld ? recorder.now : .never)
        }
    }

    /// It has not been answered, and will not be: if it had left the device, nobody knows whether the server has heard of it.
    func leaveOpen(_ waiting: WaitingPreference) {
        if let number = waiting.number, isSent(number) { write(waiting, answeredAt: .never) }
    }

    private func write(_ waiting: WaitingPreference, answeredAt: Duration) {
        recorder.record.preferences.append(
            PreferenceRecord(
                person: person,
                choice: waiting.choice,
                requestedAt: waiting.chosenAt,
                answeredAt: answeredAt,
                datedAt: waiting.datedAt
            )
        )
    }
}

extension PendingChange {
    fileprivate var isAboutSettings: Bool { if case .settings = wanted { true } else { false } }
}

extension Recorder {
    /// Somebody's app was told which settings hold. While another request changes them nobody knows which of the two came first.
    func told(
        _ settings: NotifierKit::PersonSettings,
        to person: Username,
        on device: DeviceName,
        askedAt: Duration,
        holdsChoice: Bool = true
    ) {
        guard record.settings.count < RunLimits.screens, !savesUnderWay.contains(person) else { return }
        record.settings.append(
            SettingsRecord(
                person: person,
                device: device,
                askedAt: askedAt,
                answeredAt: now,
                values: [
                    .timeZone: settings.timeZone, .quietHours: settings.quietHours.text,
                    .urgentBypass: String(settings.urgentBypass), .autoWatch: String(settings.autoWatch),
                    .reminders: String(settings.reminders), .dueReminders: String(settings.dueReminders),
                    .dueLead: String(settings.dueLeadHours), .kinds: SettingsRecord.text(kinds: settings.kinds),
                ],
                holdsChoice: holdsChoice
            )
        )
    }
}

extension SettingsChange {
    /// Whether the settings that it names are as it says.
    func holds(in settings: NotifierKit::PersonSettings) -> Bool {
        (timeZone ?? settings.timeZone) == settings.timeZone && (autoWatch ?? settings.autoWatch) == settings.autoWatch
            && (urgentBypass ?? settings.urgentBypass) == settings.urgentBypass
            && (reminders ?? settings.reminders) == settings.reminders
            && (dueReminders ?? settings.dueReminders) == settings.dueReminders
            && (dueLeadHours ?? settings.dueLeadHours) == settings.dueLeadHours
            && (quietHours ?? settings.quietHours).text == settings.quietHours.text
            && Set(kinds ?? settings.kinds) == Set(settings.kinds)
    }
}

extension [QuietWindow] {
    /// In the form in which they are compared.
    fileprivate var text: String {
        SettingsRecord.text(windows: map { (days: $0.days, from: $0.from, until: $0.until) })
    }
}
