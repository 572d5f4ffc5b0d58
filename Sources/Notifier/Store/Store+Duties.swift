import Duties
import Platform
import SQLite

/// Duties and who takes part in them.
extension Store {
    private static let memberColumns =
        "public_id, account_id, name, position, joined_at, left_at, changed_at, changed_by"

    /// A duty in which the account takes part; nil for every other, whether there is one or not.
    func duty(_ id: EntityID, of account: AccountID) throws -> DutyRecord? {
        let number = try database.first(
            """
            SELECT duties.id FROM duties JOIN duty_members ON duty_members.duty_id = duties.id
            WHERE duties.public_id = ? AND duty_members.account_id = ?
            """,
            id.description,
            account
        ) { $0.int64(0) }
        return try number.flatMap { try duty(number: $0) }
    }

    /// A duty of which the account may see that occurrence, with its place in it; nil for every other.
    func duty(occurrence: EntityID, of account: AccountID) throws -> (duty: DutyRecord, index: Int)? {
        guard let (number, index) = try occurrencePlace(occurrence), let duty = try duty(number: number),
            duty.member(of: account) != nil
        else { return nil }
        return (duty, index)
    }

    /// The number of the duty that an occurrence is of, whosever that is, and its place in it.
    func occurrencePlace(_ occurrence: EntityID) throws -> (duty: Int64, index: Int)? {
        try database.first(
            "SELECT duty_id, occurrence_index FROM duty_occurrences WHERE public_id = ?",
            occurrence.description
        ) { (duty: $0.int64(0), index: $0.int(1)) }
    }

    /// The number of the duty in which a member takes part or took part, whosever that is.
    func dutyNumber(ofMember member: EntityID) throws -> Int64? {
        try database.first("SELECT duty_id FROM duty_members WHERE public_id = ?", member.description) { $0.int64(0) }
    }

    /// The duties in which an account takes part, the oldest first.
    func duties(of account: AccountID) throws -> [DutyRecord] {
        let numbers = try database.rows(
            """
            SELECT duties.id FROM duties JOIN duty_members ON duty_members.duty_id = duties.id
            WHERE duty_members.account_id = ? ORDER BY duties.id
            """,
            account
        ) { $0.int64(0) }
        return try numbers.compactMap { try duty(number: $0) }
    }

    /// In how many duties an account takes part.
    func dutyCount(of account: AccountID) throws -> Int {
        try database.first("SELECT count(*) FROM duty_members WHERE account_id = ?", account) { $0.int(0) } ?? 0
    }

    /// The numbers of duties after one, so many at most.
    func dutyNumbers(after number: Int64, limit: Int) throws -> [Int64] {
        try database.rows("SELECT id FROM duties WHERE id > ? ORDER BY id LIMIT ?", number, limit) { $0.int64(0) }
    }

    /// A duty by the number of its row.
    func duty(number: Int64) throws -> DutyRecord? {
        let members = try database.rows(
            SQL(text: "SELECT \(Self.memberColumns) FROM duty_members WHERE duty_id = ? ORDER BY position"),
            bindings: [number],
            Self.member
        )
        return try database.first(
            """
            SELECT public_id, title, every_days, weekdays, every_weeks, start_day, due_minute, time_zone, lead_seconds,
                mode, escalates, base_index, base_queue, changed_at, changed_by
            FROM duties WHERE id = ?
            """,
            number
        ) { row in
            let duty = Duty(
                id: try Self.entity(row.text(0), "public_id"),
                title: row.text(1),
                recurrence: try Self.recurrence(row.optionalInt64(2), row.optionalInt64(3), row.optionalInt64(4)),
                start: CivilDay(number: row.int(5)),
                minute: row.int(6),
                zone: row.text(7),
                leadSeconds: row.int64(8),
                mode: row.text(9) == "fixed" ? .fixed : .alternate,
                escalates: row.bool(10),
                members: members.map(\.member),
                base: RotationBase(
                    nextIndex: row.int(11),
                    queue: try row.text(12).split(separator: " ").map { try Self.entity(String($0), "base_queue") }
                )
            )
            let stamp = RowStamp(at: row.wallTime(13).secondsSinceEpoch, by: row.text(14))
            return DutyRecord(id: number, duty: duty, stamp: stamp, members: members)
        }
    }

    /// Whether anything of duties has an id, whosever it is.
    func hasDutyEntity(_ id: EntityID) throws -> Bool {
        try database.first(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM duties WHERE public_id = ?1)
                OR EXISTS (SELECT 1 FROM duty_members WHERE public_id = ?1)
                OR EXISTS (SELECT 1 FROM duty_events WHERE public_id = ?1)
            """,
            id.description
        ) { _ in true } ?? false
    }

    // MARK: Writing

    /// Adds a duty with its members, the first of which are there from the beginning.
    ///
    /// - Returns: The number of its row.
    func insertDuty(_ duty: Duty, _ stamp: RowStamp, at now: WallTime) throws -> Int64 {
        var days: Int?
        var (weekdays, weeks): (Int?, Int?)
        switch duty.recurrence {
        case .everyDays(let count): days = count
        case .weekly(let on, let every): (weekdays, weeks) = (on.reduce(0) { $0 | 1 << ($1 - 1) }, every)
        }
        try database.execute(
            """
            INSERT INTO duties (public_id, title, every_days, weekdays, every_weeks, start_day, due_minute, time_zone,
                lead_seconds, mode, escalates, created_at, changed_at, changed_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            duty.id.description,
            duty.title,
            days,
            weekdays,
            weeks,
            duty.start.number,
            duty.minute,
            duty.zone,
            duty.leadSeconds,
            duty.mode.rawValue,
            duty.escalates,
            now,
            WallTime(secondsSinceEpoch: stamp.at),
            stamp.by
        )
        return try database.first("SELECT id FROM duties WHERE public_id = ?", duty.id.description) { $0.int64(0) } ?? 0
    }

    /// Writes what of a duty may change.
    func updateDuty(_ record: DutyRecord) throws {
        let duty = record.duty
        try database.execute(
            """
            UPDATE duties SET title = ?, due_minute = ?, time_zone = ?, lead_seconds = ?, mode = ?, escalates = ?,
                changed_at = ?, changed_by = ?
            WHERE id = ?
            """,
            duty.title,
            duty.minute,
            duty.zone,
            duty.leadSeconds,
            duty.mode.rawValue,
            duty.escalates,
            WallTime(secondsSinceEpoch: record.stamp.at),
            record.stamp.by,
            record.id
        )
    }

    /// Notes where the rotation stands behind what is kept.
    func setBase(_ base: RotationBase, of duty: Int64) throws {
        try database.execute(
            "UPDATE duties SET base_index = ?, base_queue = ? WHERE id = ?",
            base.nextIndex,
            base.queue.map(\.description).joined(separator: " "),
            duty
        )
    }

    /// Adds somebody who takes part.
    func insertMember(_ record: DutyMemberRecord, of duty: Int64) throws {
        try database.execute(
            """
            INSERT INTO duty_members (public_id, duty_id, account_id, name, position, joined_at, left_at, changed_at,
                changed_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            record.member.id.description,
            duty,
            record.account,
            record.member.name,
            record.member.position,
            WallTime(secondsSinceEpoch: record.member.joinedAt),
            record.member.leftAt.map { WallTime(secondsSinceEpoch: $0) },
            WallTime(secondsSinceEpoch: record.stamp.at),
            record.stamp.by
        )
    }

    /// Writes what of a member may change: the name, whose account it is, and that they left.
    func updateMember(_ record: DutyMemberRecord) throws {
        try database.execute(
            """
            UPDATE duty_members SET account_id = ?, name = ?, left_at = ?, changed_at = ?, changed_by = ?
            WHERE public_id = ?
            """,
            record.account,
            record.member.name,
            record.member.leftAt.map { WallTime(secondsSinceEpoch: $0) },
            WallTime(secondsSinceEpoch: record.stamp.at),
            record.stamp.by,
            record.member.id.description
        )
    }

    func deleteDuty(_ number: Int64) throws {
        try database.execute("DELETE FROM duties WHERE id = ?", number)
    }

    // MARK: Reading

    static func entity(_ text: String, _ column: String) throws -> EntityID {
        guard let id = EntityID(text) else { throw StoreError.unreadable(column: column) }
        return id
    }

    private static func recurrence(_ days: Int64?, _ weekdays: Int64?, _ weeks: Int64?) throws -> Recurrence {
        if let days { return .everyDays(Int(days)) }
        guard let weekdays, let weeks else { throw StoreError.unreadable(column: "weekdays") }
        return .weekly(on: (1...7).filter { weekdays & 1 << ($0 - 1) != 0 }, everyWeeks: Int(weeks))
    }

    private static func member(_ row: borrowing Row) throws -> DutyMemberRecord {
        let member = DutyMember(
            id: try entity(row.text(0), "public_id"),
            name: row.text(2),
            position: row.int(3),
            joinedAt: row.wallTime(4).secondsSinceEpoch,
            leftAt: row.optionalWallTime(5)?.secondsSinceEpoch
        )
        return DutyMemberRecord(
            member: member,
            account: row.optionalInt64(1).map { AccountID(rawValue: $0) },
            stamp: RowStamp(at: row.wallTime(6).secondsSinceEpoch, by: row.text(7))
        )
    }
}
