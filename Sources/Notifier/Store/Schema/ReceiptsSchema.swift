/// What devices say about notifications, and what GitLab says about subscriptions.
enum ReceiptsSchema {
    /// A receipt is a lower bound: its absence proves nothing. One that names no device counts for the person. Who opened a
    /// notification has received it.
    static let version2 = """
        CREATE TABLE receipts (
            id INTEGER PRIMARY KEY,
            notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
            device_id INTEGER REFERENCES devices (id) ON DELETE CASCADE,
            delivered_at INTEGER NOT NULL,
            opened_at INTEGER CHECK (opened_at >= delivered_at)
        ) STRICT;
        CREATE UNIQUE INDEX receipts_by_notification ON receipts (notification_id, ifnull(device_id, 0));
        CREATE INDEX receipts_by_device ON receipts (device_id);
        CREATE INDEX receipts_by_age ON receipts (delivered_at);

        -- What was last known of the person's subscription to a watched item in GitLab.
        CREATE TABLE subscriptions (
            watch_id INTEGER PRIMARY KEY REFERENCES watches (id) ON DELETE CASCADE,
            is_subscribed INTEGER NOT NULL CHECK (is_subscribed IN (0, 1)),
            known_at INTEGER NOT NULL
        ) STRICT;
        """
}
