import Configuration
import Crypto
import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

struct KeyRotationTests {
    private let old = NotifierSecrets.EncryptionKey(Secret([UInt8](repeating: 1, count: 32)))
    private let new = NotifierSecrets.EncryptionKey(Secret([UInt8](repeating: 2, count: 32)))
    private let entropy = SeededEntropy()
    private let metrics = MetricsRegistry(tellsPeopleApart: false)
    private let log = LogRecorder()

    private func makeSealer(_ keys: [NotifierSecrets.EncryptionKey]) throws -> SecretSealer {
        try SecretSealer(keys, entropy: entropy)
    }

    private func makeStore(accounts: Int) async throws -> StoreActor {
        let store = StoreActor(database: try makeDeliveryDatabase(), executor: nil)
        let sealer = try makeSealer([old])
        try await store.transaction { store in
            for number in 1...accounts {
                let publicID = "account-\(number)"
                let registration = AccountRegistration(
                    publicID: publicID,
                    origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
                    gitlabUserID: Int64(number),
                    username: "user\(number)",
                    token: try sealer.seal(Secret("glpat-\(number)"), for: publicID)
                )
                _ = try store.insert(registration, at: deliveryStart)
            }
            let token = try sealer.seal(Secret("jwt"), for: "provider-token/TEAM/KEY")
            try store.setProviderToken(token, issuedAt: deliveryStart, keyID: "KEY", teamID: "TEAM")
        }
        return store
    }

    private func rotate(_ store: StoreActor, _ keys: [NotifierSecrets.EncryptionKey]) async throws {
        await KeyRotation(store: store, sealer: try makeSealer(keys), log: Log(sink: log), metrics: metrics).run()
    }

    private func tokens(_ store: StoreActor, _ keys: [NotifierSecrets.EncryptionKey]) async throws -> [String] {
        let sealer = try makeSealer(keys)
        return try await store.read { store in
            try store.activeAccounts().map { try sealer.open($0.token, for: $0.publicID).exposedText }
        }
    }

    private var behind: String? {
        MetricsText.render(metrics).split(separator: "\n").map(String.init)
            .first { $0.hasPrefix("secrets_under_old_keys ") }
    }

    @Test func `after the rotation the old key is not needed any more`() async throws {
        let store = try await makeStore(accounts: 250)
        let before = try await tokens(store, [old])
        try await rotate(store, [new, old])
        #expect(try await tokens(store, [new]) == before)
        #expect(behind == "secrets_under_old_keys 0")
        let provider = try await store.read { try $0.providerToken(keyID: "KEY", teamID: "TEAM") }
        let sealed = try #require(provider?.sealed)
        #expect(try makeSealer([new]).open(sealed, for: "provider-token/TEAM/KEY").exposedText == "jwt")
        #expect(log.count(of: .secretsResealed) == 1)
    }

    @Test func `the refresh token of a grant is sealed anew as well`() async throws {
        let store = try await makeStore(accounts: 1)
        let (before, after) = (try makeSealer([old]), try makeSealer([new]))
        try await store.transaction { store in
            let account = try #require(try store.activeAccounts().first)
            let grant = OAuthGrant(
                grantedAt: deliveryStart,
                accessEndsAt: deliveryStart.advanced(by: .hours(2)),
                refresh: try before.seal(Secret("refresh"), for: account.publicID)
            )
            try store.setGrant(grant, of: account.id)
        }
        try await rotate(store, [new, old])
        let grant = try await store.read { try $0.grant(of: $0.activeAccounts()[0].id) }
        #expect(try after.open(try #require(grant).refresh, for: "account-1").exposedText == "refresh")
    }

    @Test func `a crash in the middle leaves every secret readable, and the next start goes on`() async throws {
        let store = try await makeStore(accounts: 250)
        let before = try await tokens(store, [old])
        let sealer = try makeSealer([new, old])
        let table = SealedTable.all[0]
        // One batch is committed, and the process dies within the next.
        let batch = try await store.transaction {
            try $0.reseal(table, after: "", limit: KeyRotation.batch, by: sealer)
        }
        let last = try #require(batch.last)
        struct Crash: Error {}
        await #expect(throws: Crash.self) {
            try await store.transaction { store in
                _ = try store.reseal(table, after: last, limit: KeyRotation.batch, by: sealer)
                throw Crash()
            }
        }
        #expect(try await store.read { try $0.count(in: table, notUnder: sealer.currentVersion) } == 150)
        #expect(try await tokens(store, [new, old]) == before)
        try await rotate(store, [new, old])
        #expect(try await tokens(store, [new]) == before)
    }

    @Test func `what cannot be opened stays, is told of, and keeps nothing else back`() async throws {
        let store = try await makeStore(accounts: 250)
        try await store.transaction { store in
            _ = try store.database.execute("UPDATE accounts SET token_ciphertext = x'00' WHERE id = 7")
        }
        try await rotate(store, [new, old])
        #expect(behind == "secrets_under_old_keys 1")
        #expect(log.count(of: .secretsUnreadable) == 1)
        let left = try await store.read { store in
            try store.database.rows("SELECT id FROM accounts WHERE token_key_version <> ?", new.version) { $0.int(0) }
        }
        #expect(left == [7])
    }

    @Test func `a key that was taken out too early is noticed`() async throws {
        let store = try await makeStore(accounts: 3)
        try await rotate(store, [new])
        #expect(behind == "secrets_under_old_keys 4")
        #expect(try await tokens(store, [new, old]) == ["glpat-1", "glpat-2", "glpat-3"])
    }

    @Test func `every column of a key version belongs to a table that is rotated`() throws {
        let database = try makeDeliveryDatabase()
        let found = try database.rows(
            """
            SELECT t.name || '.' || c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND c.name LIKE '%key_version' ORDER BY 1
            """
        ) { $0.text(0) }
        let rotated = SealedTable.all.map { "\($0.name).\($0.keyVersion)" }
        #expect(found == (rotated + SealedTable.shortLived).sorted())
    }

    // MARK: The environment's variables

    private static let hexadecimal = String(repeating: "0a", count: 32)

    @Test func `the variables give the keys, the current one first`() throws {
        let keys = try NotifierSecrets.EncryptionKey.list(
            current: Secret(Self.hexadecimal),
            old: Secret("\(String(repeating: "0B", count: 32)), \(String(repeating: "0c", count: 32))\n")
        )
        #expect(keys.map(\.key) == [10, 11, 12].map { Secret([UInt8](repeating: $0, count: 32)) })
        #expect(Set(keys.map(\.version)).count == 3)
        #expect(keys.allSatisfy { $0.version > 0 })
        let again = try NotifierSecrets.EncryptionKey.list(current: Secret(Self.hexadecimal), old: nil)
        #expect(again[0].version == keys[0].version)
    }

    @Test func `a key that came back is one key`() throws {
        let keys = try NotifierSecrets.EncryptionKey.list(
            current: Secret(Self.hexadecimal),
            old: Secret(Self.hexadecimal)
        )
        #expect(keys.count == 1)
    }

    @Test(arguments: ["", "0a", String(repeating: "0g", count: 32), String(repeating: "0a", count: 33)])
    func `a key of another shape is refused without being repeated`(text: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try NotifierSecrets.EncryptionKey.list(current: Secret(text), old: nil)
        }
        #expect(error.map { "\($0)" }?.contains("0g") != true)
    }
}
