/// Bounded numbers from draws of 64 bits, each as likely as any other: the same draws in every release of the toolchain.
enum BoundedDraw {
    /// A number in `0..<bound`; `bound` must be positive. Draws that would make some numbers likelier are drawn again.
    static func below(_ bound: UInt64, _ draw: () -> UInt64) -> UInt64 {
        precondition(bound > 0, "a draw needs at least one possible value")
        var product = draw().multipliedFullWidth(by: bound)
        if product.low < bound {
            let threshold = (0 &- bound) % bound
            while product.low < threshold {
                product = draw().multipliedFullWidth(by: bound)
            }
        }
        return product.high
    }

    /// A number in `range`.
    static func within(_ range: ClosedRange<Int64>, _ draw: () -> UInt64) -> Int64 {
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        guard width < .max else { return Int64(bitPattern: draw()) }
        return range.lowerBound &+ Int64(bitPattern: below(width + 1, draw))
    }
}
