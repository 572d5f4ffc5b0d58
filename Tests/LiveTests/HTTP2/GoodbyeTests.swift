import HTTP
import Platform
import Testing

@testable import Live

/// How connections end, frame by frame (APNs facts §8, supplement §6). Without TLS, so that a test sees every byte.
@Suite(.timeLimit(.minutes(1))) struct GoodbyeTests {
    private static let reason = Array(#"{"reason":"BadDeviceToken"}"#.utf8)

    /// What an answer tells the connection to do, by a fault of frames or by itself.
    private static let goodbyes: [(fault: HTTP2Fault.Kind?, closes: Bool, data: [[UInt8]])] = [
        (.goAway(reason: "Shutdown"), false, [Array(#"{"reason":"Shutdown"}"#.utf8)]),
        (.goAway(reason: nil), false, [[]]),
        (.goAwayTwice(reason: "BadDeviceToken"), false, [reason, []]),
        (nil, true, [reason]),
    ]

    @Test(arguments: goodbyes, [reason.count, 40_000])
    func `an answer is whole before the GOAWAY that it caused, and nobody asks by PING`(
        goodbye: (fault: HTTP2Fault.Kind?, closes: Bool, data: [[UInt8]]),
        bodyBytes: Int
    ) async throws {
        let body = Self.reason + [UInt8](repeating: 32, count: bodyBytes - Self.reason.count)
        let server = try HTTP2Server(HTTP2ServerConfiguration()) { _, _ in
            let response = HTTPResponse(status: 400, fields: ["content-type": "application/json"], body: body)
            return SentResponse(response, closesConnection: goodbye.closes)
        }
        if let fault = goodbye.fault { server.start(HTTP2Fault("f", fault)) }
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1)])
            let frames = await client.frames { _ in false }
            #expect(frames.filter { $0.kind == .data }.flatMap(\.payload) == body)
            let end = try #require(frames.firstIndex { $0.kind == .data && $0.flags & Frame.endsStream != 0 })
            let away = frames.indices.filter { frames[$0].kind == .goAway }
            #expect(away.allSatisfy { $0 > end })
            #expect(
                away.map { [frames[$0].number(at: 0), frames[$0].number(at: 4)] } == goodbye.data.map { _ in [1, 0] }
            )
            #expect(frames.last?.kind == .goAway)
            #expect(!frames.contains { $0.kind == .ping })
            if bodyBytes == Self.reason.count { #expect(away.map { Array(frames[$0].payload[8...]) } == goodbye.data) }
        }
    }

    @Test func `a goodbye waits for the answers that have begun, and what comes behind it is not acted on`()
        async throws
    {
        let (released, release) = AsyncStream<Void>.makeStream()
        let server = try makeServer { request, _ in
            if request.target == "/slow" { for await _ in released { break } }
            return HTTPResponse(status: 200, body: [UInt8](repeating: 1, count: 100_000))
        }
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            // More than the window of a stream lets through at once: the answer stands half way.
            await client.open([.request(1)])
            _ = await client.frames { $0.kind == .data }
            server.start(HTTP2Fault("f", .goAway(reason: "Shutdown")))
            await client.send([.request(3, "/slow")])
            while server.counters.requests < 2, !Task.isCancelled { await Task.yield() }
            release.yield()
            // Its goodbye is due from now on, and has to wait for the first.
            _ = await client.frames { $0.kind == .headers && $0.stream == 3 }
            await client.send([.request(5), Frame(kind: .ping, payload: Array(0..<8))])
            _ = await client.frames { $0.kind == .ping }
            let room = Frame(kind: .windowUpdate, payload: Frame.number(1_000_000))
            await client.send([room] + [1, 3, 5].map { Frame(kind: .windowUpdate, stream: $0, payload: room.payload) })
            let frames = await client.frames { _ in false }
            let ends = frames.filter { $0.kind == .data && $0.flags & Frame.endsStream != 0 }.map(\.stream)
            #expect(ends.sorted() == [1, 3])
            #expect(frames.last?.kind == .goAway)
            #expect(frames.last?.number(at: 0) == 3)
            #expect(server.counters.requests == 2)
        }
    }

    @Test func `a fatal GOAWAY comes without an answer, behind the four settings of the first frame`() async throws {
        let server = try makeServer { _, _ in HTTPResponse(status: 200) }
        server.start(HTTP2Fault("f", .goAwayFatal(reason: "BadCertificateEnvironment")))
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1)])
            let frames = await client.frames { _ in false }
            let settings = try #require(frames.first)
            #expect(
                stride(from: 0, to: settings.payload.count, by: 6).map { settings.payload[$0 + 1] } == [1, 3, 5, 6]
            )
            #expect([1, 3, 5, 6].map { settings.setting($0) } == [4_096, 10, 16_384, 8_000])
            #expect(!frames.contains { $0.kind == .headers || $0.kind == .data })
            let away = try #require(frames.last)
            #expect(away.kind == .goAway)
            #expect(away.payload.count == 46)
            #expect([away.number(at: 0), away.number(at: 4)] == [0, 0])
            #expect(server.counters.requests == 0)
        }
    }

    @Test(arguments: [true, false])
    func `who opens more streams than allowed may lose the connection by plain text and error 7`(
        hasHeardOfLimit: Bool
    ) async throws {
        let (released, release) = AsyncStream<Void>.makeStream()
        let server = try makeServer(HTTP2StreamPolicy()) { _, _ in
            for await _ in released { break }
            return HTTPResponse(status: 200)
        }
        server.start(HTTP2Fault("f", .goAwayOnExcess))
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open()
            if hasHeardOfLimit {
                _ = await client.frames { $0.kind == .settings }
                await client.send([Frame(kind: .settings, flags: Frame.acknowledges)])
            }
            await client.send([.request(1), .request(3)])
            let frames = await client.frames { _ in false }
            let away = try #require(frames.last)
            #expect(away.kind == .goAway)
            #expect(frames.count { $0.kind == .goAway } == 1)
            #expect([away.number(at: 0), away.number(at: 4)] == [1, 7])
            #expect(String(decoding: away.payload[8...], as: UTF8.self) == "1 active streams are allowed")
            release.yield()
        }
    }

    @Test func `an idle connection is told to go, and one that is waited on is not`() async throws {
        let (released, release) = AsyncStream<Void>.makeStream()
        let server = try makeServer { request, _ in
            if request.target == "/slow" { for await _ in released { break } }
            return HTTPResponse(status: 200)
        }
        try await withRunning(server) {
            let (idle, busy) = (try FrameClient(port: server.port), try FrameClient(port: server.port))
            await idle.open([.request(1)])
            _ = await idle.frames { $0.kind == .headers }
            await busy.open([.request(1, "/slow")])
            while server.counters.requests < 2, !Task.isCancelled { await Task.yield() }
            server.start(HTTP2Fault("f", .goAwayWhenIdle(reason: "Shutdown")))
            let away = try #require(await idle.frames { _ in false }.last)
            // Seen in the field: 38 bytes, which are 9 + 8 + 21.
            #expect(away.kind == .goAway)
            #expect(away.bytes.count == 38)
            #expect(String(decoding: away.payload[8...], as: UTF8.self) == #"{"reason":"Shutdown"}"#)
            #expect(server.counters.goAways == 1)
            server.stopFault("f")
            release.yield()
            #expect(await busy.frames { $0.kind == .headers }.last?.kind == .headers)
        }
    }

    @Test func `the body of an answer may come in several frames`() async throws {
        let server = try makeServer { _, _ in HTTPResponse(status: 400, body: Self.reason) }
        server.start(HTTP2Fault("f", .splitAnswer))
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1)])
            let data = await client.frames { $0.kind == .data && $0.flags & Frame.endsStream != 0 }
                .filter { $0.kind == .data }
            #expect(data.count > 2)
            #expect(data.flatMap(\.payload) == Self.reason)
        }
    }

    @Test(arguments: [true, false])
    func `a window that is exhausted stays so, and any other is filled again`(isWithheld: Bool) async throws {
        let server = try makeServer { _, _ in HTTPResponse(status: 200) }
        if isWithheld { server.start(HTTP2Fault("f", .exhaustedWindow)) }
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1)])
            _ = await client.frames { $0.kind == .headers }
            var hasRoom = false
            for number in 1...3 {
                await client.send(Self.upload(on: UInt32(2 * number + 1)))
                hasRoom = await client.frames { $0.kind == .headers }.contains(where: Self.makesRoom) || hasRoom
            }
            await client.send([Frame(kind: .ping, payload: Array(0..<8))])
            hasRoom = await client.frames { $0.kind == .ping }.contains(where: Self.makesRoom) || hasRoom
            #expect(hasRoom == !isWithheld)
        }
    }

    /// A request with a body of 16,000 bytes; three of them are more than half of a connection's window.
    private static func upload(on stream: UInt32) -> [Frame] {
        [
            Frame(kind: .headers, flags: Frame.endsHeaders, stream: stream, payload: Frame.request(stream).payload),
            Frame(kind: .data, flags: Frame.endsStream, stream: stream, payload: [UInt8](repeating: 1, count: 16_000)),
        ]
    }

    private static func makesRoom(_ frame: Frame) -> Bool { frame.kind == .windowUpdate && frame.stream == 0 }

    @Test func `what is too long reaches a handler that refuses it by itself, cut`() async throws {
        var configuration = HTTP2ServerConfiguration()
        configuration.streamPolicy = .fixed(10)
        configuration.excess = .cut
        configuration.bodyLimitBytes = 1_000
        let handler = ScriptedHandler { request, _ in
            let field = request.fields["long"]?.utf8.count ?? 0
            return HTTPResponse(status: 413, body: Array("\(field) \(request.body.count)".utf8))
        }
        let server = try HTTP2Server(configuration, handler: handler)
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            let extra = (0..<80).map { _ in ("filler", String(repeating: "x", count: 100)) } + [("long", "y")]
            let head = Frame.request(1, extra: extra)
            await client.open([Frame(kind: .headers, flags: Frame.endsHeaders, stream: 1, payload: head.payload)])
            await client.send([Frame(kind: .data, flags: 1, stream: 1, payload: [UInt8](repeating: 1, count: 1_500))])
            let answer = await client.frames { $0.kind == .data }.last
            #expect(answer.map { String(decoding: $0.payload, as: UTF8.self) } == "1 1000")
        }
    }

    // MARK: A server that stops

    @Test func `a server that stops lets a request under way have its answer, then says goodbye`() async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let server = try makeServer { _, _ in
            arrival.yield()
            for await _ in released { break }
            return HTTPResponse(status: 201, body: [1, 2, 3])
        }
        let client = try FrameClient(port: server.port)
        let idle = try FrameClient(port: server.port)
        try await withRunning(server) {
            await idle.open()
            await client.open([.request(1)])
            for await _ in arrived { break }
            async let stopped: Void = server.stop(within: .seconds(30))
            #expect(await idle.frames { _ in false }.last?.kind == .goAway, "it has begun to stop")
            release.yield()
            await stopped
        }
        let rest = await client.frames { _ in false }
        #expect(rest.contains { $0.kind == .headers && $0.stream == 1 })
        #expect(rest.suffix(2).map(\.kind) == [.data, .goAway])
        #expect(throws: FrameClient.Failure.self) { try FrameClient(port: server.port) }
    }

    @Test func `a server that waits no longer says goodbye all the same`() async throws {
        let server = try makeServer { _, _ in HTTPResponse(status: 200, body: [UInt8](repeating: 1, count: 100_000)) }
        let client = try FrameClient(port: server.port)
        try await withRunning(server) {
            // The client makes no room for more than half of the answer.
            await client.open([.request(1)])
            _ = await client.frames { $0.kind == .data }
            await server.stop(within: .zero)
        }
        let frames = await client.frames { _ in false }
        #expect(frames.last?.kind == .goAway)
        #expect(!frames.contains { $0.kind == .data && $0.flags & Frame.endsStream != 0 })
    }

    private func makeServer(
        _ policy: HTTP2StreamPolicy = .fixed(10),
        answer: @escaping @Sendable (HTTPRequest, HTTPPeer) async -> HTTPResponse
    ) throws -> HTTP2Server {
        var configuration = HTTP2ServerConfiguration()
        configuration.streamPolicy = policy
        // None of these is about time, and a busy machine may take long from a connection to its first request.
        configuration.handshakeTimeout = .seconds(50)
        return try HTTP2Server(configuration, handler: ScriptedHandler(answer: answer))
    }
}
