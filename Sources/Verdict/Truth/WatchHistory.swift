import Scenarios

/// Who watched what, asked by instant.
struct WatchHistory {
    /// What a person's watch list said of an item at an instant.
    enum State: Equatable {
        case watched
        /// Between a request and its answer.
        case changing
        /// Asked for later; holds the first such request.
        case notYet(from: Duration)
        case unwatched
    }

    private var byItem: [PersonItem: [WatchRecord]] = [:]
    private var byPerson: [Username: [WatchRecord]] = [:]

    init(_ watches: [WatchRecord]) {
        for watch in watches {
            byItem[PersonItem(person: watch.person, item: watch.item), default: []].append(watch)
            byPerson[watch.person, default: []].append(watch)
        }
    }

    private func watches(of item: ItemReference, for person: Username) -> [WatchRecord] {
        byItem[PersonItem(person: person, item: item)] ?? []
    }

    func state(of item: ItemReference, for person: Username, at instant: Duration) -> State {
        let watches = watches(of: item, for: person)
        if watches.contains(where: { $0.isActive(at: instant) }) { return .watched }
        if watches.contains(where: { $0.isChanging(at: instant) }) { return .changing }
        let later = watches.map(\.requestedAt).filter { $0 > instant }.min()
        return later.map { .notYet(from: $0) } ?? .unwatched
    }

    /// When the first watch began that was active at `instant`; nil when none was.
    func start(of item: ItemReference, for person: Username, activeAt instant: Duration) -> Duration? {
        watches(of: item, for: person).filter { $0.isActive(at: instant) }.map(\.activeFrom).min()
    }

    /// When the watch that was active at `instant` was asked to end; nil when it never was.
    func end(of item: ItemReference, for person: Username, activeAt instant: Duration) -> Duration? {
        let active = watches(of: item, for: person).filter { $0.isActive(at: instant) }
        guard active.allSatisfy({ $0.endRequestedAt != nil }) else { return nil }
        return active.compactMap(\.endRequestedAt).max()
    }

    /// How many items the person watched at `instant`.
    func count(for person: Username, at instant: Duration) -> Int {
        (byPerson[person] ?? []).count { $0.isActive(at: instant) }
    }
}

extension WatchRecord {
    /// What happens at the very instant of the answer may have come before it.
    fileprivate func isActive(at instant: Duration) -> Bool {
        guard activeFrom < instant else { return false }
        return endRequestedAt.map { instant < $0 } ?? true
    }

    fileprivate func isChanging(at instant: Duration) -> Bool {
        // What was never answered is open until the entry is gone for certain.
        let answered = min(activeFrom, endedAt ?? activeFrom)
        if requestedAt <= instant && instant <= answered { return true }
        guard let endRequestedAt, endRequestedAt <= instant else { return false }
        return endedAt.map { instant < $0 } ?? true
    }
}
