/// Student's t distribution, for means of few values.
enum StudentT {
    /// The value below which that share lies, between 0 and 1 without either, for so many degrees of freedom (at least 1).
    static func quantile(_ probability: Double, freedom: Int) -> Double {
        precondition(probability > 0 && probability < 1 && freedom > 0, "a quantile lies within the distribution")
        guard probability != 0.5 else { return 0 }
        let tail = min(probability, 1 - probability)
        // The tail beyond t is half of I_x(ν/2, 1/2) with x = ν / (ν + t²).
        let x = IncompleteBeta.quantile(2 * tail, Double(freedom) / 2, 0.5)
        let value = (Double(freedom) * (1 - x) / x).squareRoot()
        return probability < 0.5 ? -value : value
    }
}
