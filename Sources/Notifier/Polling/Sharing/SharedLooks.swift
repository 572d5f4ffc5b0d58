import HTTP
import Platform
import Synchronization

/// Lets the accounts of one GitLab share their looks at its lists, so that a list that many watch is asked for as often as if one did, and
/// lets those know at once who watch what one of them has seen change.
///
/// What is shared decides *when* an account asks, never what it is told: content always comes by the account's own token, and nobody
/// learns of a list that they have not been shown themselves, since nobody asks about another. What is remembered is bounded by what is
/// watched: an item that only one account watches is not remembered at all.
final class SharedLooks: Sendable {
    /// An item of a GitLab, the same for all who may read it.
    struct Item: Hashable, Sendable {
        var origin: HTTPOrigin
        var item: ItemReference

        /// By the item alone: nearly all are of one GitLab, and every cycle looks all of them up.
        func hash(into hasher: inout Hasher) {
            hasher.combine(item)
        }
    }

    /// Where what is known of an item lies. Whoever watches it keeps that, since every cycle looks into each of its items.
    struct Place: Hashable, Sendable {
        fileprivate let index: Int
        /// Of how many that have lain there one after the other.
        fileprivate let number: Int
    }

    /// One list, or the row, of an item.
    struct List: Hashable, Sendable {
        var item: Item
        var list: ItemLooks.List
    }

    /// What a look showed that concerns one list.
    struct Sight: Sendable {
        var list: List
        var validator: String
        /// What the same account's look before had shown; nil when it was the first.
        var previous: String?
        /// Of a row: what stays the same while only notes and commits come.
        var frame: String?
        /// Of a row: when it moved last.
        var movedAt: MonotonicInstant?
        /// Whether the answer held the row, and not only nothing against it.
        var isShown = false
    }

    /// What is known of all items, each at a place of its own, where it is looked into without being copied.
    private struct Items {
        private var places: [Item: Place] = [:]
        private var looks: [ItemLooks] = []
        /// The number of what lies at each place, or of what comes there next.
        private var numbers: [Int] = []
        private var free: [Int] = []

        /// What is known of an item that somebody watches.
        func look<Result>(at item: Item, _ body: (borrowing ItemLooks) -> Result) -> Result? {
            places[item].map { body(looks[$0.index]) }
        }

        /// The same, looked up only where it does not lie at `place` any more: nobody watched it for a time, or it was never there.
        func look<Result>(
            at item: @autoclosure () -> Item,
            in place: Place?,
            _ body: (borrowing ItemLooks) -> Result
        ) -> Result? {
            if let place, numbers[place.index] == place.number { return body(looks[place.index]) }
            return look(at: item(), body)
        }

        mutating func change<Result>(_ item: Item, _ body: (inout ItemLooks) -> Result) -> Result? {
            places[item].map { body(&looks[$0.index]) }
        }

        mutating func join(_ watcher: LookWatcher, _ item: Item) -> Place {
            let place = places[item] ?? makePlace()
            places[item] = place
            looks[place.index].join(watcher)
            return place
        }

        mutating func leave(_ watcher: LookWatcher.ID, _ item: Item) {
            guard let place = places[item] else { return }
            looks[place.index].leave(watcher)
            guard looks[place.index].watchers.isEmpty else { return }
            places[item] = nil
            looks[place.index] = ItemLooks()
            numbers[place.index] += 1
            free.append(place.index)
        }

        private mutating func makePlace() -> Place {
            if let index = free.popLast() { return Place(index: index, number: numbers[index]) }
            looks.append(ItemLooks())
            numbers.append(0)
            return Place(index: looks.count - 1, number: 0)
        }
    }

    private struct State {
        var items = Items()
        var watched: [LookWatcher.ID: [Item]] = [:]
        /// When the newest answer came that showed some row another than its reader knew it.
        var rowsChangedAt: MonotonicInstant?
        var nextWatcher = 1

        mutating func noteChange(_ sight: Sight, _ look: ListLooks.Look) {
            guard case .row = sight.list.list, let previous = sight.previous, previous != sight.validator else {
                return
            }
            rowsChangedAt = max(rowsChangedAt ?? look.answeredAt, look.answeredAt)
        }
    }

    private let state = Mutex(State())

    // MARK: Who watches what

    /// An account that is reached in this way, and watches nothing yet.
    func makeWatcher(_ inbox: PollerInbox, _ wakeSignal: WakeSignal) -> LookWatcher {
        state.withLock { state in
            defer { state.nextWatcher += 1 }
            return LookWatcher(id: state.nextWatcher, inbox: inbox, wakeSignal: wakeSignal)
        }
    }

    /// From now on `watcher` shares its looks at these items, and at no others. Returns where each of them lies.
    @discardableResult
    func watch(_ items: [Item], by watcher: LookWatcher) -> [Place] {
        state.withLock { state in
            let known = state.watched[watcher.id] ?? []
            if known != items {
                state.watched[watcher.id] = items.isEmpty ? nil : items
                for item in Set(known).subtracting(items) { state.items.leave(watcher.id, item) }
            }
            return items.map { state.items.join(watcher, $0) }
        }
    }

    /// How many watch an item.
    func watcherCount(of item: Item) -> Int {
        look(at: item) { $0.watchers.count } ?? 0
    }

    // MARK: What they see

    /// A look showed these things. Others who watch what has changed are woken, once for each change.
    func take(_ sights: [Sight], _ look: ListLooks.Look) {
        let woken = state.withLock { state in
            sights.flatMap { sight -> [(LookWatcher, ItemReference)] in
                let item = sight.list.item
                state.noteChange(sight, look)
                let watchers = state.items.change(item) { $0.take(sight, look) ? $0.watchers : [] }
                return (watchers ?? []).filter { $0.id != look.watcher }.map { ($0, item.item) }
            }
        }
        for (watcher, item) in woken { watcher.wake(for: item) }
    }

    /// The round of an account comes to an item that nothing but time points to; false while another's is there.
    func beginRound(of watcher: LookWatcher.ID, at item: Item, at now: MonotonicInstant) -> Bool {
        state.withLock { state in state.items.change(item) { $0.beginRound(watcher, at: now) } } ?? true
    }

    /// The round of an account goes on to other items.
    func endRound(of watcher: LookWatcher.ID, at item: Item) {
        state.withLock { state in _ = state.items.change(item) { $0.endRound(watcher) } }
    }

    /// An account is about to ask for the rows of `items`; false while another asks for every one of them, whose answer tells whether there is
    /// anything to ask about.
    func beginSweep(of watcher: LookWatcher.ID, at items: [Item], at now: MonotonicInstant) -> Bool {
        state.withLock { state in
            let isAsked = items.allSatisfy { item in
                state.items.look(at: item) { $0.isSwept(byOtherThan: watcher, at: now) } ?? false
            }
            guard !isAsked else { return false }
            for item in items { _ = state.items.change(item) { $0.beginSweep(watcher, at: now) } }
            return true
        }
    }

    /// The account has its answer, or will not have one.
    func endSweep(of watcher: LookWatcher.ID, at items: [Item]) {
        state.withLock { state in
            for item in items { _ = state.items.change(item) { $0.endSweep(watcher) } }
        }
    }

    /// An account begins to look at a list of an item, for which others may wait.
    func begin(_ look: LooksUnderWay.Look, at item: Item) {
        state.withLock { state in _ = state.items.change(item) { $0.begin(look) } }
    }

    /// An account would begin a look: until when it waits for another's that stands for it, at whose end `signal` is sent; nil where there
    /// is none.
    func join(_ own: LooksUnderWay.Look, at item: Item, _ signal: WakeSignal) -> MonotonicInstant? {
        state.withLock { state in state.items.change(item) { $0.join(own, signal) } } ?? nil
    }

    /// The account has its answer, or will not have one.
    func end(_ look: LooksUnderWay.Look, at item: Item) {
        let waiting = state.withLock { state in state.items.change(item) { $0.end(look) } }
        for signal in waiting ?? [] { signal.send() }
    }

    /// False where nobody was shown any row changed since `instant`.
    func haveRowsChanged(since instant: MonotonicInstant) -> Bool {
        state.withLock { $0.rowsChangedAt.map { $0 > instant } ?? false }
    }

    /// When somebody was first shown a list with `validator`; nil when nobody was, or it is forgotten.
    func firstSight(of validator: String, at list: List) -> MonotonicInstant? {
        look(at: list.item) { $0.firstSight(of: validator, at: list.list) } ?? nil
    }

    /// What others have seen of a list since a look that began at `instant` and showed `validator`.
    func standing(of validator: String, since instant: MonotonicInstant, at list: List) -> ListLooks.Standing {
        look(at: list.item) { $0.standing(of: validator, since: instant, at: list.list) } ?? .unknown
    }

    /// Looks into what is known of an item, nil when that is nothing: every cycle asks of each of its items how all its lists stand.
    func look<Result: Sendable>(at item: Item, _ body: (borrowing ItemLooks) -> Result) -> Result? {
        state.withLock { $0.items.look(at: item, body) }
    }

    /// The same for whoever watches it, and knows where it lay.
    func look<Result: Sendable>(
        at item: Item,
        in place: Place?,
        _ body: (borrowing ItemLooks) -> Result
    ) -> Result? {
        state.withLock { $0.items.look(at: item, in: place, body) }
    }

    /// Looks into what is known of the item of one thing after the other, until `body` has seen enough; false then, and where nothing is known.
    func look<Thing>(
        at things: [Thing],
        _ item: (Thing) -> Item,
        in place: (Thing) -> Place?,
        _ body: (Thing, borrowing ItemLooks) -> Bool
    ) -> Bool {
        state.withLock { state in
            things.allSatisfy { thing in
                state.items.look(at: item(thing), in: place(thing)) { body(thing, $0) } ?? false
            }
        }
    }
}
