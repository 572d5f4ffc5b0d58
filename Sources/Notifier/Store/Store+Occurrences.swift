import Duties
import Platform
import SQLite

/// Occurrences of duties, and what happened to them.
extension Store {
    /// Occurrences of a duty that are due from an instant on, the first first.
    func occurrences(of duty: DutyRecord, from start: WallTime, limit: Int) throws -> [Occurrence] {
        try database.rows(
            """
            SELECT occurrence_index, due_at, assignee, status, decided_at, decided_by FROM duty_occurrences
            WHERE duty_id = ? AND due_at >= ? ORDER BY occurrence_index LIMIT ?
            """,
            duty.id,
            start,
            limit
        ) { try Self.occurrence($0, of: duty.duty.id) }
    }

    /// Occurrences of a duty that are not over, due from an instant on, the first first.
    func openOccurrences(
        of duty: DutyRecord,
        from start: WallTime = WallTime(microseconds: .min),
        limit: Int
    ) throws -> [Occurrence] {
        try database.rows(
            """
            SELECT occurrence_index, due_at, assignee, status, decided_at, decided_by FROM duty_occurrences
            WHERE duty_id = ? AND status IN ('pending', 'reassigned') AND due_at >= ? ORDER BY occurrence_index LIMIT ?
            """,
            duty.id,
            start,
            limit
        ) { try Self.occurrence($0, of: duty.duty.id) }
    }

    /// One occurrence; nil when it is not kept.
    func occurrence(_ index: Int, of duty: DutyRecord) throws -> Occurrence? {
        try database.first(
            """
            SELECT occurrence_index, due_at, assignee, status, decided_at, decided_by FROM duty_occurrences
            WHERE duty_id = ? AND occurrence_index = ?
            """,
            duty.id,
            index
        ) { try Self.occurrence($0, of: duty.duty.id) }
    }

    /// Writes one as it is now.
    func setOccurrence(_ occurrence: Occurrence, of duty: Int64) throws {
        try database.execute(
            """
            INSERT INTO duty_occurrences (duty_id, occurrence_index, public_id, due_at, assignee, status, decided_at,
                decided_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (duty_id, occurrence_index) DO UPDATE SET due_at = excluded.due_at, assignee = excluded.assignee,
                status = excluded.status, decided_at = excluded.decided_at, decided_by = excluded.decided_by
            """,
            duty,
            occurrence.index,
            occurrence.id.description,
            WallTime(secondsSinceEpoch: occurrence.dueAt),
            occurrence.assignee?.description,
            occurrence.status.rawValue,
            occurrence.decision.map { WallTime(secondsSinceEpoch: $0.at) },
            occurrence.decision?.id.description
        )
    }

    /// Forgets occurrences below an index, and what happened to them; everybody who takes part hears that they are no more.
    func forgetOccurrences(of duty: DutyRecord, below index: Int) throws {
        for account in duty.accounts {
            try forgetSyncRows(
                of: account,
                """
                (entity = 'occurrence' AND row_key IN (
                    SELECT public_id FROM duty_occurrences WHERE duty_id = ?2 AND occurrence_index < ?3
                ) OR entity = 'dutyEvent' AND row_key IN (
                    SELECT public_id FROM duty_events WHERE duty_id = ?2 AND occurrence_index < ?3
                ))
                """,
                duty.id,
                index
            )
        }
        try database.execute("DELETE FROM duty_events WHERE duty_id = ? AND occurrence_index < ?", duty.id, index)
        try database.execute("DELETE FROM duty_occurrences WHERE duty_id = ? AND occurrence_index < ?", duty.id, index)
    }

    // MARK: What happened

    /// All that happened to a duty's occurrences that is kept, or to one of them.
    func dutyEvents(of duty: DutyRecord, only index: Int? = nil) throws -> DutyEvents {
        var events = DutyEvents()
        for event in try database.rows(
            """
            SELECT public_id, occurrence_index, kind, by_member, to_member, happened_at, note FROM duty_events
            WHERE duty_id = ? AND occurrence_index BETWEEN ? AND ? ORDER BY public_id
            """,
            duty.id,
            index ?? 0,
            index ?? .max,
            decode: { try Self.event($0, of: duty.duty.id) }
        ) {
            switch event.what {
            case .completion(let completion): _ = events.take(completion)
            case .reassignment(let reassignment): _ = events.take(reassignment)
            }
        }
        return events
    }

    /// Something that happened, by its id, to a duty in which the account takes part.
    func dutyEvent(_ id: EntityID, of account: AccountID) throws -> DutyEvent? {
        let found = try database.first(
            """
            SELECT duties.public_id FROM duty_events e JOIN duties ON duties.id = e.duty_id
            JOIN duty_members ON duty_members.duty_id = e.duty_id
            WHERE e.public_id = ? AND duty_members.account_id = ?
            """,
            id.description,
            account
        ) { try Self.entity($0.text(0), "public_id") }
        guard let found else { return nil }
        return try database.first(
            """
            SELECT public_id, occurrence_index, kind, by_member, to_member, happened_at, note FROM duty_events
            WHERE public_id = ?
            """,
            id.description
        ) { try Self.event($0, of: found) }
    }

    /// How much happened to one occurrence.
    func dutyEventCount(_ index: Int, of duty: DutyRecord) throws -> Int {
        try database.first(
            "SELECT count(*) FROM duty_events WHERE duty_id = ? AND occurrence_index = ?",
            duty.id,
            index
        ) { $0.int(0) } ?? 0
    }

    /// Writes something that happened.
    func insertDutyEvent(_ event: DutyEvent, of duty: Int64) throws {
        let (kind, by, to, at, note): (String, EntityID, EntityID?, Int64, String) =
            switch event.what {
            case .completion(let done): (done.kind.rawValue, done.by, nil, done.at, done.note)
            case .reassignment(let gift): ("reassign", gift.by, gift.to, gift.at, "")
            }
        try database.execute(
            """
            INSERT INTO duty_events (public_id, duty_id, occurrence_index, kind, by_member, to_member, happened_at, note)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            event.id.description,
            duty,
            event.index,
            kind,
            by.description,
            to?.description,
            WallTime(secondsSinceEpoch: at),
            note
        )
    }

    // MARK: Reading

    private static func occurrence(_ row: borrowing Row, of duty: EntityID) throws -> Occurrence {
        guard let status = Occurrence.Status(rawValue: row.text(3)) else {
            throw StoreError.unreadable(column: "status")
        }
        var decision: EventStamp?
        if let at = row.optionalWallTime(4), let by = row.optionalText(5) {
            decision = EventStamp(at: at.secondsSinceEpoch, id: try entity(by, "decided_by"))
        }
        return Occurrence(
            duty: duty,
            index: row.int(0),
            dueAt: row.wallTime(1).secondsSinceEpoch,
            assignee: try row.optionalText(2).map { try entity($0, "assignee") },
            status: status,
            decision: decision
        )
    }

    private static func event(_ row: borrowing Row, of duty: EntityID) throws -> DutyEvent {
        let id = try entity(row.text(0), "public_id")
        let index = row.int(1)
        let occurrence = Occurrence.id(of: duty, index: index)
        let by = try entity(row.text(3), "by_member")
        let at = row.wallTime(5).secondsSinceEpoch
        if let to = row.optionalText(4) {
            let gift = Reassignment(id: id, occurrence: occurrence, to: try entity(to, "to_member"), by: by, at: at)
            return DutyEvent(index: index, what: .reassignment(gift))
        }
        guard let kind = Completion.Kind(rawValue: row.text(2)) else { throw StoreError.unreadable(column: "kind") }
        let done = Completion(id: id, occurrence: occurrence, by: by, at: at, kind: kind, note: row.text(6))
        return DutyEvent(index: index, what: .completion(done))
    }
}
