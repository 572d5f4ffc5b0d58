import Platform
import Synchronization

/// What others have for a poller: that its account has changed, items that webhooks named, and items that others have seen change.
final class PollerInbox: Sendable {
    private struct State {
        var isChanged = false
        var named: NamedItems
        var seen: Set<ItemReference> = []
    }

    private let state: Mutex<State>

    init(named: NamedItems) {
        state = Mutex(State(named: named))
    }

    /// The account, its token or its watch list has changed.
    func noteChange() {
        state.withLock { $0.isChanged = true }
    }

    /// Whether something changed since this was asked last.
    func takeChange() -> Bool {
        state.withLock { state in
            defer { state.isChanged = false }
            return state.isChanged
        }
    }

    /// Another account has seen a change of an item that this one watches too.
    func noteSeen(_ item: ItemReference) {
        state.withLock { _ = $0.seen.insert(item) }
    }

    /// Items that others have seen change since this was asked last.
    func takeSeen() -> Set<ItemReference> {
        state.withLock { state in
            defer { state.seen = [] }
            return state.seen
        }
    }

    /// A webhook named an item; true when the poller should hear of it.
    func name(_ item: ItemReference, at now: MonotonicInstant) -> Bool {
        state.withLock { $0.named.name(item, at: now) }
    }

    /// When a named item may be polled.
    func namedAt(_ now: MonotonicInstant) -> MonotonicInstant? {
        state.withLock { $0.named.nextAt(now) }
    }

    /// The named items that may be polled now.
    func takeNamed(at now: MonotonicInstant) -> [ItemReference] {
        state.withLock { $0.named.take(at: now) }
    }

    /// A cycle is about to read these anyway.
    func forgetNamed(_ items: [ItemReference]) {
        state.withLock { $0.named.forget(items) }
    }
}
