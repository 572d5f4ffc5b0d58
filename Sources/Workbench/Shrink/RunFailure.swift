import Scenarios
import Verdict

/// What is wrong with one run, as names that stay the same from one scenario to a smaller one.
struct RunFailure {
    /// The worst first: a crash, broken invariants, what no world may have, then requirements that were not met, after the excused causes
    /// of what those on delivery miss: news that APNs dropped is another failure than news for a device that never came back.
    let findings: [String]

    init(_ outcome: WorkerPool.Outcome, of scenario: Scenario) {
        var findings = Set(FuzzCommand.flaws(in: outcome)).map(\.ranked).sorted { $0 < $1 }.map(\.signature)
        if case .answer(let line) = outcome, case .judged(let result)? = try? WorkerResponse(line: line) {
            let report = RunReport(scenario: scenario, results: [result], build: "")
            if report.failedGateNumbers.contains(where: { scenario.expectations[$0].metric.isOfDelivery }) {
                findings += result.excusedCauses.map { Flaw(.missed, $0).signature }
            }
            findings += report.failedGates.map { "gate: \($0)" }
        }
        self.findings = findings
    }
}

extension Metric {
    /// Whether what was missed is a reason for a requirement of it not to be met.
    fileprivate var isOfDelivery: Bool {
        switch self {
        case .delivery, .known, .displayed, .missed: true
        default: false
        }
    }
}

extension Flaw {
    /// In which order findings are told, the worst first.
    fileprivate var ranked: (rank: Int, signature: String) {
        let ranks: [Kind] = [.crash, .internalError, .invariant, .duplicate, .unexpected, .missed, .late, .notDrained]
        return (ranks.firstIndex(of: kind) ?? ranks.count, signature)
    }
}
