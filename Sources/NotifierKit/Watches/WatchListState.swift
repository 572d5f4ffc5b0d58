#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a person chose about an item, on this device.
public struct WatchChange: Sendable, Equatable, Codable {
    /// The choice.
    public enum Choice: Sendable, Equatable, Codable {
        case watch, unwatch
        /// Silent until then; nil lets it speak again.
        case mute(until: Date?)

        /// Of two choices about one thing the later one stands alone.
        fileprivate var isMute: Bool { if case .mute = self { true } else { false } }
    }

    /// Tells changes of this device apart.
    public var number: Int
    /// Which item.
    public var item: ItemReference
    /// What was chosen.
    public var choice: Choice
    /// By this device's clock.
    public var chosenAt: Date
    /// What to call the item until the server does.
    public var title: String
    /// Such as `team/backend`.
    public var projectPath: String?
}

/// A choice that was taken back because the server would not have it.
public struct WatchReversal: Error, Sendable, Equatable {
    /// What was chosen.
    public var change: WatchChange
    /// Why, in the words of the error catalogue.
    public var reason: NotifierError
}

/// The watch list of this device: what the server last told, and over it what the person chose since. A value, with every rule of it.
///
/// Nothing has to be remembered for taking a choice back: it goes from the choices that wait, and what the server told shows again.
public struct WatchListState: Sendable, Equatable, Codable {
    /// How many choices may wait for the network.
    public static let pendingCapacity = 200

    /// As the server told it, oldest first.
    private var confirmed: [WatchedItem] = []
    /// What waits to be sent, oldest first.
    public private(set) var pending: [WatchChange] = []
    /// When the server last told the list; nil before it has.
    public private(set) var fetchedAt: Date?
    private var count = 0
    /// Counts what was settled: a list that was asked for before is out of date.
    public private(set) var revision = 0

    /// Begins empty.
    public init() {}

    /// What to show, oldest first.
    public var items: [WatchedItem] { pending.reduce(into: confirmed) { Self.apply($1, to: &$0) } }

    /// The entry of an item in the list as it is shown.
    public func entry(of item: ItemReference) -> WatchedItem? { items.first { $0.item == item } }

    /// The person chooses something; it shows at once.
    ///
    /// - Returns: nil when as many choices wait as may.
    public mutating func choose(
        _ choice: WatchChange.Choice,
        _ item: ItemReference,
        title: String,
        projectPath: String?,
        at instant: Date
    ) -> WatchChange? {
        pending.removeAll { change in
            guard change.item == item else { return false }
            // Who stops watching does not care for a mute any more.
            return change.choice.isMute == choice.isMute || choice == .unwatch
        }
        guard pending.count < Self.pendingCapacity else { return nil }
        count += 1
        let change = WatchChange(
            number: count,
            item: item,
            choice: choice,
            chosenAt: instant,
            title: title,
            projectPath: projectPath
        )
        pending.append(change)
        return change
    }

    /// The id of the item's entry at the server; nil when it has none as far as is known.
    func entryID(of item: ItemReference) -> String? { confirmed.first { $0.item == item }?.watchedItemId }

    /// The server has answered to a choice to watch or to stop.
    public mutating func settle(_ change: WatchChange, as answer: WatchAnswer) {
        close(change)
        guard answer.watching else {
            confirmed.removeAll { $0.item == change.item }
            return
        }
        if let index = confirmed.firstIndex(where: { $0.item == change.item }) {
            confirmed[index].watchedItemId = answer.watchedItemId ?? confirmed[index].watchedItemId
        } else {
            confirmed.append(Self.entry(for: change, id: answer.watchedItemId))
        }
    }

    /// The server has answered to a choice about a mute.
    public mutating func settle(_ change: WatchChange, mutedUntil end: Date?) {
        close(change)
        guard let index = confirmed.firstIndex(where: { $0.item == change.item }) else { return }
        confirmed[index].mutedUntil = end
    }

    /// The server will not have it: what was before shows again.
    public mutating func revert(_ change: WatchChange) { close(change) }

    /// The server has told the list.
    ///
    /// - Parameters:
    ///   - items: oldest first.
    ///   - revision: what ``revision`` was when it was asked.
    ///   - instant: when the answer came.
    /// - Returns: false, and nothing was changed, when something was settled since it was asked.
    public mutating func take(_ items: [WatchedItem], askedAt revision: Int, at instant: Date) -> Bool {
        guard revision == self.revision else { return false }
        (confirmed, fetchedAt) = (items, instant)
        return true
    }

    private mutating func close(_ change: WatchChange) {
        revision += 1
        pending.removeAll { $0.number == change.number }
    }

    private static func apply(_ change: WatchChange, to items: inout [WatchedItem]) {
        let index = items.firstIndex { $0.item == change.item }
        switch change.choice {
        case .watch: if index == nil { items.append(entry(for: change, id: nil)) }
        case .unwatch: if let index { items.remove(at: index) }
        case .mute(let end): if let index { items[index].mutedUntil = end }
        }
    }

    private static func entry(for change: WatchChange, id: String?) -> WatchedItem {
        WatchedItem(
            watchedItemId: id,
            item: change.item,
            title: change.title,
            projectPath: change.projectPath,
            createdAt: change.chosenAt
        )
    }
}
