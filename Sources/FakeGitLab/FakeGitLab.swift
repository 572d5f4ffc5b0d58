package import HTTP
package import Platform
import Synchronization

/// A faithful, stateful and strict stand-in for the REST API v4 of a self-managed GitLab.
///
/// It answers from state of its own: one lock around one value. It schedules nothing: whatever depends on time is
/// computed from `time` when a request comes in, and it never sleeps. The world is built and acted upon by
/// package methods, which the notifier never calls; each action becomes an `Activity` of the ledger.
///
/// Safe to call from any task; calls follow one another.
package final class FakeGitLab: HTTPResponder {
    /// Told of each request that no route answers; called outside the lock.
    package typealias Observer = @Sendable (UnknownRequest) -> Void

    private let state: Mutex<InstanceState>
    private let time: any TimeSource
    private let observer: Observer?

    /// An empty instance.
    ///
    /// - Parameters:
    ///   - configuration: How it behaves.
    ///   - time: The server's clock. Its wall reading stamps; by its monotonic one commits take their time.
    ///   - seed: Determines commit ids and every draw.
    ///   - observer: Told of each unknown request.
    package init(
        configuration: Configuration = Configuration(),
        time: any TimeSource,
        seed: UInt64,
        observer: Observer? = nil
    ) {
        state = Mutex(InstanceState(configuration: configuration, seed: seed))
        self.time = time
        self.observer = observer
    }

    package func respond(to request: HTTPRequest, from peer: HTTPPeer) -> SentResponse {
        let now = time.wallNow
        let (answer, unknown) = state.withLock { state in
            state.primary.note(now, at: time.monotonicNow)
            return state.respond(to: request, from: peer, at: now)
        }
        var reply = answer
        if request.method == .head { reply.response.leaveBodyOut() }
        if request.fields["Origin"] != nil, reply.response.fields["Access-Control-Allow-Origin"] == nil {
            InstanceState.allowOrigin(&reply.response.fields)
        }
        if let unknown { observer?(unknown) }
        return reply
    }

    /// Runs `body` under the lock at the server's present time.
    func act<Result: Sendable>(_ body: (inout InstanceState, WallTime) throws -> Result) rethrows -> Result {
        let now = time.wallNow
        return try state.withLock { state in
            state.primary.note(now, at: time.monotonicNow)
            state.writePendingEvents(until: state.primary.latest)
            return try body(&state, now)
        }
    }
}

extension HTTPResponse {
    /// What HEAD gets: every field of GET, its length included (supplement §5).
    fileprivate mutating func leaveBodyOut() {
        if status != 204, status != 304 { fields.append("Content-Length", "\(body.count)") }
        body = []
    }
}
