package import HTTP
import Platform
import Synchronization

/// Sends requests over real sockets: HTTP/2 where the server offers it, connections kept and shared, certificates verified.
///
/// Every origin has a lane of its own, which is a thread with libcurl's connections to that origin. Asking for a fresh
/// connection replaces the lane: the old one finishes what it carries and takes nothing more, so that a connection that has gone
/// bad is left for good. `deinit` ends what is under way with an unknown outcome.
package final class CurlClient: HTTPClient {
    /// What can be chosen.
    package struct Configuration: Sendable {
        /// Connections held to one origin at most, where each carries one exchange at a time: a GitLab without HTTP/2 answers few people
        /// at once over fewer. Over HTTP/2 one connection carries everything; a burst of new ones looks like an attack to APNs (APNs
        /// facts §8, §18).
        package var connectionLimit = 8
        /// Exchanges under way with one origin at most; further ones wait their turn within their own deadline.
        package var exchangeLimit = 256
        /// Origins that are remembered at most; the one unused for the longest goes first.
        package var originLimit = 64
        /// How long an unused connection is kept (APNs facts §18: libcurl's own 118 s means reconnecting after every pause).
        package var idleLifetime: Duration = .hours(12)
        /// A PEM file with the authorities to trust instead of the system's.
        package var authorityFile: String?
        /// Whether `https_proxy` and its kind apply.
        package var usesSystemProxy = true

        /// The defaults.
        package init() {}
    }

    private struct State {
        /// The lane used last stands last.
        var lanes: [(origin: HTTPOrigin, lane: CurlLane)] = []
    }

    private let configuration: Configuration
    private let state = Mutex(State())

    /// Starts nothing before the first request.
    package init(_ configuration: Configuration = Configuration()) {
        CurlLibrary.initialise()
        self.configuration = configuration
    }

    deinit {
        for (_, lane) in state.withLock({ $0.lanes }) { lane.close(.atOnce) }
    }

    package func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        guard !Task.isCancelled else { return .notSent(.cancelled) }
        guard let lane = lane(to: request.origin, isFresh: options.connection == .fresh) else {
            return .notSent(.connectionRefused)
        }
        let transfer = CurlTransfer(request, options: options)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in lane.begin(transfer, continuation) }
        } onCancel: {
            lane.cancel(transfer)
        }
    }

    /// The lane to `origin`; nil when the system gives no thread for one.
    private func lane(to origin: HTTPOrigin, isFresh: Bool) -> CurlLane? {
        var left: [CurlLane] = []
        defer { left.forEach { $0.close(.whenIdle) } }
        return state.withLock { state in
            if let index = state.lanes.firstIndex(where: { $0.origin == origin }) {
                let known = state.lanes.remove(at: index)
                if !isFresh {
                    state.lanes.append(known)
                    return known.lane
                }
                left.append(known.lane)
            }
            guard let lane = CurlLane(configuration) else { return nil }
            if state.lanes.count >= configuration.originLimit { left.append(state.lanes.removeFirst().lane) }
            state.lanes.append((origin, lane))
            return lane
        }
    }
}
