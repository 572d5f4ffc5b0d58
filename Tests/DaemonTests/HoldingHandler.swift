import HTTP
import Synchronization

@testable import Live

/// A handler whose answers can be held back for a while.
final class HoldingHandler: Sendable {
    private struct State {
        var isHolding = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// Tells of each request that is held.
    let held: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let responder: any HTTPResponder
    private let state = Mutex(State())

    init(_ responder: any HTTPResponder) {
        self.responder = responder
        (held, continuation) = AsyncStream.makeStream()
    }

    func hold() {
        state.withLock { $0.isHolding = true }
    }

    func release() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    func reply(to request: HTTPRequest, from peer: HTTPPeer) async -> SentResponse {
        await withCheckedContinuation { waiter in
            let isHeld = state.withLock { state in
                if state.isHolding { state.waiting.append(waiter) }
                return state.isHolding
            }
            if isHeld { continuation.yield() } else { waiter.resume() }
        }
        return await responder.reply(to: request, from: peer)
    }
}
