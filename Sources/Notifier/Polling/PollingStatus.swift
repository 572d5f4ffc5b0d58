import Platform
import Synchronization

/// How an account's polling goes, for whoever asks.
struct PollingStatus: Hashable, Sendable {
    /// When a cycle last read something.
    var lastPollAt: WallTime
    /// When the next cycle or probe was planned for.
    var nextPollAt: MonotonicInstant
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
