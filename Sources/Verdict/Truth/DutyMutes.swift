import Scenarios

/// Who had muted which duty, over time, from what people chose alone. A mute goes when its person leaves.
struct DutyMutes {
    private struct Key: Hashable {
        var person: Username
        var duty: String
    }

    private let histories: [Key: SwitchHistory]

    init(_ record: RunRecord) {
        var changes: [Key: [SwitchHistory.Change]] = [:]
        for entry in record.preferences {
            let (duty, end): (String, Duration?)
            switch entry.choice {
            case .dutyMuted(let name, let until): (duty, end) = (name, until)
            case .dutyUnmuted(let name): (duty, end) = (name, nil)
            default: continue
            }
            changes[Key(person: entry.person, duty: duty), default: []].append(
                SwitchHistory.Change(
                    isOn: end != nil,
                    requestedAt: entry.requestedAt,
                    answeredAt: entry.answeredAt,
                    until: end
                )
            )
        }
        for deed in record.dutyDeeds where [.left, .stopped].contains(deed.what) && !deed.isRefused {
            guard let sentAt = deed.sentAt else { continue }
            let ends = changes.keys.filter { key in
                key.duty == deed.duty && (deed.what == .stopped || key.person == deed.person)
            }
            for key in ends {
                changes[key]?.append(
                    SwitchHistory.Change(
                        isOn: false,
                        requestedAt: sentAt,
                        answeredAt: deed.answeredAt ?? .seconds(Int64.max / 2)
                    )
                )
            }
        }
        // What is chosen on a device without a network holds from when the notifier hears of it.
        histories = changes.mapValues { changes in
            SwitchHistory(changes.sorted { ($0.answeredAt, $0.requestedAt) < ($1.answeredAt, $1.requestedAt) })
        }
    }

    /// Whether the person had muted the duty: certainly when that held all the time from `start` to `end`.
    func standing(
        of duty: String,
        for person: Username,
        from start: Duration,
        until end: Duration
    ) -> SwitchHistory.Standing {
        histories[Key(person: person, duty: duty)]?.standing(from: start, until: end, last: end) ?? .off
    }
}
