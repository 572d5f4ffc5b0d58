import FoundationEssentials
import Glibc
import HTTP
import Testing

/// Crowds that mean no good, at the real server: it lives, stays small, and serves whoever comes next.
@Suite(.timeLimit(.minutes(2))) struct HostilityTests {
    private static let padding = String(repeating: "a", count: 8_000)

    private static let attacks: [(name: String, beginning: String, repeated: String)] = [
        ("fields without end", "GET / HTTP/1.1\r\nHost: x\r\n", "X-Long: \(String(repeating: "a", count: 8_000))\r\n"),
        (
            "a body without end", "POST /auth/register HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n",
            String(repeating: "a", count: 16_384)
        ),
        (
            "chunks without end", "POST /auth/register HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
            "2000\r\n\(String(repeating: "a", count: 8_192))\r\n"
        ),
        ("requests without end, of which no answer is read", "", "GET /health HTTP/1.1\r\nX: \(padding)\r\n\r\n"),
        ("noise", "\u{16}\u{3}\u{1}", "\u{0}\u{7F}\r\n: \u{1}"),
        ("a line without end", "GET /", String(repeating: "a", count: 16_384)),
        ("half a request", "GET / HTTP/1.1\r\nHost: x\r\nX-Half: a", ""),
    ]

    /// What a hundred connections may cost at once: their headers, bodies and buffers.
    private static let allowanceKilobytes = 40_000

    @Test func `crowds do not end the server, and the next client is served`() async throws {
        try await withServerUnderAttack { _, attack in try await attack() }
    }

    @Test func `crowds do not make the server large`() async throws {
        try await withServerUnderAttack { server, attack in
            let before = try Self.peakKilobytes(of: server)
            try await attack()
            let growth = try Self.peakKilobytes(of: server) - before
            #expect(growth < Self.allowanceKilobytes, "it grew by \(growth) KB")
        }
    }

    /// Hands a server that has answered to `body`, with all the attacks on it.
    private func withServerUnderAttack(_ body: (pid_t, () async throws -> Void) async throws -> Void) async throws {
        let world = try LiveWorld()
        let server = try world.startServer()
        let port = try await server.port()
        #expect(await world.get("/health", at: port)?.status == 200)
        try await body(server.identifier) {
            for attack in Self.attacks {
                let crowd = HostileCrowd(
                    port: port,
                    beginning: Array(attack.beginning.utf8),
                    repeated: Array(attack.repeated.utf8)
                )
                await crowd.attack()
                #expect(await world.get("/health", at: port)?.status == 200, "\(attack.name)")
            }
        }
        #expect(await server.end(by: SIGTERM) == 0)
    }

    /// The most memory that a process ever had resident.
    private static func peakKilobytes(of process: pid_t) throws -> Int {
        let status = String(decoding: try Data(contentsOf: URL(filePath: "/proc/\(process)/status")), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}
