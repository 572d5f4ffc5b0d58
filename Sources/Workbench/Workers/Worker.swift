import FoundationEssentials
import Harness
import Platform
import Scenarios
import Simulation
import Verdict

/// The work of a worker process: a request in, an answer out.
struct Worker {
    private var scenarios: [Int: Scenario] = [:]
    private var invalid: [Int: String] = [:]

    /// Nil for `load`, which has no answer; a scenario that cannot be loaded fails the requests about it.
    mutating func answer(_ request: WorkerRequest) -> WorkerResponse? {
        do {
            switch request {
            case .load(let number, let source):
                load(number, source)
                return nil
            case .judge(let order):
                return .judged(try judge(order))
            case .detail(let order, let seedCount, let folder):
                return .detailed(digest: try detail(order, seedCount: seedCount, folder: folder))
            case .digests(let order):
                return .digested(try digests(order))
            case .measure(let order, let repeats):
                return .measured(try measure(order, repeats: repeats))
            case .countSteps(let order, let untilMilliseconds):
                return .counted(try countSteps(order, until: .milliseconds(untilMilliseconds)))
            }
        } catch {
            return .failed(message: "\(error)")
        }
    }

    private mutating func load(_ number: Int, _ source: ScenarioSource) {
        do throws(InvalidScenario) {
            scenarios[number] = try ScenarioReader.read(Array(source.text.utf8), file: source.file)
        } catch {
            invalid[number] = error.problems.map(\.text).joined(separator: "\n")
        }
    }

    private func perform(
        _ order: RunOrder,
        trace: Trace.Retention = .digestOnly,
        to lines: LiveLineFile? = nil,
        countsStepsUntil: Duration? = nil
    ) throws -> RunOutcome {
        guard let scenario = scenarios[order.scenario] else {
            throw WorkerFailure(invalid[order.scenario] ?? "scenario \(order.scenario) was never loaded")
        }
        var options = RunOptions()
        options.trace = trace
        if let lines { options.onTraceLine = { lines.write($0) } }
        options.exploresSchedules = order.exploresSchedules
        options.metricsEvery = order.metricsEveryMilliseconds.map { .milliseconds($0) }
        options.countsStepsUntil = countsStepsUntil
        let outcome = try ScenarioRun.perform(scenario.plan(seed: order.seed), options: options)
        FreeMemory.giveBack()
        return outcome
    }

    private func countSteps(_ order: RunOrder, until end: Duration) throws -> StepCounts {
        func named(_ counts: [DurableStep: Int]) -> [String: Int] {
            Dictionary(uniqueKeysWithValues: counts.map { ($0.rawValue, $1) })
        }
        let outcome = try perform(order, countsStepsUntil: end)
        return StepCounts(
            all: named(outcome.durableSteps),
            beforeStarts: outcome.stepsBeforeStarts.map { named($0) }
        )
    }

    private func judge(_ order: RunOrder) throws -> SeedResult {
        let start = LiveClock.now
        let record = try perform(order).record
        var result = order.tellsFacts ? Assessment.assessWithFacts(record) : Assessment.assess(record)
        result.wallNanoseconds = start.duration(to: LiveClock.now).wholeNanoseconds
        return result
    }

    private func detail(_ order: RunOrder, seedCount: Int, folder: String) throws -> String {
        let lines = try LiveLineFile(to: "\(folder)/\(ReportFiles.trace)")
        let outcome = try perform(order, trace: .notable, to: lines)
        try lines.end()
        try ReportFiles.writeDetails(outcome, seedCount: seedCount, to: folder)
        return outcome.record.digest
    }

    private func digests(_ order: DigestOrder) throws -> [RunDigest] {
        try order.seeds.enumerated().map { index, seed in
            let lines = try index == order.seeds.count - 1 ? order.trace.map { try LiveLineFile(to: $0) } : nil
            let outcome = try perform(
                RunOrder(scenario: order.scenario, seed: seed),
                trace: lines == nil ? .digestOnly : .everything,
                to: lines
            )
            try lines?.end()
            let stray = outcome.record.violations.filter { $0.invariant == .strayJob }.map(\.detail)
            return RunDigest(seed: seed, digest: outcome.record.digest, strayJobs: stray)
        }
    }

    private func measure(_ order: RunOrder, repeats: Int) throws -> RunMeasurement {
        var measurement = RunMeasurement(wallNanoseconds: [], simulatedNanoseconds: 0, steps: 0, peakBytes: 0)
        for _ in 0..<repeats {
            let start = LiveClock.now
            let record = try perform(order).record
            _ = Assessment.assess(record)
            measurement.wallNanoseconds.append(start.duration(to: LiveClock.now).wholeNanoseconds)
            measurement.simulatedNanoseconds = record.simulated.wholeNanoseconds
            measurement.steps = record.steps
            measurement.gitlabRequests = record.gitlabRequests.reduce(0) { $0 + $1.perHour.reduce(0, +) }
            measurement.people = record.gitlabRequests.count
        }
        measurement.peakBytes = LiveMemory.peakBytes
        return measurement
    }
}

/// Why a request cannot be carried out.
private struct WorkerFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
