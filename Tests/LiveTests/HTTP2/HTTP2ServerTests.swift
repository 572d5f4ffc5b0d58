import HTTP
import Platform
import Synchronization
import Testing

@testable import Live

/// Frames in, frames out: without TLS, so that a test sees every byte.
@Suite(.timeLimit(.minutes(1))) struct HTTP2ServerTests {
    // MARK: How many streams (APNs facts §8)

    @Test(
        arguments: [
            ([200], [1, 1_000]), ([410], [1, 1_000]), ([403], [1]), ([500], [1]), ([200, 403], [1, 1_000, 1]),
            ([200, 500, 200], [1, 1_000]), ([403, 200], [1, 1_000]),
        ] as [([Int], [UInt32])]
    )
    func `a client may open one stream until a request was answered well`(
        statuses: [Int],
        limits: [UInt32]
    ) async throws {
        let server = try makeServer { request, _ in HTTPResponse(status: Int(request.target.dropFirst()) ?? 0) }
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open()
            var announced: [UInt32] = []
            for (index, status) in statuses.enumerated() {
                let stream = UInt32(2 * index + 1)
                await client.send([.request(stream, "/\(status)")])
                var frames = await client.frames { $0.kind == .headers && $0.stream == stream }
                await client.send([Frame(kind: .ping, payload: Array(0..<8))])
                frames += await client.frames { $0.kind == .ping }
                announced += frames.compactMap { $0.setting(3) }
            }
            #expect(announced == limits)
        }
    }

    @Test func `streams beyond the limit are refused and the one within it is answered`() async throws {
        let (released, release) = AsyncStream<Void>.makeStream()
        let server = try makeServer { _, _ in
            for await _ in released { break }
            return HTTPResponse(status: 200)
        }
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1), .request(3), .request(5)])
            let refused = await client.frames { $0.kind == .resetStream && $0.stream == 5 }
            #expect(
                refused.filter { $0.kind == .resetStream }.map { [$0.stream, $0.number(at: 0)] } == [[3, 7], [5, 7]]
            )
            release.yield()
            #expect(await client.frames { $0.kind == .headers }.last?.stream == 1)
            #expect(server.counters.refusedStreams == 2)
            #expect(server.counters.requests == 1)
        }
    }

    // MARK: Faults (APNs facts §16.21)

    @Test(
        arguments: [
            (.refuseStream, 7, 0), (.resetStream, 2, 0), (.resetStreamAfterActing, 2, 1),
        ] as [(HTTP2Fault.Kind, UInt32, Int)]
    )
    func `a stream is reset before or after its request was acted on`(
        kind: HTTP2Fault.Kind,
        code: UInt32,
        acted: Int
    ) async throws {
        let server = try makeServer { _, _ in HTTPResponse(status: 200) }
        server.start(HTTP2Fault("f", kind, every: 2))
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1)])
            _ = await client.frames { $0.kind == .headers }
            await client.send([.request(3)])
            let last = await client.frames { $0.kind == .resetStream }.last
            #expect(last?.stream == 3)
            #expect(last?.number(at: 0) == code)
            #expect(server.counters.requests == 1 + acted)
            server.stopFault("f")
            await client.send([.request(5)])
            #expect(await client.frames { $0.kind == .headers }.last?.stream == 5)
        }
    }

    @Test func `one request is never answered while others on the connection are`() async throws {
        let server = try makeServer(.fixed(10)) { _, _ in HTTPResponse(status: 200) }
        server.start(HTTP2Fault("f", .neverAnswer, every: 2))
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1), .request(3), .request(5)])
            var answered: [UInt32] = []
            while answered.count < 2 { answered.append(await client.frames { $0.kind == .headers }.last?.stream ?? 0) }
            #expect(answered.sorted() == [1, 5])
        }
    }

    @Test func `a server that goes away before a request did not act on it`() async throws {
        let server = try makeServer { _, _ in HTTPResponse(status: 200) }
        server.start(HTTP2Fault("f", .goAwayBefore(reason: nil), every: 2))
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1)])
            _ = await client.frames { $0.kind == .headers }
            await client.send([.request(3)])
            let goAway = try #require(await client.frames { $0.kind == .goAway }.last)
            #expect(goAway.number(at: 0) == 1)
            #expect(goAway.payload.count == 8)
            #expect(server.counters.requests == 1)
        }
    }

    @Test func `what came together with the request before which a server went away was not acted on either`()
        async throws
    {
        let server = try makeServer { _, _ in HTTPResponse(status: 200) }
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1)])
            _ = await client.frames { $0.kind == .headers }
            server.start(HTTP2Fault("f", .goAwayBefore(reason: nil), every: 2))
            // The second of them is struck; so is the fourth, which comes too late to change what was said.
            await client.send([.request(3), .request(5), .request(7), .request(9)])
            let goodbye = await client.frames { $0.kind == .goAway }.last
            #expect(goodbye?.number(at: 0) == 3)
            let answer = await client.frames { $0.kind == .headers }.last
            #expect(answer?.stream == 3)
            #expect(await client.frames { _ in false }.contains { $0.kind == .headers } == false)
            #expect(server.counters.requests == 2)
        }
    }

    @Test func `a connection that is reset ends at once`() async throws {
        let server = try makeServer { _, _ in HTTPResponse(status: 200) }
        server.start(HTTP2Fault("f", .resetConnection))
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1)])
            #expect(await client.frames { _ in false }.contains { $0.kind == .headers } == false)
            #expect(server.counters.requests == 0)
        }
    }

    @Test func `a half-open connection swallows everything and others are served`() async throws {
        let server = try makeServer { _, _ in HTTPResponse(status: 200) }
        server.start(HTTP2Fault("f", .halfOpen))
        try await withRunning(server) {
            let swallowed = try FrameClient(port: server.port)
            await swallowed.open()
            _ = await swallowed.frames { $0.kind == .settings && $0.flags == Frame.acknowledges }
            await swallowed.send([.request(1)])
            while server.counters.faults == 0, !Task.isCancelled { await Task.yield() }
            await swallowed.send([Frame(kind: .ping, payload: Array(0..<8))])
            server.stopFault("f")
            let other = try FrameClient(port: server.port)
            await other.open([.request(1)])
            #expect(await other.frames { $0.kind == .headers }.last?.stream == 1)
            #expect(server.counters.pings == 0)
        }
    }

    // MARK: How an answer travels

    @Test(
        arguments: [
            (.reset, .connectionReset, .connectionReset), (.never, .timedOut, .timedOut),
            (.truncated(afterBytes: 2), .connectionReset, .bodyTruncated),
        ] as [(SentResponse.Travel, HTTPFailure, HTTPFailure)],
        Wire.overHTTP2
    )
    func `an answer that is lost leaves the outcome unknown`(
        loss: (travel: SentResponse.Travel, failure: HTTPFailure, alone: HTTPFailure),
        wire: Wire
    ) async throws {
        let travel = loss.travel
        let authority = try TestAuthority()
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        let server = try HTTP2Server(configuration) { _, _ in
            SentResponse(HTTPResponse(status: 200, body: [1, 2, 3]), travel: travel)
        }
        try await withRunning(server) {
            let client = ClientMaker(wire: wire, authorityFile: authority.certificateFile)()
            let request = makeRequest(to: HTTPOrigin(scheme: "https", host: "localhost", port: server.port))
            // Only an answer that never comes waits that long; what is reset may take its time on a busy machine.
            let options = HTTPSendOptions(totalTimeout: travel == .never ? .seconds(1) : .seconds(60))
            // libcurl forgets what stood before the reset of a stream that came with it.
            let failure = wire == .http2 ? loss.failure : loss.alone
            #expect(await client.send(request, options: options) == .unknown(failure))
        }
    }

    private func makeServer(
        _ policy: HTTP2StreamPolicy = HTTP2StreamPolicy(),
        answer: @escaping @Sendable (HTTPRequest, HTTPPeer) async -> HTTPResponse
    ) throws -> HTTP2Server {
        var configuration = HTTP2ServerConfiguration()
        configuration.streamPolicy = policy
        // None of these is about time, and a busy machine may take long from a connection to its first request.
        configuration.handshakeTimeout = .seconds(50)
        return try HTTP2Server(configuration, handler: ScriptedHandler(answer: answer))
    }
}
