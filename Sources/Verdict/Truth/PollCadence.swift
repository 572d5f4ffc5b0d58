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
    /// Rows that come in later than this are found when the item is next read from end to end, so much later.
    private let overlap: Duration
    private let reconciliation: Duration

    init(overrides: NotifierOverrides) {
        small = overrides.duration("intervalSmall") ?? .seconds(60)
        medium = overrides.duration("intervalMedium") ?? .seconds(90)
        large = overrides.duration("intervalLarge") ?? .seconds(120)
        approvals = overrides.duration("approvalsEvery") ?? .minutes(15)
        overlap = overrides.duration("overlap") ?? .minutes(5)
        reconciliation = overrides.duration("reconcileEvery") ?? .hours(1)
    }

    func interval(watchedItems: Int) -> Duration {
        watchedItems > 50 ? large : watchedItems > 20 ? medium : small
    }

    /// What must be granted before an activity that became readable has to be told: two minutes and an interval.
    func grace(watchedItems: Int) -> Duration { .seconds(120) + interval(watchedItems: watchedItems) }

    /// What must be granted for an activity that GitLab shows only `lateness` after it took place.
    func grace(watchedItems: Int, lateness: Duration) -> Duration {
        let grace = grace(watchedItems: watchedItems)
        // GitLab tells the time of an answer by whole seconds.
        return lateness + .seconds(1) > overlap ? grace + reconciliation : grace
    }
}
