#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where secrets lie: Keychain on Apple's systems, a file of its owner alone in the terminal client.
public protocol KeyStore: Sendable {
    /// What lies under `key`; nil when nothing does, and only then.
    ///
    /// - Throws: `unavailable` when it cannot be read now, as the Keychain before the first unlock.
    func read(_ key: String) async throws(KeyStoreError) -> Data?

    /// Puts `value` under `key`, in the place of what was there, in one step: a crash leaves the one or the other.
    func write(_ value: Data, for key: String) async throws(KeyStoreError)

    /// Removes what lies under `key`; no error when nothing does.
    func delete(_ key: String) async throws(KeyStoreError)

    /// Keeps other processes that share the store out while `body` runs. Two that give one rotating refresh token back look like a thief
    /// and its victim to the server, which ends the session.
    func exclusively<Result: Sendable>(
        _ body: @Sendable () async -> Result
    ) async throws(KeyStoreError) -> Result
}

extension KeyStore {
    /// Nobody shares the store.
    public func exclusively<Result: Sendable>(
        _ body: @Sendable () async -> Result
    ) async throws(KeyStoreError) -> Result {
        await body()
    }
}

/// Why a secret could not be read or written.
public enum KeyStoreError: Error, Sendable, Equatable {
    /// Not now: nobody is signed out by it. The text says what the system said.
    case unavailable(String)
    /// What lies there is not what was put there.
    case damaged(String)
}
