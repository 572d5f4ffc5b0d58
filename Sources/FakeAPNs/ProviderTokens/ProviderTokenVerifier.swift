import Crypto
import Platform

/// Registered keys, and what verifying each distinct token string gave. A signature is checked once: ECDSA costs more
/// than the rest of a push together.
struct ProviderTokenVerifier {
    struct Verified {
        let key: ProviderKey
        let issuedAt: WallTime
    }

    private static let cacheLimit = 1_024

    private var keys: [String: ProviderKey] = [:]
    private var cache: [String: Verified?] = [:]
    /// Rises when keys change.
    private(set) var keyGeneration = 0
    /// Every miss of the cache, so the number of distinct tokens unless more than the cache holds are in use.
    private(set) var verifications: Int64 = 0

    /// Adds a key, or replaces the one with its id. Traps when `key` allows no environment.
    mutating func register(_ key: ProviderKey) {
        precondition(!key.environments.isEmpty, "a key is valid in some environment")
        keys[key.keyID] = key
        cache = [:]
        keyGeneration += 1
    }

    mutating func revoke(_ keyID: String) {
        keys[keyID] = nil
        cache = [:]
        keyGeneration += 1
    }

    /// The key and time of a token; nil when it is unparsable, its key unknown, its team another, or its signature bad.
    mutating func verify(_ text: String, acceptsDER: Bool = false) -> Verified? {
        if let known = cache[text] { return known }
        let verdict = judge(text, acceptsDER)
        if cache.count >= Self.cacheLimit { cache = [:] }
        cache[text] = .some(verdict)
        verifications += 1
        return verdict
    }

    private func judge(_ text: String, _ acceptsDER: Bool) -> Verified? {
        guard let token = ProviderToken(text), let key = keys[token.keyID], key.teamID == token.teamID,
            isSigned(token, by: key.publicKey, acceptsDER)
        else { return nil }
        return Verified(key: key, issuedAt: token.issuedAt)
    }

    /// A signature the library cannot judge is no valid one: to the sender both are the same refusal.
    private func isSigned(_ token: ProviderToken, by key: ES256PublicKey, _ acceptsDER: Bool) -> Bool {
        if (try? key.isValidSignature(token.signature, for: token.signedBytes)) == true { return true }
        return acceptsDER && (try? key.isValidSignature(der: token.signature, for: token.signedBytes)) == true
    }
}
