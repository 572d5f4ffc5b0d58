#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where the kit keeps what must outlive the app, and is no secret: the list as last seen, the feed's place, changes that wait. A handful of
/// keys, each of bounded size.
public protocol KeyValueStore: Sendable {
    /// What lies under `key`; nil when nothing does.
    func value(for key: String) async throws(KeyValueStoreError) -> Data?

    /// Reads, changes and writes in one step between which no other task or process comes; nil removes.
    func update<Result: Sendable>(
        _ key: String,
        _ change: @Sendable (inout Data?) -> Result
    ) async throws(KeyValueStoreError) -> Result
}

/// Why something could not be kept or read back: what the system said.
public struct KeyValueStoreError: Error, Sendable, Equatable {
    /// Why, in the words of whoever put them there.
    public var reason: String
    /// Whether what was kept was damaged, and an empty store has taken its place: this is said once, and what was kept is gone.
    public var hasBegunAnew: Bool

    /// `reason` is what the system said.
    public init(_ reason: String, hasBegunAnew: Bool = false) {
        (self.reason, self.hasBegunAnew) = (reason, hasBegunAnew)
    }
}
