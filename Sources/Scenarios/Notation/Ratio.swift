/// A share between nothing and all, kept as a fraction of whole numbers so that draws and gates need no floating point.
package struct Ratio: Hashable, Sendable, CustomStringConvertible {
    /// 0…`denominator`.
    package let numerator: UInt64
    /// 1…1,000,000,000,000.
    package let denominator: UInt64

    /// Always.
    package static let one = Ratio(reducing: 1, 1)
    /// Never.
    package static let zero = Ratio(reducing: 0, 1)

    /// Nil unless 0 ≤ numerator ≤ denominator and the denominator lies in 1…10¹².
    init?(_ numerator: UInt64, _ denominator: UInt64) {
        guard (1...1_000_000_000_000).contains(denominator), numerator <= denominator else { return nil }
        self.init(reducing: numerator, denominator)
    }

    private init(reducing numerator: UInt64, _ denominator: UInt64) {
        let divisor = greatestCommonDivisor(numerator, denominator)
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    /// Nil unless `notation` is `1/100`, `1%` or `99.9%` (up to six decimals).
    package init?(notation: String) {
        if notation.hasSuffix("%") {
            self.init(percent: String(notation.dropLast()))
        } else {
            let parts = notation.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let top = naturalNumber(parts[0]), let bottom = naturalNumber(parts[1]) else {
                return nil
            }
            self.init(UInt64(top), UInt64(bottom))
        }
    }

    private init?(percent: String) {
        let parts = percent.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts[0].utf8.count <= 3, let whole = naturalNumber(parts[0]) else {
            return nil
        }
        guard parts.count == 2 else {
            self.init(UInt64(whole), 100)
            return
        }
        guard parts[1].utf8.count <= 6, let fraction = naturalNumber(parts[1]) else { return nil }
        let scale = (0..<parts[1].utf8.count).reduce(UInt64(1)) { value, _ in value * 10 }
        self.init(UInt64(whole) * scale + UInt64(fraction), 100 * scale)
    }

    /// Per cent when that is exact to six decimals, a fraction otherwise; reads back as the same value.
    package var description: String {
        let scaled = numerator.multipliedReportingOverflow(by: 100_000_000)
        guard !scaled.overflow, scaled.partialValue.isMultiple(of: denominator) else {
            return "\(numerator)/\(denominator)"
        }
        let millionths = scaled.partialValue / denominator
        var fraction = String(String(millionths % 1_000_000 + 1_000_000).dropFirst())
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return fraction.isEmpty ? "\(millionths / 1_000_000)%" : "\(millionths / 1_000_000).\(fraction)%"
    }
}

private func greatestCommonDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return max(left, 1)
}
