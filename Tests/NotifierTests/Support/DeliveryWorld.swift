import HTTP
import Platform
import Synchronization

/// Runs tasks on the test's own thread, in order, and moves time only when the test says so: no test waits for anything real.
final class DeliveryWorld: TaskExecutor, TimeSource {
    private struct Timer {
        var instant: MonotonicInstant
        var order: Int
        /// Unsafe because a crash drops it.
        var continuation: UnsafeContinuation<Void, any Error>
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var timers: [Timer] = []
        var now = MonotonicInstant(nanoseconds: 0)
        var order = 0
        var wallOffset = deliveryStart
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    var monotonicNow: MonotonicInstant { state.withLock { $0.now } }

    var wallNow: WallTime {
        state.withLock { $0.wallOffset.advanced(by: .nanoseconds($0.now.nanoseconds)) }
    }

    /// How many sleepers wait.
    var sleeperCount: Int { state.withLock { $0.timers.count } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Starts a task in this world; it runs when the world is drained or time moves.
    ///
    /// It stands for the process's own root task, which nothing surrounds: the test that started it cancels it, or lets the
    /// world crash; a task that is neither ends with the world, because nothing runs its jobs any more.
    @discardableResult
    func start<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) -> Task<T, any Error> {
        // The caller cancels it; without that it stops with the world that runs its jobs.
        Task(executorPreference: self) { try await body() }
    }

    /// Runs everything that can run at this instant.
    func drain() {
        while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Lets `duration` pass, stopping at each sleeper's instant.
    func advance(by duration: Duration) {
        let end = monotonicNow.advanced(by: duration)
        drain()
        while let timer = takeTimer(until: end) {
            timer.continuation.resume()
            drain()
        }
        state.withLock { $0.now = end }
        drain()
    }

    /// Drops every job and sleeper where it stands, as the end of a process does. What they hold is never released.
    func crash() {
        state.withLock { state in
            state.jobs = []
            state.timers = []
        }
    }

    /// Sets the wall clock forwards or, with a negative step, backwards.
    func stepWallClock(by step: Duration) {
        state.withLock { $0.wallOffset = $0.wallOffset.advanced(by: step) }
    }

    /// Runs `body` to its end without letting time pass; nil when it waits for time.
    func finish<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) throws -> T? {
        let holder = Holder<T>()
        start {
            do {
                holder.set(.success(try await body()))
            } catch {
                holder.set(.failure(error))
            }
        }
        drain()
        return try holder.value?.get()
    }

    func sleep(until instant: MonotonicInstant) async throws {
        try Task.checkCancellation()
        guard instant > monotonicNow else { return }
        let order = state.withLock { state in
            state.order += 1
            return state.order
        }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard state.cancelled.remove(order) == nil else { return true }
                    state.timers.append(Timer(instant: instant, order: order, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            cancelSleep(order)
        }
    }

    private func cancelSleep(_ order: Int) {
        let timer = state.withLock { state -> Timer? in
            guard let index = state.timers.firstIndex(where: { $0.order == order }) else {
                state.cancelled.insert(order)
                return nil
            }
            return state.timers.remove(at: index)
        }
        timer?.continuation.resume(throwing: CancellationError())
    }

    private func takeTimer(until end: MonotonicInstant) -> Timer? {
        state.withLock { state in
            let next = state.timers.indices.min {
                (state.timers[$0].instant, state.timers[$0].order) < (state.timers[$1].instant, state.timers[$1].order)
            }
            guard let next, state.timers[next].instant <= end else { return nil }
            state.now = max(state.now, state.timers[next].instant)
            return state.timers.remove(at: next)
        }
    }

    private final class Holder<T: Sendable>: Sendable {
        private let result = Mutex<Result<T, any Error>?>(nil)

        var value: Result<T, any Error>? { result.withLock { $0 } }

        func set(_ value: Result<T, any Error>) { result.withLock { $0 = value } }
    }
}
