import Configuration
import Platform
import SQLite

/// Whether a device can be pushed to.
enum DeviceState: String, Sendable, CaseIterable {
    case active
    /// APNs refused the token in a way that may be our fault; its deliveries wait.
    case held
    /// APNs declared the token dead.
    case dead
}

/// What a device tells when it registers.
struct DeviceRegistration: Equatable, Sendable {
    var token: SealedDeviceToken
    var environment: PushEnvironment
    /// `ios` or `macos`.
    var platform: String
    var appVersion: String?
}

/// What registering made of a device.
struct RegisteredDevice: Equatable, Sendable {
    /// Where the device was before.
    enum History: Equatable, Sendable {
        case new
        /// It was registered here already, and could be pushed to.
        case known
        /// It was held or dead.
        case revived
        /// It belonged to another account.
        case moved
    }

    var id: DeviceID
    var publicID: String
    var history: History
    /// Whether it had another push token before.
    var replacedToken = false
    /// Whether what APNs took for that token stands here as its own.
    var hasFormerPushes = false

    /// Whether APNs may take what it did not take before: then the person gets what was given up.
    var isNewToAPNs: Bool { history != .known || replacedToken }
}

extension Store {
    /// Registers a token for an account: a new device, or the known one made active. One that belonged to another account moves, and
    /// what was queued for it there is dropped: the phone has a new owner.
    func register(
        _ device: DeviceRegistration,
        of account: AccountID,
        newPublicID: String,
        at now: WallTime
    ) throws -> RegisteredDevice {
        let known = try database.first(
            """
            SELECT id, public_id, account_id, state, platform IS ? AND app_version IS ? FROM devices
            WHERE apns_token = ? AND environment = ?
            """,
            device.platform,
            device.appVersion,
            device.token.digest,
            device.environment.rawValue
        ) { row in
            (
                id: DeviceID(rawValue: row.int64(0)), publicID: row.text(1), account: row.int64(2), state: row.text(3),
                isAlike: row.bool(4)
            )
        }
        guard let known else {
            let id = try insert(device, of: account, publicID: newPublicID, at: now)
            try raiseDataVersion(of: account)
            return RegisteredDevice(id: id, publicID: newPublicID, history: .new)
        }
        let isMoved = known.account != account.rawValue
        if isMoved {
            try raiseDataVersion(ofDevice: known.id)
            try dropDeliveries(to: known.id, reason: "device_moved", at: now)
            try dropSilentPushes(to: known.id)
        }
        try refresh(known.id, device, of: account, publicID: isMoved ? newPublicID : known.publicID, at: now)
        let isActive = known.state == DeviceState.active.rawValue
        if !isActive { try delayDeliveries(to: known.id, until: now, isRevival: true) }
        if isMoved || !isActive || !known.isAlike { try raiseDataVersion(of: account) }
        return RegisteredDevice(
            id: known.id,
            publicID: isMoved ? newPublicID : known.publicID,
            history: isMoved ? .moved : isActive ? .known : .revived
        )
    }

    /// True when the account has registered this token before.
    func hasDevice(_ device: DeviceRegistration, of account: AccountID) throws -> Bool {
        try database.first(
            "SELECT 1 FROM devices WHERE apns_token = ? AND environment = ? AND account_id = ? AND state <> 'dead'",
            device.token.digest,
            device.environment.rawValue,
            account
        ) { _ in true } ?? false
    }

    /// When the device was last registered.
    func registrationTime(of device: DeviceID) throws -> WallTime? {
        try database.first("SELECT registered_at FROM devices WHERE id = ?", device) { $0.wallTime(0) }
    }

    /// Notifications made since `start`, not expired nor read, that no app of the account ever got, by push or by asking: a new device gets them.
    /// Oldest first, at most the `limit` newest.
    func unacceptedNotifications(
        of account: AccountID,
        since start: WallTime,
        at now: WallTime,
        limit: Int
    ) throws -> [NotificationID] {
        try database.rows(
            """
            SELECT n.id FROM notifications AS n
            WHERE n.account_id = ? AND n.created_at > ? AND n.expires_at > ?
                AND (n.read_at IS NULL OR n.read_changed_by = '' AND instr(n.fact_keys, ' ') > 0) AND NOT EXISTS (
                SELECT 1 FROM deliveries AS d WHERE d.notification_id = n.id AND d.state = 'accepted'
            ) AND NOT EXISTS (SELECT 1 FROM acknowledgements AS a WHERE a.notification_id = n.id)
            ORDER BY n.id DESC LIMIT ?
            """,
            account,
            start,
            now,
            limit
        ) { NotificationID(rawValue: $0.int64(0)) }.reversed()
    }

    /// A device that can be pushed to again gets what is this new.
    private static let catchUp: Duration = .hours(24)
    /// Notifications of it, the newest.
    private static let catchUpLimit = 50
    /// Of those that a device gets which was held with many others, in one transaction: what was made meanwhile is minutes old.
    private static let releaseLimit = 10

    /// Queues for a device what the person has not received anywhere yet. Returns how many. What the operator announced waits until
    /// `quietEnd`.
    func catchUp(
        _ device: DeviceID,
        of account: AccountID,
        by entropy: any EntropySource,
        limit: Int = catchUpLimit,
        quietUntil quietEnd: WallTime? = nil,
        at now: WallTime
    ) throws -> Int {
        let start = now.advanced(by: .zero - Self.catchUp)
        let missed = try unacceptedNotifications(of: account, since: start, at: now, limit: limit)
        return try missed.count { notification in
            try requeue(notification, to: device, apnsID: entropy.uuidString(), quietUntil: quietEnd, at: now)
        }
    }

    /// Queues a notification for a device that missed it, anew when it was given up there. False when it is on its way or accepted. What is due
    /// later elsewhere is so here.
    func requeue(
        _ notification: NotificationID,
        to device: DeviceID,
        apnsID: String,
        quietUntil quietEnd: WallTime? = nil,
        at now: WallTime
    ) throws -> Bool {
        let dueAt = try dueTime(of: notification, quietUntil: quietEnd)
        return try database.execute(
            """
            INSERT INTO deliveries (notification_id, device_id, environment, apns_id, state, next_attempt_at, due_at)
            SELECT ?, id, environment, ?, 'queued', ?, ? FROM devices WHERE id = ?
            ON CONFLICT (notification_id, device_id) DO UPDATE
                SET state = 'queued', environment = excluded.environment, attempts = 0,
                    next_attempt_at = excluded.next_attempt_at, due_at = excluded.due_at, finished_at = NULL
                WHERE state = 'dead'
            """,
            notification,
            apnsID,
            max(now, dueAt ?? now),
            dueAt,
            device
        ) > 0
    }

    /// Stops pushing to a device whose token APNs refuses; its deliveries wait for a registration, for a trial that APNs takes
    /// (``beginTrials(_:by:at:)``) or their end. Those of a device that was ended meanwhile are dropped.
    func hold(_ device: DeviceID, reason: String, isTried: Bool = true, at now: WallTime) throws {
        if try !isHeld(device) {
            guard try setState(.held, of: device, reason: reason, at: now) else {
                return try dropDeliveries(to: device, reason: "device_dead", at: now)
            }
            try planTrials(of: device, isTried: isTried, at: now)
        }
        try database.execute(
            """
            UPDATE deliveries SET next_attempt_at =
                (SELECT n.expires_at FROM notifications AS n WHERE n.id = deliveries.notification_id)
            WHERE device_id = ? AND state = 'queued'
            """,
            device
        )
    }

    /// APNs has taken a held device's token again: it gets what was made meanwhile.
    func endTrials(of device: DeviceID, by entropy: any EntropySource, at now: WallTime) throws {
        try release([device], by: entropy, limit: Self.catchUpLimit, at: now)
    }

    /// Makes held devices active again, because the fault was not theirs, and queues for them what was made meanwhile.
    func release(
        _ devices: [DeviceID],
        by entropy: any EntropySource,
        limit: Int = releaseLimit,
        at now: WallTime
    ) throws {
        for device in devices {
            let owner = try database.first(
                """
                UPDATE devices SET state = 'active', state_reason = NULL, state_changed_at = ?
                WHERE id = ? AND state = 'held'
                RETURNING account_id
                """,
                now,
                device
            ) { AccountID(rawValue: $0.int64(0)) }
            guard let owner else { continue }
            try raiseDataVersion(ofDevice: device)
            try delayDeliveries(to: device, until: now, isRevival: true)
            _ = try catchUp(device, of: owner, by: entropy, limit: limit, at: now)
        }
    }

    /// APNs has refused a push because the device had got too many, `count` times in a row: none of those that wait goes out before `instant`,
    /// unless APNs takes a later one (``endThrottle(of:sentAt:at:)``). Pushes that were under way together are one time, and so is a later one
    /// while those wait.
    func throttle(_ device: DeviceID, until instant: WallTime, count: Int, at now: WallTime) throws {
        try database.execute(
            "UPDATE devices SET throttled_at = ?, throttle_count = max(throttle_count, ?) WHERE id = ?",
            now,
            count,
            device
        )
        try delayDeliveries(to: device, until: instant)
    }

    /// A push that was sent at `sentAt` was accepted. What waited because APNs had refused one before that goes out now.
    func endThrottle(of device: DeviceID, sentAt: WallTime, at now: WallTime) throws {
        let isOver =
            try database.execute(
                "UPDATE devices SET throttled_at = NULL, throttle_count = 0 WHERE id = ? AND throttled_at < ?",
                device,
                sentAt
            ) > 0
        guard isOver else { return }
        try database.execute(
            """
            UPDATE deliveries SET next_attempt_at = max(?1, ifnull(due_at, ?1))
            WHERE device_id = ?2 AND state = 'queued' AND next_attempt_at > ?1 AND next_attempt_at <= (
                SELECT max(next_attempt_at) FROM deliveries
                WHERE device_id = ?2 AND state = 'queued' AND last_outcome IN ('TooManyRequests', 'status_429')
            )
            """,
            now,
            device
        )
    }

    /// APNs has taken a push to the token that the device has registered lately. What it refused because it had not heard of that goes out now,
    /// in its order, and the refusal counts as no attempt.
    func endRefusals(of device: DeviceID, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE deliveries SET next_attempt_at = max(?1, ifnull(due_at, ?1)), attempts = max(0, attempts - 1)
            WHERE device_id = ?2 AND state = 'queued' AND next_attempt_at > ?1
                AND last_outcome IN (
                    'Unregistered', 'ExpiredToken', 'BadDeviceToken', 'DeviceTokenNotForTopic', 'status_410'
                )
                -- What is held, or throttled, waits for something else.
                AND EXISTS (SELECT 1 FROM devices WHERE id = ?2 AND state = 'active' AND throttled_at IS NULL)
            """,
            now,
            device
        )
    }

    /// Ends a device: nothing is sent to its token until it registers again.
    func deactivate(_ device: DeviceID, reason: String, at now: WallTime) throws {
        try setState(.dead, of: device, reason: reason, at: now)
        try dropDeliveries(to: device, reason: reason, at: now)
    }

    /// Lets no queued delivery of the device go out before `instant`; with `isRevival` they all go out then, or when they are due.
    func delayDeliveries(to device: DeviceID, until instant: WallTime, isRevival: Bool = false) throws {
        try database.execute(
            """
            UPDATE deliveries SET next_attempt_at = max(?1, ifnull(due_at, ?1))
            WHERE device_id = ?2 AND state = 'queued' AND (?3 OR next_attempt_at < ?1)
            """,
            instant,
            device,
            isRevival
        )
    }

    private func dropDeliveries(to device: DeviceID, reason: String, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE deliveries SET state = 'dead', last_outcome = ?, finished_at = ?
            WHERE device_id = ? AND state = 'queued'
            """,
            reason,
            now,
            device
        )
    }

    /// False for a device that is dead: only a registration brings it back, and why it ended stays.
    @discardableResult
    private func setState(_ state: DeviceState, of device: DeviceID, reason: String?, at now: WallTime) throws -> Bool {
        let isChanged =
            try database.execute(
                "UPDATE devices SET state = ?, state_reason = ?, state_changed_at = ? WHERE id = ? AND state <> 'dead'",
                state.rawValue,
                reason,
                now,
                device
            ) > 0
        if isChanged { try raiseDataVersion(ofDevice: device) }
        return isChanged
    }

    private func insert(
        _ device: DeviceRegistration,
        of account: AccountID,
        publicID: String,
        at now: WallTime
    ) throws -> DeviceID {
        try database.execute(
            """
            INSERT INTO devices (
                public_id, account_id, apns_token, token_ciphertext, token_nonce, token_key_version, environment, platform,
                app_version, state, registered_at, state_changed_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'active', ?, ?)
            """,
            publicID,
            account,
            device.token.digest,
            device.token.sealed.ciphertext,
            device.token.sealed.nonce,
            device.token.sealed.keyVersion,
            device.environment.rawValue,
            device.platform,
            device.appVersion,
            now,
            now
        )
        return DeviceID(rawValue: database.lastInsertRowID)
    }

    private func refresh(
        _ id: DeviceID,
        _ device: DeviceRegistration,
        of account: AccountID,
        publicID: String,
        at now: WallTime
    ) throws {
        try database.execute(
            """
            UPDATE devices SET account_id = ?, public_id = ?, platform = ?, app_version = ?, registered_at = ?,
                state_changed_at = CASE state WHEN 'active' THEN state_changed_at ELSE ? END,
                state = 'active', state_reason = NULL
            WHERE id = ?
            """,
            account,
            publicID,
            device.platform,
            device.appVersion,
            now,
            now,
            id
        )
    }
}
