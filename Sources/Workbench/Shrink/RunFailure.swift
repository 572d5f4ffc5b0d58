import Scenarios
import Verdict

/// What is wrong with one run, as names that stay the same from one scenario to a smaller one.
struct RunFailure {
    /// The worst first: a crash, broken invariants, what no world may have, then requirements that were not met.
    let findings: [String]

    init(_ outcome: WorkerPool.Outcome, of scenario: Scenario) {
        var findings = Set(FuzzCommand.flaws(in: outcome)).map(\.ranked).sorted { $0 < $1 }.map(\.signature)
        if case .answer(let line) = outcome, case .judged(let result)? = try? WorkerResponse(line: line) {
            findings += RunReport(scenario: scenario, results: [result], build: "").failedGates.map { "gate: \($0)" }
        }
        self.findings = findings
    }
}

extension Flaw {
    /// In which order findings are told, the worst first.
    fileprivate var ranked: (rank: Int, signature: String) {
        let ranks: [Kind] = [.crash, .internalError, .invariant, .duplicate, .unexpected, .missed, .late, .notDrained]
        return (ranks.firstIndex(of: kind) ?? ranks.count, signature)
    }
}
