import Configuration
import HTTP
import Platform
import SQLite

/// A delivery that this process may send now, with all that sending needs.
struct ClaimedDelivery: Equatable, Sendable {
    var id: DeliveryID
    var device: DeviceID
    var account: AccountID
    /// Counted attempts, this one included.
    var attempts: Int
    var apnsID: String
    /// The notification's id that clients know.
    var notification: String
    var collapseID: String
    var payload: [UInt8]
    var deviceToken: SealedDeviceToken
    var environment: PushEnvironment
    var expiresAt: WallTime
    /// How often in a row APNs had called the device's pushes too many.
    var throttles = 0
    /// When it was claimed.
    var claimedAt: WallTime
    /// Whether it shows that APNs takes the token of a held device again.
    var isTrial = false
    /// Whether it says how far off a day is, which holds for a day (``DueWords``).
    var isOfDueDate = false
}

/// What one claim found.
struct ClaimResult: Equatable, Sendable {
    var claimed: [ClaimedDelivery] = []
    /// Deliveries whose news is too old by now; they are dead.
    var expired: [ClaimedDelivery] = []
    /// Deliveries of reminders, and of news, that nobody needs any more; they are dead.
    var moot: [ClaimedDelivery] = []
}

extension Store {
    /// Claims up to `limit` due deliveries of an environment: one `UPDATE … RETURNING` sets the lease and counts the attempt, so
    /// a crash at any later point leaves a lease behind, never a push that nobody remembers. What `policy` would not send is settled.
    /// Devices in `poorProbes` are left out while others' deliveries are due.
    func claim(
        _ environment: PushEnvironment,
        limit: Int,
        avoiding poorProbes: [DeviceID] = [],
        by policy: DeliveryPolicy,
        at now: WallTime,
        leaseUntil: WallTime
    ) throws -> ClaimResult {
        var ids = try take(environment, limit: limit, besides: poorProbes, at: now, leaseUntil: leaseUntil)
        if ids.isEmpty, !poorProbes.isEmpty {
            ids = try take(environment, limit: limit, besides: [], at: now, leaseUntil: leaseUntil)
        }
        ids.sort()
        var result = ClaimResult()
        for id in ids {
            guard let (delivery, device) = try claimed(id, at: now) else { continue }
            guard let end = policy.decide(expiresAt: delivery.expiresAt, device, now) else {
                result.claimed.append(delivery)
                continue
            }
            try finish(id, end, at: now)
            if end == DeliveryPolicy.expired { result.expired.append(delivery) }
            if end == DeliveryPolicy.moot { result.moot.append(delivery) }
            if end == DeliveryPolicy.moot, device.isOnTrial { try takeBackTrial(of: delivery.device, at: now) }
            // Whoever has read that somebody waits for them need not hear it, and may be reminded of it.
            if end == DeliveryPolicy.moot, device.isRead { try noteTold(through: id, at: now) }
        }
        return result
    }

    private func take(
        _ environment: PushEnvironment,
        limit: Int,
        besides devices: [DeviceID],
        at now: WallTime,
        leaseUntil: WallTime
    ) throws -> [DeliveryID] {
        try database.rows(
            """
            UPDATE deliveries SET state = 'claimed', lease_until = ?, attempts = attempts + 1
            WHERE id IN (
                SELECT id FROM deliveries
                WHERE state = 'queued' AND environment = ? AND next_attempt_at <= ?
                    AND device_id NOT IN (SELECT value FROM json_each(?))
                ORDER BY next_attempt_at, id LIMIT ?
            )
            RETURNING id
            """,
            leaseUntil,
            environment.rawValue,
            now,
            "[\(devices.map { String($0.rawValue) }.joined(separator: ","))]",
            limit
        ) { DeliveryID(rawValue: $0.int64(0)) }
    }

    /// When the next queued delivery of an environment is due; nil when there is none.
    func nextDue(_ environment: PushEnvironment) throws -> WallTime? {
        try database.first(
            """
            SELECT next_attempt_at FROM deliveries WHERE state = 'queued' AND environment = ?
            ORDER BY next_attempt_at LIMIT 1
            """,
            environment.rawValue
        ) { $0.wallTime(0) }
    }

    private func claimed(_ id: DeliveryID, at now: WallTime) throws -> (ClaimedDelivery, DeliveryPolicy.ClaimedDevice)?
    {
        try database.first(
            """
            SELECT d.device_id, d.attempts, d.apns_id, n.collapse_id, n.payload, n.expires_at,
                v.apns_token, v.environment, v.state, v.account_id = n.account_id, n.account_id,
                v.token_ciphertext, v.token_nonce, v.token_key_version, n.public_id,
                n.kind = 'reminder' AND EXISTS (
                    SELECT 1 FROM reminders AS r JOIN asks AS a ON a.id = r.ask_id
                    WHERE r.notification_id = n.id AND (
                        a.settled_at IS NOT NULL
                        OR EXISTS (
                            -- A later one has overtaken it, or the person has put off what comes next.
                            SELECT 1 FROM reminders WHERE ask_id = r.ask_id AND step > r.step
                                AND (state = 'sent' OR state = 'waiting' AND postponed_until > ?)
                        )
                        OR EXISTS (SELECT 1 FROM account_settings WHERE account_id = a.account_id AND reminders = 0)
                    )
                )
                OR n.kind = 'due' AND (
                    NOT EXISTS (
                        SELECT 1 FROM due_dates AS u JOIN watches AS w ON w.id = u.watch_id
                        WHERE w.account_id = n.account_id AND w.project_id = n.project_id
                            AND w.item_kind = n.item_kind AND w.item_iid = n.item_iid
                            AND n.fact_keys LIKE 'due/%/' || u.due_on || '/_'
                            AND (w.muted_until IS NULL OR w.muted_until <= ?)
                    )
                    OR EXISTS (SELECT 1 FROM account_settings WHERE account_id = n.account_id AND due_reminders = 0)
                ),
                n.kind = 'duty',
                -- What is refused while others wait for the end of a pause is not another time.
                max(0, v.throttle_count - EXISTS (
                    SELECT 1 FROM deliveries AS o
                    WHERE o.device_id = d.device_id AND o.state = 'queued' AND o.next_attempt_at > ?
                        AND o.last_outcome IN ('TooManyRequests', 'status_429')
                )),
                v.trial_at IS NOT NULL AND d.next_attempt_at < n.expires_at,
                n.read_at IS NOT NULL AND n.kind IN ('activity', 'digest', 'signal')
                    -- A to-do item that is done in GitLab speaks for itself alone, and not for what was told with it.
                    AND (n.read_changed_by <> '' OR instr(n.fact_keys, ' ') = 0),
                n.kind = 'due', n.kind IN ('auth_expired', 'token_expiring')
            FROM deliveries AS d
            JOIN notifications AS n ON n.id = d.notification_id
            JOIN devices AS v ON v.id = d.device_id
            WHERE d.id = ?
            """,
            now,
            now,
            now,
            id
        ) { row in
            // A state that nobody knows must not be pushed to.
            let state = DeviceState(rawValue: row.text(8)) ?? .dead
            // What waits for a held device to be one again is due when it expires.
            var device = DeliveryPolicy.ClaimedDevice(
                state: state,
                isRecipients: row.bool(9),
                isOnTrial: row.bool(18)
            )
            device.isRead = row.bool(19)
            device.isMoot =
                try row.bool(15) || row.bool(16) && isMootDutyReminder(through: id, at: now)
                || row.bool(21) && tellsOfFormerGitLabToken(id)
            return (try Self.claimed(id, row, at: now), device)
        }
    }

    private static func claimed(
        _ id: DeliveryID,
        _ row: borrowing Row,
        at now: WallTime
    ) throws -> ClaimedDelivery {
        guard let environment = PushEnvironment(rawValue: row.text(7)) else {
            throw StoreError.unreadable(column: "environment")
        }
        return ClaimedDelivery(
            id: id,
            device: DeviceID(rawValue: row.int64(0)),
            account: AccountID(rawValue: row.int64(10)),
            attempts: row.int(1),
            apnsID: row.text(2),
            notification: row.text(14),
            collapseID: row.text(3),
            payload: row.blob(4),
            deviceToken: SealedDeviceToken(
                digest: row.text(6),
                sealed: SealedSecret(ciphertext: row.blob(11), nonce: row.blob(12), keyVersion: row.int64(13))
            ),
            environment: environment,
            expiresAt: row.wallTime(5),
            throttles: row.int(17),
            claimedAt: now,
            isTrial: row.text(8) == DeviceState.held.rawValue,
            isOfDueDate: row.bool(20)
        )
    }
}

// MARK: - Outcomes

extension Store {
    /// Records what became of a claimed delivery and gives its lease back. Does nothing when the lease is not held any more.
    ///
    /// `outcome` is a word for `last_outcome`; without one the last stays.
    func finish(
        _ id: DeliveryID,
        _ disposition: DeliveryPolicy.Disposition,
        outcome: String? = nil,
        at now: WallTime
    ) throws {
        switch disposition {
        case .accepted:
            try database.execute(
                """
                UPDATE deliveries SET state = 'accepted', lease_until = NULL, last_outcome = 'accepted',
                    accepted_at = coalesce(accepted_at, ?), finished_at = ?
                WHERE id = ? AND state = 'claimed'
                """,
                now,
                now,
                id
            )
        case .dead(let reason):
            try database.execute(
                """
                UPDATE deliveries SET state = 'dead', lease_until = NULL, last_outcome = ?, finished_at = ?
                WHERE id = ? AND state = 'claimed'
                """,
                reason,
                now,
                id
            )
        case .retry(let instant, let isCounted):
            guard try !endAcknowledged(id, at: now) else { return }
            try requeue(id, at: instant, refund: isCounted ? 0 : 1, outcome: outcome)
        case .parked:
            guard try !endAcknowledged(id, at: now) else { return }
            try requeue(id, at: try expiry(of: id) ?? now, refund: 1, outcome: outcome)
        }
    }

    private func requeue(_ id: DeliveryID, at instant: WallTime, refund: Int, outcome: String?) throws {
        try database.execute(
            """
            UPDATE deliveries SET state = 'queued', lease_until = NULL, next_attempt_at = ?,
                attempts = max(0, attempts - ?), last_outcome = coalesce(?, last_outcome)
            WHERE id = ? AND state = 'claimed'
            """,
            instant,
            refund,
            outcome,
            id
        )
    }

    private func expiry(of id: DeliveryID) throws -> WallTime? {
        try database.first(
            "SELECT n.expires_at FROM deliveries AS d JOIN notifications AS n ON n.id = d.notification_id WHERE d.id = ?",
            id
        ) { $0.wallTime(0) }
    }

    /// What the policy decided, for the delivery and its device together. Nothing is changed when the delivery is gone with its
    /// account, whose numbers may stand for others by now.
    func apply(
        _ decision: DeliveryPolicy.Decision,
        to claim: ClaimedDelivery,
        outcome: String,
        at now: WallTime
    ) throws {
        guard try isKnown(claim) else { return }
        try finish(claim.id, decision.delivery, outcome: outcome, at: now)
        try apply(decision.device, to: claim.device, at: now)
    }

    /// What the policy decided for a device.
    func apply(_ action: DeliveryPolicy.DeviceAction, to device: DeviceID, at now: WallTime) throws {
        switch action {
        case .keep: break
        case .hold(let reason): try hold(device, reason: reason, at: now)
        case .deactivate(let reason): try deactivate(device, reason: reason, at: now)
        case .throttle(let instant, let count): try throttle(device, until: instant, count: count, at: now)
        }
    }
}

extension Store {
    private func isKnown(_ claim: ClaimedDelivery) throws -> Bool {
        try database.first(
            "SELECT 1 FROM deliveries WHERE id = ? AND apns_id = ?",
            claim.id,
            claim.apnsID
        ) { _ in true } ?? false
    }
}

// MARK: - Leases and clocks

extension Store {
    /// A delivery that was claimed by a process, or a step, that is gone.
    struct Reclaimed: Equatable, Sendable {
        var id: DeliveryID
        var apnsID: String
    }

    /// Puts claimed deliveries back whose lease has ended by `end`, or all of them when that is nil, except those in `keeping`.
    /// Their outcome is unknown: `policy` says when they go again, with the same ids (APNs facts §11).
    func reclaimLeases(
        endedBy end: WallTime?,
        keeping: Set<DeliveryID>,
        by policy: DeliveryPolicy,
        at now: WallTime
    ) throws -> [Reclaimed] {
        // Not by the index of all ids, in which few are claimed.
        let found = try database.rows(
            "SELECT id, apns_id, attempts FROM deliveries WHERE state = 'claimed' AND lease_until <= ? ORDER BY +id",
            end?.microseconds ?? .max
        ) { (id: DeliveryID(rawValue: $0.int64(0)), apnsID: $0.text(1), attempts: $0.int(2)) }
        return try found.filter { !keeping.contains($0.id) }.map { row in
            let next = policy.decideAfterCrash(attempts: row.attempts, now)
            try finish(row.id, next, outcome: DeliveryPolicy.crashOutcome, at: now)
            return Reclaimed(id: row.id, apnsID: row.apnsID)
        }
    }

    /// When the first lease ends that is not in `keeping`.
    func nextLeaseEnd(keeping: Set<DeliveryID>) throws -> WallTime? {
        try database.rows(
            "SELECT id, lease_until FROM deliveries WHERE state = 'claimed' ORDER BY lease_until, id"
        ) { (DeliveryID(rawValue: $0.int64(0)), $0.wallTime(1)) }
        .first { !keeping.contains($0.0) }?.1
    }

    /// The wall clock was set by `step` and shows `now`: moves what waits by as much, so that nobody waits for the clock.
    ///
    /// What is due by the new clock stays so. That is what was queued since the step, whose instants are by the new clock already; and,
    /// after a step ahead, what would have waited a little longer, which then goes a little early. News from before a step ahead keeps
    /// the time it had left until it expires, which lies no later than `limit`.
    func shiftQueue(by step: Duration, at now: WallTime, expiringBy limit: WallTime) throws {
        try database.execute(
            """
            UPDATE deliveries SET next_attempt_at = next_attempt_at + ?1
            WHERE state = 'queued' AND next_attempt_at > ?2
                -- What waits for the end of quiet hours is planned anew.
                AND (due_at IS NULL OR next_attempt_at <> due_at)
            """,
            step.wholeMicroseconds,
            now
        )
        if step > .zero { try shiftExpirations(by: step, at: now, expiringBy: limit) }
        if step < .zero { try shiftThrottles(by: step, at: now) }
        try shiftSilentPushes(by: step, at: now)
        try shiftTrials(by: step, at: now)
        try database.execute(
            "UPDATE deliveries SET lease_until = lease_until + ? WHERE state = 'claimed'",
            step.wholeMicroseconds
        )
    }

    /// When the newest notification that waits was made; nil when none does.
    func newestQueuedAt() throws -> WallTime? {
        try database.first(
            """
            SELECT created_at FROM notifications WHERE id IN (
                SELECT notification_id FROM deliveries WHERE state = 'queued'
                UNION ALL SELECT notification_id FROM deliveries WHERE state = 'claimed'
            ) ORDER BY created_at DESC LIMIT 1
            """
        ) { $0.wallTime(0) }
    }

    private func shiftExpirations(by step: Duration, at now: WallTime, expiringBy limit: WallTime) throws {
        let before = now.advanced(by: .zero - step)
        try database.execute(
            """
            UPDATE notifications SET expires_at = max(expires_at, min(expires_at + ?, ?))
            WHERE created_at <= ? AND expires_at > ? AND id IN (
                SELECT notification_id FROM deliveries WHERE state = 'queued'
                UNION ALL SELECT notification_id FROM deliveries WHERE state = 'claimed'
            )
            """,
            step.wholeMicroseconds,
            limit,
            before,
            before
        )
    }
}
