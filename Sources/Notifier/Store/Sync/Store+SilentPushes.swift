import Configuration
import Platform
import SQLite

/// Which devices are to be told that there is something to fetch.
extension Store {
    /// The revision at which something last changed that an account's devices keep alike; 0 when nothing ever did.
    func syncRevision(of account: AccountID) throws -> Int64 {
        try database.first(
            "SELECT revision FROM sync_rows WHERE account_id = ? ORDER BY revision DESC LIMIT 1",
            account
        ) { $0.int64(0) } ?? 0
    }

    /// A device has fetched all up to a revision. From now on it is told of what other devices change.
    func notePulled(_ revision: Int64, by device: DeviceID) throws {
        try database.execute(
            """
            INSERT INTO device_syncs (device_id, awaited_revision) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET due_at = NULL WHERE awaited_revision <= excluded.awaited_revision
            """,
            device,
            revision
        )
    }

    /// Whether ``notePulled(_:by:)`` has anything to write.
    func isPullNews(_ device: DeviceID) throws -> Bool {
        try database.first("SELECT due_at IS NOT NULL FROM device_syncs WHERE device_id = ?", device) {
            $0.bool(0)
        } ?? true
    }

    /// Plans a push for each device of the account that fetches, but the one that made the change.
    ///
    /// - Parameters:
    ///   - revision: what they have to fetch.
    ///   - account: whose devices.
    ///   - device: the id of the one that made the change, as clients know it; nil for a session without one.
    ///   - policy: says when.
    ///   - now: when it was changed.
    /// - Returns: whether there is any such device.
    /// - Throws: `SQLiteError`.
    func planSilentPushes(
        for revision: Int64,
        of account: AccountID,
        besides device: String?,
        by policy: SilentPushPolicy,
        at now: WallTime
    ) throws -> Bool {
        let others = try database.rows(
            """
            SELECT s.device_id, s.due_at, s.sent_at FROM device_syncs AS s JOIN devices AS v ON v.id = s.device_id
            WHERE v.account_id = ? AND v.public_id IS NOT ? ORDER BY s.device_id
            """,
            account,
            device
        ) { (id: DeviceID(rawValue: $0.int64(0)), due: $0.optionalWallTime(1), sent: $0.optionalWallTime(2)) }
        for other in others {
            try database.execute(
                "UPDATE device_syncs SET awaited_revision = ?, due_at = ? WHERE device_id = ?",
                revision,
                policy.due(changedAt: now, planned: other.due, sentAt: other.sent),
                other.id
            )
        }
        return !others.isEmpty
    }

    /// Takes up to `limit` pushes that are due; from now on they count as sent, whatever becomes of them.
    func claimSilentPushes(
        _ environment: PushEnvironment,
        limit: Int,
        at now: WallTime
    ) throws -> [SilentPush] {
        guard limit > 0, let due = try nextSilentPush(environment), due <= now else { return [] }
        let pushes = try database.rows(
            """
            SELECT v.id, v.account_id, v.apns_token, v.token_ciphertext, v.token_nonce, v.token_key_version, v.registered_at
            FROM device_syncs AS s JOIN devices AS v ON v.id = s.device_id
            WHERE s.due_at <= ? AND v.environment = ? AND v.state = 'active' ORDER BY s.due_at, v.id LIMIT ?
            """,
            now,
            environment.rawValue,
            limit
        ) { row in
            SilentPush(
                device: DeviceID(rawValue: row.int64(0)),
                account: AccountID(rawValue: row.int64(1)),
                deviceToken: SealedDeviceToken(
                    digest: row.text(2),
                    sealed: SealedSecret(ciphertext: row.blob(3), nonce: row.blob(4), keyVersion: row.int64(5))
                ),
                environment: environment,
                registeredAt: row.wallTime(6),
                claimedAt: now
            )
        }
        for push in pushes {
            try database.execute(
                "UPDATE device_syncs SET due_at = NULL, sent_at = ? WHERE device_id = ?",
                now,
                push.device
            )
        }
        return pushes
    }

    /// The phone has another owner: it is told nothing before it has fetched something for that one.
    func dropSilentPushes(to device: DeviceID) throws {
        try database.execute("DELETE FROM device_syncs WHERE device_id = ?", device)
    }

    /// Whether a push to this token would reach that device.
    func isRegistered(_ device: DeviceID, with token: SealedDeviceToken) throws -> Bool {
        try database.first("SELECT apns_token = ? FROM devices WHERE id = ?", token.digest, device) { $0.bool(0) }
            ?? false
    }

    /// Gives a push back that was claimed and not sent.
    func returnSilentPush(to device: DeviceID, at now: WallTime) throws {
        try database.execute("UPDATE device_syncs SET due_at = ? WHERE device_id = ?", now, device)
    }

    /// When the next push of an environment is due; nil when none is planned.
    func nextSilentPush(_ environment: PushEnvironment) throws -> WallTime? {
        try database.first(
            """
            SELECT s.due_at FROM device_syncs AS s JOIN devices AS v ON v.id = s.device_id
            WHERE s.due_at IS NOT NULL AND v.environment = ? AND v.state = 'active' ORDER BY s.due_at LIMIT 1
            """,
            environment.rawValue
        ) { $0.wallTime(0) }
    }

    /// The clock was set by `step` and shows `now`: pushes that are planned, and the memory of those that were sent, move with it. Which were
    /// planned by the new clock already nobody knows, so each goes within the time in which many changes become one push.
    func shiftSilentPushes(by step: Duration, at now: WallTime) throws {
        try database.execute(
            "UPDATE device_syncs SET due_at = min(due_at + ?, ?), sent_at = sent_at + ?",
            step.wholeMicroseconds,
            now.advanced(by: SilentPushPolicy.settling),
            step.wholeMicroseconds
        )
    }
}
