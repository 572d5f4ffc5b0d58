import Platform
import SQLite

/// An item to be watched because the person was tagged there.
struct AutoWatchRequest: Hashable, Sendable {
    var item: ItemReference
    /// When the person was tagged, by GitLab's clock: what is written from then on is news, however late the watch begins.
    var taggedAt: WallTime
    var requestedAt: WallTime

    /// How long the item is looked for: a replica may not have it yet, and the person may never be allowed to read it.
    private static let patience = Duration.minutes(15)
    /// The same where it is forbidden: what a person may not see GitLab calls missing, so that something in between has forbidden it, and
    /// may do so for hours.
    private static let forbiddenPatience = Duration.days(1)

    /// Whether to look no more for what has waited for so long; `isForbidden` says how GitLab answered last.
    static func isGivenUp(after wait: Duration, isForbidden: Bool) -> Bool {
        wait > (isForbidden ? forbiddenPatience : patience)
    }
}

/// Whether a watch list takes an entry that begins by itself.
enum WatchListRoom: Hashable, Sendable {
    /// Nothing is to be watched.
    case notNeeded
    case full
    case free
    /// That entry was taken off for it.
    case insteadOf(WatchID)

    /// True where the entry may begin.
    var isThere: Bool { self != .notNeeded && self != .full }

    /// What was taken off.
    var gaveWay: WatchID? {
        guard case .insteadOf(let watch) = self else { return nil }
        return watch
    }
}

extension Store {
    /// Whether the list of an account takes another entry, which may take the place of one of `ended`.
    func hasRoom(among ended: [WatchID], of account: AccountID, limit: Int, at now: WallTime) throws -> Bool {
        try watchCount(of: account) < limit || yielding(among: ended, of: account, at: now) != nil
    }

    /// Takes off a full list the first entry of `ended` that may give way.
    func makeRoom(
        among ended: [WatchID],
        of account: AccountID,
        limit: Int,
        at now: WallTime
    ) throws -> WatchListRoom {
        guard try watchCount(of: account) >= limit else { return .free }
        guard let watch = try yielding(among: ended, of: account, at: now) else { return .full }
        let choice = ItemChoice(choice: .unwatched, changedAt: now)
        try setChoice(choice, on: watch.item, watch.description, of: account, at: now)
        return try deleteWatch(watch.item, of: account) ? .insteadOf(watch.id) : .full
    }

    /// The first entry that began by itself, over which nobody waits for the person, and of which nothing later was chosen.
    private func yielding(among ended: [WatchID], of account: AccountID, at now: WallTime) throws -> Watch? {
        for id in ended {
            guard let watch = try self.watch(id, of: account), watch.origin == .auto,
                try isLast(now, on: watch.item, of: account), try !hasOpenAsk(on: watch.item, of: account)
            else { continue }
            return watch
        }
        return nil
    }

    private func hasOpenAsk(on item: ItemReference, of account: AccountID) throws -> Bool {
        try database.first(
            """
            SELECT 1 FROM asks
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ? AND settled_at IS NULL LIMIT 1
            """,
            account,
            item.project,
            item.kind,
            item.iid
        ) { _ in true } ?? false
    }

    /// Whether the history of an account has a notification of that kind.
    func hasNotification(of kind: String, for account: AccountID) throws -> Bool {
        try database.first(
            "SELECT 1 FROM notifications WHERE account_id = ? AND kind = ? LIMIT 1",
            account,
            kind
        ) { _ in true } ?? false
    }

    /// Asks for an item to be watched, from the tag on, which came after all that the person chose. Call it in the transaction that records the
    /// tag; one that is asked for stays as it is, unless they chose otherwise since. A to-do item may come back that is older than the
    /// account: what was written before there was one is no news.
    func insertAutoWatchRequest(_ tag: Tag, of account: AccountID, at now: WallTime) throws {
        if let former = try requestTime(tag.item, of: account), try !isLast(former, on: tag.item, of: account) {
            try deleteAutoWatchRequest(tag.item, of: account)
        }
        // Also where our clock was set back since they chose.
        let chosenAt = try choice(on: tag.item, of: account)?.changedAt
        let requestedAt = chosenAt.map { $0 < now ? now : $0.advanced(by: .seconds(1)) } ?? now
        try database.execute(
            """
            INSERT INTO auto_watch_requests (account_id, project_id, item_kind, item_iid, tagged_at, requested_at)
            SELECT id, ?, ?, ?, max(?, CASE WHEN created_at <= ? THEN created_at ELSE 0 END), ?
            FROM accounts WHERE id = ? ON CONFLICT DO NOTHING
            """,
            tag.item.project,
            tag.item.kind,
            tag.item.iid,
            tag.at,
            // An account that seems yet to come was made by a clock that was ahead.
            now,
            requestedAt,
            account
        )
    }

    /// When an item was asked for; nil when it is not.
    private func requestTime(_ item: ItemReference, of account: AccountID) throws -> WallTime? {
        try database.first(
            """
            SELECT requested_at FROM auto_watch_requests
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?
            """,
            account,
            item.project,
            item.kind,
            item.iid
        ) { $0.wallTime(0) }
    }

    /// An account's requests, at most `limit`: those first that have waited longest since they were made or tried, so that what fails again
    /// and again holds up nothing.
    func autoWatchRequests(of account: AccountID, limit: Int) throws -> [AutoWatchRequest] {
        try database.rows(
            """
            SELECT project_id, item_kind, item_iid, tagged_at, requested_at FROM auto_watch_requests
            WHERE account_id = ?
            ORDER BY coalesce(tried_at, requested_at), tried_at IS NOT NULL, project_id, item_kind, item_iid LIMIT ?
            """,
            account,
            limit
        ) { row in
            guard let kind = ItemKind(rawValue: row.text(1)) else { throw StoreError.unreadable(column: "item_kind") }
            return AutoWatchRequest(
                item: ItemReference(project: ProjectID(rawValue: row.int64(0)), kind: kind, iid: row.int64(2)),
                taggedAt: row.wallTime(3),
                requestedAt: row.wallTime(4)
            )
        }
    }

    /// Keeps that a request was tried in vain: the others come before it.
    func setTried(_ item: ItemReference, of account: AccountID, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE auto_watch_requests SET tried_at = ?
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?
            """,
            now,
            account,
            item.project,
            item.kind,
            item.iid
        )
    }

    /// Forgets a request, because it was met or cannot be.
    func deleteAutoWatchRequest(_ item: ItemReference, of account: AccountID) throws {
        try database.execute(
            "DELETE FROM auto_watch_requests WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ?",
            account,
            item.project,
            item.kind,
            item.iid
        )
    }
}
