import Platform
import Testing

@testable import Notifier
@testable import SQLite

struct StoreActorTests {
    private struct Refusal: Error {}

    @Test func `without an executor the store runs like any actor`() async throws {
        let actor = StoreActor(database: try makeDeliveryDatabase(), executor: nil)
        let versions = try await actor.read { store in
            try store.database.rows("SELECT version FROM schema_migrations") { $0.int64(0) }
        }
        #expect(versions == Schema.migrations.map(\.version))
    }

    @Test func `a body that throws leaves nothing behind`() async throws {
        let actor = StoreActor(database: try makeDeliveryDatabase(), executor: nil)
        await #expect(throws: Refusal.self) {
            try await actor.transaction { store in
                try store.database.execute("INSERT INTO schema_migrations VALUES (99, 0)")
                throw Refusal()
            }
        }
        let count = try await actor.read { store in
            try store.database.first("SELECT count(*) FROM schema_migrations") { $0.int64(0) }
        }
        #expect(count == Int64(Schema.migrations.count))
    }

    @Test func `a given executor runs every job of the store`() async throws {
        let executor = CountingExecutor()
        let actor = StoreActor(database: try makeDeliveryDatabase(), executor: executor)
        for _ in 0..<3 { _ = try await actor.read { _ in 1 } }
        #expect(executor.count >= 3)
    }
}
