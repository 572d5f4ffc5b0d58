import FoundationEssentials
import NotifierKit
import SQLite

/// A ``SyncState`` as rows of a database.
enum SyncRows {
    private static let current = "current"
    private static let incoming = "incoming"

    static func read(_ database: Database) throws -> SyncState {
        var state = SyncState()
        state.place = try value("place", in: database) ?? SyncState.Place()
        state.counters = try value("counters", in: database) ?? SyncState.Counters()
        state.reversals = try value("reversals", in: database) ?? []
        let pending = try database.rows("SELECT number, value FROM pending ORDER BY number") {
            (number: Int($0.int64(0)), value: Data($0.blob(1)))
        }
        state.pending = pending.compactMap { try? WireCoding.decode(PendingChange.self, $0.value) }
        // No choice gets the number, and with it the row, of one that waits, also where the count or that one cannot be read.
        state.counters.changes = max(state.counters.changes, pending.last?.number ?? 0)
        do {
            state.copy = try copy(current, in: database)
            if try value("isBuilding", in: database) == true { state.incoming = try copy(incoming, in: database) }
        } catch is DecodingError {
            state.copy = SyncCopy()
            state.beginAnew()
        }
        return state
    }

    /// Whether anything waits that this program can read: what it cannot is not sent either.
    static func hasPending(_ database: Database) throws -> Bool {
        try database.rows("SELECT value FROM pending ORDER BY number") { Data($0.blob(0)) }
            .contains { (try? WireCoding.decode(PendingChange.self, $0)) != nil }
    }

    /// What the server cannot tell again.
    ///
    /// - Throws: `DecodingError` or `SQLiteError` where a part of it cannot be read.
    static func readQueue(_ database: Database) throws -> SyncState {
        var state = SyncState()
        state.pending = try database.rows("SELECT value FROM pending ORDER BY number") { Data($0.blob(0)) }
            .map { try WireCoding.decode(PendingChange.self, $0) }
        state.reversals = try value("reversals", in: database) ?? []
        state.counters = try value("counters", in: database) ?? SyncState.Counters()
        state.counters.pulledAt = nil
        return state
    }

    static func write(_ state: SyncState, over before: SyncState, in database: Database) throws {
        if state.place != before.place { try set("place", state.place, in: database) }
        if state.counters != before.counters { try set("counters", state.counters, in: database) }
        if state.reversals != before.reversals { try set("reversals", state.reversals, in: database) }
        let isBuilding = state.incoming != nil
        if isBuilding != (before.incoming != nil) { try set("isBuilding", isBuilding, in: database) }
        try write(state.pending, over: before.pending, in: database)
        if state.copy != before.copy { try write(state.copy, over: before.copy, current, in: database) }
        if state.incoming != before.incoming {
            try write(state.incoming ?? SyncCopy(), over: before.incoming ?? SyncCopy(), incoming, in: database)
        }
    }

    // MARK: Single values

    private static func value<Value: Decodable>(_ key: String, in database: Database) throws -> Value? {
        let data = try database.first("SELECT value FROM place WHERE key = ?", key) { Data($0.blob(0)) }
        return data.flatMap { try? WireCoding.decode(Value.self, $0) }
    }

    private static func set(_ key: String, _ value: some Encodable, in database: Database) throws {
        try database.execute(
            "INSERT INTO place (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            key,
            Array(WireCoding.encode(value))
        )
    }

    // MARK: The queue

    private static func write(
        _ pending: [PendingChange],
        over before: [PendingChange],
        in database: Database
    ) throws {
        let known = Dictionary(before.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        let wanted = Set(pending.map(\.number))
        for change in before where !wanted.contains(change.number) {
            try database.execute("DELETE FROM pending WHERE number = ?", Int64(change.number))
        }
        for change in pending where known[change.number] != change {
            try database.execute(
                "INSERT INTO pending (number, value) VALUES (?, ?) ON CONFLICT (number) DO UPDATE SET value = excluded.value",
                Int64(change.number),
                Array(WireCoding.encode(change))
            )
        }
    }

    // MARK: The copy

    /// - Throws: `DecodingError` where a row cannot be read.
    private static func copy(_ part: String, in database: Database) throws -> SyncCopy {
        var copy = SyncCopy()
        var marks: [String: Int] = [:]
        let rows = try database.rows("SELECT kind, key, value FROM copy WHERE part = ? ORDER BY kind, key", part) {
            (kind: $0.text(0), key: $0.text(1), value: Data($0.blob(2)))
        }
        for row in rows {
            switch row.kind {
            case "watch":
                let watch = try WireCoding.decode(WatchedItem.self, row.value)
                copy.watches[watch.item] = watch
            case "choice":
                let choice = try WireCoding.decode(KeptChoice.self, row.value)
                copy.choices[choice.item] = choice.choice
            case "deniedActor":
                let actor = try WireCoding.decode(DeniedActor.self, row.value)
                copy.deniedActors[actor.gitlabUserId] = actor
            case "readMark": marks[row.key] = try WireCoding.decode(Int.self, row.value)
            case "settings": copy.settings = try WireCoding.decode(PersonSettings.self, row.value)
            case "duty", "dutyMember", "occurrence", "completion", "reassignment", "dutyMute":
                try read(row.kind, row.value, into: &copy.rota)
            default: break
            }
        }
        copy.restore(readMarks: marks)
        return copy
    }

    private static func read(_ kind: String, _ value: Data, into rota: inout DutyCopy) throws {
        switch kind {
        case "duty":
            let duty = try WireCoding.decode(SharedDuty.self, value)
            rota.duties[duty.dutyId] = duty
        case "dutyMember":
            let member = try WireCoding.decode(SharedDuty.Member.self, value)
            rota.members[member.memberId] = member
        case "occurrence":
            let turn = try WireCoding.decode(SharedDuty.Turn.self, value)
            rota.turns[turn.occurrenceId] = turn
        case "completion":
            let end = try WireCoding.decode(DutyEnd.self, value)
            rota.ends[end.completionId] = end
        case "dutyMute":
            let mute = try WireCoding.decode(DutyMute.self, value)
            rota.mutes[mute.dutyId] = mute.mutedUntil
        default:
            let gift = try WireCoding.decode(DutyGift.self, value)
            rota.gifts[gift.reassignmentId] = gift
        }
    }

    private struct KeptChoice: Codable {
        var item: ItemReference
        var choice: String
    }

    private static func write(
        _ copy: SyncCopy,
        over before: SyncCopy,
        _ part: String,
        in database: Database
    ) throws {
        try change(before.watches, copy.watches, "watch", part, in: database, key: key) { $1 }
        try change(before.choices, copy.choices, "choice", part, in: database, key: key) {
            KeptChoice(item: $0, choice: $1)
        }
        try change(before.deniedActors, copy.deniedActors, "deniedActor", part, in: database, key: String.init) { $1 }
        try change(before.readMarks, copy.readMarks, "readMark", part, in: database, key: \.self) { $1 }
        let settings = { (copy: SyncCopy) in copy.settings.map { ["": $0] } ?? [:] }
        try change(settings(before), settings(copy), "settings", part, in: database, key: \.self) { $1 }
        let (old, new) = (before.rota, copy.rota)
        try change(old.duties, new.duties, "duty", part, in: database, key: { "\($0)" }) { $1 }
        try change(old.members, new.members, "dutyMember", part, in: database, key: { "\($0)" }) { $1 }
        try change(old.turns, new.turns, "occurrence", part, in: database, key: { "\($0)" }) { $1 }
        try change(old.ends, new.ends, "completion", part, in: database, key: { "\($0)" }) { $1 }
        try change(old.mutes, new.mutes, "dutyMute", part, in: database, key: { "\($0)" }) {
            DutyMute(dutyId: $0, mutedUntil: $1)
        }
        try change(old.gifts, new.gifts, "reassignment", part, in: database, key: { "\($0)" }) { $1 }
    }

    private static func key(_ item: ItemReference) -> String { "\(item.projectID)/\(item.kind.rawValue)/\(item.iid)" }

    private static func change<Key: Hashable, Value: Equatable>(
        _ before: [Key: Value],
        _ after: [Key: Value],
        _ kind: String,
        _ part: String,
        in database: Database,
        key: (Key) -> String,
        row: (Key, Value) -> some Encodable
    ) throws {
        for name in before.keys where after[name] == nil {
            try database.execute("DELETE FROM copy WHERE part = ? AND kind = ? AND key = ?", part, kind, key(name))
        }
        for (name, value) in after where before[name] != value {
            try database.execute(
                """
                INSERT INTO copy (part, kind, key, value) VALUES (?, ?, ?, ?)
                ON CONFLICT (part, kind, key) DO UPDATE SET value = excluded.value
                """,
                part,
                kind,
                key(name),
                Array(WireCoding.encode(row(name, value)))
            )
        }
    }
}
