import Crypto
import Platform
import SQLite

/// Where sealed secrets stand: every such table is listed in ``all``, or its rows would keep an old key alive.
struct SealedTable: Sendable {
    let name: String
    /// An SQL expression: what the secret was sealed for. Rows that share it hold the same secret.
    let context: String
    let ciphertext: String
    let nonce: String
    let keyVersion: String

    static let all = [
        SealedTable(name: "accounts", context: "public_id", prefix: "token"),
        SealedTable(
            name: "provider_tokens",
            context: "'provider-token/' || team_id || '/' || key_id",
            prefix: "token"
        ),
        SealedTable(
            name: "oauth_grants",
            context: "(SELECT public_id FROM accounts WHERE accounts.id = account_id)",
            prefix: "refresh"
        ),
        SealedTable(name: "devices", context: "apns_token", prefix: "token"),
        SealedTable(name: "device_token_keys", context: "'\(DeviceTokenVault.keyContext)'", prefix: "key"),
    ]

    /// Columns of secrets that are sealed for what only the app knows and that are over within minutes: they cannot be sealed anew,
    /// and an old key must stay for that long.
    static let shortLived = ["oauth_flows.secret_key_version"]

    /// Columns `<prefix>_ciphertext`, `<prefix>_nonce` and `<prefix>_key_version`.
    init(name: String, context: String, prefix: String) {
        self.name = name
        self.context = context
        ciphertext = "\(prefix)_ciphertext"
        nonce = "\(prefix)_nonce"
        keyVersion = "\(prefix)_key_version"
    }
}

/// Seals with the current key what is still sealed with an old one, a batch at a time, so that the old key can be taken out of the
/// configuration. A crash between two batches leaves some rows for the next start; each is readable at every moment, as a row's key
/// version changes together with its ciphertext.
struct KeyRotation: Sendable {
    /// Rows per transaction.
    static let batch = 100
    /// Before a database that took nothing is tried again.
    static let pause: Duration = .minutes(1)

    let store: StoreActor
    let sealer: SecretSealer
    let log: Log
    let metrics: MetricsRegistry

    /// Tries until the database has taken it: who rotates keys waits for nothing to be left under the old one.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func retry(by time: any TimeSource) async throws {
        repeat { try await time.sleep(for: Self.pause) } while await !run()
    }

    /// Works until nothing is left under an old key. What cannot be opened, because its key is not configured any more or somebody
    /// changed the row, stays as it is and is told of. False when the database failed.
    @discardableResult
    func run() async -> Bool {
        var resealed = 0
        defer { if resealed > 0 { log.write(.secretsResealed, [("rows", .count(resealed))]) } }
        do {
            for table in SealedTable.all { resealed += try await reseal(table) }
            let (sealer, tables) = (sealer, SealedTable.all)
            let behind = try await store.read { store in
                try tables.reduce(0) { try $0 + store.count(in: $1, notUnder: sealer.currentVersion) }
            }
            metrics.set(.secretsUnderOldKeys, to: behind)
            if behind > 0 { log.write(.secretsUnreadable, [("rows", .count(behind))]) }
            return true
        } catch {
            log.write(.rotationFailed, [("error", .text(String(describing: error)))])
            return false
        }
    }

    /// Reseals one table; returns how many rows.
    private func reseal(_ table: SealedTable) async throws -> Int {
        var total = 0
        var cursor = ""
        while true {
            let (sealer, after) = (sealer, cursor)
            let batch = try await store.transaction { store in
                try store.reseal(table, after: after, limit: Self.batch, by: sealer)
            }
            total += batch.resealed
            guard let last = batch.last else { return total }
            cursor = last
        }
    }
}

extension Store {
    /// What one batch came to.
    struct ResealedBatch: Sendable {
        var resealed = 0
        /// The last row looked at; nil when there was none.
        var last: String?
    }

    /// Rows that are not sealed with the key of `version`.
    func count(in table: SealedTable, notUnder version: Int64) throws -> Int {
        try database.first(
            SQL(text: "SELECT count(*) FROM \(table.name) WHERE \(table.keyVersion) <> ?"),
            bindings: [version]
        ) { $0.int(0) } ?? 0
    }

    /// Seals the next rows anew, in the order of their contexts.
    func reseal(_ table: SealedTable, after cursor: String, limit: Int, by sealer: SecretSealer) throws -> ResealedBatch
    {
        let rows = try database.rows(
            SQL(
                text: """
                    SELECT \(table.context), \(table.ciphertext), \(table.nonce), \(table.keyVersion) FROM \(table.name)
                    WHERE \(table.keyVersion) <> ? AND \(table.context) > ? ORDER BY 1 LIMIT ?
                    """
            ),
            bindings: [sealer.currentVersion, cursor, limit]
        ) { row in
            let sealed = SealedSecret(ciphertext: row.blob(1), nonce: row.blob(2), keyVersion: row.int64(3))
            return (context: row.text(0), sealed: sealed)
        }
        var batch = ResealedBatch(last: rows.last?.context)
        for row in rows {
            // One that does not open is counted afterwards; it must not keep the others from being sealed anew.
            guard let secret = try? sealer.open(row.sealed, for: row.context) else { continue }
            try write(try sealer.seal(secret, for: row.context), to: table, row.context)
            batch.resealed += 1
        }
        return batch
    }

    private func write(_ sealed: SealedSecret, to table: SealedTable, _ context: String) throws {
        try database.execute(
            SQL(
                text: """
                    UPDATE \(table.name) SET \(table.ciphertext) = ?, \(table.nonce) = ?, \(table.keyVersion) = ?
                    WHERE \(table.context) = ?
                    """
            ),
            bindings: [sealed.ciphertext, sealed.nonce, sealed.keyVersion, context]
        )
    }
}
