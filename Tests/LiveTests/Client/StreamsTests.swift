import HTTP
import Platform
import Synchronization
import Testing

@testable import Live

/// How many exchanges go over one HTTP/2 connection at a time (APNs facts §8, §17 item 2).
@Suite(.timeLimit(.minutes(1))) struct StreamsTests {
    @Test(arguments: Wire.overHTTP2)
    func `exchanges go together once as many were answered`(wire: Wire) async throws {
        let gathering = Gathering(10)
        let (statuses, counters) = try await exchange(20, after: 10, wire, HTTP2StreamPolicy()) { request in
            // Nobody is answered before ten are there, but for those before.
            if request.target.hasPrefix("/together") { await gathering.arrive() }
        }
        #expect(statuses == Array(repeating: 200, count: 30))
        #expect(counters.peakStreams >= 10)
        #expect(counters.connectionsOpened == 1)
    }

    @Test(arguments: [(1, 300), (20, 300), (1_000, 1_500)], Wire.overHTTP2)
    func `a connection carries as many at a time as the server allows, and goes on`(
        load: (limit: Int, count: Int),
        wire: Wire
    ) async throws {
        let (limit, count) = load
        let (statuses, counters) = try await exchange(count, after: 1, wire, HTTP2StreamPolicy(proven: limit)) { _ in }
        #expect(statuses == Array(repeating: 200, count: count + 1))
        #expect(counters.connectionsOpened == 1)
        #expect(counters.goAways == 0)
        #expect(counters.refusedStreams == 0)
        #expect(counters.peakStreams <= limit)
    }

    /// A handle that another exchange had must not hear HTTP/1.1, which has folded lines: libcurl 7.88 would add one to what it has freed.
    @Test func `a server that has gone back to HTTP/1_1 costs one exchange`() async throws {
        let authority = try TestAuthority()
        let handler = ScriptedHandler { _, _ in HTTPResponse(status: 200) }
        let client = makeClient { $0.authorityFile = authority.certificateFile }
        let port = try await answerOverHTTP2(client, authority, handler)

        var present = HTTPServerConfiguration()
        (present.identity, present.port) = (try authority.identity(), port)
        let request = makeRequest(.get, "/", to: HTTPOrigin(scheme: "https", host: "localhost", port: port))
        let server = await listen(present, handler)
        await withTaskGroup { group in
            group.addTask { await server.run() }
            let first = await client.send(request, options: HTTPSendOptions.patient)
            #expect(first.response == nil, "a used handle has heard HTTP/1.1")
            for _ in 0..<3 {
                #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
            }
            group.cancelAll()
        }
    }

    /// As soon as the server before it has closed its port, which it does on a thread of its own.
    private func listen(_ configuration: HTTPServerConfiguration, _ handler: ScriptedHandler) async -> HTTPServer {
        while true {
            if let server = try? HTTPServer(configuration, handler: handler) { return server }
            await Task.yield()
        }
    }

    @Test func `a connection that has died silently is left with the first request that it swallows`() async throws {
        let authority = try TestAuthority()
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        let server = try HTTP2Server(configuration, handler: ScriptedHandler { _, _ in HTTPResponse(status: 200) })
        try await withRunning(server) {
            let client = makeClient { $0.authorityFile = authority.certificateFile }
            let request = makeRequest(to: HTTPOrigin(scheme: "https", host: "localhost", port: server.port))
            #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
            // From now on whoever sends a request on it is not heard any more.
            server.start(HTTP2Fault("f", .halfOpen))
            let impatient = HTTPSendOptions(totalTimeout: .seconds(1))
            #expect(await client.send(request, options: impatient) == .unknown(.timedOut))
            server.stopFault("f")
            #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
            #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
            #expect(server.counters.connectionsOpened == 2)
        }
    }

    @Test func `a connection that answers others is kept when one answer does not come`() async throws {
        let authority = try TestAuthority()
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let handler = ScriptedHandler { request, _ in
            if request.target == "/silent" {
                arrival.yield()
                await waitForEver()
            }
            return HTTPResponse(status: 200)
        }
        let server = try HTTP2Server(configuration, handler: handler)
        try await withRunning(server) {
            let client = makeClient { $0.authorityFile = authority.certificateFile }
            let origin = HTTPOrigin(scheme: "https", host: "localhost", port: server.port)
            let (request, silent) = (makeRequest(to: origin), makeRequest(.get, "/silent", to: origin))
            #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
            async let lost = client.send(silent, options: HTTPSendOptions(totalTimeout: .seconds(3)))
            for await _ in arrived { break }
            #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
            #expect(await lost == .unknown(.timedOut))
            #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
            #expect(server.counters.connectionsOpened == 1)
        }
    }

    /// Lets the client use its handles again; the server has ended afterwards, and its port is free.
    private func answerOverHTTP2(
        _ client: CurlClient,
        _ authority: TestAuthority,
        _ handler: ScriptedHandler
    ) async throws -> UInt16 {
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        let server = try HTTP2Server(configuration, handler: handler)
        let request = makeRequest(.get, "/", to: HTTPOrigin(scheme: "https", host: "localhost", port: server.port))
        try await withRunning(server) {
            for _ in 0..<3 {
                #expect(await client.send(request, options: HTTPSendOptions.patient).response?.status == 200)
            }
        }
        return server.port
    }

    /// Sends so many requests at once to a server of its own, after some that are sent one after the other.
    private func exchange(
        _ count: Int,
        after first: Int,
        _ wire: Wire,
        _ streams: HTTP2StreamPolicy,
        answer: @escaping @Sendable (HTTPRequest) async -> Void
    ) async throws -> (statuses: [Int?], counters: HTTP2Counters) {
        let authority = try TestAuthority()
        var configuration = HTTP2ServerConfiguration()
        configuration.identity = try authority.identity()
        configuration.streamPolicy = streams
        let handler = ScriptedHandler { request, _ in
            await answer(request)
            return HTTPResponse(status: 200)
        }
        let server = try HTTP2Server(configuration, handler: handler)
        return try await withRunning(server) {
            let origin = HTTPOrigin(scheme: "https", host: "localhost", port: server.port)
            let client = ClientMaker(wire: wire, authorityFile: authority.certificateFile)()
            var statuses: [Int?] = []
            for _ in 0..<first {
                let outcome = await client.send(
                    makeRequest(.get, "/before", to: origin),
                    options: HTTPSendOptions.patient
                )
                statuses.append(outcome.response?.status)
            }
            let others = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<count {
                    let request = makeRequest(.post, "/together", to: origin, body: Array("{}".utf8))
                    group.addTask { await client.send(request, options: HTTPSendOptions.patient).response?.status }
                }
                return await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            return (statuses + others, server.counters)
        }
    }
}

/// Lets those who wait go whenever so many have come.
private final class Gathering: Sendable {
    private let count: Int
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    init(_ count: Int) {
        self.count = count
    }

    func arrive() async {
        await withCheckedContinuation { continuation in
            let all = waiting.withLock { waiting in
                waiting.append(continuation)
                guard waiting.count >= count else { return [CheckedContinuation<Void, Never>]() }
                defer { waiting = [] }
                return waiting
            }
            for one in all { one.resume() }
        }
    }
}
