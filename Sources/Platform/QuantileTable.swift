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
    }

    /// A distribution that always gives `value`.
    package static func constant(_ value: Duration) -> QuantileTable {
        QuantileTable([Point(perMille: 0, value: value), Point(perMille: 1_000, value: value)])
    }

    /// One draw.
    package func draw(from random: inout RandomStream) -> Duration {
        guard points[0].value != points[points.count - 1].value else { return points[0].value }
        let position = Int64(random.next(below: 1_000_000))
        for (left, right) in zip(points, points.dropFirst()) where position < right.perMille * 1_000 {
            let from = left.value.wholeNanoseconds
            let width = right.value.wholeNanoseconds - from
            let span = (right.perMille - left.perMille) * 1_000
            return .nanoseconds(from + width / span * (position - left.perMille * 1_000))
        }
        return points[points.count - 1].value
    }
}
