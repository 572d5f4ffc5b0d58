/// A distribution of durations given by quantiles, drawn by linear interpolation in whole nanoseconds, so that a replay does
/// not depend on floating point.
package struct QuantileTable: Hashable, Sendable {
    /// One quantile: `perMille` of a thousand draws lie at or below `value`; 1,000 is the maximum.
    package struct Point: Hashable, Sendable {
        package var perMille: Int64
        package var value: Duration

        package init(perMille: Int64, value: Duration) {
            self.perMille = perMille
            self.value = value
        }
    }

    /// Rising in both fields, from 0 to 1,000 per mille.
    package let points: [Point]
    /// The values of `points`, for drawing.
    private let nanoseconds: [Int64]

    /// Traps unless `points` rise from 0 to 1,000 per mille without falling values.
    package init(_ points: [Point]) {
        precondition(
            points.first?.perMille == 0 && points.last?.perMille == 1_000,
            "a quantile table runs from 0 to 1,000 per mille"
        )
        for (left, right) in zip(points, points.dropFirst()) {
            precondition(left.perMille < right.perMille && left.value <= right.value, "a quantile table rises")
        }
        self.points = points
        nanoseconds = points.map(\.value.wholeNanoseconds)
    }

    /// A distribution that always gives `value`.
    package static func constant(_ value: Duration) -> QuantileTable {
        QuantileTable([Point(perMille: 0, value: value), Point(perMille: 1_000, value: value)])
    }

    /// One draw.
    package func draw(from random: inout RandomStream) -> Duration {
        .nanoseconds(drawNanoseconds(from: &random))
    }

    /// One draw in whole nanoseconds, for hot paths: arithmetic on `Duration` works on 128 bits.
    package func drawNanoseconds(from random: inout RandomStream) -> Int64 {
        guard let first = nanoseconds.first, let last = nanoseconds.last, first != last else { return nanoseconds[0] }
        let position = Int64(random.next(below: 1_000_000))
        for index in points.indices.dropLast() where position < points[index + 1].perMille * 1_000 {
            let width = nanoseconds[index + 1] - nanoseconds[index]
            let span = (points[index + 1].perMille - points[index].perMille) * 1_000
            return nanoseconds[index] + width / span * (position - points[index].perMille * 1_000)
        }
        return last
    }
}
