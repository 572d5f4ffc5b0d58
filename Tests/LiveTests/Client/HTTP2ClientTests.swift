import HTTP
import Platform
import Synchronization
import Testing

@testable import Live

/// What only a client that sees frames can do (APNs facts §8, §17).
@Suite(.timeLimit(.minutes(1))) struct HTTP2ClientTests {
    /// A server that counts what it acted on, and its clients.
    private struct World: Sendable {
        let server: HTTP2Server
        let origin: HTTPOrigin
        let authorityFile: String
        let seen: @Sendable () -> [String]

        func makeClient(_ change: (inout HTTP2Client.Configuration) -> Void = { _ in }) -> HTTP2Client {
            var configuration = HTTP2Client.Configuration()
            (configuration.usesSystemProxy, configuration.authorityFile) = (false, authorityFile)
            configuration.reconnectPause = .zero
            change(&configuration)
            return HTTP2Client(configuration)
        }

        func request(_ target: String) -> HTTPRequest { makeRequest(.post, target, to: origin, body: [1, 2, 3]) }

        /// Sends so many at once, each with a target of its own; the outcomes in that order.
        func sendAtOnce(_ count: Int, by client: HTTP2Client) async -> [HTTPOutcome] {
            await withTaskGroup(of: (Int, HTTPOutcome).self) { group in
                for number in 0..<count {
                    group.addTask {
                        let target = "/\(number)"
                        return (number, await client.send(request(target), options: HTTPSendOptions.patient))
                    }
                }
                let found = await group.reduce(into: [Int: HTTPOutcome]()) { $0[$1.0] = $1.1 }
                return (0..<count).compactMap { found[$0] }
            }
        }
    }

    private func withWorld(
        _ fault: HTTP2Fault.Kind? = nil,
        every: Int = 1,
        streams: HTTP2StreamPolicy = HTTP2StreamPolicy(),
        answer: @escaping @Sendable (HTTPRequest) async -> Void = { _ in },
        body: (World) async throws -> Void
    ) async throws {
        let authority = try TestAuthority()
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        configuration.streamPolicy = streams
        let seen = Seen()
        let handler = ScriptedHandler { request, _ in
            seen.targets.withLock { $0.append(request.target) }
            await answer(request)
            return HTTPResponse(status: 200)
        }
        let server = try HTTP2Server(configuration, handler: handler)
        if let fault { server.start(HTTP2Fault("f", fault, every: every)) }
        let world = World(
            server: server,
            origin: HTTPOrigin(scheme: "https", host: "localhost", port: server.port),
            authorityFile: authority.certificateFile,
            seen: { seen.targets.withLock { $0 } }
        )
        try await withRunning(server) { try await body(world) }
    }

    private final class Seen: Sendable {
        let targets = Mutex<[String]>([])
    }

    // MARK: What was not acted on goes again

    @Test(arguments: [(.refuseStream, false), (.goAwayBefore(reason: nil), true)] as [(HTTP2Fault.Kind, Bool)])
    func `a request that the server did not act on goes again, and arrives once`(
        fault: HTTP2Fault.Kind,
        needsConnections: Bool
    ) async throws {
        try await withWorld(fault, every: 7) { world in
            let outcomes = await world.sendAtOnce(100, by: world.makeClient())
            #expect(outcomes.map { $0.response?.status } == Array(repeating: 200, count: 100))
            #expect(world.seen().sorted() == (0..<100).map { "/\($0)" }.sorted())
            #expect(world.server.counters.faults > 0)
            #expect((world.server.counters.connectionsOpened > 1) == needsConnections)
        }
    }

    @Test func `a server that refuses everything is asked a few times, and nothing was sent`() async throws {
        try await withWorld(.refuseStream) { world in
            let outcome = await world.makeClient().send(world.request("/"), options: HTTPSendOptions.patient)
            #expect(outcome == .notSent(.connectionReset))
            #expect((2...20).contains(world.server.counters.faults))
            #expect(world.server.counters.connectionsOpened == 1)
        }
    }

    /// A burst of connections looks like an attack (APNs facts §8).
    @Test func `a server that sends everybody away is not asked again and again`() async throws {
        try await withWorld(.goAwayBefore(reason: "Shutdown")) { world in
            let outcomes = await world.sendAtOnce(50, by: world.makeClient())
            #expect(outcomes == Array(repeating: .notSent(.connectionReset), count: 50))
            #expect(world.seen() == [])
            #expect(world.server.counters.connectionsOpened < 10)
        }
    }

    @Test func `connections follow each other no faster than they may`() async throws {
        try await withWorld(.goAwayBefore(reason: nil), every: 2) { world in
            let pause = Duration.milliseconds(200)
            let client = world.makeClient { $0.reconnectPause = pause }
            let start = LiveTime().monotonicNow
            let outcomes = await world.sendAtOnce(4, by: client)
            #expect(outcomes.map { $0.response?.status } == [200, 200, 200, 200])
            #expect(world.server.counters.connectionsOpened == 4, "each answers one and sends the next away")
            #expect(start.duration(to: LiveTime().monotonicNow) >= pause * 3)
        }
    }

    @Test(arguments: [HTTP2Fault.Kind.goAway(reason: "Shutdown"), .goAwayTwice(reason: nil)])
    func `a server that says goodbye answers what it has, and the rest goes elsewhere`(
        fault: HTTP2Fault.Kind
    ) async throws {
        try await withWorld(fault, every: 10) { world in
            let outcomes = await world.sendAtOnce(200, by: world.makeClient())
            #expect(outcomes.map { $0.response?.status } == Array(repeating: 200, count: 200))
            #expect(world.seen().sorted() == (0..<200).map { "/\($0)" }.sorted())
            #expect(world.server.counters.goAways > 0)
        }
    }

    @Test func `a reset connection leaves open what was under way, at once, and nothing else`() async throws {
        try await withWorld(.resetConnection, every: 20, streams: HTTP2StreamPolicy(proven: 5)) { world in
            let outcomes = await world.sendAtOnce(100, by: world.makeClient())
            let lost = outcomes.filter { $0 == .unknown(.connectionReset) }.count
            #expect((1...50).contains(lost))
            // Whoever waits for a deadline ends with another outcome.
            #expect(outcomes.filter { $0.response?.status == 200 }.count == 100 - lost)
        }
    }

    @Test func `an answer that contradicts itself makes room for the next`() async throws {
        let authority = try TestAuthority()
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        configuration.streamPolicy = HTTP2StreamPolicy(proven: 1)
        let handler = ScriptedHandler { _, _ in
            HTTPResponse(status: 200, fields: ["content-length": "9"], body: [1, 2])
        }
        let server = try HTTP2Server(configuration, handler: handler)
        try await withRunning(server) {
            let client = makeHTTP2Client(authority.certificateFile)
            let request = makeRequest(to: HTTPOrigin(scheme: "https", host: "localhost", port: server.port))
            let outcomes = await withTaskGroup(of: HTTPOutcome.self) { group in
                for _ in 0..<3 {
                    group.addTask { await client.send(request, options: HTTPSendOptions.patient) }
                }
                return await group.reduce(into: [HTTPOutcome]()) { $0.append($1) }
            }
            #expect(outcomes == Array(repeating: .unknown(.bodyTruncated), count: 3), "each was sent")
            #expect(server.counters.connectionsOpened == 1)
        }
    }

    // MARK: Proof of life

    @Test func `a connection that has died silently costs no request`() async throws {
        try await withWorld { world in
            let client = world.makeClient {
                $0.silence.trust = .zero
                $0.silence.patience = .seconds(2)
            }
            #expect(await client.send(world.request("/1"), options: HTTPSendOptions.patient).response?.status == 200)
            #expect(await client.send(world.request("/2"), options: HTTPSendOptions.patient).response?.status == 200)
            #expect(world.server.counters.pings == 1, "it was asked before the second")
            // From now on whoever sends a request on it is not heard any more.
            world.server.start(HTTP2Fault("f", .halfOpen))
            let impatient = HTTPSendOptions(totalTimeout: .seconds(1))
            #expect(await client.send(world.request("/lost"), options: impatient) == .unknown(.timedOut))
            world.server.stopFault("f")
            #expect(await client.send(world.request("/3"), options: HTTPSendOptions.patient).response?.status == 200)
            #expect(world.seen() == ["/1", "/2", "/3"])
            #expect(world.server.counters.connectionsOpened == 2)
        }
    }

    @Test func `a server that has gone while nothing was under way costs no request`() async throws {
        let authority = try TestAuthority()
        let client = makeHTTP2Client(authority.certificateFile)
        var port: UInt16 = 0
        for _ in 0..<3 {
            var configuration = HTTP2ServerConfiguration()
            (configuration.identity, configuration.port) = (try authority.identity(), port)
            let server = try await listen(configuration)
            port = server.port
            try await withRunning(server) {
                let request = makeRequest(to: HTTPOrigin(scheme: "https", host: "localhost", port: port))
                #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
            }
        }
    }

    /// As soon as the server before it has closed its port, which it does on a thread of its own.
    private func listen(_ configuration: HTTP2ServerConfiguration) async throws -> HTTP2Server {
        let handler = ScriptedHandler { _, _ in HTTPResponse(status: 200) }
        while true {
            if let server = try? HTTP2Server(configuration, handler: handler) { return server }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    // MARK: Room

    @Test func `an exchange that is given up makes room for the next`() async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let answer: @Sendable (HTTPRequest) async -> Void = { request in
            guard request.target == "/silent" else { return }
            arrival.yield()
            await waitForEver()
        }
        // The server counts what it works at, also for a stream that was reset; the client has room for one.
        try await withWorld(streams: HTTP2StreamPolicy(unproven: 2), answer: answer) { world in
            let client = world.makeClient()
            let outcome = await withTaskGroup(of: HTTPOutcome.self) { group in
                group.addTask { await client.send(world.request("/silent"), options: HTTPSendOptions.patient) }
                for await _ in arrived { break }
                group.cancelAll()
                return await group.next()
            }
            #expect(outcome == .unknown(.cancelled))
            #expect(await client.send(world.request("/"), options: HTTPSendOptions.patient).response?.status == 200)
            #expect(world.server.counters.streamsResetByClient == 1)
            #expect(world.server.counters.connectionsOpened == 1)
        }
    }

    @Test func `what waits its turn too long was not sent`() async throws {
        let answer: @Sendable (HTTPRequest) async -> Void = { request in
            if request.target == "/silent" { await waitForEver() }
        }
        try await withWorld(streams: HTTP2StreamPolicy(proven: 1), answer: answer) { world in
            let client = world.makeClient()
            _ = await client.send(world.request("/"), options: HTTPSendOptions.patient)
            let short = HTTPSendOptions(totalTimeout: .milliseconds(300))
            let outcomes = await withTaskGroup(of: HTTPOutcome.self) { group in
                group.addTask { await client.send(world.request("/silent"), options: HTTPSendOptions.patient) }
                while world.seen().count < 2, !Task.isCancelled { await Task.yield() }
                group.addTask { await client.send(world.request("/late"), options: short) }
                let first = await group.next()
                group.cancelAll()
                return [first, await group.next()]
            }
            #expect(outcomes == [.notSent(.timedOut), .unknown(.cancelled)])
            #expect(world.seen() == ["/", "/silent"])
        }
    }

    @Test func `without TLS it speaks HTTP/2 as well`() async throws {
        let handler = ScriptedHandler { _, _ in HTTPResponse(status: 204) }
        let server = try HTTP2Server(HTTP2ServerConfiguration(), handler: handler)
        try await withRunning(server) {
            let origin = HTTPOrigin(scheme: "http", host: "localhost", port: server.port)
            let outcome = await makeHTTP2Client().send(makeRequest(to: origin), options: HTTPSendOptions.patient)
            #expect(outcome == .response(HTTPResponse(status: 204)))
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno", "\u{0}\u{0}\u{FF}\u{4}\u{0}\u{0}\u{0}\u{0}\u{1}",
    ])
    func `what answers with anything but HTTP/2 gave no answer`(said: String) async throws {
        let server = try RawServer(answering: said)
        let origin = HTTPOrigin(scheme: "http", host: "127.0.0.1", port: server.port)
        let outcome = await makeHTTP2Client().send(makeRequest(to: origin), options: HTTPSendOptions.patient)
        #expect(outcome == .unknown(.connectionReset))
    }
}
