import Configuration
import Crypto
import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

struct DeviceTokenVaultTests {
    private let old = NotifierSecrets.EncryptionKey(Secret([UInt8](repeating: 1, count: 32)))
    private let new = NotifierSecrets.EncryptionKey(Secret([UInt8](repeating: 2, count: 32)))
    private let entropy = SeededEntropy()

    private func open(_ store: Store, _ keys: [NotifierSecrets.EncryptionKey]) throws -> DeviceTokenVault {
        try DeviceTokenVault.open(in: store, sealer: SecretSealer(keys, entropy: entropy), entropy: entropy)
    }

    private func tokens(in store: Store, by vault: DeviceTokenVault) throws -> [String] {
        try store.database.rows(
            "SELECT apns_token, token_ciphertext, token_nonce, token_key_version FROM devices ORDER BY id"
        ) { row in
            let sealed = SealedSecret(ciphertext: row.blob(1), nonce: row.blob(2), keyVersion: row.int64(3))
            return try vault.open(SealedDeviceToken(digest: row.text(0), sealed: sealed))
        }
    }

    @Test func `a token has the same digest after a restart, and another in another database`() throws {
        let store = try makeDeliveryStore()
        let (first, second) = (try open(store, [old]), try open(store, [old]))
        let elsewhere = try open(makeDeliveryStore(), [old])
        #expect(try first.seal("aa11").digest == second.seal("aa11").digest)
        #expect(try first.seal("aa11").digest != first.seal("aa12").digest)
        #expect(try first.seal("aa11").digest != elsewhere.seal("aa11").digest)
        #expect(try second.open(first.seal("aa11")) == "aa11")
    }

    @Test func `a device that registers again is known by its token's digest`() throws {
        let store = try makeDeliveryStore()
        let vault = try open(store, [old])
        let account = try store.makeAccount()
        let first = try register(["aa01", "aa02"], of: account, in: store, by: vault)
        let again = try register(["aa01"], of: account, in: store, by: try open(store, [old]))
        #expect(again == [first[0]])
    }

    @Test func `after a rotation the old key is not needed for any device`() throws {
        let store = try makeDeliveryStore()
        let former = try open(store, [old])
        _ = try register(["aa01", "aa02", "aa03"], of: store.makeAccount(), in: store, by: former)
        let sealer = try SecretSealer([new, old], entropy: entropy)
        let tables = SealedTable.all.filter { ["devices", "device_token_keys"].contains($0.name) }
        let resealed = try tables.map { try store.reseal($0, after: "", limit: 100, by: sealer).resealed }
        #expect(resealed == [3, 1])
        let vault = try open(store, [new])
        #expect(try tokens(in: store, by: vault) == ["aa01", "aa02", "aa03"])
        #expect(try vault.seal("aa01").digest == former.seal("aa01").digest)
    }

    /// The public ids that the devices have afterwards.
    private func register(
        _ tokens: [String],
        of account: AccountID,
        in store: Store,
        by vault: DeviceTokenVault
    ) throws -> [String] {
        try tokens.map { token in
            let device = DeviceRegistration(
                token: try vault.seal(token),
                environment: .production,
                platform: "ios",
                appVersion: nil
            )
            let newID = "dev-\(entropy.bytes(count: 4))"
            return try store.register(device, of: account, newPublicID: newID, at: deliveryStart).publicID
        }
    }

    @Test func `without the key that sealed the database nothing starts`() throws {
        let store = try makeDeliveryStore()
        _ = try open(store, [old])
        let error = #expect(throws: ConfigurationError.self) { try open(store, [new]) }
        #expect(error?.description.contains("encryption keys") == true)
    }

    @Test func `the database shows no device token, and pushes go to it`() throws {
        let bench = try ServerBench()
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        let session = try bench.register()
        _ = try bench.registerDevice("abcdef0123", session)
        #expect(try !bench.dump().contains("abcdef0123"))
        #expect(try bench.call(.post, "/notifications/test", session: session).status == 202)
        bench.world.advance(by: .seconds(5))
        #expect(bench.apns.requests.map(\.path) == ["/3/device/abcdef0123"])
    }

    @Test func `a token that cannot be opened holds its device alone`() throws {
        let bench = try DeliveryBench()
        let account = try bench.makeAccount(tokens: ["aa11", "bb22"])
        _ = try bench.write { try $0.database.execute("UPDATE devices SET token_ciphertext = x'00' WHERE id = 1") }
        try bench.enqueue(for: account)
        let service = try bench.makeService()
        bench.world.start { try await service.run() }
        bench.world.advance(by: .seconds(5))
        #expect(bench.server.requests.map(\.path) == ["/3/device/bb22"])
        #expect(try bench.write { try $0.deviceStates() } == ["held", "active"])
        #expect(try bench.states() == ["queued 0 token_unreadable", "accepted 1 accepted"])
        #expect(bench.log.count(.deviceTokenUnreadable) == 1)
    }
}
