import Glibc
import HTTP
import Platform
import Synchronization
import Testing

@testable import Live

/// Clients of the HTTP/1.1 server that send without end, read nothing, or come in crowds. Beside ``SlowClientTests``.
@Suite(.timeLimit(.minutes(1))) struct HostileClientTests {
    private static let hurried: HTTPServerConfiguration = {
        var configuration = HTTPServerConfiguration()
        configuration.requestTimeout = .milliseconds(300)
        configuration.idleTimeout = .seconds(1)
        configuration.bodyLimitBytes = 10_000
        return configuration
    }()

    @Test func `a client that reads nothing of a long answer loses its connection`() async throws {
        let body = [UInt8](repeating: 7, count: 32 * 1_048_576)
        let (kept, trickled) = try await withServer(Self.hurried) { _, _ in
            HTTPResponse(status: 200, body: body)
        } body: { server, _ in
            let slow = try RawClient(port: server.port)
            slow.say("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await slow.isSpokenTo()
            // What comes later has the same time and no more, so when this one is over the first is, too.
            let later = try RawClient(port: server.port)
            later.say("GET / HTTP/1.1\r\nHost: x\r\nX-Long: a")
            let trickled = await later.trickle("a")
            return (await slow.end().utf8.count, trickled)
        }
        #expect(!trickled.hasPrefix("HTTP/1.1 200"))
        #expect(kept < body.count, "the whole answer was waiting for the client")
    }

    @Test func `an upload without end is ended by the server`() async throws {
        let count = Mutex(0)
        try await withServer(Self.hurried) { _, _ in
            count.withLock { $0 += 1 }
            return HTTPResponse(status: 200)
        } body: { server, origin in
            let hostile = try RawClient(port: server.port)
            hostile.say("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n")
            let piece = String(repeating: "a", count: 65_536)
            var pieces = 0
            // Four times the limit, and what the system holds on both sides; the rest is never taken.
            while pieces < 1_000, hostile.say(piece) { pieces += 1 }
            #expect(pieces < 1_000)
            #expect(await Self.status(origin) == 200)
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `requests in a row, of which no answer is read, leave the server well`() async throws {
        let status = try await withServer(Self.hurried) { _, _ in
            HTTPResponse(status: 200, body: [UInt8](repeating: 7, count: 1_000))
        } body: { server, origin in
            let hostile = try RawClient(port: server.port)
            hostile.sayWhatFits(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 100_000))
            return await Self.status(origin)
        }
        #expect(status == 200)
    }

    private static let halves = [
        "", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    ]

    @Test func `half requests whose clients go leave nothing behind`() async throws {
        let status = try await withServer(Self.hurried) { _, _ in
            HTTPResponse(status: 200)
        } body: { server, origin in
            for round in 0..<600 {
                let client = try RawClient(port: server.port)
                client.say(Self.halves[round % Self.halves.count])
            }
            // The last of them still count among those of this address until the server has seen them go.
            var status: Int?
            while status != 200, !Task.isCancelled { status = await Self.status(origin) }
            return status
        }
        #expect(status == 200)
    }

    /// An address may have so many connections; others are served meanwhile.
    @Test func `a crowd from one address leaves room for another`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.connectionLimit = 200
        configuration.connectionsPerAddressLimit = 50
        let answers = try await withServer(configuration) { _, peer in
            HTTPResponse(status: 200, body: Array(peer.address.utf8))
        } body: { server, _ in
            let crowd = try (0..<150).map { _ in try RawClient(port: server.port) }
            for client in crowd { client.say("GET / HTTP/1.1\r\n") }
            let other = try RawClient(port: server.port, from: 0x7F00_0002)
            other.say("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let answer = await other.end()
            return withExtendedLifetime(crowd) { answer }
        }
        #expect(answers.hasSuffix("127.0.0.2"))
    }

    /// libmicrohttpd ends the process when it is stopped or told to accept nothing more at a bad moment.
    @Test func `a server that is stopped in the middle of a storm of requests ends in order`() async throws {
        let storm = String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 500)
        for _ in 0..<20 {
            try await withServer(Self.hurried) { _, _ in
                HTTPResponse(status: 200)
            } body: { server, _ in
                let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
                for client in clients { client.sayWhatFits(storm) }
                await server.stop(within: .zero)
            }
        }
    }

    private static let smuggled = [
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /two HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 40\r\n\r\nabcGET /two HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\na\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\na\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nX-A: b\u{0}c\r\n\r\n", "GET /\u{0}two HTTP/1.1\r\nHost: x\r\n\r\n",
    ]

    @Test(arguments: smuggled)
    func `what can be read in two ways is not handled twice`(text: String) async throws {
        let seen = Mutex<[String]>([])
        let status = try await withServer(Self.hurried) { request, _ in
            seen.withLock { $0.append("\(request.method.rawValue) \(request.target) \(request.body.count)") }
            return HTTPResponse(status: 200)
        } body: { server, origin in
            let client = try RawClient(port: server.port)
            client.say(text)
            _ = await client.end()
            return await Self.status(origin, "/last")
        }
        #expect(status == 200)
        #expect(seen.withLock { $0 }.filter { !$0.hasPrefix("GET /last") }.count <= 1, "\(seen.withLock { $0 })")
    }

    private static func status(_ origin: HTTPOrigin, _ target: String = "/") async -> Int? {
        await makeClient().send(makeRequest(.get, target, to: origin), options: HTTPSendOptions.patient).response?
            .status
    }
}
