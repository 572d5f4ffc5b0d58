import HTTP
import Live
import Platform
import Synchronization

/// Carries what the simulated apps and GitLab's webhooks send to the REST API of `notifierd`, over a socket.
///
/// Answers on the world's thread, whenever the socket does. Isolation of the rest: any thread.
final class LiveBridge: HTTPHandler {
    private static let options = HTTPSendOptions(
        connectTimeout: .seconds(5),
        totalTimeout: .seconds(30)
    )
    private let client: CurlClient
    private let driver: LiveWorldDriver
    private let origin = Mutex<HTTPOrigin?>(nil)

    init(_ driver: LiveWorldDriver) {
        self.driver = driver
        var configuration = CurlClient.Configuration()
        configuration.connectionLimit = 16
        configuration.usesSystemProxy = false
        client = CurlClient(configuration)
    }

    /// Where `notifierd` listens; nil while it does not.
    func lead(to port: UInt16?) {
        origin.withLock { $0 = port.map { HTTPOrigin(scheme: "http", host: "127.0.0.1", port: $0) } }
    }

    func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
        guard let origin = origin.withLock(\.self) else { return Self.unreachable }
        var request = request
        request.origin = origin
        // Each app has an address of its own, as at a proxy's back.
        request.fields.append("X-Forwarded-For", peer.address)
        let (sent, client, driver) = (request, client, driver)
        return await withUnsafeContinuation { continuation in
            // Nobody cancels it: it ends by the deadline of its request.
            Task.detached {
                let outcome = await client.send(sent, options: Self.options)
                driver.post { _ in continuation.resume(returning: Self.response(outcome)) }
            }
        }
    }

    private static func response(_ outcome: HTTPOutcome) -> HTTPResponse {
        guard case .response(let response) = outcome else { return unreachable }
        return response
    }

    /// What a proxy says in front of a server that is down; apps try again.
    private static let unreachable = HTTPResponse(status: 503)
}
