import Configuration
import Crypto
import Platform
import SQLite

/// Keeps device tokens from who can only read the database: sealed like every secret, and found again by a digest whose key is
/// itself sealed, so that it outlives every encryption key.
struct DeviceTokenVault: Sendable {
    /// What the key of the digests is sealed for.
    static let keyContext = "device-tokens"
    private static let keyBytes = 32

    private let sealer: SecretSealer
    private let digestKey: Secret

    init(sealer: SecretSealer, digestKey: Secret) {
        self.sealer = sealer
        self.digestKey = digestKey
    }

    /// Seals `token`, lower-case hexadecimal digits.
    ///
    /// - Throws: `CryptoError`.
    func seal(_ token: String) throws -> SealedDeviceToken {
        let digest = digest(token)
        return SealedDeviceToken(digest: digest, sealed: try sealer.seal(Secret(token), for: digest))
    }

    /// What stands for `token`, lower-case hexadecimal digits, in the database.
    func digest(_ token: String) -> String {
        Base64URL.encode(HMACSHA256.code(for: Array(token.utf8), key: digestKey))
    }

    /// - Throws: `StoreError.unknownKeyVersion`, or `CryptoError.authenticationFailed` when the row was tampered with.
    func open(_ token: SealedDeviceToken) throws -> String {
        try sealer.open(token.sealed, for: token.digest).exposedText
    }
}

extension DeviceTokenVault {
    /// The vault of a database; makes its key at the first start.
    ///
    /// - Throws: `ConfigurationError.badSecret` when the key that the vault was sealed with is not configured any more; `CryptoError`,
    ///   `SQLiteError`.
    static func open(in store: Store, sealer: SecretSealer, entropy: any EntropySource) throws -> DeviceTokenVault {
        try store.database.transaction {
            if let sealed = try store.deviceTokenKey() {
                return DeviceTokenVault(sealer: sealer, digestKey: try openKey(sealed, by: sealer))
            }
            let key = Secret(entropy.bytes(count: keyBytes))
            try store.setDeviceTokenKey(try sealer.seal(key, for: keyContext))
            return DeviceTokenVault(sealer: sealer, digestKey: key)
        }
    }
}

extension DeviceTokenVault {
    private static func openKey(_ sealed: SealedSecret, by sealer: SecretSealer) throws -> Secret {
        do {
            return try sealer.open(sealed, for: keyContext)
        } catch StoreError.unknownKeyVersion {
            throw ConfigurationError.badSecret(
                name: "encryption keys",
                expected: "those that the database was sealed with, the newest of them too"
            )
        }
    }
}

extension Store {
    fileprivate func deviceTokenKey() throws -> SealedSecret? {
        try database.first("SELECT key_ciphertext, key_nonce, key_key_version FROM device_token_keys") { row in
            SealedSecret(ciphertext: row.blob(0), nonce: row.blob(1), keyVersion: row.int64(2))
        }
    }

    fileprivate func setDeviceTokenKey(_ key: SealedSecret) throws {
        try database.execute(
            "INSERT INTO device_token_keys (id, key_ciphertext, key_nonce, key_key_version) VALUES (1, ?, ?, ?)",
            key.ciphertext,
            key.nonce,
            key.keyVersion
        )
    }
}
