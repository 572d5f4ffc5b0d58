extension Duration {
    /// This duration in nanoseconds; finer parts are dropped.
    package var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }

    /// This duration in microseconds; finer parts are dropped.
    package var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }

    /// This duration in milliseconds; finer parts are dropped.
    package var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }

    /// A duration of whole minutes.
    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }

    /// A duration of whole hours.
    package static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }

    /// A duration of days of 24 hours.
    package static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
