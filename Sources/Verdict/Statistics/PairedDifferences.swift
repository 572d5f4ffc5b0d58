import Glibc

/// What pairs of seeds, the same seed on both sides, say about a difference (statistics §5).
///
/// With few seeds nothing is assumed of how differences spread: the smallest and the largest hold the median of all between them with
/// probability 1 − 2/2ⁿ. From ``enoughForMeans`` on the interval is Student's, of the mean.
package struct PairedDifferences: Sendable, Equatable {
    static let enoughForMeans = 10

    /// Second less first, a value for each seed.
    package let values: [Double]
    let mean: Double
    /// Of the values, with n − 1; 0 for fewer than two.
    let deviation: Double

    init(_ values: [Double]) {
        self.values = values
        let count = Double(values.count)
        let mean = values.isEmpty ? 0 : values.reduce(0, +) / count
        self.mean = mean
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        deviation = values.count < 2 ? 0 : (squares / (count - 1)).squareRoot()
    }

    /// With fewer seeds no interval has that confidence.
    static func fewestSeeds(confidence: Double) -> Int {
        let needed = Int((1 - log2(1 - confidence)).rounded(.up))
        return min(enoughForMeans, max(2, needed))
    }

    /// The two-sided interval; nil with too few seeds.
    func interval(confidence: Double) -> ConfidenceInterval? {
        guard values.count >= Self.fewestSeeds(confidence: confidence) else { return nil }
        guard values.count >= Self.enoughForMeans else {
            return ConfidenceInterval(lower: values.min() ?? 0, upper: values.max() ?? 0)
        }
        let t = StudentT.quantile(1 - (1 - confidence) / 2, freedom: values.count - 1)
        let half = t * deviation / Double(values.count).squareRoot()
        return ConfidenceInterval(lower: mean - half, upper: mean + half)
    }

    /// The true difference that an interval of that confidence would have told from none in 80 of 100 such samples, if seeds spread as
    /// these do; nil with too few seeds.
    func detectable(confidence: Double, power: Double = 0.8) -> Double? {
        let count = values.count
        guard count >= Self.fewestSeeds(confidence: confidence) else { return nil }
        guard count >= Self.enoughForMeans else {
            // Every seed has to lie on the same side.
            return deviation * NormalDistribution.quantile(pow(power, 1 / Double(count)))
        }
        let sum =
            StudentT.quantile(1 - (1 - confidence) / 2, freedom: count - 1)
            + StudentT.quantile(power, freedom: count - 1)
        return sum * deviation / Double(count).squareRoot()
    }

    /// So many seeds would detect a difference of that size as ``detectable(confidence:power:)`` says; nil above 100,000.
    func seedsNeeded(toDetect size: Double, confidence: Double, power: Double = 0.8) -> Int? {
        guard size > 0 else { return nil }
        let z = NormalDistribution.quantile(1 - (1 - confidence) / 2) + NormalDistribution.quantile(power)
        let count = (z * deviation / size) * (z * deviation / size)
        guard count < 100_000 else { return nil }
        // Two more, for Student's t has wider tails than the normal distribution.
        return max(Self.fewestSeeds(confidence: confidence), Int(count.rounded(.up)) + 2)
    }
}
