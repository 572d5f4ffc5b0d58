import Platform

/// Small random delays, so that nobody polls in step.
enum Jitter {
    /// A duration in `0..<width`, evenly drawn; zero for a width that is not positive. `draw` is any 64 random bits.
    static func below(_ width: Duration, draw: UInt64) -> Duration {
        let nanoseconds = width.wholeNanoseconds
        guard nanoseconds > 0 else { return .zero }
        return .nanoseconds(Int64(draw.multipliedFullWidth(by: UInt64(nanoseconds)).high))
    }

    /// `base`, longer or shorter by up to `percent` of a hundred.
    static func around(_ base: Duration, percent: Int, draw: UInt64) -> Duration {
        let spread = Duration.nanoseconds(base.wholeNanoseconds / 100 * Int64(max(percent, 0)))
        return base - spread + below(spread * 2, draw: draw)
    }
}
