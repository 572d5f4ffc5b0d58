import Scenarios
import Verdict

/// What one run of a sweep showed.
struct SweptRun {
    private var flaws: [Flaw] = []
    /// Nil after a crash of the worker.
    private(set) var result: SeedResult?

    /// Of which nothing is known yet.
    init() {}

    init(_ outcome: WorkerPool.Outcome) {
        flaws = FuzzCommand.flaws(in: outcome)
        if case .answer(let line) = outcome, case .judged(let judged)? = try? WorkerResponse(line: line) {
            result = judged
        }
    }

    /// What is wrong with the run without a crash: with these findings others are compared.
    func findings(in scenario: Scenario) -> [String] {
        flaws.map(\.signature) + gates(of: scenario, failedIn: scenario)
    }

    /// What is wrong with a run that crashed there: what no world may have, what came late beside the run without a crash, and
    /// requirements of the scenario that are not met although they are granted the time for which the notifier was away.
    func findings(in scenario: Scenario, beside plain: SweptRun, at point: CrashPoint) -> [String] {
        let late = plain.result.flatMap { result?.lateness(beside: $0) } ?? []
        return (flaws + late).map(\.signature)
            + gates(of: scenario, failedIn: scenario.granting(CrashPoint.downFor * point.places.count))
    }

    /// Whether all of these crashes came; where the worker died something did.
    func came(_ point: CrashPoint) -> Bool { result.map { point.came($0.stepCrashes) } ?? true }

    /// By the words of `scenario`, which requires the same as `granted` in the same order.
    private func gates(of scenario: Scenario, failedIn granted: Scenario) -> [String] {
        guard let result else { return [] }
        let excuses = !result.excusedCauses.isEmpty
        let failed = RunReport(scenario: granted, results: [result], build: "").failedGateNumbers
        return failed.map { scenario.expectations[$0] }.filter { $0.metric.isJudged(whereMissesAreExcused: excuses) }
            .map { "gate: \($0.rule)" }
    }
}

extension Metric {
    /// Whether a requirement of it can say that a crash did harm. A crash may cost requests, and there may be less to expect where what
    /// somebody asked for was never answered; a miss with an excuse is none of the crash's, and without one a finding by itself.
    fileprivate func isJudged(whereMissesAreExcused excuses: Bool) -> Bool {
        switch self {
        case .requestsGitLab, .requestsAPNs, .requestsPerHourGitLab, .requestsPerHourAPNs, .expected,
            .remindersExpected:
            false
        case .delivery, .known, .displayed, .accepted, .missed, .drained: !excuses
        case .duplicates, .unexpected, .latencyP50, .latencyP90, .latencyP95, .latencyP99, .latencyMax,
            .excessLatencyP50, .excessLatencyP90, .excessLatencyP95, .excessLatencyP99, .excessLatencyMax,
            .remindersMissed, .remindersLate, .remindersUnexpected, .unread:
            true
        }
    }

    /// Whether the time for which the notifier was away counts in it.
    fileprivate var countsDowntime: Bool {
        switch self {
        case .latencyP50, .latencyP90, .latencyP95, .latencyP99, .latencyMax, .drained: true
        default: false
        }
    }
}

extension Scenario {
    /// The same with so much more time wherever it bounds how long something may take.
    fileprivate func granting(_ time: Duration) -> Scenario {
        var scenario = self
        for index in expectations.indices where expectations[index].metric.countsDowntime {
            let comparison = expectations[index].comparison
            guard case .duration(let bound) = comparison.bound,
                comparison.relation == .lessOrEqual || comparison.relation == .less
            else { continue }
            scenario.expectations[index].comparison.bound = .duration(bound + time)
        }
        return scenario
    }
}
