#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The watch list as it is shown.
public struct WatchList: Sendable, Equatable {
    /// Oldest first, with what waits.
    public var items: [WatchedItem]
    /// Items of which something waits to be sent.
    public var waiting: Set<ItemReference>
    /// How many choices wait to be sent, those about other things among them.
    public var waitingCount: Int
    /// When the server last told the list, by this device's clock; nil before it has.
    public var fetchedAt: Date?

    init(_ state: SyncState) {
        items = state.shown.watchList
        waiting = Set(state.pending.compactMap(\.wanted.item))
        waitingCount = state.pending.count
        fetchedAt = state.counters.pulledAt
    }

    /// The entry of an item.
    public func entry(of item: ItemReference) -> WatchedItem? { items.first { $0.item == item } }
}

/// The person's watch list on this device, as a ``SyncEngine`` keeps it: choices show at once, wait while nobody answers, also over a restart
/// of the app, and are taken back when the server will not have them.
///
/// There is no time limit after which a choice is taken back because nothing was heard: the server may have carried it out. It is sent
/// again with the time at which it was made, and the server lets the last choice win however often it comes.
public struct WatchListManager: Sendable {
    private let engine: SyncEngine

    /// Shows what `engine` keeps.
    public init(engine: SyncEngine) { self.engine = engine }

    /// What is known at the moment: also without a network.
    public func list() async throws(NotifierError) -> WatchList { WatchList(try await engine.state()) }

    /// Watches an item. It stands in the list at once, under `title` until the server knows it better.
    ///
    /// - Returns: whether the server has it; false while the choice waits.
    /// - Throws: the reversal when the server will not have it, or why nothing can be kept or sent.
    @discardableResult
    public func watch(_ item: ItemReference, title: String, projectPath: String? = nil) async throws -> Bool {
        try await choose(.watch(item), ItemLabel(title: title, projectPath: projectPath))
    }

    /// Takes an item off the list; answers as a watch does.
    @discardableResult
    public func unwatch(_ item: ItemReference) async throws -> Bool {
        try await choose(.unwatch(item), try await label(of: item))
    }

    /// Keeps a watched item silent until an instant within a year, or lets it speak again; answers as a watch does.
    @discardableResult
    public func mute(_ item: ItemReference, until end: Date?) async throws -> Bool {
        try await choose(.mute(item, until: end), try await label(of: item))
    }

    private func label(of item: ItemReference) async throws(NotifierError) -> ItemLabel? {
        try await list().entry(of: item).map { ItemLabel(title: $0.title, projectPath: $0.projectPath) }
    }

    private func choose(_ wanted: SyncChange.Wanted, _ label: ItemLabel?) async throws -> Bool {
        try await engine.send(try await engine.choose(wanted, label: label))
    }

    /// Sends what waits and fetches the list, as ``SyncEngine/sync()`` does.
    ///
    /// - Returns: what was taken back of choices about items, and nobody was told of.
    @discardableResult
    public func sync() async throws(NotifierError) -> [SyncReversal] {
        try await engine.sync()
        return try await engine.takeReversals { $0.change.wanted.item != nil }
    }
}
