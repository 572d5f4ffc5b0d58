import JSON
import Platform
import Scenarios

/// Whether people were told of their settings what they had chosen, and of what they had never chosen what the documentation promises. Whoever
/// changes one setting must not lose another by it.
struct SettingsChecks {
    typealias Setting = SettingsRecord.Setting

    private let record: RunRecord
    /// What holds for who has chosen nothing.
    private let standard: [Setting: String]

    init(_ record: RunRecord) {
        self.record = record
        let notifier = record.resolved.scenario.notifier
        var kinds = ["comments", "approvals", "pushes", "states"]
        if case .string(let text)? = notifier["activities"] { kinds = text.split(separator: " ").map(String.init) }
        var standard: [Setting: String] = [
            .timeZone: "UTC", .quietHours: SettingsRecord.noWindows, .urgentBypass: "true", .autoWatch: "false",
            .reminders: "true", .dueReminders: "true", .kinds: SettingsRecord.text(kinds: kinds),
        ]
        standard[.dueLead] = notifier.dueLeadTime.map { String($0.components.seconds / 3_600) }
        self.standard = standard
    }

    func violations() -> [ViolationRecord] {
        // Gone back to a backup, or by a clock that was set, other choices may stand.
        let isOrderly = !record.faults.contains {
            $0.kind.keepsFromStoring || [.clock, .database, .disk].contains($0.kind.place)
        }
        guard isOrderly, !record.settings.isEmpty else { return [] }
        let people = Dictionary(grouping: record.preferences.filter { !$0.choice.settings.isEmpty }, by: \.person)
        // Whoever leaves and comes back begins anew.
        let registrations = Dictionary(grouping: record.registrations, by: \.person)
        return record.settings.flatMap { told -> [ViolationRecord] in
            guard registrations[told.person]?.count == 1 else { return [] }
            return violations(of: told, after: people[told.person] ?? [])
        }
    }

    private func violations(of told: SettingsRecord, after all: [PreferenceRecord]) -> [ViolationRecord] {
        let choices = all.filter { $0.requestedAt <= told.answeredAt }
        var found: [String] = []
        if !told.holdsChoice, choices.count(where: { $0.answeredAt >= told.askedAt }) < 2 {
            found.append("was told that what was chosen does not hold")
        }
        for setting in Setting.allCases {
            guard let shown = told.values[setting], let expected = truth(of: setting, by: choices, at: told.askedAt),
                expected != shown
            else { continue }
            found.append("was told of \(setting.rawValue): \(shown); it is \(expected)")
        }
        return found.map { what in
            ViolationRecord(
                invariant: .screenMistold,
                at: told.askedAt,
                detail: "\(told.device) of \(told.person) \(what)."
            )
        }
    }

    /// What was chosen last, each time after the former choice had been answered and all before `instant`; nil where that is not certain.
    private func truth(of setting: Setting, by all: [PreferenceRecord], at instant: Duration) -> String? {
        let choices = all.filter { $0.choice.settings[setting] != nil }.sorted { $0.requestedAt < $1.requestedAt }
        var last: Duration?
        for choice in choices {
            let isAlone = last.map { $0 < choice.requestedAt } ?? true
            guard isAlone, choice.answeredAt < instant, choice.datedAt == choice.requestedAt else { return nil }
            last = choice.answeredAt
        }
        return choices.last?.choice.settings[setting] ?? standard[setting]
    }
}
