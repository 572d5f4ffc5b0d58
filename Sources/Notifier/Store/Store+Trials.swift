import Configuration
import Platform
import SQLite

/// Trials of held devices: one push each, now and then, shows whether APNs takes the token again.
extension Store {
    func isHeld(_ device: DeviceID) throws -> Bool {
        try database.first("SELECT state = 'held' FROM devices WHERE id = ?", device) { $0.bool(0) } ?? false
    }

    /// A device is held from now on. Without `isTried` only a registration ends that.
    func planTrials(of device: DeviceID, isTried: Bool, at now: WallTime) throws {
        let instant: WallTime? = isTried ? now.advanced(by: DeliveryPolicy.trialPause(after: 0)) : nil
        try database.execute("UPDATE devices SET trials = 0, trial_at = ? WHERE id = ?", instant, device)
    }

    /// Queues one delivery for each held device of an environment that is to be tried now: the newest that waits for it, or else the newest
    /// that its person has not read, though another device may have it. Where there is neither it is looked at again a little later. What may be
    /// pushed no more when its turn comes, such as a reminder of what is dealt with, is no trial. Of what speaks of a day, or of a turn, that shows
    /// only then (``takeBackTrial(of:at:)``): it is taken where there is nothing else, as somebody may be told of nothing else for weeks.
    func beginTrials(_ environment: PushEnvironment, by entropy: any EntropySource, at now: WallTime) throws {
        let due = try database.rows(
            """
            SELECT id, account_id, trials FROM devices
            WHERE state = 'held' AND trial_at <= ? AND environment = ? ORDER BY trial_at, id
            """,
            now,
            environment.rawValue
        ) { (id: DeviceID(rawValue: $0.int64(0)), account: AccountID(rawValue: $0.int64(1)), trials: $0.int(2)) }
        for device in due {
            var isBegun = try queueNewest(of: device.id, at: now)
            if !isBegun, let unread = try newestUnread(of: device.account, for: device.id, at: now) {
                isBegun = try requeue(unread, to: device.id, apnsID: entropy.uuidString(), at: now)
            }
            let trials = isBegun ? device.trials + 1 : device.trials
            try database.execute(
                "UPDATE devices SET trials = ?, trial_at = ? WHERE id = ?",
                trials,
                now.advanced(by: DeliveryPolicy.trialPause(after: isBegun ? trials : 0)),
                device.id
            )
        }
    }

    /// What a held device was to be tried with is pushed no more: it is tried with something else a little later, as if that had not been.
    func takeBackTrial(of device: DeviceID, at now: WallTime) throws {
        try database.execute(
            "UPDATE devices SET trials = max(0, trials - 1), trial_at = ? WHERE id = ? AND state = 'held'",
            now.advanced(by: DeliveryPolicy.trialPause(after: 0)),
            device
        )
    }

    /// When the next held device of an environment is to be tried; nil when none is.
    func nextTrial(_ environment: PushEnvironment) throws -> WallTime? {
        try database.first(
            """
            SELECT trial_at FROM devices WHERE state = 'held' AND trial_at IS NOT NULL AND environment = ?
            ORDER BY trial_at LIMIT 1
            """,
            environment.rawValue
        ) { $0.wallTime(0) }
    }

    /// The clock was set by `step` and shows `now`: trials move with it, as far as they can have been planned.
    func shiftTrials(by step: Duration, at now: WallTime) throws {
        try database.execute(
            "UPDATE devices SET trial_at = min(trial_at + ?, ?) WHERE state = 'held'",
            step.wholeMicroseconds,
            now.advanced(by: DeliveryPolicy.trialPause(after: .max))
        )
    }

    /// False when nothing waits for the device that is still news.
    private func queueNewest(of device: DeviceID, at now: WallTime) throws -> Bool {
        try database.execute(
            SQL(
                text: """
                    UPDATE deliveries SET next_attempt_at = ?
                    WHERE id = (
                        SELECT d.id FROM deliveries AS d JOIN notifications AS n ON n.id = d.notification_id
                        WHERE d.device_id = ? AND d.state = 'queued' AND n.expires_at > ? AND n.read_at IS NULL
                            AND n.kind <> 'reminder' AND NOT \(Self.isOfFormerGitLabToken)
                            AND ifnull(d.due_at <= ?, 1)
                        ORDER BY n.kind IN ('due', 'duty'), n.id DESC LIMIT 1
                    )
                    """
            ),
            now,
            device,
            now,
            now
        ) > 0
    }

    /// The newest of which the device has nothing, by push or by asking, and that is due.
    private func newestUnread(
        of account: AccountID,
        for device: DeviceID,
        at now: WallTime
    ) throws -> NotificationID? {
        try database.first(
            SQL(
                text: """
                    SELECT n.id FROM notifications AS n
                    WHERE n.account_id = ? AND n.expires_at > ? AND n.read_at IS NULL
                        AND n.kind <> 'reminder' AND NOT \(Self.isOfFormerGitLabToken)
                        AND NOT EXISTS (
                            SELECT 1 FROM deliveries AS d
                            WHERE d.notification_id = n.id AND (
                                d.device_id = ? AND (
                                    d.state <> 'dead' OR d.last_outcome = 'moot' AND n.kind IN ('due', 'duty')
                                ) OR d.due_at > ?
                            )
                        ) AND NOT EXISTS (
                            SELECT 1 FROM acknowledgements AS a JOIN sessions AS s ON s.id = a.session_id
                            JOIN devices AS v ON v.public_id = s.device_public_id
                            WHERE a.notification_id = n.id AND v.id = ?
                        )
                    ORDER BY n.kind IN ('due', 'duty'), n.id DESC LIMIT 1
                    """
            ),
            account,
            now,
            device,
            now,
            device
        ) { NotificationID(rawValue: $0.int64(0)) }
    }
}
