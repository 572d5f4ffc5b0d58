import HTTP
import Live
import Platform

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
}

/// Servers that live as long as the process.
private enum Servers {
    private static let configuration: HTTPServerConfiguration = {
        var configuration = HTTPServerConfiguration()
        configuration.bodyLimitBytes = 4_096
        configuration.requestTimeout = .seconds(2)
        configuration.idleTimeout = .seconds(2)
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

    /// Gives back what it was given.
    private struct Echo: HTTPHandler {
        func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
            HTTPResponse(status: 200, fields: request.fields, body: request.body)
        }
    }
}
