package import Scenarios

/// What the notifier told an app of its person's settings, when the person chose one or went through the screens.
package struct SettingsRecord: Sendable, Equatable {
    /// What may be chosen by itself.
    package enum Setting: String, Sendable, CaseIterable {
        case timeZone = "the time zone"
        case quietHours = "the quiet hours"
        case urgentBypass = "what gets through in quiet hours"
        case autoWatch = "whether tags make one watch"
        case reminders = "reminders"
        case dueReminders = "reminders of what is due"
        case dueLead = "the hours before what is due"
        case kinds = "the kinds of activity"
    }

    package var person: Username
    package var device: DeviceName
    /// Since the start.
    package var askedAt: Duration
    package var answeredAt: Duration
    /// In one form for what is chosen and what is told; what is absent was not told.
    package var values: [Setting: String]
    /// False when the person was told, in answer to a choice, that something else holds.
    package var holdsChoice: Bool

    package init(
        person: Username,
        device: DeviceName,
        askedAt: Duration,
        answeredAt: Duration,
        values: [Setting: String],
        holdsChoice: Bool = true
    ) {
        (self.person, self.device, self.askedAt, self.answeredAt) = (person, device, askedAt, answeredAt)
        (self.values, self.holdsChoice) = (values, holdsChoice)
    }

    /// Kinds of activity by their names, each once and in one order.
    package static func text(kinds: [String]) -> String { Set(kinds).sorted().joined(separator: " ") }

    /// A window of quiet hours as the API writes it; it begins every day where none is named.
    package typealias Window = (days: [String]?, from: String, until: String)

    /// Windows of quiet hours by the days on which they begin, each by itself and in one order.
    package static func text(windows: [Window]) -> String {
        let single = windows.flatMap { window in
            (window.days ?? CalendarNotation.weekdayNames).map { "\($0) \(window.from)-\(window.until)" }
        }
        return single.isEmpty ? noWindows : single.sorted().joined(separator: ", ")
    }

    static let noWindows = "none"
}

extension PreferenceRecord.Choice {
    /// The settings that it decides; none when it is about something else.
    var settings: [SettingsRecord.Setting: String] {
        switch self {
        case .quietHours(let hours?):
            [
                .timeZone: hours.zone.rawValue, .quietHours: SettingsRecord.text(windows: [hours.window]),
                .urgentBypass: String(hours.letsUrgentThrough),
            ]
        case .quietHours(.none): [.quietHours: SettingsRecord.noWindows]
        case .autoWatch(let isOn): [.autoWatch: String(isOn)]
        case .reminders(let isOn): [.reminders: String(isOn), .dueReminders: String(isOn)]
        case .dueReminders(let isOn): [.dueReminders: String(isOn)]
        case .dueLead(let hours): [.dueLead: String(hours)]
        case .kinds(let kinds): [.kinds: SettingsRecord.text(kinds: kinds.map(\.rawValue))]
        case .muted, .unmuted, .denied, .allowed, .unwatched, .dismissed, .undismissed, .read, .settled, .postponed,
            .signalSettled, .programMuted, .programUnmuted, .programRevoked, .dutyMuted, .dutyUnmuted:
            [:]
        }
    }
}

extension QuietHours {
    /// As the app writes them.
    fileprivate var window: SettingsRecord.Window {
        (
            days: weekdays.map { CalendarNotation.weekdayNames[$0 - 1] },
            from: CalendarNotation.timeText(from),
            until: CalendarNotation.timeText(until)
        )
    }
}
