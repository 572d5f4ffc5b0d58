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

    /// Waits as long as `isBusy`, no longer than `limit`, and not when cancelled.
    func wait(atMost limit: Duration, while isBusy: () -> Bool) async {
        let end = monotonicNow.advanced(by: limit)
        while isBusy(), monotonicNow < end {
            guard (try? await sleep(for: .milliseconds(10))) != nil else { return }
        }
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
