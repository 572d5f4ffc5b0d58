import Glibc
import Platform

/// Real elapsed time: for progress, time limits and figures. Nothing a simulated run observes comes from here.
enum LiveClock {
    /// A reading of the machine's monotonic clock.
    static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
