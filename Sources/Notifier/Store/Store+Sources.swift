import Platform
import SQLite

/// What GitLab offers an account.
extension Store {
    /// What was found out last, and when; nil when nothing was.
    func capabilities(of account: AccountID) throws -> (capabilities: Capabilities, checkedAt: WallTime)? {
        try database.first(
            """
            SELECT gitlab_version, notes, state_events, label_events, milestone_events, approvals, pipelines,
                project_events, rate_limit_headers, checked_at
            FROM capabilities WHERE account_id = ?
            """,
            account
        ) { row in
            var found = Capabilities()
            found.version = row.optionalText(0)
            found.notes = row.int64(1) == 1
            found.stateEvents = row.int64(2) == 1
            found.labelEvents = row.int64(3) == 1
            found.milestoneEvents = row.int64(4) == 1
            found.approvals = row.int64(5) == 1
            found.pipelines = row.int64(6) == 1
            found.projectEvents = row.int64(7) == 1
            found.rateLimitHeaders = row.int64(8) == 1
            return (found, row.wallTime(9))
        }
    }

    /// Keeps what was found out, in place of what was known, and the release in the account.
    func setCapabilities(_ found: Capabilities, of account: AccountID, at now: WallTime) throws {
        try database.execute(
            """
            INSERT OR REPLACE INTO capabilities (
                account_id, gitlab_version, notes, state_events, label_events, milestone_events, approvals, pipelines,
                project_events, rate_limit_headers, checked_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            account,
            found.version,
            found.notes,
            found.stateEvents,
            found.labelEvents,
            found.milestoneEvents,
            found.approvals,
            found.pipelines,
            found.projectEvents,
            found.rateLimitHeaders,
            now
        )
        try database.execute(
            "UPDATE accounts SET gitlab_version = coalesce(?, gitlab_version) WHERE id = ?",
            found.version,
            account
        )
    }
}

/// Events that several sources tell of.
extension Store {
    /// How long an event can be matched: longer than any feed is read back.
    static let correlationAge = Duration.days(8)
    /// Far more than an item has in that time.
    private static let correlationLimit = 1_000

    /// What is known of an item, oldest first.
    func correlatedEvents(on item: ItemReference, of account: AccountID) throws -> [CorrelatedEvent] {
        try database.rows(
            """
            SELECT id, kind, actor_id, since, occurred_at, sources FROM correlated_events
            WHERE account_id = ? AND project_id = ? AND item_kind = ? AND item_iid = ? ORDER BY id DESC LIMIT ?
            """,
            account,
            item.project,
            item.kind,
            item.iid,
            Self.correlationLimit
        ) { row in
            guard let kind = EventKey.Kind(rawValue: row.text(1)) else { throw StoreError.unreadable(column: "kind") }
            return CorrelatedEvent(
                id: row.int64(0),
                key: EventKey(item: item, kind: kind, actor: row.int64(2)),
                since: row.wallTime(3),
                occurredAt: row.wallTime(4),
                sources: row.int64(5)
            )
        }.reversed()
    }

    /// Keeps what a reading added, and forgets what is too old to be matched.
    func store(_ ledger: EventCorrelator, of account: AccountID) throws {
        for place in ledger.changed { try store(ledger.known[place], of: account) }
        guard let newest = ledger.changed.lazy.map({ ledger.known[$0].occurredAt }).max() else { return }
        try database.execute(
            "DELETE FROM correlated_events WHERE account_id = ? AND occurred_at < ?",
            account,
            newest.advanced(by: .zero - Self.correlationAge)
        )
    }

    private func store(_ entry: CorrelatedEvent, of account: AccountID) throws {
        if let id = entry.id {
            try database.execute("UPDATE correlated_events SET sources = ? WHERE id = ?", entry.sources, id)
            return
        }
        try database.execute(
            """
            INSERT INTO correlated_events (
                account_id, project_id, item_kind, item_iid, kind, actor_id, since, occurred_at, sources
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            account,
            entry.key.item.project,
            entry.key.item.kind,
            entry.key.item.iid,
            entry.key.kind.rawValue,
            entry.key.actor,
            entry.since,
            entry.occurredAt,
            entry.sources
        )
    }
}
