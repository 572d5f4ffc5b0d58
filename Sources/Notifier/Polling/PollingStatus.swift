import Platform
import Synchronization

/// How an account's polling goes, for whoever asks.
struct PollingStatus: Hashable, Sendable {
    /// When a cycle last read something.
    var lastPollAt: WallTime
    /// When the next cycle or probe was planned for.
    var nextPollAt: MonotonicInstant
    /// When the to-dos were last read to the end; nil until then.
    var todosReadAt: WallTime?
    /// When the oldest of the last looks at the rows of the watched items began; nil until all had been looked at.
    var sweptAt: WallTime?
    /// When all lists of a watched item were last read to the end, in the order in which items are polled.
    var itemsReadAt: [ItemReading] = []

    /// How fresh the notifier's knowledge of an item is.
    struct ItemReading: Hashable, Sendable {
        var item: ItemReference
        var at: WallTime
    }
}

/// The newest status of every polled account.
final class PollingStatusBoard: Sendable {
    private let statuses = Mutex<[AccountID: PollingStatus]>([:])

    init() {}

    func note(_ status: PollingStatus, of account: AccountID) {
        statuses.withLock { $0[account] = status }
    }

    func remove(_ account: AccountID) {
        statuses.withLock { $0[account] = nil }
    }

    subscript(_ account: AccountID) -> PollingStatus? {
        statuses.withLock { $0[account] }
    }

    /// When any account was last polled; nil when none has been.
    var lastPollAt: WallTime? {
        statuses.withLock { $0.values.lazy.map(\.lastPollAt).max() }
    }
}
