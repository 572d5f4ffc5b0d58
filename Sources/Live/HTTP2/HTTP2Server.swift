import CNGHTTP2
package import HTTP
import Platform

/// Serves a handler or a responder over HTTP/2 on real sockets, with TLS or without, by nghttp2 and OpenSSL.
///
/// It listens from the beginning and answers while ``run()`` runs. Isolation: any thread.
package final class HTTP2Server: Sendable {
    private let loop: HTTP2Loop
    private let reply: @Sendable (HTTPRequest, HTTPPeer) async -> SentResponse

    /// Begins to listen. `reply` answers as the service would; its `serviceTime` has passed already.
    ///
    /// - Throws: `HTTPServerError`.
    package init(
        _ configuration: HTTP2ServerConfiguration,
        reply: @escaping @Sendable (HTTPRequest, HTTPPeer) async -> SentResponse
    ) throws(HTTPServerError) {
        self.reply = reply
        loop = try HTTP2Loop(configuration)
    }

    /// Begins to listen for requests that `handler` answers.
    ///
    /// - Throws: `HTTPServerError`.
    convenience init(
        _ configuration: HTTP2ServerConfiguration,
        handler: any HTTPHandler
    ) throws(HTTPServerError) {
        try self.init(configuration) { SentResponse(await handler.handle($0, from: $1)) }
    }

    /// Begins to listen for requests that `responder` answers, with every way an answer can travel.
    ///
    /// - Throws: `HTTPServerError`.
    convenience init(
        _ configuration: HTTP2ServerConfiguration,
        responder: any HTTPResponder
    ) throws(HTTPServerError) {
        try self.init(configuration) { await responder.reply(to: $0, from: $1) }
    }

    deinit {
        loop.close(.atOnce)
    }

    /// Where it listens.
    package var port: UInt16 { loop.port }

    /// What it has seen since it began.
    package var counters: HTTP2Counters { loop.counters }

    /// Starts a fault, or starts the one with its id again.
    package func start(_ fault: HTTP2Fault) {
        loop.start(fault)
    }

    /// Starts a fault of new connections, or starts the one with its id again.
    ///
    /// - Throws: `HTTPServerError.badIdentity` for a certificate that cannot be used, and for a server without TLS.
    package func start(_ fault: HandshakeFault) throws(HTTPServerError) {
        try loop.start(fault)
    }

    /// Stops a fault; what it has done to a connection stays done. False where there is no such fault.
    @discardableResult package func stopFault(_ id: String) -> Bool {
        loop.stopFault(id)
    }

    /// Answers requests until ``stop(within:)`` or cancellation.
    package func run() async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await exchange in loop.exchanges {
                    group.addTask { self.loop.answer(exchange, await self.reply(exchange.request, exchange.peer)) }
                }
            }
            loop.close(.atOnce)
        } onCancel: {
            loop.finishIntake()
        }
    }

    /// Takes no more connections, tells clients by GOAWAY, gives requests under way at most `deadline`, then ends ``run()``.
    package func stop(within deadline: Duration) async {
        loop.close(.whenIdle)
        await LiveTime().wait(atMost: deadline) { loop.isBusy }
        loop.finishIntake()
    }
}
