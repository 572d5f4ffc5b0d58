import Platform

extension TimelineEntry {
    /// Whether it is something that people do again and again to items: what grows with them. What they do to their devices, and what
    /// goes wrong, does not.
    var canBeScaled: Bool {
        switch occurrence {
        case .at, .once: return false
        case .every, .rate: break
        }
        switch event {
        case .action(let action): return action.on != nil
        case .mix: return true
        case .fault: return false
        }
    }

    /// So many times as often: `numerator / denominator`.
    func scaled(by numerator: Int, of denominator: Int) -> TimelineEntry {
        var scaled = self
        switch occurrence {
        case .at, .once: break
        case .every(let interval, let span, let hours):
            let milliseconds = Self.rounded(interval.wholeMilliseconds * Int64(denominator), by: Int64(numerator))
            scaled.occurrence = .every(.milliseconds(max(1, milliseconds)), span, hours)
        case .rate(let rate, let span, let hours):
            scaled.occurrence = .rate(rate.scaled(by: Int64(numerator), of: Int64(denominator)), span, hours)
        }
        return scaled
    }

    fileprivate static func rounded(_ value: Int64, by divisor: Int64) -> Int64 { (value + divisor / 2) / divisor }
}

extension Rate {
    /// A file says no more in a period.
    private static let most: Int64 = 1_000_000

    /// So many times as many, in its own period where that says it exactly, else in the longest one that is fine enough.
    fileprivate func scaled(by numerator: Int64, of denominator: Int64) -> Rate {
        let exact = count * numerator
        if exact % denominator == 0, exact / denominator <= Self.most {
            return Rate(count: exact / denominator, period: period)
        }
        let own = period.components.seconds
        let periods: [Int64] = [604_800, 86_400, 3_600, 60, 1]
        for seconds in periods {
            let count = TimelineEntry.rounded(exact * seconds, by: denominator * own)
            if count <= Self.most { return Rate(count: max(1, count), period: .seconds(seconds)) }
        }
        return Rate(count: Self.most, period: .seconds(1))
    }
}
