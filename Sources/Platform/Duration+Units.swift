extension Duration {
    // Not through `components`: it multiplies and divides in 128 bits out of line, ten times the work, and virtual days are full of it.

    /// This duration in nanoseconds; finer parts are dropped. Traps beyond 292 years, as the two below do beyond their ranges.
    package var wholeNanoseconds: Int64 { Int64(attoseconds / 1_000_000_000) }

    /// This duration in microseconds; finer parts are dropped.
    package var wholeMicroseconds: Int64 { Int64(attoseconds / 1_000_000_000_000) }

    /// This duration in milliseconds; finer parts are dropped.
    package var wholeMilliseconds: Int64 { Int64(attoseconds / 1_000_000_000_000_000) }

    /// A duration of whole minutes.
    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

    /// A duration of whole hours.
    package static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }

    /// A duration of days of 24 hours.
    package static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
