import Platform
import SQLite

/// How the apps learn that something has changed. Each rise belongs to the transaction that makes the change, so nobody sees one
/// without the other. What devices keep alike raises the number by triggers, which give each row its revision by that.
extension Store {
    /// An account's numbers.
    func versions(of account: AccountID) throws -> AccountVersions? {
        try database.first("SELECT data_version, notification_version FROM accounts WHERE id = ?", account) {
            AccountVersions(data: $0.int64(0), notifications: $0.int64(1))
        }
    }

    /// Something has changed that the account's routes show, other than a new notification.
    func raiseDataVersion(of account: AccountID) throws {
        try database.execute("UPDATE accounts SET data_version = data_version + 1 WHERE id = ?", account)
    }

    /// Something has changed about a device.
    func raiseDataVersion(ofDevice device: DeviceID) throws {
        try database.execute(
            """
            UPDATE accounts SET data_version = data_version + 1
            WHERE id = (SELECT account_id FROM devices WHERE id = ?)
            """,
            device
        )
    }

    /// The account has a notification more.
    func raiseNotificationVersion(of account: AccountID) throws {
        try database.execute(
            "UPDATE accounts SET notification_version = notification_version + 1 WHERE id = ?",
            account
        )
    }

    /// The highest number of any account; nil without accounts.
    func highestVersion() throws -> Int64? {
        try database.first("SELECT max(max(data_version, notification_version)) FROM accounts") { $0.optionalInt64(0) }
            ?? nil
    }

    /// This database was brought back from a backup: no number may be one that an app has seen.
    func leapVersions(over former: Int64?, at now: WallTime) throws {
        let accounts = try database.rows("SELECT id, data_version, notification_version FROM accounts ORDER BY id") {
            (id: AccountID(rawValue: $0.int64(0)), data: $0.int64(1), notifications: $0.int64(2))
        }
        for account in accounts {
            try database.execute(
                "UPDATE accounts SET data_version = ?, notification_version = ? WHERE id = ?",
                AccountVersions.leap(account.data, over: former, at: now),
                AccountVersions.leap(account.notifications, over: former, at: now),
                account.id
            )
            // What devices have heard of since the backup is not in it.
            try raiseSyncFloor(of: account.id, to: AccountVersions.leap(account.data, over: former, at: now))
        }
    }
}
