import HTTP
import Platform
import Testing

@testable import Live

/// Whatever a client sends, it ends at most its own connection.
@Suite(.timeLimit(.minutes(1))) struct HTTP2HostilityTests {
    private static let settings = FrameClient.preface + Frame(kind: .settings).bytes
    private static let noise = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }

    private static let bytes: [(name: String, bytes: [UInt8])] = [
        ("noise", noise),
        ("HTTP/1.1", Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)),
        ("a TLS greeting", [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + noise.prefix(500)),
        ("noise behind the preface", FrameClient.preface + noise),
        ("noise behind the settings", settings + noise),
        ("a frame that is too long", settings + [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1] + noise),
        ("fields without end", settings + endlessFields),
    ]

    private static let endlessFields: [UInt8] = {
        let field = Frame(kind: .continuation, stream: 1, payload: Frame.block([("a", "b")])).bytes
        return Frame(kind: .headers, flags: 1, stream: 1).bytes + (0..<200).flatMap { _ in field }
    }()

    private static let frames: [(name: String, frame: Frame)] = [
        ("data on no stream", Frame(kind: .data, payload: [1])),
        ("data on a stream that is not open", Frame(kind: .data, stream: 1, payload: [1])),
        ("a stream of the server's", Frame.request(2)),
        ("fields that do not decode", Frame(kind: .headers, flags: 5, stream: 1, payload: [0xFF, 0xFF])),
        ("settings of an odd length", Frame(kind: .settings, payload: [1, 2, 3])),
        ("a window of nothing", Frame(kind: .windowUpdate, payload: [0, 0, 0, 0])),
        ("a push promise", Frame(kind: .pushPromise, flags: 4, stream: 1, payload: [0, 0, 0, 2])),
    ]

    private static let hostile = bytes + frames.map { ($0.name, settings + $0.frame.bytes) }

    @Test(arguments: hostile)
    func `what is not HTTP/2 ends its own connection and no other`(name: String, bytes: [UInt8]) async throws {
        let server = try makeServer()
        try await withRunning(server) {
            let hostile = try FrameClient(port: server.port)
            await hostile.send(bytes)
            while await hostile.next() != nil {}
            try await expectService(of: server)
        }
    }

    private static let floods: [(name: String, frame: Frame)] = [
        ("settings", Frame(kind: .settings, payload: [0, 3, 0, 0, 0, 9])),
        ("pings", Frame(kind: .ping, payload: Array(0..<8))),
        ("priorities", Frame(kind: .priority, stream: 1, payload: [0, 0, 0, 0, 9])),
        ("empty data", Frame(kind: .data, stream: 1)),
    ]

    @Test(arguments: floods)
    func `a flood of frames leaves the server well`(name: String, frame: Frame) async throws {
        let server = try makeServer()
        try await withRunning(server) {
            let hostile = try FrameClient(port: server.port)
            await hostile.open([Frame(kind: .headers, flags: 4, stream: 1, payload: Frame.request(1).payload)])
            await hostile.send((0..<20_000).flatMap { _ in frame.bytes })
            try await expectService(of: server)
        }
    }

    @Test func `streams that are opened and reset at once leave the handler little work`() async throws {
        let server = try makeServer()
        try await withRunning(server) {
            let hostile = try FrameClient(port: server.port)
            await hostile.open()
            for round in 0..<20 {
                let frames = (0..<500).flatMap { index -> [Frame] in
                    let stream = UInt32((round * 500 + index) * 2 + 1)
                    return [.request(stream), Frame(kind: .resetStream, stream: stream, payload: Frame.number(8))]
                }
                await hostile.send(frames)
            }
            try await expectService(of: server)
        }
    }

    @Test func `a field of capital letters is refused without ending the connection`() async throws {
        let server = try makeServer()
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1, extra: [("X-One", "1")])])
            #expect(await client.frames { $0.kind == .resetStream }.last?.stream == 1)
            await client.send([.request(3)])
            #expect(await client.frames { $0.kind == .headers }.last?.stream == 3)
        }
    }

    private static let unfinished: [[UInt8]] = [
        FrameClient.preface, settings,
        settings + Frame(kind: .headers, flags: 4, stream: 1, payload: Frame.request(1).payload).bytes,
        settings + Frame(kind: .headers, stream: 1, payload: [0]).bytes,
    ]

    @Test(arguments: unfinished)
    func `a request that does not come to an end loses its connection`(bytes: [UInt8]) async throws {
        let server = try makeServer {
            $0.handshakeTimeout = .milliseconds(200)
            $0.requestTimeout = .milliseconds(200)
        }
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.send(bytes)
            while await client.next() != nil {}
            try await expectService(of: server)
        }
    }

    @Test func `a connection beyond the limit is closed at once`() async throws {
        let server = try makeServer { $0.connectionLimit = 1 }
        try await withRunning(server) {
            let first = try FrameClient(port: server.port)
            await first.open([.request(1)])
            _ = await first.frames { $0.kind == .headers }
            let second = try FrameClient(port: server.port)
            await second.open()
            #expect(await second.next() == nil)
            #expect(server.counters.connectionsRefused == 1)
            await first.send([.request(3)])
            #expect(await first.frames { $0.kind == .headers }.last?.stream == 3)
        }
    }

    @Test(
        arguments: [
            (10, 10, HTTPOutcome.response(HTTPResponse(status: 200))),
            (10, 1_048_577, .response(HTTPResponse(status: 413))),
            (8_000, 10, .response(HTTPResponse(status: 431))),
            (10, 4_194_305, .unknown(.connectionReset)),
        ],
        Wire.overHTTP2
    )
    func `long header fields and long bodies are refused`(
        excess: (field: Int, body: Int, outcome: HTTPOutcome),
        wire: Wire
    ) async throws {
        let (field, body, outcome) = excess
        let seen = try await withServer(over: wire) { _, _ in
            HTTPResponse(status: 200)
        } body: { makeClient, origin in
            let fields: HTTPFields = ["X-Long": String(repeating: "a", count: field)]
            let request = makeRequest(.post, to: origin, fields: fields, body: [UInt8](repeating: 1, count: body))
            return await makeClient().send(request, options: HTTPSendOptions.patient)
        }
        #expect(seen == outcome)
    }

    @Test func `noise instead of a TLS greeting ends its own connection and no other`() async throws {
        let authority = try TestAuthority()
        let server = try makeServer { $0.identity = try authority.identity() }
        try await withRunning(server) {
            let hostile = try FrameClient(port: server.port)
            await hostile.send(Self.noise)
            while await hostile.next() != nil {}
            let client = makeClient { $0.authorityFile = authority.certificateFile }
            let request = makeRequest(to: HTTPOrigin(scheme: "https", host: "localhost", port: server.port))
            #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
        }
    }

    @Test
    func `a client that insists on ALPN is refused by a server without it, and one that speaks HTTP/2 alone is not`()
        async throws
    {
        let authority = try TestAuthority()
        let server = try makeServer {
            $0.identity = try authority.identity()
            $0.answersALPN = false
        }
        try await withRunning(server) {
            let client = makeClient { $0.authorityFile = authority.certificateFile }
            let request = makeRequest(to: HTTPOrigin(scheme: "https", host: "localhost", port: server.port))
            // It takes the server for one that speaks HTTP/1.1.
            #expect(await client.send(request, options: HTTPSendOptions.patient) == .unknown(.connectionReset))
            let other = makeHTTP2Client(authority.certificateFile)
            #expect(await other.send(request, options: HTTPSendOptions.patient).response?.status == 200)
        }
    }

    @Test func `a certificate with another key is refused by name`() throws {
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = HTTPServerConfiguration.Identity(
            certificateChainPEM: try TestAuthority().identity().certificateChainPEM,
            keyPEM: try TestAuthority().identity().keyPEM
        )
        #expect(throws: HTTPServerError.badIdentity) {
            try HTTP2Server(configuration, handler: ScriptedHandler { _, _ in HTTPResponse(status: 200) })
        }
    }

    private func makeServer(_ change: (inout HTTP2ServerConfiguration) throws -> Void = { _ in }) throws -> HTTP2Server
    {
        var configuration = HTTP2ServerConfiguration()
        try change(&configuration)
        return try HTTP2Server(configuration, handler: ScriptedHandler { _, _ in HTTPResponse(status: 200) })
    }

    private func expectService(of server: HTTP2Server) async throws {
        let client = try FrameClient(port: server.port)
        await client.open([.request(1)])
        #expect(await client.frames { $0.kind == .headers }.last?.stream == 1)
    }
}
