import Platform

/// Whether the wall clock may be believed where something is forgotten by it. One that is set a year ahead by mistake would let all go that is
/// kept: news that waits for APNs, what was told, and the turns of the next weeks. None of it comes back when the clock is right again.
struct ClockTrust: Sendable {
    /// So much farther than time has passed the clock may have come: a machine that sleeps counts no time, and a stop ends within a day, too.
    static let margin: Duration = .days(1)

    private var wall: WallTime
    private var monotonic: MonotonicInstant

    /// - Parameters:
    ///   - wall: what the clock showed when it was seen last, perhaps by an earlier process.
    ///   - monotonic: the instant.
    init(wall: WallTime, monotonic: MonotonicInstant) {
        (self.wall, self.monotonic) = (wall, monotonic)
    }

    /// False where the clock has leapt ahead since it was looked at last. It counts from what it shows now.
    mutating func holds(wall: WallTime, monotonic: MonotonicInstant) -> Bool {
        let leap = self.wall.duration(to: wall) - self.monotonic.duration(to: monotonic)
        (self.wall, self.monotonic) = (wall, monotonic)
        return leap <= Self.margin
    }
}
