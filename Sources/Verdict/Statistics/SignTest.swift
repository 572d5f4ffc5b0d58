/// How likely it is that so many seeds of those that differ lie on one side, if both sides were as likely.
enum SignTest {
    /// Two-sided and exact; 1 when no seed differs.
    static func pValue(more: Int, fewer: Int) -> Double {
        min(1, 2 * oneSided(more: max(more, fewer), fewer: min(more, fewer)))
    }

    /// The probability of at least `more` on that side.
    static func oneSided(more: Int, fewer: Int) -> Double {
        guard more > 0 else { return 1 }
        return IncompleteBeta.regularised(0.5, Double(more), Double(fewer + 1))
    }

    /// The share of all seeds above which a difference would have shown in one of so many at least, at this confidence.
    static func shareThatWouldShow(seeds: Int, confidence: Double) -> Double {
        BinomialBound.upper(successes: 0, of: Double(seeds), confidence: confidence)
    }
}
