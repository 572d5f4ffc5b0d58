import Platform

/// How often something happens: `numerator` of `denominator` times on average. A numerator of 0 is never, and draws nothing.
package struct Ratio: Sendable, Hashable {
    let numerator: UInt64
    let denominator: UInt64

    /// Traps unless `numerator` ≤ `denominator` and `denominator` > 0.
    package init(_ numerator: UInt64, in denominator: UInt64) {
        precondition(denominator > 0 && numerator <= denominator, "a ratio lies between 0 and 1")
        self.numerator = numerator
        self.denominator = denominator
    }

    package static let never = Ratio(0, in: 1)
    static let always = Ratio(1, in: 1)

    /// One draw. Certainties draw nothing.
    func happens(_ random: inout RandomStream) -> Bool {
        guard numerator > 0 else { return false }
        return numerator == denominator || random.chance(numerator, in: denominator)
    }
}
