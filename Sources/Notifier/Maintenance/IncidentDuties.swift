import Platform
import SQLite

/// The part of a report that tells whose turn it was: duties, who takes part, what was said of turns, and mutes. No title, name or note
/// stands in it.
struct IncidentDuties {
    /// Turns are told from so long before the report until so long after it.
    private static let reach = Duration.days(14)

    let clocks: IncidentClocks

    /// - Parameters:
    ///   - database: where the duties are.
    ///   - limit: rows of each kind at most.
    /// - Returns: lines of JSON.
    /// - Throws: `SQLiteError`.
    func lines(of database: Database, limit: Int) throws -> [String] {
        let (from, until) = (clocks.now.advanced(by: .zero - Self.reach), clocks.now.advanced(by: Self.reach))
        return try [Self.dutyQuery, Self.memberQuery, Self.eventQuery, Self.muteQuery].flatMap {
            try database.rows($0, limit) { $0.text(0) }
        }
            + database.rows(Self.turnQuery, from, until, limit) { $0.text(0) }
            + clocks.lines("duty", Self.zoneQuery, of: database, limit)
    }

    private static let zoneQuery: SQL = "SELECT id, time_zone FROM duties ORDER BY id DESC LIMIT ?"

    private static let dutyQuery: SQL = """
        SELECT json_object('kind', 'duty', 'duty', id, 'everyDays', every_days, 'weekdays', weekdays,
            'everyWeeks', every_weeks, 'startDay', start_day, 'dueMinute', due_minute, 'leadSeconds', lead_seconds,
            'mode', mode, 'escalates', escalates, 'createdAt', created_at)
        FROM duties ORDER BY id DESC LIMIT ?
        """

    private static let memberQuery: SQL = """
        SELECT json_object('kind', 'duty_member', 'duty', duty_id, 'member', id, 'account', account_id,
            'position', position, 'joinedAt', joined_at, 'leftAt', left_at)
        FROM duty_members ORDER BY id DESC LIMIT ?
        """

    private static let eventQuery: SQL = """
        SELECT json_object('kind', 'duty_event', 'duty', event.duty_id, 'turn', occurrence_index, 'of', kind,
            'by', actor.id, 'to', receiver.id, 'happenedAt', happened_at)
        FROM duty_events AS event LEFT JOIN duty_members AS actor ON actor.public_id = by_member
            LEFT JOIN duty_members AS receiver ON receiver.public_id = to_member
        ORDER BY happened_at DESC, event.public_id LIMIT ?
        """

    private static let muteQuery: SQL = """
        SELECT json_object('kind', 'duty_mute', 'account', account_id, 'duty', duty_id, 'mutedUntil', muted_until,
            'changedAt', changed_at)
        FROM duty_mutes ORDER BY changed_at DESC, account_id, duty_id LIMIT ?
        """

    private static let turnQuery: SQL = """
        SELECT json_object('kind', 'duty_turn', 'duty', occurrence.duty_id, 'turn', occurrence_index, 'dueAt', due_at,
            'member', member.id)
        FROM duty_occurrences AS occurrence LEFT JOIN duty_members AS member ON member.public_id = assignee
        WHERE due_at BETWEEN ? AND ? ORDER BY due_at, occurrence.duty_id LIMIT ?
        """
}
