import HTTP
import Platform
import Synchronization
import Testing

@testable import Live

/// A handler made of a closure.
struct ScriptedHandler: HTTPHandler {
    var answer: @Sendable (HTTPRequest, HTTPPeer) async -> HTTPResponse

    func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
        await answer(request, peer)
    }
}

/// Runs `body` with a server on a free port of the loopback interface, and its origin; the server has ended afterwards.
func withServer<Result: Sendable>(
    _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
    answer: @escaping @Sendable (HTTPRequest, HTTPPeer) async -> HTTPResponse,
    body: (HTTPServer, HTTPOrigin) async throws -> Result
) async throws -> Result {
    let server = try HTTPServer(configuration, handler: ScriptedHandler(answer: answer))
    let origin = HTTPOrigin(
        scheme: configuration.identity == nil ? "http" : "https",
        host: "localhost",
        port: server.port
    )
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await server.run() }
        defer { group.cancelAll() }
        return try await body(server, origin)
    }
}

/// What a client and a server agree on.
enum Wire: CaseIterable, Sendable {
    /// HTTP/1.1 without TLS, by libmicrohttpd.
    case http1
    /// HTTP/2 over TLS with ALPN: nghttp2 and OpenSSL serve, libcurl asks.
    case http2
    /// The same with the client that speaks nothing else.
    case http2Alone

    /// Those whose client asks for packed bodies.
    static let packed = [Wire.http1, .http2]
    /// Both clients of HTTP/2.
    static let overHTTP2 = [Wire.http2, .http2Alone]
}

/// Makes clients that trust the server of the test.
struct ClientMaker: Sendable {
    var wire = Wire.http1
    var authorityFile: String?

    /// The limit is for a client that takes more than one connection.
    func callAsFunction(connectionLimit: Int? = nil) -> any HTTPClient {
        guard wire != .http2Alone else { return makeHTTP2Client(authorityFile) }
        return makeClient {
            $0.authorityFile = authorityFile
            $0.connectionLimit = connectionLimit ?? $0.connectionLimit
        }
    }
}

/// Runs `body` with a server that speaks `wire`, a maker of clients and the server's origin.
func withServer<Result: Sendable>(
    over wire: Wire,
    answer: @escaping @Sendable (HTTPRequest, HTTPPeer) async -> HTTPResponse,
    body: (ClientMaker, HTTPOrigin) async throws -> Result
) async throws -> Result {
    switch wire {
    case .http1:
        return try await withServer(answer: answer) { try await body(ClientMaker(), $1) }
    case .http2, .http2Alone:
        let authority = try TestAuthority()
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        let server = try HTTP2Server(configuration, handler: ScriptedHandler(answer: answer))
        return try await withRunning(server) {
            let origin = HTTPOrigin(scheme: "https", host: "localhost", port: server.port)
            return try await body(ClientMaker(wire: wire, authorityFile: authority.certificateFile), origin)
        }
    }
}

/// Runs `body` while `server` answers; it has ended afterwards.
func withRunning<Result: Sendable>(
    _ server: HTTP2Server,
    body: () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await server.run() }
        defer { group.cancelAll() }
        return try await body()
    }
}

func makeClient(_ change: (inout CurlClient.Configuration) -> Void = { _ in }) -> CurlClient {
    var configuration = CurlClient.Configuration()
    configuration.usesSystemProxy = false
    change(&configuration)
    return CurlClient(configuration)
}

func makeHTTP2Client(_ authorityFile: String? = nil) -> HTTP2Client {
    var configuration = HTTP2Client.Configuration()
    (configuration.usesSystemProxy, configuration.authorityFile) = (false, authorityFile)
    configuration.reconnectPause = .zero
    return HTTP2Client(configuration)
}

func makeRequest(
    _ method: HTTPMethod = .get,
    _ target: String = "/",
    to origin: HTTPOrigin,
    fields: HTTPFields = HTTPFields(),
    body: [UInt8] = []
) -> HTTPRequest {
    HTTPRequest(method: method, origin: origin, target: target, fields: fields, body: body)
}

extension HTTPSendOptions {
    /// Where time is not what a test is about: beside all others a request may wait for a minute until it has its turn.
    static let patient = HTTPSendOptions(connectTimeout: .seconds(300), totalTimeout: .seconds(300))
}

extension HTTPOutcome {
    var response: HTTPResponse? {
        guard case .response(let response) = self else { return nil }
        return response
    }
}

/// A signal that never comes, unless the task is cancelled.
func waitForEver() async {
    // Ends by cancellation only, which is what is waited for.
    try? await LiveTime().sleep(for: .hours(24))
}
