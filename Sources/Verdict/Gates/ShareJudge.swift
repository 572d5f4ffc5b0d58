import Scenarios

/// Judges a gate over a share of the expected notifications.
struct ShareJudge {
    let gate: Gate
    let slice: PooledSlice
    let successes: KeyPath<SliceResult, Int>

    private var trials: Int { slice.total.expected }
    private var hits: Int { slice.total[keyPath: successes] }

    func judge() -> GateResult {
        var result = GateResult(gate, .insufficient)
        guard case .ratio(let share) = gate.comparison.bound else {
            result.note = "\(gate.metric.rawValue) is compared with a ratio"
            return result
        }
        guard trials > 0 else {
            result.note = "nothing was expected here"
            return result
        }
        let observed = Double(hits) / Double(trials)
        result.observed = "\(hits)/\(trials)"
        result.observedValue = observed
        result.samples = trials
        result.verdict = isObserved(share) ? .pass : .fail
        result.margin = margin(observed, share)
        if result.verdict == .fail {
            result.note = GateJudge.seedNote(slice.worst { $0.expected - $0[keyPath: successes] })
        }
        if let confidence = gate.confidence { judgeProof(&result, share, confidence) }
        return result
    }

    /// Whole numbers, so that 99 of 100 is exactly 99 %.
    private func isObserved(_ share: Ratio) -> Bool {
        let left = UInt64(hits).multipliedFullWidth(by: share.denominator)
        let right = UInt64(trials).multipliedFullWidth(by: share.numerator)
        switch gate.comparison.relation {
        case .greaterOrEqual: return left >= right
        case .greater: return left > right
        case .lessOrEqual: return left <= right
        case .less: return left < right
        case .equal: return left == right
        }
    }

    /// A failure of what was seen stays one; what was seen to hold must also be proven.
    private func judgeProof(_ result: inout GateResult, _ share: Ratio, _ confidence: Ratio) {
        let clustering = slice.clustering(successes)
        let effective = Double(trials) / clustering.designEffect
        let good = Double(hits) / clustering.designEffect
        let relation = gate.comparison.relation
        let isCeiling = relation == .lessOrEqual || relation == .less
        let bound =
            isCeiling
            ? BinomialBound.upper(successes: good, of: effective, confidence: confidence.value)
            : BinomialBound.lower(successes: good, of: effective, confidence: confidence.value)
        result.boundValue = bound
        result.bound = isCeiling ? "<= \(FigureText.percentUp(bound))" : ">= \(FigureText.percentDown(bound))"
        result.margin = margin(bound, share)
        guard result.verdict == .pass else { return }
        guard !relation.holds(bound, share.value) else {
            result.note = isCeiling ? nil : withoutMiss(clustering, confidence)
            return
        }
        result.verdict = .insufficient
        result.note = isCeiling ? "not proven yet" : missing(share, confidence, clustering)
    }

    /// Without a miss nothing shows how misses would cluster, and the bound takes them for independent: what does not depend on that is said
    /// beside it (statistics §2).
    private func withoutMiss(_ clustering: SeedClustering, _ confidence: Ratio) -> String? {
        guard clustering.seeds > 1, clustering.cleanSeeds == clustering.seeds else { return nil }
        let bound = FigureText.percentDown(clustering.cleanSeedBound(confidence: confidence.value))
        return "no seed of \(clustering.seeds) had a miss; that proves none in >= \(bound) of all seeds"
    }

    private func missing(_ share: Ratio, _ confidence: Ratio, _ clustering: SeedClustering) -> String {
        let needed = BinomialBound.cleanTrialsNeeded(
            misses: Double(trials - hits) / clustering.designEffect,
            of: Double(trials) / clustering.designEffect,
            share: share.value,
            isStrict: gate.comparison.relation == .greater,
            confidence: confidence.value
        )
        guard gate.comparison.relation != .equal, let needed else { return "no number of runs proves this share" }
        let notifications = Int((Double(needed) * clustering.designEffect).rounded(.up))
        let perSeed = max(1, trials / max(1, clustering.seeds))
        let seeds = (notifications + perSeed - 1) / perSeed
        return "\(notifications) more without a miss (about \(seeds) seed\(seeds == 1 ? "" : "s")) would prove it"
    }

    private func margin(_ value: Double, _ share: Ratio) -> String {
        let points = (value - share.value) * 100
        switch gate.comparison.relation {
        case .lessOrEqual, .less: return Self.signed(-points)
        case .equal: return Self.signed(-abs(points))
        case .greaterOrEqual, .greater: return Self.signed(points)
        }
    }

    private static func signed(_ points: Double) -> String {
        let text = FigureText.decimal(points, 2)
        return text.hasPrefix("-") ? text : "+" + text
    }
}
