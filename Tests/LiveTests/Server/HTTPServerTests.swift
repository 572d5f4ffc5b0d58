import Crypto
import Dispatch
import Glibc
import HTTP
import Platform
import Synchronization
import Testing

@testable import Live

@Suite(.timeLimit(.minutes(1))) struct HTTPServerTests {
    @Test func `a body over the limit is refused and never reaches the handler`() async throws {
        let count = Mutex(0)
        var configuration = HTTPServerConfiguration()
        configuration.bodyLimitBytes = 1_000
        let statuses = try await withServer(configuration) { _, _ in
            count.withLock { $0 += 1 }
            return HTTPResponse(status: 200)
        } body: { _, origin in
            let client = makeClient()
            var statuses: [Int?] = []
            for size in [1_000, 1_001, 3_999] {
                let request = makeRequest(.post, to: origin, body: [UInt8](repeating: 1, count: size))
                statuses.append(await client.send(request, options: HTTPSendOptions.patient).response?.status)
            }
            return statuses
        }
        #expect(statuses == [200, 413, 413])
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `header fields over the limit are refused`() async throws {
        let outcome = try await withServer { _, _ in
            HTTPResponse(status: 200)
        } body: { _, origin in
            await makeClient().send(
                makeRequest(to: origin, fields: ["X-Long": String(repeating: "a", count: 40_000)]),
                options: HTTPSendOptions.patient
            )
        }
        #expect(outcome.response?.status == 431)
    }

    @Test(arguments: [0, 1, 16_384, 100_000])
    func `an answer without a length travels in chunks and arrives whole`(size: Int) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        let outcome = try await withServer { _, _ in
            HTTPResponse(status: 200, fields: ["Transfer-Encoding": "chunked"], body: body)
        } body: { _, origin in
            await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient)
        }
        #expect(outcome.response?.body == body)
        #expect(outcome.response?.fields["Transfer-Encoding"] == "chunked")
        #expect(outcome.response?.fields["Content-Length"] == nil)
    }

    @Test func `a server that stops lets a request under way have its answer`() async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let status = try await withServer { _, _ in
            arrival.yield()
            for await _ in released { break }
            return HTTPResponse(status: 201)
        } body: { server, origin in
            await withTaskGroup(of: Int?.self) { group in
                group.addTask {
                    await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient).response?.status
                }
                for await _ in arrived { break }
                group.addTask {
                    await server.stop(within: .seconds(30))
                    return nil
                }
                release.yield()
                return await group.reduce(into: [Int?]()) { $0.append($1) }.compactMap { $0 }.first
            }
        }
        #expect(status == 201)
    }

    @Test func `a port that is taken and an address that is none are refused by name`() async throws {
        try await withServer { _, _ in
            HTTPResponse(status: 200)
        } body: { server, _ in
            var configuration = HTTPServerConfiguration()
            configuration.port = server.port
            let handler = ScriptedHandler { _, _ in HTTPResponse(status: 200) }
            let taken = HTTPServerError.cannotListen(
                address: "127.0.0.1",
                port: server.port,
                reason: "Address already in use"
            )
            #expect(throws: taken) { try HTTPServer(configuration, handler: handler) }
            configuration.address = "here"
            #expect(throws: HTTPServerError.badAddress("here")) {
                try HTTPServer(configuration, handler: handler)
            }
        }
    }

    @Test func `over TLS a client that trusts the authority is answered and one that does not sends nothing`()
        async throws
    {
        let authority = try TestAuthority()
        var configuration = HTTPServerConfiguration()
        configuration.identity = try authority.identity()
        let outcomes = try await withServer(configuration) { request, _ in
            HTTPResponse(status: 200, body: Array(request.origin.scheme.utf8))
        } body: { _, origin in
            let trusting = makeClient { $0.authorityFile = authority.certificateFile }
            return [
                await trusting.send(makeRequest(to: origin), options: HTTPSendOptions.patient),
                await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient),
            ]
        }
        #expect(outcomes.first?.response?.body == Array("https".utf8))
        #expect(outcomes.last == .notSent(.tlsFailed))
    }

    @Test func `a certificate with another key is refused by name`() throws {
        let configuration = try Self.mismatched()
        #expect(throws: HTTPServerError.badIdentity) {
            try HTTPServer(configuration, handler: ScriptedHandler { _, _ in HTTPResponse(status: 200) })
        }
    }

    /// A descriptor that is closed twice is somebody else's the second time: another thread opens and closes without a pause.
    @Test func `a server that cannot start closes no descriptor of another`() throws {
        let configuration = try Self.mismatched()
        let hasStopped = Atomic(false)
        let stolen = Atomic(0)
        // The first of the two is begun first, so that this ends although both might share one thread.
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            guard index == 0 else { return Self.openAndClose(until: hasStopped, counting: stolen) }
            for _ in 1...300 {
                #expect(throws: HTTPServerError.badIdentity) {
                    try HTTPServer(configuration, handler: ScriptedHandler { _, _ in HTTPResponse(status: 200) })
                }
            }
            hasStopped.store(true, ordering: .relaxed)
        }
        #expect(stolen.load(ordering: .relaxed) == 0)
    }

    private static func openAndClose(until hasStopped: borrowing Atomic<Bool>, counting stolen: borrowing Atomic<Int>) {
        while !hasStopped.load(ordering: .relaxed) {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if close(descriptor) != 0 { stolen.wrappingAdd(1, ordering: .relaxed) }
        }
    }

    /// A configuration whose certificate and key do not belong together.
    private static func mismatched() throws -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.identity = HTTPServerConfiguration.Identity(
            certificateChainPEM: try TestAuthority().identity().certificateChainPEM,
            keyPEM: try TestAuthority().identity().keyPEM
        )
        return configuration
    }

    @Test func `an IPv6 address is served as well`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.address = "::1"
        let server = try HTTPServer(
            configuration,
            handler: ScriptedHandler { _, peer in
                HTTPResponse(status: 200, body: Array(peer.address.utf8))
            }
        )
        let body = await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            let origin = HTTPOrigin(scheme: "http", host: "[::1]", port: server.port)
            return await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient).response?.body
        }
        #expect(body == Array("::1".utf8))
    }
}
