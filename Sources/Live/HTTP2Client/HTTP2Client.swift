package import HTTP
import Platform

/// Sends requests over HTTP/2 alone, over one connection to each origin: for a service such as APNs, whose connections are few, long and
/// to be judged.
///
/// libcurl connects (names, addresses, proxies, TLS and its verification); from there on the frames are nghttp2's and the decisions
/// ours: streams are opened as the server's SETTINGS allow, what was refused goes again, what a GOAWAY did not cover goes over the
/// next connection, and a connection that was silent answers a PING before it gets a request (APNs facts §8, §17). ``CurlClient``
/// is for every other service.
///
/// Plain `http` means HTTP/2 without TLS and without an upgrade. Packed bodies are not asked for and not unpacked. `deinit` ends what
/// is under way with an unknown outcome.
package final class HTTP2Client: HTTPClient {
    /// What can be chosen.
    package struct Configuration: Sendable {
        /// Exchanges under way with one origin at most; further ones wait their turn within their own deadline.
        var exchangeLimit = 256
        /// Origins that are remembered at most; the one unused for the longest goes first.
        var originLimit = 16
        /// Least time from one new connection of a lane to the next (APNs facts §17.1).
        var reconnectPause = Duration.seconds(1)
        /// How long silence is borne.
        var silence = Silence()
        /// A PEM file with the authorities to trust instead of the system's.
        var authorityFile: String?
        /// Whether `https_proxy` and its kind apply.
        var usesSystemProxy = true
    }

    /// How long a connection may say nothing.
    struct Silence: Sendable, Equatable {
        /// After this time a connection is asked by a PING before it gets a request (APNs facts §8: idle ones die silently).
        var trust = Duration.seconds(10)
        /// A connection that does not answer a PING within this time is given up.
        var patience = Duration.seconds(5)
        /// After this time a connection is asked in any case (APNs facts §8: an hour).
        var keepAlive = Duration.hours(1)
    }

    private let lanes: LaneTable<HTTP2Work>

    /// Starts nothing before the first request.
    init(_ configuration: Configuration = Configuration()) {
        CurlLibrary.initialise()
        lanes = LaneTable(limit: configuration.originLimit) {
            guard let waker = EventWaker(), let connector = CurlConnector(configuration) else { return nil }
            return Lane(waker: waker) {
                HTTP2Work(connector: connector, waker: waker, configuration: configuration)
            }
        }
    }

    package func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        guard !Task.isCancelled else { return .notSent(.cancelled) }
        let call = HTTP2Call(request, options: options)
        return await lanes.carry(call, to: request.origin, isFresh: options.connection == .fresh)
    }
}
