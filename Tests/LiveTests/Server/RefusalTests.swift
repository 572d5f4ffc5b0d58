import Crypto
import HTTP
import Platform
import Testing

@testable import Live

/// What the server refuses by itself is told in the words of whoever serves, and so that the client hears it.
@Suite(.timeLimit(.minutes(1))) struct RefusalTests {
    private struct Wordy: HTTPHandler {
        func handle(_ request: HTTPRequest, from peer: HTTPPeer) async -> HTTPResponse {
            HTTPResponse(status: 200, body: Array("taken".utf8))
        }

        func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
            let fields: HTTPFields = ["Content-Type": "text/words"]
            return HTTPResponse(status: refusal.status, fields: fields, body: Array("refused: \(refusal)".utf8))
        }
    }

    private static let limitBytes = 10_000

    private static func withWords<Result: Sendable>(
        identity: HTTPServerConfiguration.Identity? = nil,
        _ body: (UInt16) async throws -> Result
    ) async throws -> Result {
        var configuration = HTTPServerConfiguration()
        configuration.bodyLimitBytes = limitBytes
        configuration.overflowLimitBytes = 2_000_000
        configuration.identity = identity
        let server = try HTTPServer(configuration, handler: Wordy())
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            return try await body(server.port)
        }
    }

    /// What the server says until it closes the connection.
    private static func answer(to text: String) async throws -> String {
        try await withWords { port in
            let client = try RawClient(port: port)
            client.say(text)
            return await client.end()
        }
    }

    private static let fields = "Host: x\r\nConnection: close\r\n"
    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    // MARK: Bodies

    @Test(arguments: [10_001, 40_001, 1_000_000, 2_010_000])
    func `a body too large is read to its end and refused, and its connection goes on`(count: Int) async throws {
        let said = try await Self.answer(
            to: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n" + Self.long(count)
                + "GET / HTTP/1.1\r\n\(Self.fields)\r\n"
        )
        #expect(said.hasPrefix("HTTP/1.1 413 "))
        #expect(said.contains("Content-Type: text/words\r\n"))
        #expect(said.contains("refused: bodyTooLargeHTTP/1.1 200 "))
    }

    @Test func `so is one in pieces`() async throws {
        let piece = "1000\r\n" + Self.long(4_096) + "\r\n"
        let said = try await Self.answer(
            to: "POST / HTTP/1.1\r\n\(Self.fields)Transfer-Encoding: chunked\r\n\r\n"
                + String(repeating: piece, count: 100) + "0\r\n\r\n"
        )
        #expect(said.hasPrefix("HTTP/1.1 413 "))
        #expect(said.hasSuffix("refused: bodyTooLarge"))
    }

    @Test func `one in pieces without end ends its connection`() async throws {
        let piece = "1000\r\n" + Self.long(4_096) + "\r\n"
        let said = try await Self.answer(
            to: "POST / HTTP/1.1\r\n\(Self.fields)Transfer-Encoding: chunked\r\n\r\n"
                + String(repeating: piece, count: 1_000) + "0\r\n\r\n"
        )
        #expect(said.isEmpty, "\(said.prefix(100))")
    }

    @Test(arguments: ["Expect: 100-continue\r\nContent-Length: 10001", "Content-Length: 2010001"])
    func `a body that is announced and not worth reading is refused before it comes`(fields: String) async throws {
        let said = try await Self.answer(to: "POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n")
        #expect(said.hasPrefix("HTTP/1.1 413 "))
        #expect(said.contains("Connection: close\r\n"))
        #expect(said.hasSuffix("refused: bodyTooLarge"))
    }

    @Test func `a body within the limit is asked for and taken`() async throws {
        let said = try await Self.withWords { port in
            let client = try RawClient(port: port)
            client.say("POST / HTTP/1.1\r\n\(Self.fields)Expect: 100-continue\r\nContent-Length: 9\r\n\r\n")
            await client.isSpokenTo()
            client.say("123456789")
            return await client.end()
        }
        #expect(said.hasPrefix("HTTP/1.1 100 "))
        #expect(said.hasSuffix("taken"))
    }

    // MARK: What libmicrohttpd would answer with a page of its own

    private static let unreadable: [(String, HTTPRefusal)] = [
        ("GET / HTTP/1.1\r\n\(fields)X-Long: \(long(40_000))\r\n\r\n", .headersTooLarge),
        ("GET / HTTP/1.1\r\n\(fields)X-Long: \(long(400_000))\r\n\r\n", .headersTooLarge),
        ("GET / HTTP/1.1\r\n\(fields)\(String(repeating: "a: b\r\n", count: 2_000))\r\n", .headersTooLarge),
        ("GET /\(long(40_000)) HTTP/1.1\r\n\(fields)\r\n", .targetTooLong),
        ("GET /\(long(400_000)) HTTP/1.1\r\n\(fields)\r\n", .targetTooLong), (long(100_000), .targetTooLong),
        ("GET / HTTP/3.0\r\n\(fields)\r\n", .versionNotSupported), ("GET /\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\n\(fields)no colon\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\n\(fields)Content-Length: x\r\n\r\n", .malformed),
        ("POST / HTTP/1.1\r\n\(fields)Content-Length: 99999999999999999999\r\n\r\n", .bodyTooLarge),
        ("POST / HTTP/1.1\r\n\(fields)Transfer-Encoding: chunked\r\n\r\nzz\r\n", .malformed),
        ("POST / HTTP/1.1\r\n\(fields)Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", .bodyTooLarge),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .malformed),
        ("POST / HTTP/1.1\r\n\(fields)Content-Length : 31\r\n\r\nGET /two HTTP/1.1\r\nHost: x\r\n\r\n", .malformed),
        ("POST / HTTP/1.1\r\n\(fields)Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", .malformed),
        ("POST / HTTP/1.1\r\n\(fields)Content-Length\t: 2\r\n\r\n{}", .malformed),
        ("GET /\u{1}two HTTP/1.1\r\n\(fields)\r\n", .malformed),
        ("GET /\u{0}two HTTP/1.1\r\n\(fields)\r\n", .malformed),
        ("GET /\u{0}HTTP/1.1\u{0} HTTP/1.1\r\n\(fields)\r\n", .malformed),
        ("GET\u{0}two / HTTP/1.1\r\n\(fields)\r\n", .malformed),
    ]

    @Test(arguments: unreadable.indices)
    func `a request that cannot be read is refused in the handler's words, once`(index: Int) async throws {
        let (text, refusal) = Self.unreadable[index]
        let said = try await Self.answer(to: text)
        #expect(said.hasPrefix("HTTP/1.1 \(refusal.status) "), "\(text.prefix(60)): \(said)")
        #expect(said.ranges(of: "HTTP/1.1 ").count == 1)
        #expect(said.contains("Content-Type: text/words\r\n"))
        #expect(said.hasSuffix("\r\n\r\nrefused: \(refusal)"))
    }

    @Test func `over TLS it is, too`() async throws {
        let authority = try TestAuthority()
        let outcome = try await Self.withWords(identity: try authority.identity()) { port in
            await makeClient { $0.authorityFile = authority.certificateFile }.send(
                makeRequest(
                    to: HTTPOrigin(scheme: "https", host: "localhost", port: port),
                    fields: ["X-Long": Self.long(40_000)]
                ),
                options: HTTPSendOptions.patient
            )
        }
        #expect(outcome.response?.status == 431)
        #expect(outcome.response?.body == Array("refused: headersTooLarge".utf8))
    }

    @Test(arguments: [10, 400, 1_000, 4_000])
    func `a query of many parameters is taken like any other of its length`(count: Int) async throws {
        let said = try await Self.answer(
            to: "GET /?\(String(repeating: "a&", count: count)) HTTP/1.1\r\n\(Self.fields)\r\n"
        )
        #expect(said.hasSuffix("taken"))
    }
}
