import Platform
import Scenarios

/// Judges one run. Pure: the same record gives the same result, whatever ran before.
package enum Assessment {
    /// Everything a report needs of the run; the caller adds the wall-clock time.
    package static func assess(_ record: RunRecord) -> SeedResult {
        ResultBuilder(judged: JudgedRun(record)).result()
    }

    /// The whole ledger, abnormal lines first.
    package static func ledger(_ record: RunRecord) -> [LedgerLine] {
        Ledger(judged: JudgedRun(record)).lines()
    }
}

/// Counts what was found.
struct ResultBuilder {
    private let judged: JudgedRun
    private let record: RunRecord

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
    }

    func result() -> SeedResult {
        var result = SeedResult(
            seed: record.resolved.seed,
            digest: record.digest,
            steps: record.steps,
            simulatedMilliseconds: record.simulated.wholeMilliseconds
        )
        result.behaviour = record.behaviour
        result.activities = record.activities.count
        result.optional = judged.outcomes.count { $0.pair.standing.name == "optional" }
        result.slices = Slice.all(for: record.resolved.scenario.expectations).map(sliceResult)
        addLatencies(&result)
        addMisses(&result)
        addSystem(&result)
        let abnormal = Ledger(judged: judged).abnormal(limit: Ledger.abnormalLines)
        result.abnormal = abnormal.lines
        result.abnormalInAll = abnormal.inAll
        result.deliveries = SeedDeliveries(judged)
        result.overdue = OverdueFinder(judged).overdue()
        return result
    }

    // MARK: slices

    private func sliceResult(_ slice: Slice) -> SliceResult {
        let filter = SliceFilter(slice, record: record)
        var result = SliceResult()
        var latency: [Int64] = []
        var excess: [Int64] = []
        var duplicates: Set<Int> = []
        for outcome in judged.outcomes {
            let person = judged.truth.people[outcome.pair.person]
            guard filter.contains(record.activities[outcome.pair.activity], for: person) else { continue }
            result.pairs += 1
            duplicates.formUnion(outcome.duplicates)
            guard outcome.isExpected else { continue }
            count(outcome, in: &result)
            guard let split = outcome.split else { continue }
            latency.append(split.total)
            excess.append(split.excess)
        }
        result.duplicates = duplicates.count
        result.unexpected = judged.unexpected.count { index in
            let event = record.deviceEvents[index]
            return filter.contains(unexpectedAt: event.at, for: event.person)
        }
        result.reminders = reminders(filter)
        result.unreadNumbers = judged.unread.judged.count { filter.contains(unexpectedAt: $0.at, for: $0.person) }
        result.wrongUnreadNumbers = judged.unread.wrong.count { filter.contains(unexpectedAt: $0.at, for: $0.person) }
        result.latency = LatencySamples(nanoseconds: latency)
        result.excess = LatencySamples(nanoseconds: excess)
        addRequests(&result, filter)
        return result
    }

    private func reminders(_ filter: SliceFilter) -> ReminderCounts {
        let due = judged.reminders.due.filter { due in
            due.activity.map { filter.contains(record.activities[$0], for: due.person) }
                ?? filter.contains(unexpectedAt: due.deadline, for: due.person)
        }
        return ReminderCounts(
            expected: due.count,
            missed: due.count(where: \.isMissed),
            late: due.count(where: \.isLate),
            unexpected: judged.reminders.wrong.count { filter.contains(unexpectedAt: $0.at, for: $0.person) }
        )
    }

    private func count(_ outcome: Outcome, in result: inout SliceResult) {
        result.expected += 1
        if outcome.acceptedAt != nil { result.accepted += 1 }
        if outcome.displayedAt != nil { result.displayed += 1 }
        if outcome.knownAt != nil { result.known += 1 }
    }

    private func addRequests(_ result: inout SliceResult, _ filter: SliceFilter) {
        for count in record.gitlabRequests where filter.contains(count.person) {
            for (hour, requests) in count.perHour.enumerated() where filter.contains(hour: hour) {
                result.requestsGitLab += requests
                result.peakHourGitLab = max(result.peakHourGitLab, requests)
            }
        }
        for (hour, requests) in record.apnsRequestsPerHour.enumerated() where filter.contains(hour: hour) {
            result.requestsAPNs += requests
            result.peakHourAPNs = max(result.peakHourAPNs, requests)
        }
    }

    // MARK: latencies

    private func addLatencies(_ result: inout SeedResult) {
        let expected = judged.outcomes.filter(\.isExpected)
        func since(_ outcome: Outcome, _ instant: Int64?) -> Int64? {
            instant.map { max(0, $0 - record.activities[outcome.pair.activity].at.wholeNanoseconds) }
        }
        result.acceptedLatency = LatencySamples(nanoseconds: expected.compactMap { since($0, $0.acceptedAt) })
        result.knownLatency = LatencySamples(nanoseconds: expected.compactMap { since($0, $0.knownAt) })
        let groups = Dictionary(grouping: expected.filter { $0.split != nil }) {
            record.activities[$0.pair.activity].kind.group
        }
        result.groups = ActivityGroup.allCases.compactMap { group in groups[group].map { latency(of: $0, in: group) } }
    }

    private func latency(of outcomes: [Outcome], in group: ActivityGroup) -> GroupLatency {
        var result = GroupLatency(group)
        let splits = outcomes.compactMap(\.split)
        result.latency = LatencySamples(nanoseconds: splits.map(\.total))
        result.excess = LatencySamples(nanoseconds: splits.map(\.excess))
        for split in splits { result.split += split }
        let slowest = outcomes.map { outcome in
            GroupLatency.Slow(
                activity: record.activities[outcome.pair.activity].number,
                split: outcome.split ?? LatencySplit()
            )
        }
        result.slowest = GroupLatency.slowest(slowest)
        return result
    }

    // MARK: misses and the rest

    private func addMisses(_ result: inout SeedResult) {
        var counts: [String: Int] = [:]
        for outcome in judged.outcomes {
            guard let cause = outcome.cause else { continue }
            counts[cause.code, default: 0] += 1
            let at = record.activities[outcome.pair.activity].at.wholeMilliseconds
            result.firstMissMilliseconds = min(result.firstMissMilliseconds ?? at, at)
        }
        result.causes = counts.sorted { $0.key < $1.key }.map { CauseCount(code: $0.key, count: $0.value) }
    }

    private func addSystem(_ result: inout SeedResult) {
        result.probes = record.probes.map {
            ReachedProbe(probe: $0.probe.rawValue, count: $0.count, firstMilliseconds: $0.firstAt.wholeMilliseconds)
        }
        let violations = record.violations + InvariantChecks(judged: judged).violations()
        result.violationsInAll = violations.count
        result.violations = ViolationRecord.kept(violations).map {
            Violation(invariant: $0.invariant, atMilliseconds: $0.at.wholeMilliseconds, detail: $0.detail)
        }
        result.faults = record.faults.prefix(FaultSpan.kept).map(FaultSpan.init)
        result.stepCrashes = record.stepCrashes.map(\.text)
        let kinds = Set(record.faults.map(\.kind))
        result.faultKinds = FaultKind.allCases.filter(kinds.contains).map(\.rawValue)
        result.drainedAfterMilliseconds = drainedAfter.map(\.wholeMilliseconds)
        result.traffic = traffic
        result.unknownRoutes = Array(record.unknownRoutes.prefix(FaultSpan.kept))
    }

    /// From the end of the last fault, or from the last activity when nothing was injected, until everything that had happened
    /// by then was known; nil when something never was, or the notifier had work left in the end. What quiet hours kept back
    /// takes time from their end only.
    private var drainedAfter: Duration? {
        guard record.idleSince != nil else { return nil }
        let lastFault = record.faults.map { min($0.span.until, record.simulated) }.max()
        let from = lastFault ?? record.activities.last?.at ?? .zero
        let start = from.wholeNanoseconds
        var drained = start
        for outcome in judged.outcomes
        where outcome.isExpected && record.activities[outcome.pair.activity].at <= from {
            guard let known = outcome.knownAt else { return nil }
            drained = max(drained, known - max(0, (outcome.pair.heldUntil ?? start) - start))
        }
        return .nanoseconds(drained) - from
    }

    private var traffic: Traffic {
        var traffic = Traffic()
        traffic.gitlabRequests = record.gitlabRequests.reduce(0) { $0 + $1.perHour.reduce(0, +) }
        traffic.gitlabRefused = record.gitlabRequests.reduce(0) { $0 + $1.rejected }
        for count in record.gitlabRequests { traffic.gitlabStatuses += count.statuses }
        traffic.apnsRequests = record.apnsRequestsPerHour.reduce(0, +)
        traffic.pushesAccepted = record.pushes.count { $0.status == 200 }
        traffic.pushesRefused = record.pushes.count - traffic.pushesAccepted
        traffic.pushesRepeated = judged.observations.attempts.values.reduce(0) { $0 + $1.count - 1 }
        traffic.tokensDropped = record.pushes.count { $0.status == 410 }
        traffic.catchUps = record.catchUps.count
        traffic.shown = record.deviceEvents.count { $0.kind == .displayed }
        traffic.receipts = record.receipts.count { $0.isAcknowledged && $0.kind == .delivered }
        traffic.opened = record.receipts.count { $0.isAcknowledged && $0.kind == .opened }
        return traffic
    }
}

extension ViolationRecord {
    /// So many as a result keeps, in their order: of each invariant the first, lest one that broke everywhere hide another.
    static func kept(_ all: [ViolationRecord], limit: Int = RunLimits.violations) -> [ViolationRecord] {
        guard all.count > limit else { return all }
        var seen: Set<Invariant> = []
        let firsts = all.indices.filter { seen.insert(all[$0].invariant).inserted }
        let others = all.indices.filter { !firsts.contains($0) }.prefix(max(0, limit - firsts.count))
        return (firsts + others).sorted().map { all[$0] }
    }
}

extension GroupLatency {
    /// The slowest few, the slowest first, in a fixed order.
    static func slowest(_ all: [Slow]) -> [Slow] {
        Array(all.sorted { ($1.split.total, $0.activity) < ($0.split.total, $1.activity) }.prefix(slowestKept))
    }
}

extension FaultSpan {
    /// A result names at most so many faults.
    static let kept = 64

    init(_ fault: FaultRecord) {
        self.init(
            id: fault.id.text,
            kind: fault.kind.rawValue,
            fromMilliseconds: fault.span.from.wholeMilliseconds,
            untilMilliseconds: fault.span.until.wholeMilliseconds
        )
    }
}
