import HTTP
import Platform
import Testing

@testable import Live

/// Many clients at once, of whom some mean no good.
@Suite(.timeLimit(.minutes(1))) struct CrowdTests {
    private static let half = "GET / HTTP/1.1\r\nHost: x\r\nX-Half: a"

    /// Addresses of the loopback interface.
    private func address(_ number: Int) -> UInt32 { 0x7F00_0100 + UInt32(number) }

    @Test func `where slow clients hold every connection a newcomer takes the place of one of theirs`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.connectionLimit = 20
        configuration.connectionsPerAddressLimit = 5
        try await withServer(configuration) { _, _ in
            HTTPResponse(status: 200)
        } body: { server, _ in
            var crowd: [RawClient] = []
            for number in 0..<40 {
                let client = try RawClient(port: server.port, from: address(number % 8))
                client.say(Self.half)
                crowd.append(client)
            }
            for number in 0..<10 {
                let newcomer = try RawClient(port: server.port, from: address(100 + number))
                newcomer.say("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                #expect(await newcomer.end().hasPrefix("HTTP/1.1 200"), "newcomer \(number)")
            }
            #expect(crowd.count(where: \.isHungUpOn) >= 20, "whoever gave way knows it")
        }
    }

    @Test func `whoever is being answered keeps their connection`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.connectionLimit = 4
        configuration.connectionsPerAddressLimit = 4
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        try await withServer(configuration) { _, _ in
            arrival.yield()
            for await _ in released { break }
            return HTTPResponse(status: 201)
        } body: { server, _ in
            let waiting = try RawClient(port: server.port, from: address(1))
            waiting.say("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            for await _ in arrived { break }
            let crowd = try (2..<20).map { number in
                let client = try RawClient(port: server.port, from: address(number))
                client.say(Self.half)
                return client
            }
            // The last of them has been seen when it is closed for another, which comes last of all.
            let last = try RawClient(port: server.port, from: address(50))
            last.say("GET")
            release.finish()
            #expect(await waiting.end().hasPrefix("HTTP/1.1 201"))
            withExtendedLifetime((crowd, last)) {}
        }
    }

    @Test func `a handler learns that its client has hung up`() async throws {
        let (arrived, arrival) = AsyncStream<Void>.makeStream()
        let (ended, ending) = AsyncStream<Bool>.makeStream()
        let (silence, talk) = AsyncStream<Void>.makeStream()
        try await withServer { _, peer in
            arrival.yield()
            let wasCancelled = await peer.presence?.during {
                for await _ in silence {}
                return Task.isCancelled
            }
            ending.yield(wasCancelled == true && peer.presence?.isGone == true)
            return HTTPResponse(status: 200)
        } body: { server, _ in
            var client: RawClient? = try RawClient(port: server.port)
            client?.say("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            for await _ in arrived { break }
            client = nil
            for await hasLearned in ended {
                #expect(hasLearned)
                break
            }
            talk.finish()
        }
    }

    // MARK: The table

    private let start = MonotonicInstant(nanoseconds: 0)

    private func network(_ number: UInt64) -> ClientNetwork { ClientNetwork(isIPv4: true, bits: number) }

    @Test func `the nearest deadline of the largest network gives way`() {
        var table = ConnectionTable(limit: 4, limitOfNetwork: 10)
        func open(_ number: Int, of network: UInt64, _ seconds: Int) -> Int32? {
            table.open(number, Int32(number), of: self.network(network), until: start.advanced(by: .seconds(seconds)))
        }
        #expect(open(1, of: 1, 1) == nil)
        #expect(open(2, of: 2, 9) == nil && open(3, of: 2, 7) == nil && open(4, of: 2, 8) == nil)
        #expect(open(5, of: 3, 9) == 3)
        // It is not gone yet, and is not told twice.
        #expect(open(6, of: 4, 9) == 4)
        table.close(3)
        table.close(4)
        #expect(open(7, of: 5, 9) == 1, "each has one, and the first is at its end")
    }

    @Test func `nobody who is being answered gives way, and if all are, the newcomer does`() {
        var table = ConnectionTable(limit: 2, limitOfNetwork: 10)
        for number in 1...2 {
            _ = table.open(number, Int32(number), of: network(1), until: start)
            table.set(number, until: nil)
        }
        #expect(table.open(3, 3, of: network(2), until: start) == 3)
    }

    @Test func `a network has its share and gets it back`() {
        var table = ConnectionTable(limit: 10, limitOfNetwork: 2)
        for number in 1...2 { _ = table.open(number, Int32(number), of: network(1), until: start) }
        #expect(!table.admits(network(1)) && table.admits(network(2)))
        table.close(1)
        #expect(table.admits(network(1)))
    }

    @Test func `64 bits of IPv6 are one network, and IPv4 within it is IPv4`() {
        let one = ClientNetwork(of: [0x20, 1, 0xD, 0xB8, 0, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7, 8])
        #expect(one == ClientNetwork(of: [0x20, 1, 0xD, 0xB8, 0, 0, 0, 7, 9, 9, 9, 9, 9, 9, 9, 9]))
        #expect(one != ClientNetwork(of: [0x20, 1, 0xD, 0xB8, 0, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8]))
        let mapped = ClientNetwork(of: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 1])
        #expect(mapped == ClientNetwork(isIPv4: true, bits: 0xC000_0201))
    }
}
