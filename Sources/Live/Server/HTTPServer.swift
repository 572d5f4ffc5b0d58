import CMicroHTTPD
import Crypto
package import HTTP
import Platform
import Synchronization

/// Serves a handler over HTTP/1.1 on real sockets, with keep-alive and optional TLS, by libmicrohttpd.
///
/// It listens from the beginning and answers while ``run()`` runs.
package final class HTTPServer: Sendable {
    private let daemon: HTTPDaemon
    /// How long an answer that never comes is withheld, so that its connection is not held for ever.
    private static let silence = Duration.seconds(600)
    private let reply: @Sendable (HTTPRequest, HTTPPeer) async -> SentResponse

    /// Begins to listen. `reply` answers as the service would; its `serviceTime` has passed already. `refuse` puts what the server
    /// refuses by itself into words.
    ///
    /// - Throws: `HTTPServerError`.
    package init(
        _ configuration: HTTPServerConfiguration,
        refuse: @escaping @Sendable (HTTPRefusal) -> HTTPResponse = { HTTPResponse(status: $0.status) },
        reply: @escaping @Sendable (HTTPRequest, HTTPPeer) async -> SentResponse
    ) throws(HTTPServerError) {
        self.reply = reply
        daemon = try HTTPDaemon(configuration, refuse: refuse)
    }

    /// Begins to listen for requests that `handler` answers.
    ///
    /// - Throws: `HTTPServerError`.
    package convenience init(
        _ configuration: HTTPServerConfiguration,
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        try self.init(configuration, refuse: handler.refuse) { SentResponse(await handler.handle($0, from: $1)) }
    }

    /// Begins to listen for requests that `responder` answers, with every way an answer can travel.
    ///
    /// - Throws: `HTTPServerError`.
    convenience init(
        _ configuration: HTTPServerConfiguration,
        responder: any HTTPResponder
    ) throws(HTTPServerError) {
        try self.init(configuration) { await responder.reply(to: $0, from: $1) }
    }

    /// Where it listens.
    package var port: UInt16 { daemon.port }

    /// Answers requests until ``stop(within:)`` or cancellation.
    package func run() async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await exchange in daemon.exchanges {
                    group.addTask { await self.answer(exchange) }
                }
                // Whoever has not answered by now will not any more.
                group.cancelAll()
            }
            daemon.end()
        } onCancel: {
            daemon.finishIntake()
        }
    }

    /// Takes no more connections, gives requests under way at most `deadline`, then ends ``run()``.
    package func stop(within deadline: Duration) async {
        daemon.quiesce()
        await LiveTime().wait(atMost: deadline) { daemon.isBusy }
        daemon.finishIntake()
    }

    private func answer(_ exchange: HTTPExchange) async {
        var reply = await reply(exchange.request, exchange.peer)
        if reply.travel == .never {
            // Cancelled when the server ends.
            try? await LiveTime().sleep(for: Self.silence)
            reply.travel = .reset
        }
        exchange.answer(reply)
    }
}
