import Platform

/// The time of one step, read once and passed down, so that everything recorded together agrees.
struct ClockReading {
    var wall: WallTime
    var monotonic: MonotonicInstant

    init(_ time: any TimeSource) {
        wall = time.wallNow
        monotonic = time.monotonicNow
    }
}
