import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

struct ReadinessTests {
    private let bench: ServerBench
    private let session: String

    init() throws {
        bench = try ServerBench()
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
    }

    private func push() throws {
        #expect(try bench.call(.post, "/notifications/test", session: session).status == 202)
        bench.world.advance(by: .seconds(5))
    }

    @Test func `readiness follows what APNs says of the provider key, health does not`() throws {
        #expect(try bench.call(.get, "/health/ready").bodyText == #"{"apns":"ok","db":"ok","ready":true}"#)
        bench.apns.answer { _, _ in .refusal(403, "InvalidProviderToken") }
        try push()
        let paused = try bench.call(.get, "/health/ready")
        #expect(paused.status == 503 && paused.bodyText == #"{"apns":"paused","db":"ok","ready":false}"#)
        #expect(try bench.call(.get, "/health").status == 200)
        bench.apns.answer { _, _ in .status(200) }
        bench.world.advance(by: .hours(2))
        #expect(try bench.call(.get, "/health/ready").status == 200)
    }

    @Test func `without its tables the database is not ready`() throws {
        try bench.breakDatabase()
        let broken = try bench.call(.get, "/health/ready")
        #expect(broken.status == 503 && broken.text("db") == "failed")
    }
}
