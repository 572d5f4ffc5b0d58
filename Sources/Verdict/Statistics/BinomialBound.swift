import Glibc

/// What so many trials prove about a share (statistics §1). Counts may be fractions: clustered trials weigh less
/// than one each.
enum BinomialBound {
    /// The one-sided lower bound of Clopper and Pearson: at this confidence the true share is at least that.
    /// 0…1; 0 without trials. `confidence` lies between 0 and 1.
    static func lower(successes: Double, of trials: Double, confidence: Double) -> Double {
        guard trials > 0, successes > 0 else { return 0 }
        let failures = max(0, trials - successes)
        if failures == 0 { return pow(1 - confidence, 1 / trials) }
        return IncompleteBeta.quantile(1 - confidence, successes, failures + 1)
    }

    /// The one-sided upper bound of Clopper and Pearson. 1 without trials.
    static func upper(successes: Double, of trials: Double, confidence: Double) -> Double {
        guard trials > 0 else { return 1 }
        return 1 - lower(successes: trials - successes, of: trials, confidence: confidence)
    }

    /// How many further trials without a miss make the lower bound reach (or, when `isStrict`, exceed) `share`.
    /// Zero when it does already; nil when a thousand million would not do, as for a share of one.
    static func cleanTrialsNeeded(
        misses: Double,
        of trials: Double,
        share: Double,
        isStrict: Bool,
        confidence: Double
    ) -> Int? {
        func isProven(_ more: Int) -> Bool {
            let total = trials + Double(more)
            let bound = lower(successes: total - misses, of: total, confidence: confidence)
            return isStrict ? bound > share : bound >= share
        }
        if isProven(0) { return 0 }
        var high = 1
        while !isProven(high) {
            high *= 2
            if high > 1_000_000_000 { return nil }
        }
        var low = high / 2
        while low + 1 < high {
            let middle = (low + high) / 2
            if isProven(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
