import HTTP
import Platform
import Simulation
import Synchronization

@testable import Live

/// A way for requests to reach a service. All of them must mean the same by the same outcome.
enum Transport: String, CaseIterable {
    /// HTTP/2 is spoken over TLS alone, as the client does.
    case simulated, http1, http1OverTLS, http2
    /// By the client that speaks nothing else.
    case http2Alone

    /// What the client of a transport is asked to do.
    typealias Body = @Sendable (any HTTPClient, HTTPOrigin) async -> [HTTPOutcome]

    /// Lets `body` use a client whose requests `service` answers; gives what `body` gives.
    func serve(_ service: any HTTPResponder, to body: @escaping Body) async throws -> [HTTPOutcome] {
        switch self {
        case .simulated: simulate(service, body)
        case .http1, .http1OverTLS: try await serveByHTTP1(service, body)
        case .http2, .http2Alone: try await serveByHTTP2(service, body)
        }
    }

    private var usesTLS: Bool { self != .http1 }

    // MARK: In memory

    private func simulate(_ service: any HTTPResponder, _ body: @escaping Body) -> [HTTPOutcome] {
        let simulation = Simulation(seed: 1, start: WallTime(microseconds: 0))
        let origin = HTTPOrigin(scheme: "https", host: "service.example.com")
        let latency = QuantileTable([
            QuantileTable.Point(perMille: 0, value: .milliseconds(1)),
            QuantileTable.Point(perMille: 1_000, value: .milliseconds(2)),
        ])
        simulation.network.listen(origin, link: "service", latency: latency, responder: service)
        let node = simulation.makeNode("client")
        let outcomes = Mutex<[HTTPOutcome]>([])
        let client = simulation.network.client(for: node)
        node.start {
            let found = await body(client, origin)
            outcomes.withLock { $0 = found }
        }
        simulation.run(for: .minutes(10))
        simulation.discard()
        return outcomes.withLock { $0 }
    }

    // MARK: On sockets

    private func serveByHTTP1(_ service: any HTTPResponder, _ body: @escaping Body) async throws -> [HTTPOutcome] {
        let authority = try TestAuthority()
        var configuration = HTTPServerConfiguration()
        if usesTLS { configuration.identity = try authority.identity() }
        let server = try HTTPServer(configuration, responder: service)
        async let running: Void = server.run()
        let outcomes = await use(port: server.port, authority, body)
        await server.stop(within: .seconds(5))
        await running
        return outcomes
    }

    private func serveByHTTP2(_ service: any HTTPResponder, _ body: @escaping Body) async throws -> [HTTPOutcome] {
        let authority = try TestAuthority()
        var configuration = HTTP2ServerConfiguration()
        if usesTLS { configuration.identity = try authority.identity() }
        let server = try HTTP2Server(configuration, responder: service)
        async let running: Void = server.run()
        let outcomes = await use(port: server.port, authority, body)
        await server.stop(within: .seconds(5))
        await running
        return outcomes
    }

    private func use(port: UInt16, _ authority: TestAuthority, _ body: Body) async -> [HTTPOutcome] {
        let client = ClientMaker(
            wire: self == .http2Alone ? .http2Alone : .http2,
            authorityFile: authority.certificateFile
        )
        return await body(client(), HTTPOrigin(scheme: usesTLS ? "https" : "http", host: "localhost", port: port))
    }
}

/// Answers every request in the same way, after its service time.
struct FixedService: HTTPResponder {
    var makeReply: @Sendable (HTTPRequest) -> SentResponse

    init(_ makeReply: @escaping @Sendable (HTTPRequest) -> SentResponse) {
        self.makeReply = makeReply
    }

    func respond(to request: HTTPRequest, from peer: HTTPPeer) -> SentResponse { makeReply(request) }
}
