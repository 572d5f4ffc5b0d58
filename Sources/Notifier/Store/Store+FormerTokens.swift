import Platform
import SQLite

/// What APNs took for a push token that was of use no more.
extension Store {
    /// An app tells its next token within so long, as a rule: APNs answers 200 for the former one all the while, and shows nothing
    /// (APNs facts §10, §15).
    private static let formerTokens: Duration = .hours(1)
    /// Notifications of it, the newest.
    private static let formerTokenLimit = 20

    /// Queues for a device that has another token what APNs took lately for the former one, unless somebody has read it, the device has said
    /// that it has it, or a reminder stands in its place. It keeps its `apns-id` and collapse id: what was shown is replaced.
    ///
    /// Left out is what speaks of a day: more of that comes, and what it says is old. So is that GitLab refuses a token, once there is another.
    ///
    /// - Parameters:
    ///   - device: the device, which has its next token.
    ///   - now: the time.
    /// - Returns: How many.
    /// - Throws: `SQLiteError`.
    func sendAgain(to device: DeviceID, at now: WallTime) throws -> Int {
        try database.execute(
            """
            UPDATE deliveries SET state = 'queued', attempts = 0, finished_at = NULL, next_attempt_at = ?1,
                environment = (SELECT v.environment FROM devices AS v WHERE v.id = deliveries.device_id)
            WHERE id IN (
                SELECT d.id FROM deliveries AS d JOIN notifications AS n ON n.id = d.notification_id
                JOIN devices AS v ON v.id = d.device_id AND v.account_id = n.account_id
                WHERE d.device_id = ?2 AND d.state = 'accepted' AND d.accepted_at > ?3 AND n.expires_at > ?1
                    AND n.kind NOT IN ('due', 'duty') AND (
                        n.kind <> 'auth_expired'
                        OR EXISTS (SELECT 1 FROM accounts WHERE id = n.account_id AND state = 'auth_expired')
                    )
                    AND (n.read_at IS NULL OR n.read_changed_by = '' AND instr(n.fact_keys, ' ') > 0)
                    AND NOT EXISTS (
                        SELECT 1 FROM receipts AS r WHERE r.notification_id = n.id AND ifnull(r.device_id, 0) = ?2
                    )
                    AND NOT EXISTS (
                        SELECT 1 FROM acknowledgements AS a JOIN sessions AS s ON s.id = a.session_id
                        WHERE a.notification_id = n.id AND s.device_public_id = v.public_id
                    ) AND NOT EXISTS (
                        SELECT 1 FROM notifications AS later
                        WHERE later.account_id = n.account_id AND later.id > n.id AND later.collapse_id = n.collapse_id
                    )
                ORDER BY n.id DESC LIMIT ?4
            )
            """,
            now,
            device,
            now.advanced(by: .zero - Self.formerTokens),
            Self.formerTokenLimit
        )
    }
}
