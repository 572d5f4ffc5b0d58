import HTTP
import Platform
import Testing

@testable import Live

/// Clients that mean no good, or know no better.
@Suite(.timeLimit(.minutes(1))) struct SlowClientTests {
    /// Silence is allowed for long, so that nothing but the deadline of a request ends a connection.
    private static let configuration: HTTPServerConfiguration = {
        var configuration = HTTPServerConfiguration()
        configuration.idleTimeout = .seconds(20)
        configuration.requestTimeout = .milliseconds(300)
        return configuration
    }()

    /// What is said at once; what follows comes letter by letter.
    private static let beginnings = [
        "GET / HTTP/1.1\r\nHost: x\r\nX-Long: a", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
    ]

    @Test(arguments: beginnings)
    func `a request that trickles in for ever ends its connection`(beginning: String) async throws {
        let said = try await withServer(Self.configuration) { _, _ in
            HTTPResponse(status: 200)
        } body: { server, _ in
            let client = try RawClient(port: server.port)
            client.say(beginning)
            return await client.trickle("a")
        }
        #expect(!said.hasPrefix("HTTP/1.1 200"))
    }

    @Test(arguments: ["", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
    func `so does one whose first line does not end, on a new connection and on one that is kept`(
        before: String
    ) async throws {
        var configuration = Self.configuration
        configuration.idleTimeout = .seconds(1)
        let said = try await withServer(configuration) { _, _ in
            HTTPResponse(status: 200)
        } body: { server, _ in
            let client = try RawClient(port: server.port)
            client.say(before + "GET /")
            return await client.trickle("a")
        }
        #expect(said.hasPrefix("HTTP/1.1 200") == !before.isEmpty)
    }

    @Test func `an honest client is answered among those that trickle`() async throws {
        var configuration = Self.configuration
        configuration.connectionLimit = 8
        let status = try await withServer(configuration) { _, _ in
            HTTPResponse(status: 200)
        } body: { server, origin in
            let clients = try (1...8).map { _ in try RawClient(port: server.port) }
            await withDiscardingTaskGroup { group in
                for client in clients {
                    client.say(Self.beginnings[0])
                    group.addTask { _ = await client.trickle("a") }
                }
            }
            return await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient).response?.status
        }
        #expect(status == 200)
    }

    @Test func `a handler may take longer than a request may`() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let status = try await withServer(Self.configuration) { _, _ in
            begin.yield()
            for await _ in released { break }
            return HTTPResponse(status: 200)
        } body: { server, origin in
            async let answer = makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient)
            for await _ in begun { break }
            // This request begins after the other, and ends by the deadline that the other one has passed then.
            let client = try RawClient(port: server.port)
            client.say(Self.beginnings[0])
            #expect(!(await client.trickle("a")).hasPrefix("HTTP/1.1 200"))
            release.yield()
            return await answer.response?.status
        }
        #expect(status == 200)
    }

    @Test(arguments: [
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}", "GET\r\n\r\n", "\r\n\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\n"
            + "Transfer-Encoding: chunked\r\n\r\nZZZ\r\n", "GET / HTTP/1.1\r\n: nothing\r\n\r\n",
        String(repeating: "A", count: 100_000),
    ])
    func `nonsense costs its connection and nothing else`(nonsense: String) async throws {
        let status = try await withServer(Self.configuration) { _, _ in
            HTTPResponse(status: 200)
        } body: { server, origin in
            let client = try RawClient(port: server.port)
            client.say(nonsense)
            _ = await client.trickle("\r\n")
            return await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient).response?.status
        }
        #expect(status == 200)
    }
}
