import JSON
import Platform
import Scenarios

/// Which kinds of activity people who watch an item are notified of, over time: what the scenario lets the notifier be told, and what people chose
/// in the app. Nothing is read from the notifier.
struct WantedKinds {
    private struct Key: Hashable {
        var person: Username
        var setting: String
    }

    /// What the notifier's documentation promises to who has chosen nothing.
    private var standard: Set<String> = ["comments", "approvals", "pushes", "states"]
    /// When who has chosen did not want a kind.
    private var unwanted: [Key: SwitchHistory] = [:]
    /// The choices by which a kind came to be wanted, or may have.
    private var beginnings: [Key: [PreferenceRecord]] = [:]

    /// What people choose is dated by `clock`.
    init(_ record: RunRecord, clock: NotifierClock) {
        if case .string(let text)? = record.resolved.scenario.notifier["activities"] {
            standard = Set(text.split(separator: " ").map(String.init))
        }
        var changes: [Key: [SwitchHistory.Change]] = [:]
        for entry in record.orderedPreferences {
            guard case .kinds(let kinds) = entry.choice else { continue }
            for kind in NotifiedKind.allCases {
                let key = Key(person: entry.person, setting: kind.rawValue)
                let isOff = !kinds.contains(kind)
                // What was asked for without an answer has one by this at the latest.
                beginnings[key] = beginnings[key]?.map { Self.settled($0, by: entry) }
                var own = changes[key] ?? []
                if own.isEmpty {
                    let isOffBefore = !standard.contains(kind.rawValue)
                    own.append(SwitchHistory.Change(isOn: isOffBefore, requestedAt: .zero, answeredAt: .zero))
                }
                // What was so for certain stays so while it is chosen again.
                let isChange = own.last.map { $0.isOn != isOff || $0.answeredAt > entry.requestedAt } ?? true
                if isChange {
                    own.append(
                        SwitchHistory.Change(
                            isOn: isOff,
                            requestedAt: entry.requestedAt,
                            answeredAt: entry.answeredAt
                        )
                    )
                    if !isOff { beginnings[key, default: []].append(entry) }
                }
                changes[key] = own
            }
        }
        unwanted = changes.mapValues { SwitchHistory($0.doubted(by: clock)) }
    }

    private static func settled(_ entry: PreferenceRecord, by later: PreferenceRecord) -> PreferenceRecord {
        var settled = entry
        settled.answeredAt = min(entry.answeredAt, later.answeredAt)
        return settled
    }

    /// Whether who watches its item was to be notified of `activity`, which may have been found from `start` to `end`. A pipeline is notified when it
    /// has come to an end that people wait for.
    ///
    /// The moment at which it is found counts (docs/notification-rules.md). But lists that nobody reads while their kind is off begin anew when it is
    /// switched on or off, and what they show then is never notified.
    func standing(
        of activity: ActivityRecord,
        for person: Username,
        from start: Duration,
        until end: Duration
    ) -> SwitchHistory.Standing {
        guard let setting = activity.kind.setting, activity.kind != .pipelineFinished || activity.isPipelineEnd else {
            return .off
        }
        guard let history = unwanted[Key(person: person, setting: setting)] else {
            return standard.contains(setting) ? .on : .off
        }
        if history.standing(from: start, until: end, last: end) == .on { return .off }
        var from = start
        if activity.isToldByLateLists {
            from = min(activity.at, start)
            if history.standing(from: from, until: from, last: from) == .on { return .off }
        }
        return history.standing(from: from, until: end, last: end) == .off ? .on : .unclear
    }

    /// Whether the person has chosen about such activity at any time; else no instant matters.
    func isChosen(_ activity: ActivityRecord, by person: Username) -> Bool {
        guard !unwanted.isEmpty, let setting = activity.kind.setting else { return false }
        return unwanted[Key(person: person, setting: setting)] != nil
    }

    /// When the person asked to be told of such activity, and was answered, each time.
    func beginnings(
        of activity: ActivityRecord,
        for person: Username
    ) -> [(requestedAt: Duration, answeredAt: Duration)] {
        let entries = activity.kind.setting.flatMap { beginnings[Key(person: person, setting: $0)] } ?? []
        return entries.map { ($0.requestedAt, $0.answeredAt) }
    }
}

extension ActivityRecord {
    /// Whether a pipeline succeeded or failed (GitLab facts §11.3).
    var isPipelineEnd: Bool { pipelineStatus == "success" || pipelineStatus == "failed" }

    /// Whether only a list tells of it that the notifier reads first after a watch has begun, or of which a watch's beginning takes all that it
    /// shows.
    var isToldByLateLists: Bool {
        [.labelled, .milestoneSet, .pipelineFinished].contains(kind) || isOnlyListed
    }
}
