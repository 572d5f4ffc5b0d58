/// Where a program learns the time and how it waits.
///
/// The live world reads the system's clocks; the simulated one a virtual clock. The two readings have different types
/// because a wall clock may step: elapsed time comes from `monotonicNow`, stored and transmitted time from `wallNow`.
package protocol TimeSource: Sendable {
    /// A reading that never goes backwards.
    var monotonicNow: MonotonicInstant { get }

    /// The calendar time as this machine believes it to be.
    var wallNow: WallTime { get }

    /// Suspends the task until `instant`; returns at once when it has passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(until instant: MonotonicInstant) async throws
}

extension TimeSource {
    /// Suspends the task for `duration`; returns at once when it is zero or negative.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        try await sleep(until: monotonicNow.advanced(by: duration))
    }
}
