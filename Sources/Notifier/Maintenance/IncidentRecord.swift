package import Platform
package import SQLite

/// What a database tells of the last time, for an incident report: numbers, states, instants and words of this program and of APNs.
/// No name, address, title or text of anybody's, no token, nothing sealed.
package enum IncidentRecord {
    /// Rows of each kind at most, the newest first: some days of a team.
    private static let limit = 5_000

    /// Each is one line of JSON: columns are named one by one, so that a new one is left out until somebody thinks about it.
    private static let queries: [SQL] = [
        """
        SELECT json_object('kind', 'schema', 'version', version, 'appliedAt', applied_at_microseconds)
        FROM schema_migrations ORDER BY version DESC LIMIT ?
        """,
        """
        SELECT json_object('kind', 'account', 'id', id, 'state', state, 'createdAt', created_at, 'lastPollAt', last_poll_at,
            'troubleSince', trouble_since, 'tokenExpiresOn', token_expires_on, 'keyVersion', token_key_version,
            'tokenReadAt', (SELECT read_at FROM token_checks WHERE account_id = accounts.id),
            'usesGrant', EXISTS (SELECT 1 FROM oauth_grants WHERE account_id = accounts.id),
            'gitlabMajor', CAST(gitlab_version AS INTEGER),
            'gitlabMinor', CAST(substr(gitlab_version, instr(gitlab_version, '.') + 1) AS INTEGER),
            'isEnterprise', gitlab_version LIKE '%-ee%',
            'watches', (SELECT count(*) FROM watches WHERE account_id = accounts.id))
        FROM accounts ORDER BY id DESC LIMIT ?
        """,
        """
        SELECT json_object('kind', 'device', 'id', id, 'account', account_id, 'environment', environment, 'platform', platform,
            'state', state, 'reason', state_reason, 'registeredAt', registered_at, 'stateChangedAt', state_changed_at,
            'throttledAt', throttled_at)
        FROM devices ORDER BY id DESC LIMIT ?
        """,
        """
        SELECT json_object('kind', 'delivery', 'id', id, 'notification', notification_id, 'device', device_id,
            'environment', environment, 'apnsId', apns_id, 'state', state, 'attempts', attempts,
            'nextAttemptAt', next_attempt_at, 'leaseUntil', lease_until, 'lastOutcome', last_outcome,
            'acceptedAt', accepted_at, 'finishedAt', finished_at)
        FROM deliveries ORDER BY id DESC LIMIT ?
        """,
        """
        SELECT json_object('kind', 'receipt', 'notification', notification_id, 'device', device_id, 'deliveredAt', delivered_at,
            'openedAt', opened_at)
        FROM receipts ORDER BY id DESC LIMIT ?
        """,
    ]

    /// The record as lines of JSON.
    ///
    /// - Parameters:
    ///   - database: the notifier's.
    ///   - zones: the rules of people's time zones.
    ///   - now: when the report is made.
    /// - Returns: the lines.
    /// - Throws: `SQLiteError`; `BackupError.foreign` for a database that is no notifier's.
    package static func lines(
        of database: Database,
        zones: any TimeZoneSource,
        at now: WallTime
    ) throws -> [String] {
        _ = try Maintenance.checkedVersion(of: database)
        let store = Store(database)
        let complaint = try store.integrityComplaint() == nil ? "none" : "damaged"
        let counts = try store.rowCounts().sorted { $0.key < $1.key }.compactMap { name, rows in
            try database.first("SELECT json_object('kind', 'table', 'name', ?, 'rows', ?)", name, rows) { $0.text(0) }
        }
        let clocks = IncidentClocks(zones: zones, now: now)
        let all = queries + IncidentStory.queries + [IncidentSignals.query]
        return [#"{"kind":"integrity","complaint":"\#(complaint)"}"#] + counts
            + (try all.flatMap { try database.rows($0, bindings: [limit]) { $0.text(0) } })
            + (try IncidentChoices(clocks: clocks).lines(of: database, limit: limit))
            + (try IncidentDuties(clocks: clocks).lines(of: database, limit: limit))
    }
}
