import Platform
import SQLite

/// What apps say they have taken over, by push or by asking: each for itself, and saying nothing of what the person has read.
extension Store {
    /// Notes that the app of a session has a notification. Repeating it changes nothing.
    ///
    /// Of the device it runs on that is a receipt as well, and what still waits to be pushed there is not pushed any more: the person has
    /// it before their eyes. A push under way goes on, but no further; the app knows the notification by its id.
    ///
    /// - Parameters:
    ///   - notification: the notification.
    ///   - session: the app's.
    ///   - device: what it runs on; nil while it has no push token.
    ///   - now: when it said so.
    /// - Returns: Whether the app had not said so before.
    /// - Throws: `SQLiteError`.
    func acknowledge(
        _ notification: NotificationID,
        in session: SessionID,
        on device: DeviceID?,
        at now: WallTime
    ) throws -> Bool {
        let isNew =
            try database.execute(
                """
                INSERT INTO acknowledgements (notification_id, session_id, acknowledged_at) VALUES (?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                notification,
                session,
                now
            ) > 0
        // Without pushes the time begins here.
        try noteTold(notification, at: now)
        guard let device else { return isNew }
        _ = try record(.delivered, of: notification, on: device, at: now)
        try database.execute(
            """
            UPDATE deliveries SET state = 'acknowledged', last_outcome = 'acknowledged', finished_at = ?
            WHERE notification_id = ? AND device_id = ? AND state = 'queued'
            """,
            now,
            notification,
            device
        )
        return isNew
    }

    /// Ends a delivery whose push did not arrive, or may not have, when its device has said since that it has the notification: nobody needs
    /// an alert of what they have seen. What was to go again although it was there goes.
    ///
    /// - Parameters:
    ///   - delivery: one that is claimed.
    ///   - now: when its attempt was over.
    /// - Returns: Whether it has ended.
    /// - Throws: `SQLiteError`.
    func endAcknowledged(_ delivery: DeliveryID, at now: WallTime) throws -> Bool {
        let hasEnded =
            try database.execute(
                """
                UPDATE deliveries SET state = 'acknowledged', lease_until = NULL, last_outcome = 'acknowledged',
                    finished_at = ?
                WHERE id = ? AND state = 'claimed' AND EXISTS (
                    SELECT 1 FROM receipts AS r
                    WHERE r.notification_id = deliveries.notification_id AND ifnull(r.device_id, 0) = deliveries.device_id
                        AND r.delivered_at >= deliveries.next_attempt_at
                )
                """,
                now,
                delivery
            ) > 0
        if hasEnded { try noteTold(through: delivery, at: now) }
        return hasEnded
    }

    /// Whether the app of a session, or the device it runs on, has said that it has the notification.
    func isAcknowledged(_ notification: NotificationID, in session: SessionID, on device: DeviceID?) throws -> Bool {
        try database.first(
            """
            SELECT EXISTS (SELECT 1 FROM acknowledgements WHERE notification_id = ? AND session_id = ?)
                OR EXISTS (SELECT 1 FROM receipts WHERE notification_id = ? AND ifnull(device_id, 0) = ?)
            """,
            notification,
            session,
            notification,
            device
        ) { $0.bool(0) } ?? false
    }
}
