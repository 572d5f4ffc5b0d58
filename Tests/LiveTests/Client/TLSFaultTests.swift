import Crypto
import HTTP
import Platform
import Testing

@testable import Live

/// A server whose TLS is not what it should be gets no request: whatever goes wrong before the first byte is a definite outcome, which
/// may be sent again without a doubt (APNs facts §11, §16.21).
@Suite(.timeLimit(.minutes(1))) struct TLSFaultTests {
    /// What a server presents instead of what it should.
    enum Certificate: CaseIterable, Sendable {
        case isOver, hasOtherName, ofUnknownAuthority

        private static let longAgo = WallTime(secondsSinceEpoch: 0)...WallTime(secondsSinceEpoch: 3_600)

        func identity(_ authority: TestAuthority) throws -> HTTPServerConfiguration.Identity {
            switch self {
            case .isOver: try authority.identity(validity: Self.longAgo)
            case .hasOtherName: try authority.identity(name: "api.push.apple.com", addresses: [])
            case .ofUnknownAuthority: try TestAuthority().identity()
            }
        }
    }

    @Test(arguments: Certificate.allCases, Wire.allCases)
    func `a certificate that cannot be trusted gets no request`(certificate: Certificate, wire: Wire) async throws {
        let authority = try TestAuthority()
        let identity = try certificate.identity(authority)
        let handler = ScriptedHandler { _, _ in HTTPResponse(status: 200) }
        let outcome: HTTPOutcome
        switch wire {
        case .http1:
            var configuration = HTTPServerConfiguration()
            configuration.identity = identity
            let server = try HTTPServer(configuration, handler: handler)
            outcome = await withTaskGroup(of: Void.self) { group in
                group.addTask { await server.run() }
                defer { group.cancelAll() }
                return await Self.send(to: server.port, authority, over: wire)
            }
        case .http2, .http2Alone:
            var configuration = HTTP2ServerConfiguration()
            configuration.identity = identity
            let server = try HTTP2Server(configuration, handler: handler)
            outcome = try await withRunning(server) {
                await Self.send(to: server.port, authority, over: wire)
            }
            #expect(server.counters.requests == 0)
        }
        #expect(outcome == .notSent(.tlsFailed))
    }

    // MARK: Faults of a server that is well before and after

    @Test(arguments: Certificate.allCases, Wire.overHTTP2)
    func `a server that changes its certificate for another loses its clients until it changes back`(
        certificate: Certificate,
        wire: Wire
    ) async throws {
        let authority = try TestAuthority()
        try await withFaultyServer(authority, wire, .presents(try certificate.identity(authority))) { outcome in
            #expect(outcome == .notSent(.tlsFailed))
        }
    }

    @Test(arguments: Wire.overHTTP2)
    func `a server of an older TLS is refused`(wire: Wire) async throws {
        try await withFaultyServer(TestAuthority(), wire, .oldVersion) { #expect($0 == .notSent(.tlsFailed)) }
    }

    @Test(arguments: Wire.overHTTP2)
    func `a server that hangs up behind the greeting got nothing`(wire: Wire) async throws {
        try await withFaultyServer(TestAuthority(), wire, .close) { #expect($0 == .notSent(.tlsFailed)) }
    }

    @Test(arguments: Wire.overHTTP2)
    func `a server that does not answer the greeting got nothing`(wire: Wire) async throws {
        try await withFaultyServer(TestAuthority(), wire, .stall) { #expect($0 == .notSent(.connectTimedOut)) }
    }

    @Test(arguments: Wire.overHTTP2)
    func `an address behind which nobody is got nothing, and whoever waits there is served once somebody is`(
        wire: Wire
    ) async throws {
        try await withFaultyServer(TestAuthority(), wire, .deadAddress) { #expect($0 == .notSent(.connectTimedOut)) }
    }

    @Test func `a server without TLS cannot have its faults, and a certificate must be one`() throws {
        let handler = ScriptedHandler { _, _ in HTTPResponse(status: 200) }
        let plain = try HTTP2Server(HTTP2ServerConfiguration(), handler: handler)
        #expect(throws: HTTPServerError.badIdentity) { try plain.start(HandshakeFault("f", .stall)) }
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try TestAuthority().identity()
        let server = try HTTP2Server(configuration, handler: handler)
        let none = HTTPServerConfiguration.Identity(certificateChainPEM: "none", keyPEM: Secret("none"))
        #expect(throws: HTTPServerError.badIdentity) { try server.start(HandshakeFault("f", .presents(none))) }
    }

    // MARK: Other servers

    @Test(arguments: ["", "HTTP/1.1 400 Bad Request\r\n\r\n", "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}"], Wire.overHTTP2)
    func `what answers a greeting with anything but TLS gets no request`(said: String, wire: Wire) async throws {
        let server = try RawServer(answering: said)
        #expect(await Self.send(to: server.port, try TestAuthority(), over: wire) == .notSent(.tlsFailed))
    }

    /// Sends over a new connection before, during and after a fault; only the one during it may fail.
    private func withFaultyServer(
        _ authority: TestAuthority,
        _ wire: Wire,
        _ kind: HandshakeFault.Kind,
        during check: (HTTPOutcome) -> Void
    ) async throws {
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        let server = try HTTP2Server(configuration, handler: ScriptedHandler { _, _ in HTTPResponse(status: 200) })
        try await withRunning(server) {
            #expect(await Self.send(to: server.port, authority, over: wire).response?.status == 200)
            try server.start(HandshakeFault("f", kind))
            check(await Self.send(to: server.port, authority, over: wire, connectTimeout: .seconds(1)))
            server.stopFault("f")
            #expect(await Self.send(to: server.port, authority, over: wire).response?.status == 200)
            #expect(server.counters.requests == 2)
        }
    }

    private static func send(
        to port: UInt16,
        _ authority: TestAuthority,
        over wire: Wire,
        connectTimeout: Duration = .seconds(10)
    ) async -> HTTPOutcome {
        let client = ClientMaker(wire: wire, authorityFile: authority.certificateFile)()
        let origin = HTTPOrigin(scheme: "https", host: "localhost", port: port)
        // Acting twice would do harm: what is not sent must be told apart from what may have been.
        let request = makeRequest(.post, "/3/device/ab", to: origin, body: [1, 2, 3])
        return await client.send(request, options: HTTPSendOptions(connectTimeout: connectTimeout))
    }
}
