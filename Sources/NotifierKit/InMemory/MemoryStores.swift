#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A key store that lasts as long as the object: for tests, previews and simulated devices.
public actor MemoryKeyStore: KeyStore {
    private var values: [String: Data] = [:]
    private var failure: KeyStoreError?

    /// Begins empty.
    public init() {}

    /// From now on every access fails like this; nil ends it.
    public func fail(_ failure: KeyStoreError?) { self.failure = failure }

    /// As the protocol says.
    public func read(_ key: String) throws(KeyStoreError) -> Data? {
        if let failure { throw failure }
        return values[key]
    }

    /// As the protocol says.
    public func write(_ value: Data, for key: String) throws(KeyStoreError) {
        if let failure { throw failure }
        values[key] = value
    }

    /// As the protocol says.
    public func delete(_ key: String) throws(KeyStoreError) {
        if let failure { throw failure }
        values[key] = nil
    }
}

/// A key-value store that lasts as long as the object.
public actor MemoryKeyValueStore: KeyValueStore {
    private var values: [String: Data] = [:]
    private var failure: KeyValueStoreError?

    /// Begins empty.
    public init() {}

    /// From now on every access fails like this; nil ends it.
    public func fail(_ failure: KeyValueStoreError?) { self.failure = failure }

    /// How much lies there, in bytes.
    public var size: Int { values.values.reduce(0) { $0 + $1.count } }

    /// As the protocol says.
    public func value(for key: String) throws(KeyValueStoreError) -> Data? {
        if let failure { throw failure }
        return values[key]
    }

    /// As the protocol says.
    public func update<Result: Sendable>(
        _ key: String,
        _ change: @Sendable (inout Data?) -> Result
    ) throws(KeyValueStoreError) -> Result {
        if let failure { throw failure }
        return change(&values[key])
    }
}

/// A local store that lasts as long as the object.
public actor MemoryLocalStore: LocalStore {
    private var kept = SyncState()
    private var failure: KeyValueStoreError?

    /// Begins empty.
    public init() {}

    /// From now on every access fails like this; nil ends it.
    public func fail(_ failure: KeyValueStoreError?) { self.failure = failure }

    /// As the protocol says.
    public func state() throws(KeyValueStoreError) -> SyncState {
        if let failure { throw failure }
        return kept
    }

    /// As the protocol says.
    public func update<Result: Sendable>(
        _ change: @Sendable (inout SyncState) -> Result
    ) throws(KeyValueStoreError) -> Result {
        if let failure { throw failure }
        return change(&kept)
    }
}

/// Shows nothing and remembers everything: what a device would show, and how often it did.
public actor MemoryLocalNotifier: LocalNotifier {
    /// Everything that was ever shown, in order.
    public private(set) var shown: [LocalNotification] = []
    /// What is on screen now.
    public private(set) var onScreen: [DeliveredNotification] = []
    /// The number on the icon.
    public private(set) var badge = 0
    private var isAllowed = true

    /// Begins empty.
    public init() {}

    /// Whether the system lets the app show anything.
    public func allow(_ isAllowed: Bool) { self.isAllowed = isAllowed }

    /// A push of a notification has been shown, under its own id when none is said.
    public func push(_ notificationID: String, under identifier: String? = nil) {
        let identifier = identifier ?? notificationID
        onScreen.removeAll { $0.identifier == identifier }
        onScreen.append(DeliveredNotification(identifier: identifier, notificationID: notificationID))
    }

    /// As the protocol says.
    public func delivered() -> [DeliveredNotification] { onScreen }

    /// As the protocol says.
    public func show(_ notification: LocalNotification) -> Bool {
        guard isAllowed else { return false }
        shown.append(notification)
        push(notification.notification.id, under: notification.identifier)
        return true
    }

    /// As the protocol says.
    public func withdraw(_ notificationIDs: [String]) {
        onScreen.removeAll { notificationIDs.contains($0.notificationID) }
    }

    /// As the protocol says.
    public func setBadge(_ count: Int) { badge = count }
}
