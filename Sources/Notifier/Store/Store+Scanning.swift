import Platform
import SQLite

/// What a watch began with, beside the rows that are recorded one by one.
struct WatchBeginning: Hashable, Sendable {
    /// Notes up to this one lay before the watch; nil where each of those is recorded.
    var baselineNote: Int64?
    /// Whether every list that the person wants has been read since.
    var isRead = false
    /// By GitLab's clock when it began, where GitLab had no such list then: what is older lay before the watch.
    var notesSince: WallTime?
    var stateEventsSince: WallTime?
}

/// What was read and dealt with, per source.
extension Store {
    /// Records an account's pending to-dos as seen, so that only later ones are notified. Call it in the transaction that
    /// makes the account.
    func storeBaseline(_ baseline: TodosBaseline, of account: AccountID, at now: WallTime) throws {
        try insertSeenTodos(baseline.todoIDs, of: account, at: now)
    }

    /// Records an item's notes, state events and approvals as seen, so that only later ones are notified. Call it in the transaction
    /// that makes the watch.
    func storeBaseline(_ baseline: ItemBaseline, of watch: WatchID, at now: WallTime) throws {
        switch baseline.notes {
        case .all(let ids): try insertSeenNotes(ids, of: watch, at: now)
        case .upTo(let id): try database.execute("UPDATE watches SET baseline_note_id = ? WHERE id = ?", id, watch)
        }
        try insertSeenStateEvents(baseline.stateEventIDs, of: watch, at: now)
        if baseline.notesSince != nil || baseline.stateEventsSince != nil {
            try database.execute(
                "UPDATE watches SET notes_since = ?, state_events_since = ? WHERE id = ?",
                baseline.notesSince,
                baseline.stateEventsSince,
                watch
            )
        }
        guard let approvers = baseline.approvers else { return }
        let known = ApprovalCheck.beginning(with: approvers, after: try toldApprovals(of: watch))
        try storeBaseline(known, of: watch, at: now)
    }

    /// Moves the scan state of an account's to-dos and of a watch's lists. Call it in the transaction that tells what the rows brought.
    func store(_ advance: ScanAdvance, of account: AccountID, watch: WatchID?, at now: WallTime) throws {
        try insertSeenTodos(advance.todos, of: account, at: now)
        guard let watch else { return }
        try insertSeenNotes(advance.notes, of: watch, at: now)
        try insertSeenStateEvents(advance.stateEvents, of: watch, at: now)
        for reading in advance.metadataLists { try store(reading, of: watch, at: now) }
    }

    /// Every account, whatever its state, in the order in which they came.
    func accountIDs() throws -> [AccountID] {
        try database.rows("SELECT id FROM accounts ORDER BY id") { AccountID(rawValue: $0.int64(0)) }
    }

    /// False once somebody has removed the watch, or left with all their watches.
    func hasWatch(_ watch: WatchID, of account: AccountID) throws -> Bool {
        try database.first("SELECT 1 FROM watches WHERE id = ? AND account_id = ?", watch, account) { _ in true }
            ?? false
    }

    /// False once the person has left.
    func hasAccount(_ account: AccountID) throws -> Bool {
        try database.first("SELECT 1 FROM accounts WHERE id = ?", account) { _ in true } ?? false
    }

    /// Records to-dos as dealt with; those recorded before keep their first time.
    func insertSeenTodos(_ ids: [Int64], of account: AccountID, at now: WallTime) throws {
        for id in ids {
            try database.execute(
                "INSERT INTO seen_todos (account_id, todo_id, seen_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                account,
                id,
                now
            )
        }
    }

    /// Records notes as dealt with; those recorded before keep their first time.
    func insertSeenNotes(_ ids: [Int64], of watch: WatchID, at now: WallTime) throws {
        for id in ids {
            try database.execute(
                "INSERT INTO seen_notes (watch_id, note_id, seen_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                watch,
                id,
                now
            )
        }
    }

    /// Records state events as dealt with; those recorded before keep their first time.
    func insertSeenStateEvents(_ ids: [Int64], of watch: WatchID, at now: WallTime) throws {
        for id in ids {
            try database.execute(
                "INSERT INTO seen_state_events (watch_id, event_id, seen_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                watch,
                id,
                now
            )
        }
    }

    /// An account's to-dos that were dealt with.
    func seenTodos(of account: AccountID) throws -> [SeenIDs.Sighting] {
        try database.rows(
            "SELECT todo_id, seen_at FROM seen_todos WHERE account_id = ? ORDER BY todo_id",
            account,
            decode: Self.sighting
        )
    }

    /// A watched item's notes that were dealt with.
    func seenNotes(of watch: WatchID) throws -> [SeenIDs.Sighting] {
        try database.rows(
            "SELECT note_id, seen_at FROM seen_notes WHERE watch_id = ? ORDER BY note_id",
            watch,
            decode: Self.sighting
        )
    }

    /// What is known of a watch's beginning.
    func beginning(of watch: WatchID) throws -> WatchBeginning {
        try database.first(
            "SELECT baseline_note_id, is_read, notes_since, state_events_since FROM watches WHERE id = ?",
            watch
        ) { row in
            WatchBeginning(
                baselineNote: row.optionalInt64(0),
                isRead: row.int64(1) == 1,
                notesSince: row.optionalWallTime(2),
                stateEventsSince: row.optionalWallTime(3)
            )
        } ?? WatchBeginning()
    }

    /// Records that every list that the person wants of an item has been read since the watch began.
    func setRead(_ watch: WatchID) throws {
        try database.execute("UPDATE watches SET is_read = 1 WHERE id = ?", watch)
    }

    /// A watched item's state events that were dealt with.
    func seenStateEvents(of watch: WatchID) throws -> [SeenIDs.Sighting] {
        try database.rows(
            "SELECT event_id, seen_at FROM seen_state_events WHERE watch_id = ? ORDER BY event_id",
            watch,
            decode: Self.sighting
        )
    }

    private static func sighting(_ row: borrowing Row) -> SeenIDs.Sighting {
        SeenIDs.Sighting(id: row.int64(0), at: row.wallTime(1))
    }
}
