#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Fetches what the person is told, shows each notification once on this device, and keeps what was read.
///
/// What it knows is a ``NotificationInbox`` in the key-value store, changed in one step each time, so that an app and its extension, or two
/// programs, can share it.
public actor NotificationManager {
    /// Under which it keeps a ``NotificationInbox`` in its store, as JSON.
    public static let storeKey = "notifications"
    private static let pageSize = 100
    /// Pages of one fetch: as much as is ever kept comes with the first; the rest only moves the place.
    private static let mostPages = 50
    /// Ids of one acknowledgement.
    private static let mostIDs = 100

    private let client: NotifierClient
    private let store: any KeyValueStore
    private let notifier: any LocalNotifier
    private let clock: any KitClock
    private let board: StatusBoard
    private let turn = Turn()
    /// What lay in the store when it was last read, so that it is taken apart once.
    private var lastRead: (data: Data, inbox: NotificationInbox)?
    /// The number of unread notifications, when it was put on the icon last.
    private var lastCount: Int?
    /// What is being shown at the moment and not noted yet.
    private var claimed: Set<String> = []

    /// Works for the sign-in of `client`, and keeps what it knows in `store`.
    public init(
        client: NotifierClient,
        store: any KeyValueStore,
        notifier: any LocalNotifier,
        clock: any KitClock,
        board: StatusBoard
    ) {
        (self.client, self.store, self.notifier) = (client, store, notifier)
        (self.clock, self.board) = (clock, board)
    }

    /// What is known at the moment.
    public func inbox() async throws(NotifierError) -> NotificationInbox {
        do {
            let data = try await store.value(for: Self.storeKey)
            let inbox = Self.read(data, lastRead)
            lastRead = data.map { ($0, inbox) }
            return inbox
        } catch {
            throw NotifierError(error)
        }
    }

    /// Fetches what is new and shows it, each once on this device, whether it came by push before or not.
    ///
    /// - Parameter limit: how many are shown at most; what is left comes with the next fetch.
    /// - Returns: what was shown, oldest first.
    /// - Throws: why the rest could not be fetched, or shown.
    @discardableResult
    public func fetchNew(atMost limit: Int = .max) async throws(NotifierError) -> [AppNotification] {
        try await turn.take { () async throws(NotifierError) in
            try await board.during { () async throws(NotifierError) in try await self.fetchPages(limit) }
        }
    }

    private func fetchPages(_ limit: Int) async throws(NotifierError) -> [AppNotification] {
        guard try await inbox().hasBaseline else {
            let history = try await client.history(HistoryQuery(limit: Int64(Self.pageSize)))
            try await change { $0.takeBaseline(history.notifications) }
            try await countUnread()
            return []
        }
        var shown: [AppNotification] = []
        for _ in 0..<Self.mostPages {
            let room = min(Self.pageSize, limit - shown.count)
            guard room > 0 else { break }
            let page = try await client.notifications(after: try await inbox().lastSeenID, limit: room)
            shown += try await show(page)
            // Shown is shown: when this fails the next fetch makes up for it.
            try await acknowledge()
            guard page.hasMore, page.lastID != nil else { break }
        }
        try await countUnread()
        return shown
    }

    /// Fetches what was read on other devices, and sends what was marked here while nobody answered.
    ///
    /// - Returns: ids of what was read elsewhere since, which is off this screen now.
    @discardableResult
    public func fetchMarks() async throws(NotifierError) -> [String] {
        try await board.during { () async throws(NotifierError) in
            try await sendMarks()
            let (history, forgotten) = try await self.historyOfKept()
            let read = try await change { inbox in
                inbox.forget(forgotten)
                return inbox.takeMarks(history)
            }
            if !read.isEmpty || !forgotten.isEmpty { await notifier.withdraw(read + forgotten) }
            try await countUnread()
            return read
        }
    }

    /// The history back to the oldest that is kept here: what is unread stays when newer ones that are read have gone.
    ///
    /// - Returns: the history, and ids of what was kept before and does not stand in it to its very end: the server has forgotten that.
    private func historyOfKept() async throws(NotifierError) -> (history: [AppNotification], forgotten: [String]) {
        var history: [AppNotification] = []
        // What comes while it is read may stand on none of its pages.
        let kept = try await inbox().entries.map(\.id)
        var missing = Set(kept)
        var cursor: String?
        for _ in 0..<Self.mostPages {
            let query = HistoryQuery(limit: Int64(Self.pageSize), cursor: cursor)
            let page = try await client.history(query)
            history += page.notifications
            missing.subtract(page.notifications.map(\.id))
            cursor = page.nextCursor
            guard cursor != nil, !missing.isEmpty else { break }
        }
        return (history, cursor == nil ? kept.filter(missing.contains) : [])
    }

    /// Marks on this device at once, then on the server.
    ///
    /// - Throws: the server's refusal, after the marks were taken back. What only could not be sent waits, and is no error.
    public func mark(_ selection: ReadSelection) async throws(NotifierError) {
        let now = clock.now
        let read = try await change { $0.mark(selection, at: now) }
        if !read.isEmpty { await notifier.withdraw(read) }
        do {
            try await board.during { () async throws(NotifierError) in
                try await sendMarks()
                try await countUnread()
            }
        } catch let error where !error.isTemporary {
            throw error
        } catch {
            await show(count: try await inbox().badge)
        }
    }

    /// Whether a mark waits to be sent.
    public func hasPendingMarks() async throws(NotifierError) -> Bool { try await !inbox().pendingMarks.isEmpty }

    /// Sends what was marked here while nobody answered.
    ///
    /// - Throws: the server's refusal, after that mark was taken back; or why nothing could be sent.
    public func sendPendingMarks() async throws(NotifierError) {
        guard try await !inbox().pendingMarks.isEmpty else { return }
        try await board.during { () async throws(NotifierError) in try await sendMarks() }
    }

    /// A push has come to this device, by its `data.notificationId`; an app's extension calls it, and the app for what is on screen.
    public func pushArrived(_ id: String) async throws(NotifierError) {
        try await change { $0.noteShown(id) }
    }

    /// Several at once, as an extension that has noted them by itself hands them over.
    public func pushesArrived(_ ids: [String]) async throws(NotifierError) {
        try await change { inbox in
            for id in ids { inbox.noteShown(id) }
        }
    }

    /// Whether a push that comes while the app is in the foreground is still to be shown: it is not when pull was faster.
    public func shouldPresent(push id: String) async -> Bool {
        guard claimed.insert(id).inserted else { return false }
        defer { claimed.remove(id) }
        let isNew = try? await change { inbox in
            let isNew = !inbox.hasShown(id)
            inbox.noteShown(id)
            return isNew
        }
        return isNew ?? true
    }

    /// The person has opened it on this device.
    public func opened(_ id: String) async throws(NotifierError) {
        let now = clock.now
        _ = try await change { $0.mark(.ids([id]), at: now) }
        await notifier.withdraw([id])
        try await board.during { () async throws(NotifierError) in
            try await client.confirm(id, .opened, at: now)
            try await sendMarks()
        }
    }

    /// Forgets everything: somebody else signs in. What is being fetched is taken first, and goes with the rest.
    public func forget() async throws(NotifierError) {
        try await turn.take { () async throws(NotifierError) in
            do throws(KeyValueStoreError) {
                try await store.update(Self.storeKey) { $0 = nil }
            } catch {
                throw NotifierError(error)
            }
            await show(count: 0)
        }
    }

    // MARK: Steps

    /// Shows what is new and then moves the place, so that a crash in between loses nothing: what is on screen already is found there by
    /// its identifier.
    private func show(_ page: NotificationPage) async throws(NotifierError) -> [AppNotification] {
        let onScreen = await notifier.delivered()
        var before = try await inbox()
        var shown: [AppNotification] = []
        let taken = before.take(page, onScreen: onScreen)
        for notification in taken.news where claimed.insert(notification.id).inserted {
            if await notifier.show(LocalNotification(notification)) { shown.append(notification) }
        }
        let ids = shown.map(\.id)
        let noted = await Result { () async throws(NotifierError) in
            try await change { inbox in
                for id in ids { inbox.noteShown(id) }
                _ = inbox.take(page, onScreen: onScreen)
            }
        }
        claimed.subtract(page.notifications.map(\.id))
        try noted.get()
        if !taken.forgotten.isEmpty { await notifier.withdraw(taken.forgotten) }
        return shown
    }

    private func acknowledge() async throws(NotifierError) {
        let ids = Array(try await inbox().unacknowledged.prefix(Self.mostIDs))
        guard !ids.isEmpty else { return }
        try await client.acknowledge(ids)
        try await change { $0.noteAcknowledged(ids) }
    }

    private func sendMarks() async throws(NotifierError) {
        for mark in try await inbox().pendingMarks {
            do {
                try await client.markRead(mark.selection, chosenAt: mark.chosenAt, upTo: mark.upTo)
                try await change { $0.settle(mark) }
            } catch let error where error.kind == .refused {
                try await change { $0.revert(mark) }
                throw error
            }
        }
    }

    private func countUnread() async throws(NotifierError) {
        let count = try await client.unread().count
        // That this cannot be kept makes the number no other.
        let shown = try? await change { inbox in
            inbox.noteCount(count)
            return inbox.badge
        }
        await show(count: shown ?? count)
    }

    private func show(count: Int) async {
        lastCount = count
        await notifier.setBadge(count)
    }

    /// Puts the number that was counted last on the icon again, as nothing is new: a push that came late, while the app was not in the
    /// foreground, has left the number of its own time there.
    public func repeatBadge() async {
        guard let lastCount else { return }
        await notifier.setBadge((try? await inbox().badge) ?? lastCount)
    }

    @discardableResult
    private func change<Result: Sendable>(
        _ body: @Sendable (inout NotificationInbox) -> Result
    ) async throws(NotifierError) -> Result {
        do {
            let known = lastRead
            return try await store.update(Self.storeKey) { data in
                let before = Self.read(data, known)
                var inbox = before
                let result = body(&inbox)
                if data == nil || inbox != before { data = WireCoding.encode(inbox) }
                return result
            }
        } catch {
            throw NotifierError(error)
        }
    }

    /// What cannot be read is begun anew: it is all at the server, too.
    private static func read(_ data: Data?, _ known: (data: Data, inbox: NotificationInbox)?) -> NotificationInbox {
        if let known, known.data == data { return known.inbox }
        return data.flatMap { try? WireCoding.decode(NotificationInbox.self, $0) } ?? NotificationInbox()
    }
}
