import Platform
import Scenarios

/// Judges one gate over all seeds.
struct GateJudge {
    let gate: Gate
    let slice: PooledSlice
    let results: [SeedResult]

    func judge() -> GateResult {
        // Readers of scenarios and of command lines refuse it.
        guard gate.confidence == nil || gate.metric.unit == .ratio else {
            return noData("no number of runs proves \(gate.metric.rawValue); without the confidence it is judged")
        }
        return switch gate.metric {
        case .delivery, .known: ShareJudge(gate: gate, slice: slice, successes: \.known).judge()
        case .displayed: ShareJudge(gate: gate, slice: slice, successes: \.displayed).judge()
        case .accepted: ShareJudge(gate: gate, slice: slice, successes: \.accepted).judge()
        case .expected: expected(slice.total.expected, "notifications")
        case .remindersExpected: expected(slice.total.reminders.expected, "reminders")
        case .remindersMissed:
            count(\.reminders.missed, basis: slice.total.reminders.expected, of: "expected reminders")
        case .remindersLate: count(\.reminders.late, basis: slice.total.reminders.expected, of: "expected reminders")
        case .remindersUnexpected: count(\.reminders.unexpected, basis: slice.total.pairs, of: "activities")
        case .missed: count(\.missed, basis: slice.total.expected, of: "expected notifications")
        case .duplicates: count(\.duplicates, basis: slice.total.displayed, of: "displayed notifications")
        case .unexpected: count(\.unexpected, basis: slice.total.pairs, of: "activities")
        case .unread:
            count(\.wrongUnreadNumbers, basis: slice.total.unreadNumbers, of: "numbers of unread notifications")
        case .requestsGitLab: perSeed(\.requestsGitLab)
        case .requestsAPNs: perSeed(\.requestsAPNs)
        case .requestsPerHourGitLab: perSeed(\.peakHourGitLab)
        case .requestsPerHourAPNs: perSeed(\.peakHourAPNs)
        case .drained: drained()
        case .latencyP50, .latencyP90, .latencyP95, .latencyP99, .latencyMax, .excessLatencyP50, .excessLatencyP90,
            .excessLatencyP95, .excessLatencyP99, .excessLatencyMax:
            LatencyJudge(gate: gate, slice: slice).judge()
        }
    }

    // MARK: counts

    /// Too few expected notifications are no failure of the notifier but a lack of evidence.
    private func expected(_ expected: Int, _ what: String) -> GateResult {
        guard let bound = gate.comparison.bound.count else { return mismatch() }
        var result = GateResult(gate, gate.comparison.relation.holds(Int64(expected), bound) ? .pass : .fail)
        describe(&result, Int64(expected), bound)
        result.samples = expected
        if result.verdict == .fail, gate.comparison.relation.isFloor, expected < bound {
            result.verdict = .insufficient
            result.note = "\(bound - Int64(expected)) more expected \(what) are needed"
        }
        return result
    }

    private func count(_ figure: (SliceResult) -> Int, basis: Int, of what: String) -> GateResult {
        guard let bound = gate.comparison.bound.count else { return mismatch() }
        let value = Int64(figure(slice.total))
        guard basis > 0 || value > 0 else { return noData("there were no \(what)") }
        var result = GateResult(gate, gate.comparison.relation.holds(value, bound) ? .pass : .fail)
        describe(&result, value, bound)
        result.samples = basis
        if result.verdict == .fail { result.note = Self.seedNote(slice.worst(figure)) }
        return result
    }

    /// A figure every seed has to keep by itself: the seed furthest on the wrong side decides.
    private func perSeed(_ figure: (SliceResult) -> Int) -> GateResult {
        guard let bound = gate.comparison.bound.count else { return mismatch() }
        let figures = slice.seeds.map { (seed: $0.seed, value: Int64(figure($0.result))) }
        guard figures.contains(where: { $0.value > 0 }) else { return noData("no requests were seen") }
        let isFloor = gate.comparison.relation.isFloor
        let worst = figures.reduce(figures[0]) { isFloor == ($1.value < $0.value) && $1.value != $0.value ? $1 : $0 }
        let failing = figures.first { !gate.comparison.relation.holds($0.value, bound) }
        let decisive = gate.comparison.relation == .equal ? failing ?? worst : worst
        var result = GateResult(gate, failing == nil ? .pass : .fail)
        describe(&result, decisive.value, bound)
        result.samples = figures.count
        if figures.count > 1 || failing != nil { result.note = "seed \(decisive.seed)" }
        return result
    }

    private func describe(_ result: inout GateResult, _ value: Int64, _ bound: Int64) {
        result.observed = String(value)
        result.observedValue = Double(value)
        switch gate.comparison.relation {
        case .lessOrEqual, .less: result.margin = "\(bound - value)"
        case .greaterOrEqual, .greater: result.margin = "\(value - bound)"
        case .equal: result.margin = value == bound ? nil : "\(-abs(value - bound))"
        }
    }

    // MARK: liveness

    private func drained() -> GateResult {
        guard case .duration(let bound) = gate.comparison.bound else { return mismatch() }
        guard !results.isEmpty else { return noData("no seed ended") }
        if let stuck = results.first(where: { $0.drainedAfterMilliseconds == nil }) {
            var result = GateResult(gate, .fail)
            result.observed = "never"
            result.note = "seed \(stuck.seed) still had something to deliver when it ended"
            return result
        }
        let times = results.map { (seed: $0.seed, time: $0.drainedAfterMilliseconds ?? 0) }
        let worst = times.reduce(times[0]) { $1.time > $0.time ? $1 : $0 }
        let limit = bound.wholeMilliseconds
        var result = GateResult(
            gate,
            times.allSatisfy { gate.comparison.relation.holds($0.time, limit) } ? .pass : .fail
        )
        result.observed = FigureText.precise(milliseconds: worst.time)
        result.observedValue = Double(worst.time) / 1_000
        result.margin = FigureText.precise(milliseconds: limit - worst.time)
        result.samples = times.count
        if times.count > 1 || result.verdict == .fail { result.note = "seed \(worst.seed)" }
        return result
    }

    // MARK: what cannot be judged

    private func noData(_ why: String) -> GateResult {
        var result = GateResult(gate, .insufficient)
        result.note = why
        return result
    }

    private func mismatch() -> GateResult {
        var result = GateResult(gate, .insufficient)
        result.note = "\(gate.metric.rawValue) is compared with a \(gate.metric.unit.rawValue)"
        return result
    }

    /// The first few seeds to look at.
    static func seedNote(_ worst: [(seed: UInt64, figure: Int)]) -> String? {
        guard !worst.isEmpty else { return nil }
        let named = worst.prefix(3).map { "seed \($0.seed): \($0.figure)" }.joined(separator: ", ")
        return worst.count > 3 ? "\(named), \(worst.count - 3) more" : named
    }
}

extension Comparison.Bound {
    fileprivate var count: Int64? {
        if case .count(let count) = self { return count }
        return nil
    }
}
