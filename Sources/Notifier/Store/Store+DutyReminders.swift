import Duties
import Platform
import SQLite

/// When people are told of their turns by the clock, and what they were told.
extension Store {
    /// A duty is looked at then, or with nil no more until something about it changes.
    func lookAtDuty(_ duty: Int64, at next: WallTime?) throws {
        try database.execute(
            """
            INSERT INTO duty_reminders (duty_id, next_at) SELECT id, ?2 FROM duties WHERE id = ?1
            ON CONFLICT DO UPDATE SET next_at = excluded.next_at
            """,
            duty,
            next
        )
    }

    /// A duty is another: it is looked at now, or counts as waiting since it was to be looked at.
    func lookAtChangedDuty(_ duty: Int64, at now: WallTime) throws {
        try database.execute(
            """
            INSERT INTO duty_reminders (duty_id, next_at) SELECT id, ?2 FROM duties WHERE id = ?1
            ON CONFLICT DO UPDATE SET next_at = min(coalesce(next_at, excluded.next_at), excluded.next_at)
            """,
            duty,
            now
        )
    }

    /// What the account's person wants to hear is something else: its duties are looked at now.
    func lookAtDuties(of account: AccountID, at now: WallTime) throws {
        try database.execute(
            """
            UPDATE duty_reminders SET next_at = ?
            WHERE duty_id IN (SELECT duty_id FROM duty_members WHERE account_id = ?)
            """,
            now,
            account
        )
    }

    /// The clock is another, or may be: what is put off is looked at now, and with `alsoOver` that of which nothing was to come as well.
    func lookAtDuties(at now: WallTime, alsoOver: Bool) throws {
        try database.execute(
            "UPDATE duty_reminders SET next_at = ?1 WHERE next_at > ?1 OR ?2 AND next_at IS NULL",
            now,
            alsoOver ? 1 : 0
        )
    }

    /// When the next duty is looked at; nil when nothing is to come. One look at an index.
    func nextDutyLook() throws -> WallTime? {
        try database.first("SELECT next_at FROM duty_reminders WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1") {
            $0.wallTime(0)
        }
    }

    /// Numbers of duties that are to be looked at, and since when, the one that waits longest first.
    func dutiesToLookAt(at now: WallTime, limit: Int) throws -> [(number: Int64, since: WallTime)] {
        try database.rows(
            "SELECT duty_id, next_at FROM duty_reminders WHERE next_at <= ? ORDER BY next_at, duty_id LIMIT ?",
            now,
            limit
        ) { (number: $0.int64(0), since: $0.wallTime(1)) }
    }

    /// What an account was told of an occurrence by the clock, as it is due now, or what was left out for good.
    func toldDutySteps(of occurrence: Occurrence, to account: AccountID) throws -> Set<DutyStep> {
        Set(
            try DutyStep.allCases.filter { step in try notifiedFact(.duty(occurrence, step), to: account) != nil }
        )
    }

    /// Something was told, or is left out for good. That is remembered beyond the end of its use, however long ahead it came.
    func finish(_ slot: DutyReminderPolicy.Slot, of occurrence: Occurrence, to account: AccountID, at now: WallTime)
        throws
    {
        try insertNotifiedFact(
            .duty(occurrence, slot.step),
            to: account,
            occurredAt: now,
            at: max(now, slot.until)
        )
    }

    /// That a turn came to somebody is not told after all: they are reminded of it, since nobody said it.
    func forgetToldTurn(_ fact: HeldFact, to account: AccountID, at now: WallTime) throws {
        // `duty/`, the occurrence, and what of it.
        guard let id = EntityID(String(fact.key.dropFirst(5).prefix(36))), let place = try occurrencePlace(id),
            let record = try duty(number: place.duty), let turn = try occurrence(place.index, of: record)
        else { return }
        // What was told before the turn came stays told.
        let count = try database.execute(
            "DELETE FROM notified_facts WHERE account_id = ? AND fact_key = ? AND occurred_at = ?",
            account,
            FactKey.duty(turn, .ahead).text,
            fact.occurredAt
        )
        if count > 0 { try lookAtChangedDuty(place.duty, at: now) }
    }

    /// Ends what duties ask of people whose turn it is no more: it is over, another's, due at another time, or the duty asks no more.
    ///
    /// - Returns: How many were open.
    @discardableResult
    func reviewDutyAsks(of duty: DutyRecord, at now: WallTime) throws -> Int {
        var count = 0
        for account in duty.accounts {
            let asks = try database.rows(
                """
                SELECT a.public_id, EXISTS (
                    SELECT 1 FROM duty_occurrences WHERE public_id = substr(a.ask_key, 6, 36)
                        AND status IN ('completed', 'skipped')
                )
                FROM asks AS a
                WHERE a.account_id = ? AND a.settled_at IS NULL AND a.kind = 'duty_due' AND a.subject = ?
                    AND NOT EXISTS (
                        SELECT 1 FROM duty_occurrences AS o JOIN duty_members AS m ON m.public_id = o.assignee
                            JOIN duties AS d ON d.id = o.duty_id
                        WHERE o.public_id = substr(a.ask_key, 6, 36) AND o.status IN ('pending', 'reassigned')
                            AND m.account_id = a.account_id AND d.escalates = 1
                            AND a.ask_key = 'duty/' || o.public_id || '/due/' || (o.due_at / 1000000)
                    )
                ORDER BY a.id
                """,
                account,
                DutyReference.subject(of: duty.duty.id.description)
            ) { (id: $0.text(0), isOver: $0.bool(1)) }
            for ask in asks {
                count += try settleAsks(
                    .id(ask.id),
                    of: account,
                    by: ask.isOver ? .occurrenceEnded : .turnPassed,
                    at: now
                )
            }
        }
        return count
    }

    /// A turn came to somebody who may have had it before: that it is due is told and asked of them as if they had not.
    func forgetDutyAsk(of occurrence: Occurrence, to account: AccountID) throws {
        let key = FactKey.duty(occurrence, .due).text
        // Pushes of what was asked then may still wait: that it is over its row says, under another key.
        try database.execute(
            """
            UPDATE asks SET ask_key = ask_key || '/' || id
            WHERE account_id = ? AND ask_key = ? AND settled_at IS NOT NULL
            """,
            account,
            key
        )
        try database.execute(
            """
            DELETE FROM notified_facts WHERE account_id = ?1 AND fact_key = ?2
                AND NOT EXISTS (SELECT 1 FROM asks WHERE account_id = ?1 AND ask_key = ?2)
            """,
            account,
            key
        )
    }

    /// Puts away what an account was asked for an occurrence as it is due now, and let off because the duty had asked for it no more.
    ///
    /// - Returns: Whether there was such an ask.
    func putAwayPassedAsk(of occurrence: Occurrence, to account: AccountID) throws -> Bool {
        try database.execute(
            """
            UPDATE asks SET ask_key = ask_key || '/' || id
            WHERE account_id = ? AND ask_key = ? AND settled_by = 'turn_passed'
            """,
            account,
            FactKey.duty(occurrence, .due).text
        ) > 0
    }

    /// Under which id on screens the account was told before that the turn is due, if it has come back.
    func formerDutyAsk(of occurrence: Occurrence, to account: AccountID) throws -> String? {
        try database.first(
            """
            SELECT n.collapse_id FROM asks AS a JOIN notifications AS n ON n.id = a.notification_id
            WHERE a.account_id = ?1 AND a.ask_key > ?2 || '/' AND a.ask_key < ?2 || '0' ORDER BY a.id DESC LIMIT 1
            """,
            account,
            FactKey.duty(occurrence, .due).text
        ) { $0.text(0) }
    }

    /// The occurrence that an open ask is about; nil for what is asked elsewhere.
    func turn(askedBy publicID: String, of account: AccountID) throws -> EntityID? {
        try database.first(
            """
            SELECT substr(ask_key, 6, 36) FROM asks
            WHERE public_id = ? AND account_id = ? AND settled_at IS NULL AND kind = 'duty_due'
            """,
            publicID,
            account
        ) { try Self.entity($0.text(0), "ask_key") }
    }

    /// Whether what a delivery tells of a turn by the clock is not so any more: it is over, another's, or due at another time, it was
    /// told meanwhile that it is due, it was another's and is asked for anew, or the person has muted the duty.
    func isMootDutyReminder(through delivery: DeliveryID, at now: WallTime) throws -> Bool {
        try database.first(
            """
            SELECT NOT EXISTS (
                SELECT 1 FROM duty_occurrences AS o JOIN duty_members AS m ON m.public_id = o.assignee
                    JOIN duties AS u ON u.id = o.duty_id
                WHERE o.public_id = substr(n.fact_keys, 6, 36) AND o.status IN ('pending', 'reassigned')
                    AND m.account_id = n.account_id AND (n.action_type = 'duty_reminder' OR u.escalates = 1)
                    AND n.fact_keys IN (
                        'duty/' || o.public_id || '/ahead/' || (o.due_at / 1000000),
                        'duty/' || o.public_id || '/due/' || (o.due_at / 1000000)
                    )
            ) OR n.action_type = 'duty_reminder' AND (
                EXISTS (
                    SELECT 1 FROM notified_facts AS f
                    WHERE f.account_id = n.account_id AND f.fact_key = replace(n.fact_keys, '/ahead/', '/due/')
                )
                OR EXISTS (SELECT 1 FROM account_settings WHERE account_id = n.account_id AND due_reminders = 0)
            ) OR n.action_type = 'duty_due' AND EXISTS (
                SELECT 1 FROM asks WHERE notification_id = n.id AND settled_at IS NOT NULL
            ) OR EXISTS (
                SELECT 1 FROM duty_occurrences AS o JOIN duty_mutes AS m ON m.duty_id = o.duty_id
                WHERE o.public_id = substr(n.fact_keys, 6, 36) AND m.account_id = n.account_id AND m.muted_until > ?
            )
            FROM deliveries AS d JOIN notifications AS n ON n.id = d.notification_id
            WHERE d.id = ? AND n.kind = 'duty' AND n.action_type IN ('duty_reminder', 'duty_due')
            """,
            now,
            delivery
        ) { $0.bool(0) } ?? false
    }
}

extension FactKey {
    /// That the person is told of their turn by the clock.
    static func duty(_ occurrence: Occurrence, _ step: DutyStep) -> FactKey {
        .duty(occurrence: occurrence.id.description, change: "\(step.rawValue)/\(occurrence.dueAt)")
    }
}
