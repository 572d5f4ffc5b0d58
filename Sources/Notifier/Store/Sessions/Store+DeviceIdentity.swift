import Configuration
import Platform
import SQLite

/// A device as its person sees it in the list.
struct ListedDevice: Equatable, Sendable {
    var publicID: String
    var platform: String
    var name: String?
    var appVersion: String?
    var environment: String?
    /// `active`, `held`, `dead`, or `paired` while it has no push token.
    var state: String
    var registeredAt: WallTime
}

extension Store {
    /// The account's devices: those that can be pushed to, and those that have a session. Oldest first.
    func devices(of account: AccountID) throws -> [ListedDevice] {
        try database.rows(
            """
            SELECT v.public_id, v.platform, s.device_name, v.app_version, v.environment,
                CASE WHEN v.state = 'dead' AND v.state_reason = ? THEN 'paired' ELSE v.state END, v.registered_at
            FROM devices AS v LEFT JOIN sessions AS s ON s.device_public_id = v.public_id
            WHERE v.account_id = ? AND (v.state <> 'dead' OR s.id IS NOT NULL)
            UNION ALL
            SELECT s.device_public_id, s.platform, s.device_name, NULL, NULL, 'paired', s.created_at
            FROM sessions AS s
            WHERE s.account_id = ? AND s.device_public_id IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM devices AS v WHERE v.public_id = s.device_public_id)
            ORDER BY 7, 1
            """,
            Self.switchedOff,
            account,
            account
        ) { row in
            ListedDevice(
                publicID: row.text(0),
                platform: row.text(1),
                name: row.optionalText(2),
                appVersion: row.optionalText(3),
                environment: row.optionalText(4),
                state: row.text(5),
                registeredAt: row.wallTime(6)
            )
        }
    }

    /// The row of one of the account's devices that was not removed, by the id that clients know.
    func presentDevice(publicID: String, of account: AccountID) throws -> DeviceID? {
        try database.first(
            "SELECT id FROM devices WHERE public_id = ? AND account_id = ? AND (state <> 'dead' OR state_reason IS NOT 'removed')",
            publicID,
            account
        ) { DeviceID(rawValue: $0.int64(0)) }
    }

    /// Why a device ended whose person wants no pushes there, and still uses the app.
    static let switchedOff = "switched_off"

    /// The rows of a token among the account's devices that are not dead, whichever service of Apple's made it.
    func livingDevices(token digest: String, of account: AccountID) throws -> [DeviceID] {
        try database.rows(
            "SELECT id FROM devices WHERE apns_token = ? AND account_id = ? AND state <> 'dead' ORDER BY id",
            digest,
            account
        ) { DeviceID(rawValue: $0.int64(0)) }
    }

    /// Lets clients know a device by another id, which no device has. A session under its former id ends.
    func rename(_ device: DeviceID, to publicID: String) throws {
        try database.execute(
            "DELETE FROM sessions WHERE device_public_id = (SELECT public_id FROM devices WHERE id = ? AND public_id <> ?)",
            device,
            publicID
        )
        try database.execute("UPDATE devices SET public_id = ? WHERE id = ?", publicID, device)
    }

    /// Ends a device for good because its person removed it. What it was told stays in the history.
    func remove(_ device: DeviceID, at now: WallTime) throws {
        try deactivate(device, reason: "removed", at: now)
        // A token that APNs ended before has another reason, which is of no use any more.
        try database.execute("UPDATE devices SET state_reason = 'removed' WHERE id = ?", device)
    }

    /// Lets clients know a row whose place another one takes by another id, so that its own is free.
    func giveUpID(of device: DeviceID, for publicID: String) throws {
        try database.execute("UPDATE devices SET public_id = ? WHERE id = ?", publicID, device)
    }

    /// Ends a row whose place another one has taken. What waits for it goes there, unless the other has the same.
    func retire(_ device: DeviceID, for successor: DeviceID, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE OR IGNORE deliveries SET device_id = ?1, attempts = 0,
                environment = (SELECT v.environment FROM devices AS v WHERE v.id = ?1),
                next_attempt_at = min(next_attempt_at, max(?2, ifnull(due_at, ?2)))
            WHERE device_id = ?3 AND state = 'queued'
            """,
            successor,
            now,
            device
        )
        try remove(device, at: now)
    }

    /// The row that a token has, whoever it belongs to.
    func device(token: SealedDeviceToken, environment: PushEnvironment) throws -> DeviceID? {
        try database.first(
            "SELECT id FROM devices WHERE apns_token = ? AND environment = ?",
            token.digest,
            environment.rawValue
        ) { DeviceID(rawValue: $0.int64(0)) }
    }

    /// Gives a device another token, which no device has. What waits for it goes to the new one.
    func changeToken(of device: DeviceID, to registration: DeviceRegistration, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE devices SET apns_token = ?, token_ciphertext = ?, token_nonce = ?, token_key_version = ?, environment = ?,
                throttle_count = 0
            WHERE id = ?
            """,
            registration.token.digest,
            registration.token.sealed.ciphertext,
            registration.token.sealed.nonce,
            registration.token.sealed.keyVersion,
            registration.environment.rawValue,
            device
        )
        // Claims are made per environment, so what waits moves with its device, and what is under way, since it may have to wait again. What
        // was given up moves when it is queued anew. What APNs said of the former token says nothing of this one: what waits for that, tried or
        // not, goes now, or when it is due, with fresh attempts.
        try database.execute(
            """
            UPDATE deliveries SET environment = ?1, attempts = 0,
                next_attempt_at = min(next_attempt_at, max(?2, ifnull(due_at, ?2)))
            WHERE device_id = ?3 AND state = 'queued'
            """,
            registration.environment.rawValue,
            now,
            device
        )
        try database.execute(
            """
            UPDATE deliveries SET environment = ?, attempts = min(attempts, 1)
            WHERE device_id = ? AND state = 'claimed'
            """,
            registration.environment.rawValue,
            device
        )
    }
}
