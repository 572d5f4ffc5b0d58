import Scenarios

/// What one seed showed: everything a report pools, small enough to cross a process boundary as JSON.
package struct SeedResult: Codable, Sendable, Equatable {
    package var seed: UInt64
    package var digest: String
    /// The digest of what happened, whatever the program did to get there; empty when nothing was recorded.
    package var behaviour = ""
    /// Jobs run and events fired.
    var steps: Int64
    /// Length of the run in virtual time, draining included.
    var simulatedMilliseconds: Int64
    /// What the run took in real time; the caller measures it.
    package var wallNanoseconds: Int64 = 0

    /// Activities on the fake GitLab, and of their pairs with people those that were neither required nor wrong.
    var activities = 0
    var optional = 0
    /// Figures of each slice of the scenario's gates, in the order of `Slice.all(for:)`; the whole run is first.
    var slices: [SliceResult] = []
    /// From the activity to APNs' first acceptance, and to the first moment the person could know.
    var acceptedLatency = LatencySamples()
    package var knownLatency = LatencySamples()
    /// By kind of activity, in the order of `ActivityGroup.allCases`, those without a sample left out.
    var groups: [GroupLatency] = []
    var causes: [CauseCount] = []
    var firstMissMilliseconds: Int64?

    var probes: [ReachedProbe] = []
    var violations: [Violation] = []
    var violationsInAll = 0
    var faults: [FaultSpan] = []
    /// The crashes at a step that struck, by the ids of their entries.
    package var stepCrashes: [String] = []
    /// Kinds of fault that were in force, in the order of `FaultKind.allCases`.
    var faultKinds: [String] = []
    /// From the end of the last fault (the last activity when there was none) until nothing was left to deliver; nil
    /// when that never came.
    var drainedAfterMilliseconds: Int64?
    var traffic = Traffic()
    var unknownRoutes: [String] = []
    /// Ledger lines of what went wrong, bounded by `Ledger.abnormalLines`.
    var abnormal: [LedgerLine] = []
    var abnormalInAll = 0
    /// What was expected, one by one, to be paired with the same seed of another run.
    var deliveries = SeedDeliveries()
    /// Expected notifications that reached APNs only after their grace.
    var overdue: [OverdueNews] = []
    /// What was told, to be held against another run; nil where nobody asked.
    package var told: ToldFacts?

    /// Names of the probes that the run reached, and nothing of how often.
    package var reachedProbes: [String] { probes.map(\.probe) }
    /// How often the notifier's machine lost its power.
    package var powerLosses: Int { probes.first { $0.probe == Probe.powerLost.rawValue }?.count ?? 0 }

    /// The figures of the whole run.
    var whole: SliceResult { slices.first ?? SliceResult() }
}

/// The figures of one slice under one seed.
package struct SliceResult: Codable, Sendable, Equatable {
    /// Pairs of an activity and a registered person, whatever they mean.
    var pairs = 0
    package var expected = 0
    var accepted = 0
    var displayed = 0
    package var known = 0
    package var duplicates = 0
    package var unexpected = 0
    var reminders = ReminderCounts()
    /// Numbers of unread notifications that devices were told, and those of them that were wrong.
    var unreadNumbers = 0
    var wrongUnreadNumbers = 0
    /// From the activity to its first display, and the part of it nobody is excused from.
    var latency = LatencySamples()
    var excess = LatencySamples()
    var requestsGitLab = 0
    var requestsAPNs = 0
    /// The most in any hour of the window: for one person, and in all.
    var peakHourGitLab = 0
    var peakHourAPNs = 0

    init() {}

    /// Expected notifications that never became known.
    var missed: Int { expected - known }
}

/// What became of reminders.
struct ReminderCounts: Codable, Sendable, Equatable {
    /// Due for certain.
    var expected = 0
    /// Of these, never accepted by APNs, and accepted too late.
    var missed = 0
    var late = 0
    /// Wrong ones.
    var unexpected = 0

    /// Adds figure by figure.
    static func += (left: inout ReminderCounts, right: ReminderCounts) {
        left.expected += right.expected
        left.missed += right.missed
        left.late += right.late
        left.unexpected += right.unexpected
    }
}

/// Latency of activities that reach people by the same way.
struct GroupLatency: Codable, Sendable, Equatable {
    var group: ActivityGroup
    var latency = LatencySamples()
    var excess = LatencySamples()
    /// The time of all of them together, by owner.
    var split = LatencySplit()
    /// The slowest, the slowest first, at most `GroupLatency.slowestKept`.
    var slowest: [Slow] = []

    static let slowestKept = 32

    /// One of the slowest.
    struct Slow: Codable, Sendable, Equatable {
        var activity: Int
        var split: LatencySplit
    }

    init(_ group: ActivityGroup) { self.group = group }
}

/// How often a cause took a notification.
struct CauseCount: Codable, Sendable, Equatable {
    var code: String
    var count: Int
}

/// A path that was reached.
struct ReachedProbe: Codable, Sendable, Equatable {
    var probe: String
    var count: Int
    var firstMilliseconds: Int64
}

/// Something that must never happen and did.
struct Violation: Codable, Sendable, Equatable {
    var invariant: ViolationRecord.Invariant
    var atMilliseconds: Int64
    var detail: String
}

/// When a fault was in force.
struct FaultSpan: Codable, Sendable, Equatable {
    var id: String
    var kind: String
    var fromMilliseconds: Int64
    var untilMilliseconds: Int64
}

/// What went over the wires.
struct Traffic: Codable, Sendable, Equatable {
    var gitlabRequests = 0
    var gitlabRefused = 0
    var gitlabStatuses = StatusCounts()
    var apnsRequests = 0
    var pushesAccepted = 0
    var pushesRefused = 0
    /// Pushes under an apns-id that had been tried before.
    var pushesRepeated = 0
    var tokensDropped = 0
    var catchUps = 0
    /// Notifications that devices showed, and of those the ones they reported and the ones they reported as opened.
    var shown = 0
    var receipts = 0
    var opened = 0

    /// Adds figure by figure.
    static func += (left: inout Traffic, right: Traffic) {
        left.gitlabRequests += right.gitlabRequests
        left.gitlabRefused += right.gitlabRefused
        left.gitlabStatuses += right.gitlabStatuses
        left.apnsRequests += right.apnsRequests
        left.pushesAccepted += right.pushesAccepted
        left.pushesRefused += right.pushesRefused
        left.pushesRepeated += right.pushesRepeated
        left.tokensDropped += right.tokensDropped
        left.catchUps += right.catchUps
        left.shown += right.shown
        left.receipts += right.receipts
        left.opened += right.opened
    }
}

/// A seed under which the product trapped: a finding that fails the run.
package struct SeedCrash: Codable, Sendable, Equatable {
    package var seed: UInt64
    /// The signal or the trap's message.
    var message: String
    var backtrace: String

    package init(seed: UInt64, message: String, backtrace: String) {
        self.seed = seed
        self.message = message
        self.backtrace = backtrace
    }
}
