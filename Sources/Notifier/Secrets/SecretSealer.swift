import Crypto
import Platform

/// Seals secrets with AES-256-GCM before they reach the database, and opens them again.
///
/// The newest key seals; every configured key opens, so that keys can be rotated without losing a token.
struct SecretSealer: Sendable {
    private let keys: [(version: Int64, cipher: AES256GCM)]
    private let entropy: any EntropySource

    /// The version of the key that seals.
    var currentVersion: Int64 { keys[0].version }

    /// - Throws: `CryptoError.wrongKeyLength`.
    init(_ keys: [NotifierSecrets.EncryptionKey], entropy: any EntropySource) throws {
        precondition(!keys.isEmpty, "the secrets were validated before")
        self.keys = try keys.map { ($0.version, try AES256GCM(key: $0.key)) }
        self.entropy = entropy
    }

    /// Seals `secret` for the owner named by `context`: in another owner's row it does not open.
    ///
    /// - Throws: `CryptoError`.
    func seal(_ secret: Secret, for context: String) throws -> SealedSecret {
        let nonce = entropy.bytes(count: AES256GCM.nonceBytes)
        let sealed = try keys[0].cipher
            .seal(secret.exposedBytes, nonce: nonce, associatedData: Array(context.utf8))
        return SealedSecret(ciphertext: sealed, nonce: nonce, keyVersion: keys[0].version)
    }

    /// - Throws: `StoreError.unknownKeyVersion`, or `CryptoError.authenticationFailed` when the row was tampered with.
    func open(_ sealed: SealedSecret, for context: String) throws -> Secret {
        guard let key = keys.first(where: { $0.version == sealed.keyVersion }) else {
            throw StoreError.unknownKeyVersion(sealed.keyVersion)
        }
        return Secret(
            try key.cipher.open(sealed.ciphertext, nonce: sealed.nonce, associatedData: Array(context.utf8))
        )
    }
}
