import HTTP
import Live
import Platform
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct HTTPClientTests {
    @Test(arguments: [HTTPMethod.get, .post, .put, .patch, .delete], Wire.allCases)
    func `a request arrives as it was given, and so does its response`(method: HTTPMethod, wire: Wire) async throws {
        let seen = Mutex<HTTPRequest?>(nil)
        let sent: [UInt8] = method == .get ? [] : Array(0...255)
        let outcome = try await withServer(over: wire) { request, _ in
            seen.withLock { $0 = request }
            return HTTPResponse(
                status: 207,
                fields: ["X-Total": "3", "X-Empty": ""],
                body: Array((0...255).reversed())
            )
        } body: { makeClient, origin in
            await makeClient().send(
                makeRequest(
                    method,
                    "/a%2Fb/../c?x=%20&y=1",
                    to: origin,
                    fields: ["X-One": "1", "X-None": ""],
                    body: sent
                ),
                options: HTTPSendOptions.patient
            )
        }
        let response = try #require(outcome.response)
        #expect(response.status == 207)
        #expect(response.fields["x-total"] == "3")
        #expect(response.fields["x-empty"] == "")
        #expect(response.body == Array((0...255).reversed()))
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == method)
        #expect(request.target == "/a%2Fb/../c?x=%20&y=1")
        #expect(request.fields["x-one"] == "1")
        #expect(request.fields["x-none"] == "")
        #expect(request.fields["expect"] == nil)
        #expect(request.fields["user-agent"] == nil)
        #expect(request.body == sent)
    }

    @Test(arguments: Wire.allCases)
    func `the head of a response comes without its body`(wire: Wire) async throws {
        let outcome = try await withServer(over: wire) { _, _ in
            HTTPResponse(status: 200, body: [1, 2, 3])
        } body: { makeClient, origin in
            await makeClient().send(makeRequest(.head, to: origin), options: HTTPSendOptions.patient)
        }
        #expect(outcome.response?.status == 200)
        #expect(outcome.response?.body == [])
    }

    @Test(arguments: Wire.allCases)
    func `a redirect is an answer like any other and is not followed`(wire: Wire) async throws {
        let count = Mutex(0)
        let outcome = try await withServer(over: wire) { request, _ in
            count.withLock { $0 += 1 }
            return HTTPResponse(status: 302, fields: ["Location": "\(request.origin)/elsewhere"])
        } body: { makeClient, origin in
            await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient)
        }
        #expect(outcome.response?.status == 302)
        #expect(count.withLock { $0 } == 1)
    }

    /// Each of these lets a client send the same request again, credential and body included, to where the server says.
    @Test(arguments: [301, 302, 303, 307, 308], [HTTPMethod.get, .post])
    func `no credential leaves for another origin`(status: Int, method: HTTPMethod) async throws {
        let strays = Mutex(0)
        let seen = try await withServer { _, _ in
            strays.withLock { $0 += 1 }
            return HTTPResponse(status: 200)
        } body: { _, elsewhere in
            try await withServer { _, _ in
                HTTPResponse(status: status, fields: ["Location": "\(elsewhere)/stolen", "Alt-Svc": "h2=\":1\""])
            } body: { _, origin in
                let client = makeClient()
                let request = makeRequest(
                    method,
                    to: origin,
                    fields: ["Authorization": "Bearer secret", "PRIVATE-TOKEN": "secret"],
                    body: method == .post ? [1] : []
                )
                return await [
                    client.send(request, options: HTTPSendOptions.patient).response?.status,
                    client.send(request, options: HTTPSendOptions.patient).response?.status,
                ]
            }
        }
        #expect(seen == [status, status])
        #expect(strays.withLock { $0 } == 0)
    }

    /// A million zeros in a thousand bytes.
    private static let bomb: [UInt8] =
        [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xED, 0xC1, 1, 1, 0, 0, 0, 0x82, 0x20, 0xFF, 0xAF, 0x6E, 0x48, 0x40, 1,
        ] + [UInt8](repeating: 0, count: 968) + [0xAF, 6, 0x9E, 0xCB, 0x79, 0x12, 0x40, 0x42, 0x0F, 0]

    @Test(arguments: [(999_999, false), (1_000_000, true)], Wire.packed)
    func `a packed body counts as long as it is when unpacked`(limit: (bytes: Int, isEnough: Bool), wire: Wire)
        async throws
    {
        let outcome = try await withServer(over: wire) { _, _ in
            HTTPResponse(status: 200, fields: ["Content-Encoding": "gzip"], body: Self.bomb)
        } body: { makeClient, origin in
            let options = HTTPSendOptions(responseLimitBytes: limit.bytes)
            return await makeClient().send(makeRequest(to: origin), options: options)
        }
        if limit.isEnough {
            #expect(outcome.response?.body.count == 1_000_000)
        } else {
            #expect(outcome == .unknown(.responseTooLarge))
        }
    }

    @Test(arguments: Wire.packed)
    func `a packed body is unpacked`(wire: Wire) async throws {
        let packed: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        let outcome = try await withServer(over: wire) { _, _ in
            HTTPResponse(status: 200, fields: ["Content-Encoding": "gzip"], body: packed)
        } body: { makeClient, origin in
            await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient)
        }
        #expect(outcome.response?.body == Array("hello".utf8))
    }

    @Test(arguments: Wire.allCases)
    func `a connection carries one request after the other until a fresh one is asked for`(wire: Wire) async throws {
        let connections = try await withServer(over: wire) { _, peer in
            HTTPResponse(status: 200, body: Array("\(peer.connection) \(peer.address)".utf8))
        } body: { makeClient, origin in
            let client = makeClient()
            var answers: [String] = []
            for connection in [HTTPSendOptions.Connection.pooled, .pooled, .fresh, .pooled] {
                let outcome = await client.send(
                    makeRequest(to: origin),
                    options: HTTPSendOptions(connection: connection)
                )
                answers.append(String(decoding: outcome.response?.body ?? [], as: UTF8.self))
            }
            return answers
        }
        #expect(connections == ["1 127.0.0.1", "1 127.0.0.1", "2 127.0.0.1", "2 127.0.0.1"])
    }

    @Test(arguments: Wire.allCases)
    func `many requests at once share few connections, beginning with one`(wire: Wire) async throws {
        let used = Mutex(Set<Int64>())
        let statuses = try await withServer(over: wire) { _, peer in
            used.withLock { _ = $0.insert(peer.connection) }
            return HTTPResponse(status: 200)
        } body: { makeClient, origin in
            let client = makeClient(connectionLimit: 3)
            return await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        await client.send(makeRequest(to: origin), options: HTTPSendOptions.patient).response?.status
                    }
                }
                return await group.reduce(into: [Int?]()) { $0.append($1) }
            }
        }
        #expect(statuses == Array(repeating: 200, count: 200))
        #expect((1...3).contains(used.withLock { $0.count }))
    }

    @Test func `where nobody listens nothing was sent`() async throws {
        let server = try RawServer(answering: "", isListening: false)
        let origin = HTTPOrigin(scheme: "http", host: "127.0.0.1", port: server.port)
        let outcome = await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient)
        #expect(outcome == .notSent(.connectionRefused))
    }

    @Test(arguments: Wire.allCases)
    func `a server that does not answer leaves the outcome unknown`(wire: Wire) async throws {
        let outcome = try await withServer(over: wire) { request, _ in
            if request.target == "/silence" { await waitForEver() }
            return HTTPResponse(status: 200)
        } body: { makeClient, origin in
            let client = makeClient()
            _ = await client.send(makeRequest(to: origin), options: HTTPSendOptions.patient)
            // The connection is there already, so the second is for sending alone.
            return await client.send(
                makeRequest(.get, "/silence", to: origin),
                options: HTTPSendOptions(totalTimeout: .seconds(1))
            )
        }
        #expect(outcome == .unknown(.timedOut))
    }

    @Test(arguments: Wire.allCases)
    func `an answer that does not begin in time is given up before the exchange's own deadline`(
        wire: Wire
    ) async throws {
        let (outcomes, elapsed) = try await withServer(over: wire) { request, _ in
            if request.target == "/silence" { await waitForEver() }
            return HTTPResponse(status: 200, body: [UInt8](repeating: 7, count: 100_000))
        } body: { makeClient, origin in
            let (client, start) = (makeClient(), LiveTime().monotonicNow)
            let options = HTTPSendOptions(firstByteTimeout: .seconds(1), totalTimeout: .seconds(50))
            let patient = HTTPSendOptions(firstByteTimeout: .seconds(40), totalTimeout: .seconds(50))
            let whole = await client.send(makeRequest(to: origin), options: patient)
            let silent = await client.send(makeRequest(.get, "/silence", to: origin), options: options)
            return (
                [whole.response?.status == 200, silent == .unknown(.timedOut)],
                start.duration(to: LiveTime().monotonicNow)
            )
        }
        #expect(outcomes == [true, true])
        #expect(elapsed < .seconds(50))
    }

    @Test(arguments: Wire.allCases)
    func `a longer body than allowed ends the exchange`(wire: Wire) async throws {
        let outcome = try await withServer(over: wire) { _, _ in
            HTTPResponse(status: 200, body: [UInt8](repeating: 7, count: 100_001))
        } body: { makeClient, origin in
            await makeClient().send(
                makeRequest(to: origin),
                options: HTTPSendOptions(responseLimitBytes: 100_000)
            )
        }
        #expect(outcome == .unknown(.responseTooLarge))
    }

    @Test(arguments: Wire.allCases)
    func `cancelling ends the wait with an unknown outcome`(wire: Wire) async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let outcome = try await withServer(over: wire) { _, _ in
            arrival.yield()
            await waitForEver()
            return HTTPResponse(status: 200)
        } body: { makeClient, origin in
            await withTaskGroup(of: HTTPOutcome.self) { group in
                group.addTask { await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient) }
                for await _ in arrived { break }
                group.cancelAll()
                return await group.next()
            }
        }
        #expect(outcome == .unknown(.cancelled))
    }

    @Test(arguments: Wire.allCases)
    func `a task that is cancelled already sends nothing`(wire: Wire) async throws {
        let outcome = try await withServer(over: wire) { _, _ in
            HTTPResponse(status: 200)
        } body: { makeClient, origin in
            await withTaskGroup(of: HTTPOutcome.self) { group in
                group.cancelAll()
                group.addTask { await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient) }
                return await group.next()
            }
        }
        #expect(outcome == .notSent(.cancelled))
    }

    @Test(arguments: [
        ("", HTTPOutcome.unknown(.connectionReset)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .unknown(.bodyTruncated)),
        ("this is not HTTP\r\n\r\n", .unknown(.connectionReset)),
    ])
    func `a connection that ends too soon leaves the outcome unknown`(said: String, outcome: HTTPOutcome) async throws {
        let server = try RawServer(answering: said)
        let origin = HTTPOrigin(scheme: "http", host: "127.0.0.1", port: server.port)
        #expect(await makeClient().send(makeRequest(to: origin), options: HTTPSendOptions.patient) == outcome)
    }

    @Test(arguments: Wire.allCases)
    func `a field cannot smuggle another one in`(wire: Wire) async throws {
        let seen = Mutex<HTTPFields?>(nil)
        _ = try await withServer(over: wire) { request, _ in
            seen.withLock { $0 = request.fields }
            return HTTPResponse(status: 200)
        } body: { makeClient, origin in
            await makeClient().send(
                makeRequest(to: origin, fields: ["X-One": "1\r\nX-Two: 2"]),
                options: HTTPSendOptions.patient
            )
        }
        let fields = try #require(seen.withLock { $0 })
        #expect(fields["x-one"] == "1X-Two: 2")
        #expect(fields["x-two"] == nil)
    }
}
