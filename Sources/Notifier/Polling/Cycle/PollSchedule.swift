import Platform

/// When an account does what next, and how patiently: what one cycle leaves to the next.
struct PollSchedule: Sendable {
    /// So many failures in a row, over all sources, end a cycle.
    private static let ordinaryPatience = 5
    /// However much others see, two cycles begin at least so long one after the other.
    static let spacing = Duration.seconds(10)

    private(set) var policy: PollPolicy
    private(set) var plan: PollPolicy.Plan
    /// True when a cycle was given up right after a probe had been answered: the next one is carried through.
    private var isPatient = false
    private var lastProbeAnswered = false
    /// Since the start.
    private(set) var probes = 0
    /// Cycles and probes in a row that GitLab did not answer.
    private(set) var consecutiveFailures = 0
    private var toldPace: Duration?
    /// No cycle is brought forward to before then.
    private var earliestAt: MonotonicInstant
    /// When a cycle would have come that was brought forward.
    private var plannedAt: MonotonicInstant?

    /// A cycle comes first.
    init(pace: PollPolicy.Pace, firstAt: MonotonicInstant) {
        policy = PollPolicy(pace: pace)
        plan = PollPolicy.Plan(action: .cycle, at: firstAt)
        earliestAt = firstAt
    }

    /// More than so many failures in a row end the next cycle.
    var patience: Int { isPatient ? .max : Self.ordinaryPatience }

    /// Nothing that was learnt of GitLab's answers holds any more: a cycle comes at once.
    mutating func restart(at now: MonotonicInstant) {
        policy = PollPolicy(pace: policy.pace)
        set(.cycle, at: now)
    }

    /// Plans otherwise than the last cycle would have it.
    mutating func set(_ action: PollPolicy.Action, at instant: MonotonicInstant) {
        plan = PollPolicy.Plan(action: action, at: instant)
    }

    /// Something is known to have changed: the next cycle comes at `instant`, or as soon as the budget allows, unless it comes before.
    /// No effect while GitLab limits the rate or does not answer. One more comes when it would have come: those who are woken together must
    /// not from then on look together, and leave each other as long without anybody's look.
    mutating func bringForward(to instant: MonotonicInstant) {
        guard plan.action == .cycle, policy.isAnswered else { return }
        let earlier = max(instant, earliestAt)
        guard earlier < plan.at else { return }
        plannedAt = plannedAt ?? plan.at
        plan.at = earlier
    }

    /// A probe begins.
    mutating func countProbe() {
        probes += 1
    }

    /// Which of `count` items a probe asks for; nil for the to-dos. It is one of the items every other time, in case it is the to-dos
    /// alone that fail.
    func probedItem(of count: Int) -> Int? {
        probes.isMultiple(of: 2) && count > 0 ? probes / 2 % count : nil
    }

    /// Learns from a cycle or probe and plans the next, given 64 random bits. True when GitLab has come back.
    mutating func take(_ report: PollPolicy.Report, isGivenUp: Bool, draw: UInt64) -> Bool {
        let wasProbing = policy.isProbing
        let isAnswered = report.outcome == .answered
        plan = policy.next(after: report, draw: draw)
        earliestAt = report.startedAt.advanced(by: max(Self.spacing, report.leastInterval))
        if let plannedAt, policy.isAnswered, plan.action == .cycle {
            plan.at = min(plan.at, max(plannedAt, earliestAt, report.endedAt))
        }
        plannedAt = nil
        if report.action == .cycle { isPatient = isGivenUp && lastProbeAnswered }
        lastProbeAnswered = report.action == .probe && isAnswered
        consecutiveFailures = isAnswered ? 0 : consecutiveFailures + 1
        return wasProbing && isAnswered
    }

    /// The time between two cycles when the watch list has grown or shrunk into another pace; nil when it is as it was.
    mutating func newPace(items: Int, sweeps: Int?) -> Duration? {
        let pace = policy.pace.cycleInterval(items: items, sweeps: sweeps)
        guard pace != toldPace else { return nil }
        toldPace = pace
        return pace
    }
}
