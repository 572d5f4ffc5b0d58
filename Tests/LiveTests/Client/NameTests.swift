import HTTP
import Live
import Platform
import Testing

/// Names that are not known, or stand for another address than before. After GOAWAY a sender must ask again (APNs facts §8, §17.9).
@Suite(.timeLimit(.minutes(1))) struct NameTests {
    private let names: NameTable

    init() throws {
        names = try NameTable.shared
    }

    @Test func `to a name that nobody knows nothing is sent`() async throws {
        let outcome = await makeClient().send(Self.request(to: "unknown.test", 443), options: HTTPSendOptions.patient)
        #expect(outcome == .notSent(.nameNotResolved))
        #expect(names.questions(for: "unknown.test") > 0)
    }

    @Test func `where nobody listens at any address of a name nothing was sent`() async throws {
        names.set("dead.test", ["127.0.0.2", "127.0.0.3"])
        let closed = try RawServer(answering: "", isListening: false)
        let outcome = await makeClient().send(
            Self.request(to: "dead.test", closed.port),
            options: HTTPSendOptions.patient
        )
        #expect(outcome == .notSent(.connectionRefused))
    }

    @Test func `an address at which nobody listens is passed over`() async throws {
        try await withServers(at: ["127.0.0.1"]) { port in
            names.set("half-dead.test", ["127.0.0.9", "127.0.0.1"])
            let client = makeClient()
            for _ in 0..<4 {
                let options = HTTPSendOptions(connection: .fresh)
                #expect(await Self.answer(client, "half-dead.test", port, options) == "127.0.0.1")
            }
        }
    }

    @Test func `a new connection goes where the name stands now, and one that is kept stays`() async throws {
        try await untilPortsAreFree {
            try await withServers(at: ["127.0.0.1", "127.0.0.2"]) { port in
                let (client, name) = (makeClient(), "moves.test")
                names.set(name, ["127.0.0.1"])
                #expect(await Self.answer(client, name, port) == "127.0.0.1")
                names.set(name, ["127.0.0.2"])
                #expect(await Self.answer(client, name, port) == "127.0.0.1")
                #expect(names.questions(for: name) == 1)
                #expect(await Self.answer(client, name, port, HTTPSendOptions(connection: .fresh)) == "127.0.0.2")
                #expect(names.questions(for: name) == 2)
            }
        }
    }

    @Test func `a server that ends its connections is left for where the name stands now`() async throws {
        let name = "leaves.test"
        try await untilPortsAreFree {
            names.set(name, ["127.0.0.1"])
            try await withServers(at: ["127.0.0.2"]) { port in
                let client = makeClient()
                try await withServers(at: ["127.0.0.1"], port: port) { _ in
                    #expect(await Self.answer(client, name, port) == "127.0.0.1")
                }
                names.set(name, ["127.0.0.2"])
                #expect(await Self.answer(client, name, port) == "127.0.0.2")
            }
        }
    }

    @Test func `a name that is lost while requests are under way does not harm them`() async throws {
        try await withServers(at: ["127.0.0.1"]) { port in
            let (client, name) = (makeClient(), "lost.test")
            names.set(name, ["127.0.0.1"])
            #expect(await Self.answer(client, name, port) == "127.0.0.1")
            names.set(name, [])
            #expect(await Self.answer(client, name, port) == "127.0.0.1")
            let fresh = await client.send(
                Self.request(to: name, port),
                options: HTTPSendOptions(connection: .fresh)
            )
            #expect(fresh == .notSent(.nameNotResolved))
            names.set(name, ["127.0.0.1"])
            #expect(await Self.answer(client, name, port) == "127.0.0.1")
        }
    }

    // MARK: Servers

    /// A port that is free at one address may be another test's at the next. That shows before anything else happens.
    private func untilPortsAreFree(_ body: () async throws -> Void) async throws {
        for _ in 0..<20 {
            do { return try await body() } catch is HTTPServerError {}
        }
        try await body()
    }

    /// Runs `body` while a server listens at each of these addresses of the loopback interface, all on one port. Each answers with
    /// the address at which it was reached.
    private func withServers(at addresses: [String], port: UInt16 = 0, body: (UInt16) async throws -> Void) async throws
    {
        var port = port
        var servers: [HTTPServer] = []
        for address in addresses {
            var configuration = HTTPServerConfiguration()
            (configuration.address, configuration.port) = (address, port)
            let handler = ScriptedHandler { _, _ in HTTPResponse(status: 200, body: Array(address.utf8)) }
            servers.append(try HTTPServer(configuration, handler: handler))
            port = servers[0].port
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { await server.run() } }
            defer { group.cancelAll() }
            try await body(port)
        }
    }

    private static func request(to name: String, _ port: UInt16) -> HTTPRequest {
        makeRequest(.post, to: HTTPOrigin(scheme: "http", host: name, port: port), body: [1])
    }

    private static func answer(
        _ client: CurlClient,
        _ name: String,
        _ port: UInt16,
        _ options: HTTPSendOptions = HTTPSendOptions.patient
    ) async -> String? {
        await client.send(request(to: name, port), options: options).response.map {
            String(decoding: $0.body, as: UTF8.self)
        }
    }
}
