/// What one seed showed: everything a report pools, small enough to cross a process boundary as JSON.
package struct SeedResult: Codable, Sendable, Equatable {
    /// The version of this JSON; processes of one build agree on it.
    package static let currentVersion = 1

    package var version = SeedResult.currentVersion
    package var seed: UInt64
    package var digest: String
    /// The digest of what happened, whatever the program did to get there; empty when nothing was recorded.
    package var behaviour = ""
    /// Jobs run and events fired.
    package var steps: Int64
    /// Length of the run in virtual time, draining included.
    package var simulatedMilliseconds: Int64
    /// What the run took in real time; the caller measures it.
    package var wallNanoseconds: Int64 = 0

    /// Activities on the fake GitLab, and of their pairs with people those that were neither required nor wrong.
    package var activities = 0
    package var optional = 0
    /// Figures of each slice of the scenario's gates, in the order of `Slice.all(for:)`; the whole run is first.
    package var slices: [SliceResult] = []
    /// From the activity to APNs' first acceptance, and to the first moment the person could know.
    package var acceptedLatency = LatencySamples()
    package var knownLatency = LatencySamples()
    /// By kind of activity, in the order of `ActivityGroup.allCases`, those without a sample left out.
    package var groups: [GroupLatency] = []
    package var causes: [CauseCount] = []
    package var firstMissMilliseconds: Int64?

    package var probes: [ReachedProbe] = []
    package var violations: [Violation] = []
    package var violationsInAll = 0
    package var faults: [FaultSpan] = []
    /// Kinds of fault that were in force, in the order of `FaultKind.allCases`.
    package var faultKinds: [String] = []
    /// From the end of the last fault (the last activity when there was none) until nothing was left to deliver; nil
    /// when that never came.
    package var drainedAfterMilliseconds: Int64?
    package var traffic = Traffic()
    package var unknownRoutes: [String] = []
    /// Ledger lines of what went wrong, bounded by `Ledger.abnormalLines`.
    package var abnormal: [LedgerLine] = []
    package var abnormalInAll = 0

    package init(seed: UInt64, digest: String, steps: Int64, simulatedMilliseconds: Int64) {
        self.seed = seed
        self.digest = digest
        self.steps = steps
        self.simulatedMilliseconds = simulatedMilliseconds
    }

    /// The figures of the whole run.
    package var whole: SliceResult { slices.first ?? SliceResult() }
}

/// The figures of one slice under one seed.
package struct SliceResult: Codable, Sendable, Equatable {
    /// Pairs of an activity and a registered person, whatever they mean.
    package var pairs = 0
    package var expected = 0
    package var accepted = 0
    package var displayed = 0
    package var known = 0
    package var duplicates = 0
    package var unexpected = 0
    /// From the activity to its first display, and the part of it nobody is excused from.
    package var latency = LatencySamples()
    package var excess = LatencySamples()
    package var requestsGitLab = 0
    package var requestsAPNs = 0
    /// The most in any hour of the window: for one person, and in all.
    package var peakHourGitLab = 0
    package var peakHourAPNs = 0

    package init() {}

    /// Expected notifications that never became known.
    package var missed: Int { expected - known }
}

/// Latency of activities that reach people by the same way.
package struct GroupLatency: Codable, Sendable, Equatable {
    package var group: ActivityGroup
    package var latency = LatencySamples()
    package var excess = LatencySamples()
    /// The time of all of them together, by owner.
    package var split = LatencySplit()
    /// The slowest, the slowest first, at most `GroupLatency.slowestKept`.
    package var slowest: [Slow] = []

    package static let slowestKept = 32

    /// One of the slowest.
    package struct Slow: Codable, Sendable, Equatable {
        package var activity: Int
        package var split: LatencySplit
    }

    package init(_ group: ActivityGroup) { self.group = group }
}

/// How often a cause took a notification.
package struct CauseCount: Codable, Sendable, Equatable {
    package var code: String
    package var count: Int

    package init(code: String, count: Int) {
        self.code = code
        self.count = count
    }
}

/// A path that was reached.
package struct ReachedProbe: Codable, Sendable, Equatable {
    package var probe: String
    package var count: Int
    package var firstMilliseconds: Int64
}

/// Something that must never happen and did.
package struct Violation: Codable, Sendable, Equatable {
    package var invariant: ViolationRecord.Invariant
    package var atMilliseconds: Int64
    package var detail: String
}

/// When a fault was in force.
package struct FaultSpan: Codable, Sendable, Equatable {
    package var id: String
    package var kind: String
    package var fromMilliseconds: Int64
    package var untilMilliseconds: Int64
}

/// What went over the wires.
package struct Traffic: Codable, Sendable, Equatable {
    package var gitlabRequests = 0
    package var gitlabRefused = 0
    package var apnsRequests = 0
    package var pushesAccepted = 0
    package var pushesRefused = 0
    /// Pushes under an apns-id that had been tried before.
    package var pushesRepeated = 0
    package var tokensDropped = 0
    package var catchUps = 0
    /// Notifications that devices showed, and of those the ones they reported and the ones they reported as opened.
    package var shown = 0
    package var receipts = 0
    package var opened = 0

    /// Adds figure by figure.
    package static func += (left: inout Traffic, right: Traffic) {
        left.gitlabRequests += right.gitlabRequests
        left.gitlabRefused += right.gitlabRefused
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
    package var message: String
    package var backtrace: String

    package init(seed: UInt64, message: String, backtrace: String) {
        self.seed = seed
        self.message = message
        self.backtrace = backtrace
    }
}
