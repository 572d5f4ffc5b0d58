/// A calendar instant: what is stored, sent to others, and compared with what others sent.
///
/// A wall clock may be wrong, drift, and step in both directions, so it never measures an elapsed time.
package struct WallTime: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// An instant given in whole seconds since 1970-01-01T00:00:00Z.
    package init(secondsSinceEpoch: Int64) {
        microseconds = secondsSinceEpoch * 1_000_000
    }

    /// Whole seconds since 1970, rounded towards the past.
    package var secondsSinceEpoch: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The instant `duration` later, or earlier when it is negative; finer parts than a microsecond are dropped.
    package func advanced(by duration: Duration) -> WallTime {
        WallTime(microseconds: microseconds + duration.wholeMicroseconds)
    }

    /// How long it takes from this instant to `other`; negative when `other` lies before it.
    package func duration(to other: WallTime) -> Duration {
        .microseconds(other.microseconds - microseconds)
    }

    package static func < (left: WallTime, right: WallTime) -> Bool {
        left.microseconds < right.microseconds
    }
}
