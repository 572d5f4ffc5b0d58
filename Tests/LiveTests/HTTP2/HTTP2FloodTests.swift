import HTTP
import Platform
import Testing

@testable import Live

/// Clients that want the server to work, wait or remember without end.
@Suite(.timeLimit(.minutes(1))) struct HTTP2FloodTests {
    private static let windowOfNothing = Frame(kind: .settings, payload: [0, 4, 0, 0, 0, 0])

    /// Frames that the server acknowledges, to a client that reads nothing: what is not taken must not pile up.
    @Test(arguments: [Frame(kind: .settings, payload: [0, 3, 0, 0, 0, 9]), Frame(kind: .ping, payload: Array(0..<8))])
    func `a client that asks for answers and takes none is cut off`(frame: Frame) async throws {
        let server = try makeServer()
        try await withRunning(server) {
            let hostile = try FrameClient(port: server.port, window: 4_096)
            await hostile.open()
            // Ends when the server no longer takes them.
            let thousand = (0..<1_000).flatMap { _ in frame.bytes }
            for _ in 0..<60 { await hostile.send(thousand) }
            try await expectService(of: server)
        }
    }

    @Test func `a client that opens no window for its answer is cut off`() async throws {
        let server = try makeServer(body: [UInt8](repeating: 7, count: 1_000)) {
            $0.requestTimeout = .milliseconds(200)
            $0.handshakeTimeout = .milliseconds(200)
        }
        try await withRunning(server) {
            let slow = try FrameClient(port: server.port)
            await slow.send(FrameClient.preface + Self.windowOfNothing.bytes + Frame.request(1).bytes)
            // Until the end of the connection.
            let frames = await slow.frames { _ in false }
            #expect(frames.contains { $0.kind == .headers } && !frames.contains { $0.kind == .data })
            try await expectService(of: server)
        }
    }

    @Test func `a client that keeps its connection alive and takes none of its answer is cut off all the same`()
        async throws
    {
        let server = try makeServer(body: [UInt8](repeating: 7, count: 1_000)) {
            $0.requestTimeout = .milliseconds(200)
        }
        try await withRunning(server) {
            let slow = try FrameClient(port: server.port)
            await slow.send(FrameClient.preface + Self.windowOfNothing.bytes + Frame.request(1).bytes)
            while await slow.frames(through: { $0.kind == .ping }).last?.kind == .ping {
                await slow.send([Frame(kind: .ping, payload: Array(0..<8))])
            }
            try await expectService(of: server)
        }
    }

    @Test func `a client that takes a long answer in small pieces gets all of it`() async throws {
        let server = try makeServer(body: [UInt8](repeating: 7, count: 2_000)) { $0.requestTimeout = .seconds(60) }
        try await withRunning(server) {
            let slow = try FrameClient(port: server.port)
            await slow.send(FrameClient.preface + Self.windowOfNothing.bytes + Frame.request(1).bytes)
            _ = await slow.frames { $0.kind == .headers }
            var taken = 0
            while taken < 2_000 {
                await slow.send([Frame(kind: .windowUpdate, stream: 1, payload: Frame.number(100))])
                taken += await slow.frames { $0.kind == .data }.last?.payload.count ?? 2_001
            }
            #expect(taken == 2_000)
        }
    }

    /// One long field in the table of the connection, then frames that name it thousands of times (RFC 7541 §4).
    @Test func `fields that unpack to a thousand times their size are refused`() async throws {
        let server = try makeServer()
        try await withRunning(server) {
            let hostile = try FrameClient(port: server.port)
            let long = String(repeating: "a", count: 120)
            // 0x40: a literal that enters the table, whose newest entry is 62.
            let first = Frame.request(1).payload + [0x40, 1, 0x78, 120] + Array(long.utf8)
            let bomb = Frame.request(3).payload + [UInt8](repeating: 0x80 | 62, count: 16_000)
            await hostile.open([Frame(kind: .headers, flags: 5, stream: 1, payload: first)])
            _ = await hostile.frames { $0.kind == .headers }
            await hostile.send([Frame(kind: .headers, flags: 5, stream: 3, payload: bomb)])
            // 431, or the end of the connection: in either case no handler sees it.
            _ = await hostile.frames { $0.stream == 3 || $0.kind == .goAway }
            #expect(server.counters.requests == 1)
            try await expectService(of: server)
        }
    }

    @Test func `connections that say nothing, or half a greeting, make room when their time is over`() async throws {
        let authority = try TestAuthority()
        let server = try makeServer {
            $0.identity = try authority.identity()
            $0.connectionLimit = 40
            $0.handshakeTimeout = .seconds(1)
        }
        try await withRunning(server) {
            // Each ends by its deadline, or was never let in: how many of which is a matter of the machine.
            for client in try await silentClients(200, of: server) { #expect(await client.next() == nil) }
            let client = makeClient { $0.authorityFile = authority.certificateFile }
            let request = makeRequest(to: HTTPOrigin(scheme: "https", host: "localhost", port: server.port))
            #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
        }
    }

    @Test func `connections beyond the limit are refused while the others' time is not over`() async throws {
        let authority = try TestAuthority()
        let server = try makeServer {
            $0.identity = try authority.identity()
            $0.connectionLimit = 40
            // No deadline comes before the last of them, however busy the machine is.
            $0.handshakeTimeout = .seconds(300)
        }
        try await withRunning(server) {
            let clients = try await silentClients(60, of: server)
            for client in clients.dropFirst(40) { #expect(await client.next() == nil) }
            #expect(server.counters.connectionsRefused == 20)
        }
    }

    @Test func `connections that come and go as fast as they can leave the server well`() async throws {
        let server = try makeServer()
        try await withRunning(server) {
            for round in 0..<500 {
                let client = try FrameClient(port: server.port)
                if round.isMultiple(of: 2) { await client.open([.request(1)]) }
            }
            try await expectService(of: server)
            #expect(server.counters.connectionsOpened > 400)
        }
    }

    /// Clients of which every other one says half of a TLS greeting and the rest nothing.
    private func silentClients(_ count: Int, of server: HTTP2Server) async throws -> [FrameClient] {
        var clients: [FrameClient] = []
        for number in 0..<count {
            let client = try FrameClient(port: server.port)
            if number.isMultiple(of: 2) { await client.send([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]) }
            clients.append(client)
        }
        return clients
    }

    private func makeServer(
        body: [UInt8] = [],
        _ change: (inout HTTP2ServerConfiguration) throws -> Void = { _ in }
    ) throws -> HTTP2Server {
        var configuration = HTTP2ServerConfiguration()
        try change(&configuration)
        return try HTTP2Server(
            configuration,
            handler: ScriptedHandler { _, _ in HTTPResponse(status: 200, body: body) }
        )
    }

    private func expectService(of server: HTTP2Server) async throws {
        let client = try FrameClient(port: server.port)
        await client.open([.request(1)])
        #expect(await client.frames { $0.kind == .headers }.last?.stream == 1)
    }
}
