import Platform
import Synchronization

/// A clock and a scheduler that only move when the test says so.
final class SteppedTime: TimeSource, Scheduler {
    private struct Work {
        let at: Int64
        let order: Int
        let action: @Sendable () -> Void
    }

    private struct State {
        var now: Int64 = 1_000
        var wallOffset: Int64
        var order = 0
        var queue: [Work] = []
    }

    private let state: Mutex<State>

    init(wall: WallTime = WallTime(secondsSinceEpoch: 1_800_000_000)) {
        state = Mutex(State(wallOffset: wall.microseconds))
    }

    var monotonicNow: MonotonicInstant { MonotonicInstant(nanoseconds: state.withLock(\.now)) }

    var wallNow: WallTime {
        state.withLock { WallTime(microseconds: $0.wallOffset + ($0.now - 1_000) / 1_000) }
    }

    func sleep(until instant: MonotonicInstant) async throws {
        preconditionFailure("nothing here sleeps")
    }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let at = state.now + max(0, delay.wholeNanoseconds)
            state.queue.append(Work(at: at, order: state.order, action: action))
            state.order += 1
        }
    }

    /// Moves the wall clock alone.
    func stepWall(by duration: Duration) {
        state.withLock { $0.wallOffset += duration.wholeMicroseconds }
    }

    /// Moves both clocks, running what falls due on the way in order.
    func advance(by duration: Duration) {
        let end = state.withLock { $0.now + duration.wholeNanoseconds }
        while let work = nextDue(by: end) { work.action() }
        state.withLock { $0.now = end }
    }

    private func nextDue(by end: Int64) -> Work? {
        state.withLock { state in
            guard
                let index = state.queue.indices.min(by: {
                    (state.queue[$0].at, state.queue[$0].order) < (state.queue[$1].at, state.queue[$1].order)
                }), state.queue[index].at <= end
            else { return nil }
            let work = state.queue.remove(at: index)
            state.now = max(state.now, work.at)
            return work
        }
    }
}
