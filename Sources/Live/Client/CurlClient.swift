package import HTTP
import Platform

/// Sends requests over real sockets: HTTP/2 where the server offers it, connections kept and shared, certificates verified.
///
/// Every origin has a lane of its own, which is a thread with libcurl's connections to that origin (``LaneTable``). `deinit` ends what
/// is under way with an unknown outcome.
package final class CurlClient: HTTPClient {
    /// What can be chosen.
    package struct Configuration: Sendable {
        /// Connections held to one origin at most, where each carries one exchange at a time: a GitLab without HTTP/2 answers few people
        /// at once over fewer. Over HTTP/2 one connection carries everything; a burst of new ones looks like an attack to APNs (APNs
        /// facts §8, §18).
        package var connectionLimit = 8
        /// Exchanges under way with one origin at most; further ones wait their turn within their own deadline.
        var exchangeLimit = 256
        /// Origins that are remembered at most; the one unused for the longest goes first.
        var originLimit = 64
        /// How long an unused connection is kept (APNs facts §18: libcurl's own 118 s means reconnecting after every pause).
        var idleLifetime: Duration = .hours(12)
        /// A PEM file with the authorities to trust instead of the system's.
        var authorityFile: String?
        /// Whether `https_proxy` and its kind apply.
        package var usesSystemProxy = true

        /// The defaults.
        package init() {}
    }

    private let lanes: LaneTable<CurlWork>

    /// Starts nothing before the first request.
    package init(_ configuration: Configuration = Configuration()) {
        CurlLibrary.initialise()
        // libcurl 7.88 keeps an HTTP/2 connection on which an answer did not come in time, and uses it again: one that has died without a
        // word would be used for ever. Over HTTP/1.1 it closes that connection.
        lanes = LaneTable(limit: configuration.originLimit, leavesSilent: true) {
            guard let multi = CurlMulti(configuration) else { return nil }
            return Lane(waker: multi) { CurlWork(multi: multi, configuration: configuration) }
        }
    }

    package func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        guard !Task.isCancelled else { return .notSent(.cancelled) }
        let transfer = CurlTransfer(request, options: options)
        return await lanes.carry(transfer, to: request.origin, isFresh: options.connection == .fresh)
    }
}
