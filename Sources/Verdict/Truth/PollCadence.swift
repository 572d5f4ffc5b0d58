import Platform
import Scenarios

/// How often a notifier is allowed to poll for a person (docs/settings.md), read from the scenario, not from the notifier.
struct PollCadence {
    /// Intervals for 1–20, 21–50 and more watched items.
    private let small: Duration
    private let medium: Duration
    private let large: Duration

    /// Between two looks at the list of approvals, which tells of those that left no note.
    let approvals: Duration

    init(overrides: NotifierOverrides) {
        small = overrides.duration("intervalSmall") ?? .seconds(60)
        medium = overrides.duration("intervalMedium") ?? .seconds(90)
        large = overrides.duration("intervalLarge") ?? .seconds(120)
        approvals = overrides.duration("approvalsEvery") ?? .minutes(15)
    }

    func interval(watchedItems: Int) -> Duration {
        watchedItems > 50 ? large : watchedItems > 20 ? medium : small
    }

    /// What must be granted before an activity that became readable has to be told: two minutes and an interval.
    func grace(watchedItems: Int) -> Duration { .seconds(120) + interval(watchedItems: watchedItems) }
}
