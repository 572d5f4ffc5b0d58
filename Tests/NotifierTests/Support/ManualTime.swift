import Platform
import Synchronization

/// A clock that a test moves by hand. A test awaits that somebody sleeps before it moves the clock on.
final class ManualTime: TimeSource {
    private struct Sleeper {
        var id: Int
        var until: MonotonicInstant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = MonotonicInstant(nanoseconds: 1_000_000_000)
        var wallOffset: Duration = .zero
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var nextID = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let start: WallTime

    init(start: WallTime = WallTime(secondsSinceEpoch: 1_800_000_000)) {
        self.start = start
    }

    var monotonicNow: MonotonicInstant { state.withLock { $0.now } }

    var wallNow: WallTime {
        state.withLock { start.advanced(by: .nanoseconds($0.now.nanoseconds - 1_000_000_000) + $0.wallOffset) }
    }

    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// The instant at which the next sleeper wakes.
    var nextWake: MonotonicInstant? { state.withLock { $0.sleepers.map(\.until).min() } }

    /// Lets the calendar jump while elapsed time goes on.
    func stepWall(by step: Duration) { state.withLock { $0.wallOffset += step } }

    func sleep(until instant: MonotonicInstant) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Sleeper(id: id, until: instant, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Returns once at least `count` tasks sleep.
    func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Moves the clock and wakes whose time has come: in the order of their instants, and of two with the same one first who went to
    /// sleep first.
    func advance(by duration: Duration) {
        precondition(duration >= .zero, "this clock does not go back")
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.sleepers.filter { $0.until <= now }
            state.sleepers.removeAll { $0.until <= now }
            return due.sorted { ($0.until, $0.id) < ($1.until, $1.id) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits for a sleeper and moves the clock to where the first one wakes; returns how far that was.
    @discardableResult
    func advanceToNextWake() async -> Duration {
        await sleepers(1)
        guard let wake = nextWake else { return .zero }
        let wait = monotonicNow.duration(to: wake)
        advance(by: wait)
        return wait
    }

    /// Under one lock with the look at the clock: else it could move on in between, and nobody would wake the sleeper.
    private func add(_ sleeper: Sleeper) {
        let (result, watchers): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) = state.withLock {
            state in
            if state.cancelled.remove(sleeper.id) != nil { return (.failure(CancellationError()), []) }
            if state.now >= sleeper.until { return (.success(()), []) }
            state.sleepers.append(sleeper)
            let count = state.sleepers.count
            let ready = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return (nil, ready)
        }
        if let result { sleeper.continuation.resume(with: result) }
        for watcher in watchers { watcher.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                // Before the sleep was registered, or after its end.
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
