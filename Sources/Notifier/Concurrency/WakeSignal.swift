import Platform
import Synchronization

/// Lets a loop wait for an instant, or for a signal that comes before.
///
/// A signal is remembered until the next wait, so none is lost while the loop is busy; several count as one. One task waits
/// at a time; anybody may send.
final class WakeSignal: Sendable {
    /// Why a wait ended.
    enum Wake: Sendable {
        case signalled, elapsed
    }

    private struct State {
        var signalled = false
        /// Who listens; unsafe because a simulated crash drops the waiting task where it stands.
        var listener: UnsafeContinuation<Void, Never>?
        var isCancelled = false
    }

    private let time: any TimeSource
    private let state = Mutex(State())

    init(time: any TimeSource) {
        self.time = time
    }

    /// Ends the wait of now, or the next one at once.
    func send() {
        let listener = state.withLock { state in
            state.signalled = true
            return Self.takeListener(&state)
        }
        listener?.resume()
    }

    /// Waits for a signal or until `instant`; nil waits for the signal alone.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func wait(until instant: MonotonicInstant?) async throws -> Wake {
        try Task.checkCancellation()
        if takeSignal() { return .signalled }
        guard let instant else {
            await listen()
            try Task.checkCancellation()
            return takeSignal() ? .signalled : .elapsed
        }
        if time.monotonicNow >= instant { return .elapsed }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.time.sleep(until: instant) }
            group.addTask { await self.listen() }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
        try Task.checkCancellation()
        // The signal is taken only here, so one that comes together with the instant is not lost.
        return takeSignal() ? .signalled : .elapsed
    }

    private func takeSignal() -> Bool {
        state.withLock { state in
            defer { state.signalled = false }
            return state.signalled
        }
    }

    /// Returns when somebody has signalled or the task is cancelled; leaves the signal for the waiter to take.
    private func listen() async {
        state.withLock { $0.isCancelled = false }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isOver = state.withLock { state in
                    precondition(state.listener == nil, "one task waits for a wake signal at a time")
                    if state.signalled || state.isCancelled { return true }
                    state.listener = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let listener = state.withLock { state in
                state.isCancelled = true
                return Self.takeListener(&state)
            }
            listener?.resume()
        }
    }

    private static func takeListener(_ state: inout State) -> UnsafeContinuation<Void, Never>? {
        defer { state.listener = nil }
        return state.listener
    }
}
