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
    private let handler: any HTTPHandler

    /// Begins to listen.
    ///
    /// - Throws: `HTTPServerError`.
    package init(_ configuration: HTTPServerConfiguration, handler: any HTTPHandler) throws(HTTPServerError) {
        self.handler = handler
        daemon = try HTTPDaemon(configuration)
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
            }
            daemon.end()
        } onCancel: {
            daemon.finishIntake()
        }
    }

    /// Takes no more connections, gives requests under way at most `deadline`, then ends ``run()``.
    package func stop(within deadline: Duration) async {
        daemon.quiesce()
        let end = LiveTime().monotonicNow.advanced(by: deadline)
        while daemon.isBusy, LiveTime().monotonicNow < end {
            // Best effort: cancellation only ends the wait early.
            try? await Task.sleep(for: .milliseconds(10))
        }
        daemon.finishIntake()
    }

    private func answer(_ exchange: HTTPExchange) async {
        exchange.answer(await handler.handle(exchange.request, from: exchange.peer))
    }
}
