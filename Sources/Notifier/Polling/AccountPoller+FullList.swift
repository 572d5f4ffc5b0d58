import Configuration
import Platform

/// What becomes of a watch that begins by itself where the list is full: one of those that began so, and whose item is over, gives way. Where
/// there is none, somebody has to hear of it.
extension AccountPoller {
    /// The operator hears of a full list no more often.
    private static let listFullSilence = Duration.days(1)

    /// Items that are closed or merged, those first that have been left alone longest: which of them may give way, the store knows.
    var endedItems: [WatchID] { EndedItem.longestFirst((polled?.items ?? []).compactMap { EndedItem($0) }) }

    /// Writes it down, and tells the person, once for as long as their history knows of it.
    func tellListIsFull() async throws {
        let (now, wallNow) = (context.time.monotonicNow, context.time.wallNow)
        let limit = context.configuration.watchLimit
        if listFullAt.map({ $0.duration(to: now) >= Self.listFullSilence }) ?? true {
            listFullAt = now
            context.log.write(.watchListFull, [accountField, ("watch.limit", .count(limit))])
        }
        let isTold = try await context.store.transaction { [id, outbox = context.outbox] store in
            let draft = NotificationDraft(account: id, subject: .watchListFull(limit: limit))
            guard try !store.hasNotification(of: draft.subject.kind, for: id) else { return false }
            try outbox.enqueue(draft, at: wallNow, in: store)
            return true
        }
        if isTold { context.outboxSignal.send() }
    }

    /// Writes down that an entry made room for another.
    func report(gaveWay watch: WatchID?) {
        guard let watch else { return }
        context.log.write(.watchGaveWay, fields(watch))
    }
}

/// A watched item that is closed or merged.
struct EndedItem {
    var watch: WatchID
    /// Since when nothing has happened to it; nil where GitLab tells no time.
    var updatedAt: WallTime?
}

extension EndedItem {
    /// Nil while the item is open, no list has shown it, or news of it is still to be read.
    init?(_ item: PolledItem) {
        // What its row has shown and its lists have not been read for is still to be told.
        let state = item.attention.state
        guard let shown = item.attention.fingerprint, !shown.isOpen, !state.isChanged, state.settlesAt == nil else {
            return nil
        }
        self.init(watch: item.watched.watch, updatedAt: shown.updatedAt)
    }

    /// In the order in which they may give way.
    static func longestFirst(_ items: [EndedItem]) -> [WatchID] {
        let sorted = items.sorted { left, right in
            let (one, other) = (left.updatedAt?.microseconds ?? .min, right.updatedAt?.microseconds ?? .min)
            return (one, left.watch.rawValue) < (other, right.watch.rawValue)
        }
        return sorted.map(\.watch)
    }
}
