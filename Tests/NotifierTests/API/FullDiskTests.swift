import Configuration
import Crypto
import HTTP
import Platform
import SQLite
import SimulatedStorage
import Testing

@testable import Notifier

/// A server whose disk takes nothing for a while.
struct FullDiskTests {
    private let bench: ServerBench

    init() throws {
        bench = try ServerBench()
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
    }

    private func readiness() throws -> HTTPResponse { try bench.call(.get, "/health/ready") }

    private func metric(_ line: String) throws -> Bool {
        try bench.call(.get, "/metrics").bodyText.contains("\n\(line)\n")
    }

    @Test(arguments: [
        (DiskFault.full, "full"), (.failing(.write, numerator: 1, denominator: 1), "io_error"),
        (.failing(.sync, numerator: 1, denominator: 1), "io_error"), (.readOnly, "read_only"),
    ])
    func `a server without people says within a minute that it cannot write, and that it can again`(
        fault: DiskFault,
        word: String
    ) throws {
        try expectTrouble(word, from: { bench.meet(fault) }, until: { bench.meet(nil) })
    }

    @Test func `it says so where another program holds the database`() throws {
        let other = try bench.openBeside()
        try expectTrouble(
            "locked",
            from: { try other.execute("BEGIN IMMEDIATE") },
            until: { try other.execute("ROLLBACK") }
        )
    }

    private func expectTrouble(_ word: String, from begin: () throws -> Void, until end: () throws -> Void) throws {
        bench.world.advance(by: .minutes(10))
        #expect(try readiness().status == 200)
        try begin()
        bench.world.advance(by: .seconds(61))
        let answer = try readiness()
        #expect(answer.status == 503 && answer.bodyText == #"{"apns":"ok","db":"\#(word)","ready":false}"#)
        #expect(try bench.call(.get, "/health").status == 200)
        #expect(try metric(#"database_failing{reason="\#(word)"} 1"#))
        try end()
        bench.world.advance(by: .seconds(80))
        #expect(try readiness().status == 200)
        #expect(try metric(#"database_failing{reason="\#(word)"} 0"#))
        #expect(bench.log.count(.storeFailing) == 1 && bench.log.count(.storeRecovered) == 1)
    }

    @Test func `reading goes on, writing is refused with a reason, nothing is lost`() throws {
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: session).status < 300)
        bench.world.advance(by: .minutes(2))
        bench.meet(.full)
        bench.gitlab.add(.note(11, at: "2026-03-02T09:02:30.000Z"), at: ServerBench.notes)
        bench.world.advance(by: .minutes(30))
        #expect(try bench.call(.get, "/status", session: session).status == 200)
        #expect(try bench.call(.get, "/notifications", session: session).status == 200)
        let refused = try bench.call(.post, "/notifications/test", session: session)
        #expect(refused.status == 503 && refused.bodyText.contains(#""code":"database_unavailable""#))
        #expect(refused.fields["retry-after"] == "60")
        #expect(bench.apns.requests.isEmpty)
        bench.meet(nil)
        bench.world.advance(by: .minutes(5))
        #expect(bench.apns.requests.count == 1)
        #expect(try bench.call(.post, "/notifications/test", session: session).status == 202)
    }

    @Test func `half an hour of failures is a handful of lines`() throws {
        let session = try bench.register()
        _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        bench.meet(.full)
        bench.gitlab.add(.note(11, at: "2026-03-02T09:02:30.000Z"), at: ServerBench.notes)
        let before = bench.log.messages.count
        for _ in 1...180 {
            bench.world.advance(by: .seconds(10))
            _ = try bench.call(.post, "/notifications/test", session: session)
        }
        let lines = bench.log.messages.dropFirst(before).filter(Self.isTrouble)
        #expect((1...8).contains(lines.count), "\(lines)")
    }

    /// Lines about the database; the small GitLab of these tests has not every list, which is told, too.
    private static func isTrouble(_ message: String) -> Bool {
        let isOfGitLab = message.hasPrefix("scan.") || message.hasPrefix("sweep.")
        return !isOfGitLab && (message.contains("failed") || message.contains("failing"))
    }

    @Test func `a session that cannot be confirmed may read all the same`() throws {
        let session = try bench.register()
        bench.meet(.full)
        #expect(try bench.call(.get, "/status", session: session).status == 200)
    }

    @Test func `keys that were changed are used as soon as the disk takes it`() throws {
        _ = try bench.register()
        bench.world.crash()
        var secrets = bench.secrets
        secrets.encryptionKeys.insert(.init(Secret([UInt8](repeating: 8, count: 32))), at: 0)
        let next = try ServerBench(continuing: bench, secrets: secrets)
        next.meet(.full)
        next.world.start { try await next.notifier.run() }
        next.world.advance(by: .minutes(3))
        #expect(next.log.count(.rotationFailed) == 4)
        next.meet(nil)
        next.world.advance(by: .seconds(61))
        #expect(try next.call(.get, "/metrics").bodyText.contains("\nsecrets_under_old_keys 0\n"))
        #expect(next.log.count(.secretsResealed) == 1)
        next.world.advance(by: .minutes(3))
        #expect(next.log.count(.rotationFailed) == 4)
    }

    @Test func `pushing is switched off on a full disk, and what waited is given up later`() throws {
        var secrets = try makeSecrets()
        secrets.apnsKey = nil
        let former = try ServerBench(secrets: secrets)
        former.run(for: .seconds(1))
        let session = try former.register()
        _ = try former.registerDevice("aa11", session)
        _ = try former.call(.post, "/watch", ServerBench.watchBody, session: session)
        former.gitlab.add(.note(11, at: "2026-03-02T09:00:30.000Z"), at: ServerBench.notes)
        former.world.advance(by: .minutes(2))
        #expect(former.log.count(.deliveriesWithheld) > 0)
        former.world.crash()
        var configuration = ServerBench.unhurried
        configuration.pushEnabled = false
        let next = try ServerBench(configuration, continuing: former, secrets: secrets)
        next.meet(.full)
        next.run(for: .minutes(3))
        #expect(try next.call(.get, "/health").status == 200)
        #expect(next.log.count(.deliveriesDropped) == 0)
        next.meet(nil)
        next.world.advance(by: .minutes(1))
        #expect(next.log.count(.deliveriesDropped) == 1)
    }

    @Test func `metrics are answered when the tables cannot be read`() throws {
        try bench.spoilReading()
        let page = try bench.call(.get, "/metrics")
        #expect(page.status == 200)
        #expect(page.bodyText.contains(#"database_failing{reason="damaged"} 1"#))
        #expect(!page.bodyText.contains("\noutbox_depth"))
        let answer = try readiness()
        #expect(answer.status == 503 && answer.text("db") == "damaged")
        #expect(bench.log.count(.storeDamaged) == 1)
    }
}
