package import Scenarios

/// How much a notifier carries: the sizes that were tried, where the requirements break, and what gave way.
package struct Growth: Sendable {
    package let scenario: String
    let axis: GrowthAxis
    package let rules: [String]
    package let seeds: ClosedRange<UInt64>
    /// By size.
    package let points: [GrowthPoint]
    let search: KneeSearch
    let ceiling: GrowthAxis.Ceiling
    /// The size of which a seed took longer than allowed; nil when none did.
    let tooSlowAt: Int?
    /// What the notifier allows itself for a person in an hour, and what GitLab's limiter allows; nil when it is off.
    package let budget: Int
    let limit: RequestLimit?
    /// Why the search ended before its end; nil when it did not.
    let cutShort: String?

    package init(
        of scenario: Scenario,
        along axis: GrowthAxis,
        rules: [Gate],
        seeds: ClosedRange<UInt64>,
        points: [GrowthPoint],
        search: KneeSearch,
        ceiling: GrowthAxis.Ceiling,
        tooSlowAt: Int? = nil,
        cutShort: String? = nil
    ) {
        self.scenario = scenario.name
        self.axis = axis
        self.rules = rules.map(\.rule)
        self.seeds = seeds
        self.points = points.sorted { $0.size < $1.size }
        self.search = search
        self.ceiling = ceiling
        self.tooSlowAt = tooSlowAt
        self.cutShort = cutShort
        budget = scenario.notifier.requestsPerHour
        limit = scenario.world.gitlab.authenticatedLimit
    }

    /// What it tells the caller: whether there is an answer.
    package var exitCode: ExitCode {
        switch search.outcome {
        case .between, .neverBroke: .met
        case .failsAsItIs: .failed
        case .unproven, nil: .insufficientEvidence
        }
    }

    // MARK: bounds

    /// Something that holds a notifier back, in words.
    enum Bound: String, CaseIterable, Sendable {
        case limiter, budget, instance, queue, processor, polls, backoff, apns, device, other

        var phrase: String {
            switch self {
            case .limiter: "GitLab's limiter"
            case .budget: "the budget (requestsPerHour)"
            case .instance: "the budget of all people together (gitlabRequestsPerSecond)"
            case .queue: "the queue of notifications"
            case .processor: "the processor"
            case .polls: "the pauses between polls"
            case .backoff: "waits after failures"
            case .apns: "APNs"
            case .device: "the devices"
            case .other: "the requirement itself"
            }
        }
    }

    /// The size at which each bound was first felt: answers 429, polls or requests that waited, a second in the queue.
    var firstFelt: [(bound: Bound, size: Int)] {
        let signs: [(Bound, (GrowthPoint) -> Bool)] = [
            (.limiter, { $0.refused > 0 }),
            (.budget, { $0.budgetWaits > 0 }),
            (.instance, { $0.instanceWaits > 0 }),
            (.queue, { ($0.slowest[LatencyOwner.queue.rawValue] ?? 0) >= Self.longQueue }),
        ]
        var felt = signs.compactMap { bound, sign in points.first(where: sign).map { (bound: bound, size: $0.size) } }
        if let tooSlowAt { felt.append((.processor, tooSlowAt)) }
        return felt.enumerated().sorted { ($0.element.size, $0.offset) < ($1.element.size, $1.offset) }.map(\.element)
    }

    /// Seconds of the slowest hundredth in the queue from which on it counts.
    private static let longQueue = 1.0

    /// What gave way between the two ends, with the figure that says so; nil where nothing broke.
    var gaveWay: (bound: Bound, why: String)? {
        guard case .between(let lower, let upper)? = search.outcome else { return nil }
        if tooSlowAt == upper { return (.processor, "a seed took longer than --time-limit on this machine") }
        guard let broken = point(upper) else { return nil }
        if let cause = broken.misses.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), cause.value > 0 {
            return (bound(ofOwner: "", broken), "\(cause.value) missed, most of them \(cause.key)")
        }
        guard broken.failures.contains(where: Self.isAboutTime) else {
            return (broken.refused > 0 ? .limiter : .other, "\(broken.failures.joined(separator: ", "))")
        }
        let before = point(lower)?.slowest ?? [:]
        let growth = broken.slowest.map { (owner: $0.key, seconds: $0.value - (before[$0.key] ?? 0)) }
        guard let most = growth.max(by: { ($0.seconds, $1.owner) < ($1.seconds, $0.owner) }) else { return nil }
        let seconds = FigureText.decimal(broken.slowest[most.owner] ?? 0, 0)
        return (bound(ofOwner: most.owner, broken), "\(seconds) s of the slowest hundredth are \(most.owner)")
    }

    private static func isAboutTime(_ rule: String) -> Bool {
        ["latency", "excessLatency", "drained"].contains { rule.hasPrefix($0) }
    }

    private func bound(ofOwner owner: String, _ point: GrowthPoint) -> Bound {
        switch LatencyOwner(rawValue: owner) {
        case .rateLimit: .limiter
        case .queue: .queue
        case .backoff: point.refused > 0 ? .limiter : .backoff
        case .apns: .apns
        case .device: .device
        case .poll, nil: point.refused > 0 ? .limiter : waiting(point)
        case .visibility, .outage, .token, .downtime, .quiet: .other
        }
    }

    /// What polls waited for most often.
    private func waiting(_ point: GrowthPoint) -> Bound {
        if point.instanceWaits > point.budgetWaits { return .instance }
        return point.budgetWaits > 0 ? .budget : .polls
    }

    private func point(_ size: Int) -> GrowthPoint? { points.first { $0.size == size } }

    // MARK: words

    /// What is grown, as the command line names it.
    package var along: String { axis.rawValue }

    /// True where a size is a share of the file's rate, which the numbers of people and items do not tell.
    package var isOfRate: Bool { axis == .rate }

    /// What a size counts.
    package var unit: String { isOfRate ? "rate in % of the file" : axis.unit }

    /// What GitLab's limiter allows a person in an hour; nil where it is off or reckons in other times.
    package var limitPerHour: Int? { limit.flatMap { $0.period == .seconds(3_600) ? $0.requests : nil } }

    /// A size with what it counts.
    package func text(_ size: Int) -> String { axis == .rate ? "\(size) % of the rate" : "\(size) \(axis.unit)" }

    /// The largest size that is proven to hold below the smallest that is proven to break, and that one; nil where either was not found.
    package var knee: (holds: Int, breaks: Int)? {
        guard case .between(let holds, let breaks)? = search.outcome else { return nil }
        return (holds, breaks)
    }

    /// What a size came to under other seeds; nil where that was not tried.
    package func confirmation(of size: Int) -> Verdict? {
        search.tried.first { $0.size == size }?.confirmation
    }

    /// The size at which the search ended: where the requirements break, else the largest at which they hold. Nil where no world was judged.
    package var endSize: Int? {
        switch search.outcome {
        case .between(_, let upper): upper
        case .neverBroke(let size): size
        case .unproven(let size): size ?? points.last?.size
        case .failsAsItIs: points.first?.size
        case nil: nil
        }
    }

    /// Where it breaks, in one sentence.
    package var sentence: String {
        let all = rules.joined(separator: " and ")
        switch search.outcome {
        case .between(let lower, let upper): return "\(all) holds with \(text(lower)) and breaks with \(text(upper))"
        case .failsAsItIs: return "\(all) breaks with the file as it is"
        case .neverBroke(let size):
            return "\(all) still holds with \(text(size))"
                + (size >= ceiling.size ? ", the largest that is tried (\(ceiling.reason))" : "")
        case .unproven(let size?): return "\(all) breaks with \(text(size)); no smaller size is proven to hold"
        case .unproven(nil), nil: return "\(all) is neither proven nor broken; more seeds might tell"
        }
    }

    /// What gave way first, and when each bound was felt.
    package var explanation: [String] {
        var lines: [String] = []
        if let gaveWay { lines.append("gave way: \(gaveWay.bound.phrase); \(gaveWay.why)") }
        for felt in firstFelt { lines.append("first felt with \(text(felt.size)): \(felt.bound.phrase)") }
        if points.count > 0 && firstFelt.isEmpty { lines.append("no 429, no wait for the budget, no queue") }
        for size in search.holdsAboveBreak { lines.append("not monotone: it holds again with \(text(size))") }
        if let cutShort { lines.append("the search was cut short: \(cutShort)") }
        return lines
    }
}
