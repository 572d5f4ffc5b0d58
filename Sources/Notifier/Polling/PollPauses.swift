import Configuration
import Platform

/// How long items are left alone, drawn anew each time so that not all falls due at once.
struct PollPauses: Sendable {
    var configuration: NotifierConfiguration
    var entropy: any EntropySource

    /// Until everything is looked at again: a little less than the time within which that is promised.
    func patrol() -> Duration {
        let interval = configuration.patrolInterval
        let spread = Duration.nanoseconds(interval.wholeNanoseconds / 10)
        return interval - Jitter.below(spread, draw: entropy.nextUInt64())
    }

    /// The same after a look of somebody else's, who has drawn a pause for it: only when nothing comes of that, another goes.
    var longestPatrol: Duration { configuration.patrolInterval }

    /// Until an item's lists are read from end to end again.
    func reconciliation() -> Duration {
        Jitter.around(
            configuration.reconcileEvery,
            percent: configuration.jitterPercent,
            draw: entropy.nextUInt64()
        )
    }
}
