import HTTP
import Synchronization

/// Who waits for the outcome of an exchange, and whether they still want it.
final class PendingOutcome: Sendable {
    /// Resumed by nil when no lane has taken the exchange.
    typealias Continuation = CheckedContinuation<HTTPOutcome?, Never>

    private let continuation = Mutex<Continuation?>(nil)
    /// Set by whoever cancels, which may be before a lane has the exchange.
    private let cancellation = Atomic(false)

    deinit {
        precondition(continuation.withLock { $0 == nil }, "every exchange is finished")
    }

    func takeContinuation(_ continuation: Continuation) {
        self.continuation.withLock { $0 = continuation }
    }

    var isCancelled: Bool { cancellation.load(ordering: .acquiring) }

    func markCancelled() {
        cancellation.store(true, ordering: .releasing)
    }

    /// Tells whoever waits, once.
    func finish(_ outcome: HTTPOutcome?) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: outcome)
    }
}
