import Scenarios

/// One line of the verdict: a gate, a crash, a broken invariant or a path that was not reached.
struct Finding: Equatable {
    var verdict: Verdict
    var rule: String
    var observed = ""
    var bound = ""
    var margin = ""
    var note: String?
    /// Whether it is about a path to be reached.
    var isProbe = false
}

extension RunReport {
    /// Failures first, then doubts, then passes; within each in a fixed order.
    var findings: [Finding] {
        let all = crashFindings + invariantFindings + gates.map(Finding.init) + probeFindings
        return [Verdict.fail, .insufficient, .pass].flatMap { verdict in all.filter { $0.verdict == verdict } }
    }

    private var crashFindings: [Finding] {
        crashes.map { crash in
            let message = crash.message.isEmpty ? nil : crash.message
            return Finding(
                verdict: .fail,
                rule: "seed \(crash.seed) runs to its end",
                observed: "crashed",
                note: message
            )
        }
    }

    private var invariantFindings: [Finding] {
        let broken = ViolationRecord.Invariant.allCases.compactMap(finding)
        if !broken.isEmpty { return broken }
        guard !results.isEmpty else { return [] }
        // More were counted than kept: the kept ones may be of another run's making.
        guard violationsInAll == 0 else {
            return [Finding(verdict: .fail, rule: "invariants", observed: "\(violationsInAll) broken")]
        }
        let count = ViolationRecord.Invariant.allCases.count
        return [Finding(verdict: .pass, rule: "\(count) invariants", observed: "0 broken")]
    }

    private func finding(_ invariant: ViolationRecord.Invariant) -> Finding? {
        let all = results.flatMap { result in
            result.violations.filter { $0.invariant == invariant }.map { (seed: result.seed, violation: $0) }
        }
        guard let first = all.first else { return nil }
        let at = FigureText.instant(milliseconds: first.violation.atMilliseconds)
        return Finding(
            verdict: .fail,
            rule: "invariant \(invariant.rawValue)",
            observed: "\(all.count) broken",
            note: "seed \(first.seed) at \(at): \(first.violation.detail)"
        )
    }

    private var probeFindings: [Finding] {
        probes.map { probe in
            let rule = "probe \(probe.probe.rawValue)"
            guard probe.seeds > 0 else {
                return Finding(
                    verdict: .insufficient,
                    rule: rule,
                    observed: "0 runs",
                    note: "path never reached",
                    isProbe: true
                )
            }
            return Finding(verdict: .pass, rule: rule, observed: "\(probe.count) times", isProbe: true)
        }
    }
}

extension Finding {
    fileprivate init(_ gate: GateResult) {
        verdict = gate.verdict
        rule = gate.rule
        observed = gate.observed
        bound = gate.bound ?? ""
        margin = gate.margin.map { "margin \($0)" } ?? ""
        note = gate.note
    }
}
