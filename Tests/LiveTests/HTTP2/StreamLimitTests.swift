import HTTP
import Platform
import Synchronization
import Testing

@testable import Live

/// A number of streams that changes while requests are under way (APNs facts §8, §16.21).
@Suite(.timeLimit(.minutes(1))) struct StreamLimitTests {
    @Test func `settings change the limit while a request is under way, and its answer changes it back`() async throws {
        let handler = ScriptedHandler { _, _ in HTTPResponse(status: 200) }
        let server = try HTTP2Server(HTTP2ServerConfiguration(), handler: handler)
        server.start(HTTP2Fault("f", .streamLimit(7), every: 2))
        try await withRunning(server) {
            let client = try FrameClient(port: server.port)
            await client.open([.request(1)])
            let before = await client.frames { $0.setting(3) == 1_000 }
            #expect(before.compactMap { $0.setting(3) } == [1, 1_000])
            await client.send([.request(3)])
            let during = await client.frames { $0.setting(3) == 1_000 }
            #expect(Self.events(during) == ["7 streams", "answer", "1000 streams"])
            #expect(!server.stopFault("g"))
            #expect(server.stopFault("f"))
            #expect(!server.stopFault("f"))
            await client.send([.request(5)])
            let after = await client.frames { $0.kind == .headers }
            #expect(Self.events(after) == ["answer"])
        }
    }

    private static func events(_ frames: [Frame]) -> [String] {
        frames.compactMap { frame in
            if let limit = frame.setting(3) { return "\(limit) streams" }
            return frame.kind == .headers ? "answer" : nil
        }
    }

    @Test(arguments: [(1, 3), (2, 10), (5_000, 2)], Wire.overHTTP2)
    func `the client follows limits that fall and rise, and sends each request once`(
        change: (limit: Int, every: Int),
        wire: Wire
    ) async throws {
        let authority = try TestAuthority()
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        configuration.streamPolicy = HTTP2StreamPolicy(unproven: 1, proven: 50)
        let seen = Mutex<[String]>([])
        let handler = ScriptedHandler { request, _ in
            seen.withLock { $0.append(request.target) }
            return HTTPResponse(status: 200)
        }
        let server = try HTTP2Server(configuration, handler: handler)
        server.start(HTTP2Fault("f", .streamLimit(change.limit), every: change.every))
        try await withRunning(server) {
            let client = ClientMaker(wire: wire, authorityFile: authority.certificateFile)()
            let origin = HTTPOrigin(scheme: "https", host: "localhost", port: server.port)
            let statuses = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let request = makeRequest(.post, "/\(number)", to: origin, body: [1])
                        return await client.send(request, options: HTTPSendOptions.patient).response?.status
                    }
                }
                return await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 300))
            #expect(seen.withLock { $0.sorted() } == (0..<300).map { "/\($0)" }.sorted())
            // libcurl takes a refused exchange to another connection, five times at most.
            #expect((1...(wire == .http2 ? 6 : 1)).contains(server.counters.connectionsOpened))
        }
    }
}
