/// An axis from zero to a round number above everything on it.
struct LinearAxis {
    let from: Double
    let to: Double
    let end: Double

    /// Spans `highest`, from the coordinate of zero to that of the end.
    init(highest: Double, from: Double, to: Double) {
        (self.from, self.to) = (from, to)
        let highest = max(1, highest)
        var power = 1.0
        while power * 10 < highest { power *= 10 }
        end = power * ([1.0, 1.5, 2, 3, 5, 7, 10].first { $0 * power >= highest } ?? 10)
    }

    func callAsFunction(_ value: Double) -> Double { from + (to - from) * min(1, max(0, value / end)) }
}
