import Glibc
package import Platform

/// The system's clocks.
package struct LiveTime: TimeSource {
    package init() {}

    package var monotonicNow: MonotonicInstant {
        MonotonicInstant(nanoseconds: Self.read(CLOCK_MONOTONIC))
    }

    package var wallNow: WallTime {
        WallTime(microseconds: Self.read(CLOCK_REALTIME) / 1_000)
    }

    package func sleep(until instant: MonotonicInstant) async throws {
        let wait = monotonicNow.duration(to: instant)
        try await Task.sleep(for: max(wait, .zero))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
