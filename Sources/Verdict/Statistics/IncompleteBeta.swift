import Glibc

/// The regularised incomplete beta function, from which every binomial bound here is made.
enum IncompleteBeta {
    /// I_x(a, b): the probability that a beta variable with those parameters lies below `x`. `a` and `b` must be positive.
    static func regularised(_ x: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        let front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log1p(-x))
        // The fraction converges fast on one side of the mean only; the other side follows by symmetry.
        if x < (a + 1) / (a + b + 2) { return front * fraction(x, a, b) / a }
        return 1 - front * fraction(1 - x, b, a) / b
    }

    /// The x at which I_x(a, b) is `probability`, by bisection to the last bit.
    static func quantile(_ probability: Double, _ a: Double, _ b: Double) -> Double {
        var low = 0.0
        var high = 1.0
        for _ in 0..<200 {
            let middle = (low + high) / 2
            guard middle > low, middle < high else { break }
            if regularised(middle, a, b) < probability { low = middle } else { high = middle }
        }
        return low
    }

    /// Lentz's evaluation of the continued fraction. The number of terms grows with the root of the parameters.
    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let tiny = 1e-300
        func safe(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
        var c = 1.0
        var d = 1 / safe(1 - (a + b) * x / (a + 1))
        var result = d
        for step in 1...100_000 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / safe(1 + even * d)
            c = safe(1 + even / c)
            result *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / safe(1 + odd * d)
            c = safe(1 + odd / c)
            result *= d * c
            if abs(d * c - 1) < 1e-15 { break }
        }
        return result
    }

    /// ln Γ(x) for positive x: Stirling's series, after moving small arguments up.
    static func logGamma(_ x: Double) -> Double {
        var x = x
        var shift = 0.0
        while x < 15 {
            shift -= log(x)
            x += 1
        }
        let inverse = 1 / x
        let square = inverse * inverse
        let series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1_260 - square / 1_680)))
        return shift + (x - 0.5) * log(x) - x + 0.918_938_533_204_672_7 + series
    }
}
