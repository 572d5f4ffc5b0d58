import Platform
package import Scenarios

/// All seeds of one scenario together: the verdict and everything the renderers show.
package struct RunReport: Sendable {
    package let scenario: Scenario
    /// The file the scenario came from, for the command that reproduces a failure; nil means its name.
    let scenarioPath: String?
    /// By seed.
    package let results: [SeedResult]
    /// Seeds under which the product trapped, by seed.
    package let crashes: [SeedCrash]
    let build: String
    /// What all of it took in real time, in nanoseconds.
    let wallNanoseconds: Int64
    /// In the order of the scenario.
    let gates: [GateResult]
    let probes: [ProbeResult]
    package let verdict: Verdict
    package let whole: PooledSlice
    /// The seed to look at first: one that crashed, or broke an invariant, or the gravest of those that fail by themselves, of
    /// all where each holds alone and only together they fall short.
    package let worstSeed: UInt64?

    /// Pools and judges. Without `wallNanoseconds` the real time is the sum over the seeds.
    package init(
        scenario: Scenario,
        results: [SeedResult],
        crashes: [SeedCrash] = [],
        build: String,
        scenarioPath: String? = nil,
        wallNanoseconds: Int64? = nil
    ) {
        self.scenario = scenario
        self.scenarioPath = scenarioPath
        self.results = results.sorted { $0.seed < $1.seed }
        self.crashes = crashes.sorted { $0.seed < $1.seed }
        self.build = build
        self.wallNanoseconds = wallNanoseconds ?? results.reduce(0) { $0 + $1.wallNanoseconds }
        (whole, gates) = Self.judge(self.results, by: scenario.expectations)
        probes = scenario.probes.map { [results = self.results] in ProbeResult($0, results) }
        verdict = Self.verdict(gates, probes, isBroken: results.contains { $0.violationsInAll > 0 } || !crashes.isEmpty)
        let broken = self.crashes.first?.seed ?? self.results.first { $0.violationsInAll > 0 }?.seed
        let failing = verdict == .fail ? self.results : []
        worstSeed =
            broken ?? Self.gravest(failing.filter { Self.failsAlone($0, scenario) }) ?? Self.gravest(self.results)
    }

    /// What became of each requirement over these seeds, and of everything together.
    private static func judge(_ results: [SeedResult], by gates: [Gate]) -> (whole: PooledSlice, gates: [GateResult]) {
        let slices = Slice.all(for: gates)
        let pooled = slices.indices.map { PooledSlice(results, slice: $0) }
        let judged = gates.map { gate in
            let slice = pooled[slices.firstIndex(of: gate.slice) ?? 0]
            return GateJudge(gate: gate, slice: slice, results: results).judge()
        }
        return (pooled[0], judged)
    }

    private static func failsAlone(_ result: SeedResult, _ scenario: Scenario) -> Bool {
        judge([result], by: scenario.expectations).gates.contains { $0.verdict == .fail }
    }

    /// The first of those that did worst.
    private static func gravest(_ results: [SeedResult]) -> UInt64? {
        results.max { $0.gravity < $1.gravity }?.seed
    }

    private static func verdict(_ gates: [GateResult], _ probes: [ProbeResult], isBroken: Bool) -> Verdict {
        // A scenario that requires nothing can prove nothing.
        var verdict = gates.isEmpty ? Verdict.insufficient : .pass
        if isBroken { verdict = .fail }
        for gate in gates { verdict = verdict.combined(with: gate.verdict) }
        for probe in probes where probe.seeds == 0 { verdict = verdict.combined(with: .insufficient) }
        return verdict
    }

    /// The requirements that were not met, as the scenario words them.
    package var failedGates: [String] { gates.filter { $0.verdict == .fail }.map(\.rule) }

    /// Their positions among the scenario's requirements.
    package var failedGateNumbers: [Int] { gates.indices.filter { gates[$0].verdict == .fail } }

    /// Counterexamples to the invariants over all seeds.
    var violationsInAll: Int { results.reduce(0) { $0 + $1.violationsInAll } }

    /// What a program that ran these seeds and nothing else tells its caller (README.md).
    package var exitCode: ExitCode {
        if violationsInAll > 0 { return .invariantBroken }
        switch verdict {
        case .fail: return .failed
        case .insufficient: return .insufficientEvidence
        case .pass: return .met
        }
    }

    /// The exit code in words.
    var exitReason: String {
        if violationsInAll > 0 { return "invariant broke" }
        switch verdict {
        case .fail: return crashes.isEmpty ? "requirement failed" : "the notifier crashed"
        case .insufficient: return "insufficient evidence"
        case .pass: return "all requirements met"
        }
    }

    /// The run's digest; for several seeds a digest over theirs.
    var digest: String { Self.digest(over: results.map(\.digest)) }

    /// The digest of what happened; for several seeds a digest over theirs. Two builds that behave alike have the same.
    var behaviour: String { Self.digest(over: results.map(\.behaviour)) }

    private static func digest(over digests: [String]) -> String {
        if digests.count == 1 { return digests[0] }
        var digest = RunningDigest()
        for part in digests { digest.fold(part) }
        return digest.text
    }

    /// Every seed that was run, by number.
    var seeds: [UInt64] { (results.map(\.seed) + crashes.map(\.seed)).sorted() }

    /// Virtual time of all seeds together.
    var simulatedMilliseconds: Int64 { results.reduce(0) { $0 + $1.simulatedMilliseconds } }

    /// Jobs run and events fired under all seeds together.
    var steps: Int64 { results.reduce(0) { $0 + $1.steps } }

    /// What went over the wires under all seeds together.
    var traffic: Traffic { results.reduce(into: Traffic()) { $0 += $1.traffic } }

    /// What the figures may be taken to say about other runs.
    var claim: String {
        let clustering = whole.clustering(\.known)
        guard clustering.seeds > 1 else {
            return
                "The figures speak for notifications of this scenario under this seed; other seeds draw other choices."
        }
        let bound = FigureText.percentDown(clustering.cleanSeedBound(confidence: 0.95))
        return "The figures speak for runs that seeds draw from this scenario, not for other scenarios: "
            + "\(clustering.cleanSeeds) of \(clustering.seeds) seeds had no miss (>= \(bound) of all seeds at 95%), "
            + "design effect \(FigureText.decimal(clustering.designEffect, 2))."
    }

    /// At least this share of notifications becomes known, at 95 % confidence, misses weighed by their clustering; where none was missed, as if
    /// they came one by one.
    var deliveryLowerBound95: Double {
        let effect = whole.clustering(\.known).designEffect
        return BinomialBound.lower(
            successes: Double(whole.total.known) / effect,
            of: Double(whole.total.expected) / effect,
            confidence: 0.95
        )
    }

    /// At least this share of all seeds has no miss, at 95 % confidence, however misses cluster.
    var cleanSeedsLowerBound95: Double { whole.clustering(\.known).cleanSeedBound(confidence: 0.95) }
}

/// A path the scenario requires, and under how many seeds it was taken.
struct ProbeResult: Sendable, Equatable {
    let probe: Probe
    let seeds: Int
    let count: Int

    init(_ probe: Probe, _ results: [SeedResult]) {
        self.probe = probe
        let reached = results.compactMap { $0.probes.first { $0.probe == probe.rawValue && $0.count > 0 } }
        seeds = reached.count
        count = reached.reduce(0) { $0 + $1.count }
    }
}

extension SeedResult {
    /// What never came weighs most, then what was told wrongly, then being slow.
    fileprivate var gravity: (missing: Int, wrong: Int, excess: Int64) {
        (
            whole.missed + whole.reminders.missed,
            whole.duplicates + whole.unexpected + whole.reminders.unexpected + whole.reminders.late
                + whole.wrongUnreadNumbers,
            whole.excess.maximum ?? 0
        )
    }
}
