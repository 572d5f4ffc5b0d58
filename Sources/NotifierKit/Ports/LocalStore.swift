/// Where the kit keeps what a person's devices keep alike: this device's copy, and what waits to be sent. SQLite in the terminal client,
/// SwiftData or SQLite in the app group's container on Apple's systems.
public protocol LocalStore: Sendable {
    /// All there is; an empty value in the beginning.
    func state() async throws(KeyValueStoreError) -> SyncState

    /// Whether anything of the queue is left, which is asked every ten seconds.
    func hasPending() async throws(KeyValueStoreError) -> Bool

    /// Reads, changes and writes in one transaction, between which no other task or process comes: a choice and its place in the queue are
    /// kept both or not at all. What it returns is kept by then.
    func update<Result: Sendable>(
        _ change: @Sendable (inout SyncState) -> Result
    ) async throws(KeyValueStoreError) -> Result
}

extension LocalStore {
    /// By all there is.
    public func hasPending() async throws(KeyValueStoreError) -> Bool { try await !state().pending.isEmpty }
}
