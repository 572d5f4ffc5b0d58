import Glibc

/// The standard normal distribution.
enum NormalDistribution {
    /// The probability of a value below `x`.
    static func below(_ x: Double) -> Double { erfc(-x / 2.0.squareRoot()) / 2 }

    /// The value below which that share lies, between 0 and 1 without either, by bisection to the last bit.
    static func quantile(_ probability: Double) -> Double {
        precondition(probability > 0 && probability < 1, "a quantile lies within the distribution")
        var (low, high) = (-40.0, 40.0)
        for _ in 0..<200 {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { break }
            if below(middle) < probability { low = middle } else { high = middle }
        }
        return low
    }
}
