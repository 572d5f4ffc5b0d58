package import Platform
package import SQLite

extension Maintenance {
    /// What a change of keys came to.
    package struct Resealing: Sendable, Equatable {
        /// Secrets that are sealed with the current key now and were not before.
        package var resealed = 0
        /// Secrets that do not open with the current key alone.
        package var unreadable = 0
    }

    /// Seals every secret with the first of `keys`, and then looks whether that key alone opens all of them. No server may be using the
    /// database: one with other keys would not be able to read it any more.
    ///
    /// - Throws: `CryptoError`, `SQLiteError`; what was sealed anew until then stays.
    package static func reseal(
        _ database: Database,
        keys: [NotifierSecrets.EncryptionKey],
        entropy: any EntropySource,
        at now: WallTime
    ) throws -> Resealing {
        try Store.migrate(database, at: now)
        let store = Store(database)
        let (sealer, alone) = (
            try SecretSealer(keys, entropy: entropy), try SecretSealer(Array(keys.prefix(1)), entropy: entropy)
        )
        var resealing = Resealing()
        for table in SealedTable.all {
            var cursor = ""
            while true {
                let batch = try database.transaction {
                    try store.reseal(table, after: cursor, limit: KeyRotation.batch, by: sealer)
                }
                resealing.resealed += batch.resealed
                guard let last = batch.last else { break }
                cursor = last
            }
            resealing.unreadable += try store.unreadable(table, by: alone)
        }
        return resealing
    }
}

extension Store {
    /// How many secrets of a table `sealer` does not open.
    fileprivate func unreadable(_ table: SealedTable, by sealer: SecretSealer) throws -> Int {
        let readable = try database.rows(
            SQL(
                text: """
                    SELECT \(table.context), \(table.ciphertext), \(table.nonce), \(table.keyVersion) FROM \(table.name)
                    WHERE \(table.ciphertext) IS NOT NULL
                    """
            ),
            bindings: []
        ) { row in
            let sealed = SealedSecret(ciphertext: row.blob(1), nonce: row.blob(2), keyVersion: row.int64(3))
            // One that does not open is what is counted.
            return (try? sealer.open(sealed, for: row.text(0))) != nil
        }
        return readable.count { !$0 }
    }
}
