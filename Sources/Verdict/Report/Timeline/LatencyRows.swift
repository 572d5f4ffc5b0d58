/// Rows of a logarithmic axis of latency: ten for each power of ten, from a tenth of a second on. Bounds are whole milliseconds from a
/// table, so that a row is the same on every machine.
package enum LatencyRows {
    /// Until 10⁸ ms, which is more than a day; what is longer is in the last row.
    package static let count = 60

    /// Ten steps to a power of ten.
    private static let steps: [Int64] = [100, 126, 158, 200, 251, 316, 398, 501, 631, 794]

    /// Where rows begin, in milliseconds, and where the last one ends.
    private static let bounds: [Int64] = {
        var bounds: [Int64] = []
        var power: Int64 = 1
        while bounds.count < count {
            bounds += steps.map { $0 * power }
            power *= 10
        }
        return bounds + [100 * power]
    }()

    /// The row of a latency; the first one for what is shorter than a tenth of a second.
    package static func row(of milliseconds: Int64) -> Int {
        min(count - 1, max(0, (bounds.firstIndex { $0 > milliseconds } ?? bounds.count) - 1))
    }

    /// Where a latency lies, in rows from the lower end of the axis; between two bounds in proportion.
    package static func position(of milliseconds: Int64) -> Double {
        let row = row(of: milliseconds)
        let share = Double(milliseconds - bounds[row]) / Double(bounds[row + 1] - bounds[row])
        return Double(row) + min(1, max(0, share))
    }
}
