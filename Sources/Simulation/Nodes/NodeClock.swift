package import Platform

/// The clocks of one node: monotonic time is the simulation's, wall time may be off, drift and step.
///
/// Unchecked: simulation thread.
package final class NodeClock: TimeSource, @unchecked Sendable {
    private let loop: EventLoop
    private let start: WallTime
    /// Wall time at `anchor`, from which it runs on at the drifting rate.
    private var anchor: MonotonicInstant
    private var anchorWall: WallTime
    /// How many microseconds the wall clock gains in a second; negative when it loses.
    private var driftPerMillion: Int64 = 0

    init(loop: EventLoop, start: WallTime) {
        self.loop = loop
        self.start = start
        anchor = loop.now
        anchorWall = start.advanced(by: MonotonicInstant(nanoseconds: 0).duration(to: loop.now))
    }

    package var monotonicNow: MonotonicInstant { loop.now }

    package var wallNow: WallTime {
        let elapsed = (loop.now.nanoseconds - anchor.nanoseconds) / 1_000
        return WallTime(microseconds: anchorWall.microseconds + elapsed + elapsed * driftPerMillion / 1_000_000)
    }

    /// Moves the wall clock by `amount`, forwards or backwards.
    package func step(by amount: Duration) {
        anchorWall = wallNow.advanced(by: amount)
        anchor = loop.now
    }

    /// Lets the wall clock gain `microsecondsPerSecond` from now on (lose, when negative); at most 100,000 either way.
    package func setDrift(microsecondsPerSecond: Int64) {
        precondition(abs(microsecondsPerSecond) <= 100_000, "a wall clock that drifts more than a tenth is broken")
        let now = wallNow
        anchorWall = now
        anchor = loop.now
        driftPerMillion = microsecondsPerSecond
    }

    package func sleep(until instant: MonotonicInstant) async throws {
        try Task.checkCancellation()
        guard instant > loop.now else { return }
        let event = SleepEvent()
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                event.continuation = continuation
                loop.schedule(event, at: instant)
            }
        } onCancel: {
            event.cancel()
        }
    }
}

/// Wakes one sleeping task, once.
///
/// Unchecked: simulation thread.
private final class SleepEvent: TimedEvent, @unchecked Sendable {
    var continuation: UnsafeContinuation<Void, any Error>?

    override func fire() {
        continuation.take()?.resume()
    }

    func cancel() {
        isCancelled = true
        continuation.take()?.resume(throwing: CancellationError())
    }
}
