/// A point on a clock that only moves forward: for timeouts, leases held in memory, and measuring.
///
/// Its zero has no meaning outside one run of one program; never store it. For stored or transmitted times use `WallTime`.
package struct MonotonicInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since this clock's zero.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant `duration` later, or earlier when it is negative.
    package func advanced(by duration: Duration) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds + duration.wholeNanoseconds)
    }

    /// How long it takes from this instant to `other`; negative when `other` lies before it.
    package func duration(to other: MonotonicInstant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
