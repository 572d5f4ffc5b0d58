import Crypto
import HTTP
import Platform

@testable import Live
@testable import Workbench

extension FuzzTarget {
    /// Bytes to the HTTP/1.1 server.
    static let http1 = FuzzTarget("http1") { bytes in
        guard let server = try? Servers.http1.get() else { return promise(false, "a server starts") }
        promise(Loopback.exchange(bytes, port: server.port) != nil, "the server takes connections")
        let answer = Loopback.exchange(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), port: server.port)
        promise(answer != nil, "the server takes connections behind it")
    }

    /// Bytes behind the preface to the HTTP/2 server.
    static let http2 = FuzzTarget("http2") { bytes in
        guard let server = try? Servers.http2.get() else { return promise(false, "a server starts") }
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        promise(Loopback.exchange(preface + bytes, port: server.port) != nil, "the server takes connections")
        let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        let answer = Loopback.exchange(preface + settings, port: server.port)
        promise(answer?.isEmpty == false, "the server speaks to a client behind it")
    }

    /// Bytes to both servers where they expect a client's greeting of TLS.
    static let tls = FuzzTarget("tls") { bytes in
        for port in [Servers.tls1, Servers.tls2] {
            guard let port = try? port.get() else { return promise(false, "a server starts") }
            promise(Loopback.exchange(bytes, port: port) != nil, "the server takes connections")
            // A record of the kind `handshake`; not always at once on a machine that is busy.
            let greets = (0..<5).contains { _ in Loopback.exchange(ClientHello.bytes, port: port)?.first == 22 }
            promise(greets, "the server greets a client behind it")
        }
    }

    /// Bytes that a server sends for an answer, as the client of the live world takes them.
    static let http1Answers = FuzzTarget("http1-answers") { bytes in
        guard let server = try? Servers.scripted.get() else { return promise(false, "a server starts") }
        var options = HTTPSendOptions(totalTimeout: .seconds(5))
        options.responseLimitBytes = 2_048
        let origin = HTTPOrigin(scheme: "http", host: "127.0.0.1", port: server.port)
        let request = HTTPRequest(method: .get, origin: origin, target: "/")
        server.say(bytes)
        judge(Servers.outcome(request, options))
        server.say(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
        guard case .response(let response) = Servers.outcome(request, options) else {
            return promise(false, "the client goes on behind it")
        }
        promise(response.status == 200 && response.body == Array("ok".utf8), "and hears the next server")
    }

    private static func judge(_ outcome: HTTPOutcome) {
        switch outcome {
        case .response(let response):
            promise(HTTPResponse.statuses.contains(response.status), "\(response.status) is a status")
            promise(response.body.count <= 2_048, "no answer is larger than asked for")
            for field in response.fields.fields {
                let text = field.name + field.value
                promise(!text.utf8.contains(UInt8(ascii: "\n")), "a field stays in its line")
            }
        case .notSent(let failure): promise(false, "the server has had the request: \(failure)")
        case .unknown(let failure): promise(failure != .timedOut, "no answer takes for ever")
        }
    }
}

/// A client that begins with TLS 1.2 (RFC 5246 §7.4.1.2): ECDHE with ECDSA or RSA, on P-256, and `h2` by ALPN.
private enum ClientHello {
    static let bytes: [UInt8] = {
        let ciphers: [UInt8] = [0xC0, 0x2B, 0xC0, 0x2F, 0xC0, 0x2C]
        let extensions =
            block(10, [0, 2, 0, 23]) + block(11, [1, 0]) + block(13, [0, 6, 4, 3, 8, 4, 4, 1])
            + block(16, [0, 3, 2] + Array("h2".utf8))
        let hello =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [0] + length(ciphers.count) + ciphers + [1, 0]
            + length(extensions.count) + extensions
        let message = [1, 0] + length(hello.count) + hello
        return [22, 3, 1] + length(message.count) + message
    }()

    private static func block(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] { [0, kind] + length(bytes.count) + bytes }

    private static func length(_ count: Int) -> [UInt8] { [UInt8(count >> 8), UInt8(count & 0xFF)] }
}

/// Servers that live as long as the process.
private enum Servers {
    private static let configuration: HTTPServerConfiguration = {
        var configuration = HTTPServerConfiguration()
        configuration.bodyLimitBytes = 4_096
        // Some inputs leave the server waiting, and the client then waits for its patience to end.
        configuration.requestTimeout = .milliseconds(100)
        configuration.idleTimeout = .milliseconds(100)
        return configuration
    }()

    static let http1 = Result {
        let server = try HTTPServer(configuration, handler: Echo())
        // Nobody cancels it: it ends with the process.
        Task { await server.run() }
        return server
    }

    static let http2 = Result {
        var configuration = HTTP2ServerConfiguration()
        configuration.bodyLimitBytes = 4_096
        configuration.bufferLimitBytes = 16_384
        let server = try HTTP2Server(configuration, handler: Echo())
        // Nobody cancels it: it ends with the process.
        Task { await server.run() }
        return server
    }

    private static let identity = Result {
        let issued = try ThrowawayAuthority(name: "fuzz").issue(names: ["localhost"], addresses: ["127.0.0.1"])
        return HTTPServerConfiguration.Identity(certificateChainPEM: issued.certificatePEM, keyPEM: issued.keyPEM)
    }

    /// The port of each server with TLS.
    static let tls1 = Result {
        var configuration = HTTPServerConfiguration()
        configuration.identity = try identity.get()
        configuration.idleTimeout = .seconds(5)
        configuration.requestTimeout = .seconds(5)
        let server = try HTTPServer(configuration, handler: Echo())
        // Nobody cancels it: it ends with the process.
        Task { await server.run() }
        return server.port
    }

    static let tls2 = Result {
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try identity.get()
        let server = try HTTP2Server(configuration, handler: Echo())
        // Nobody cancels it: it ends with the process.
        Task { await server.run() }
        return server.port
    }

    static let scripted = Result { try ScriptedServer() }

    private static let client = {
        var configuration = CurlClient.Configuration()
        configuration.usesSystemProxy = false
        return CurlClient(configuration)
    }()

    static func outcome(_ request: HTTPRequest, _ options: HTTPSendOptions) -> HTTPOutcome {
        LiveBlocking.result { await client.send(request, options: options) }
    }

    /// Gives back what it was given.
    private struct Echo: HTTPHandler {
        func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
            HTTPResponse(status: 200, fields: request.fields, body: request.body)
        }
    }
}
