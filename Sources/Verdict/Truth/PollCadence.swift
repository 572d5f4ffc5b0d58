import Platform
import Scenarios

/// How often a notifier is allowed to poll for a person (docs/settings.md), read from the scenario, not from the notifier.
struct PollCadence {
    /// Intervals for 1–20, 21–50 and more watched items.
    private var small = Duration.seconds(60)
    private var medium = Duration.seconds(90)
    private var large = Duration.seconds(120)

    /// Between two looks at the list of approvals, which tells of those that left no note.
    private(set) var approvals = Duration.minutes(15)

    init(overrides: NotifierOverrides) {
        for member in overrides.values {
            guard case .string(let text) = member.value, let duration = DurationNotation.parse(text) else { continue }
            switch NotifierKey(rawValue: member.key) {
            case .intervalSmall: small = duration
            case .intervalMedium: medium = duration
            case .intervalLarge: large = duration
            case .approvalsEvery: approvals = duration
            default: continue
            }
        }
    }

    func interval(watchedItems: Int) -> Duration {
        watchedItems > 50 ? large : watchedItems > 20 ? medium : small
    }

    /// What must be granted before an activity that became readable has to be told: two minutes and an interval.
    func grace(watchedItems: Int) -> Duration { .seconds(120) + interval(watchedItems: watchedItems) }
}
