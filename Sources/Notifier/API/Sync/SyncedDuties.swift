import Duties
import JSON

/// Duties and what belongs to them, on one page of what has changed.
struct SyncedDuties {
    let account: AccountID
    private(set) var deleted: [JSONValue] = []
    private var duties: [JSONValue] = []
    private var people: [JSONValue] = []
    private var occurrences: [JSONValue] = []
    private var completions: [JSONValue] = []
    private var reassignments: [JSONValue] = []
    private var mutes: [JSONValue] = []
    /// Those of the page, by their numbers: most rows are of one or two.
    private var records: [Int64: DutyRecord] = [:]

    init(account: AccountID) {
        self.account = account
    }

    /// The lists, as members of `changes`.
    var members: [JSONMember] {
        [
            JSONMember("duties", .array(duties)), JSONMember("members", .array(people)),
            JSONMember("occurrences", .array(occurrences)), JSONMember("completions", .array(completions)),
            JSONMember("reassignments", .array(reassignments)), JSONMember("dutyMutes", .array(mutes)),
        ]
    }

    /// Adds what a row stands for; one whose thing is gone says nothing.
    mutating func take(_ row: SyncRow, in store: Store) throws {
        guard let id = EntityID(row.key) else { throw StoreError.unreadable(column: "row_key") }
        switch row.entity {
        case .duty where row.isDeleted: deleted.append(["entity": "duty", "dutyId": .string(row.key)])
        case .occurrence where row.isDeleted:
            deleted.append(["entity": "occurrence", "occurrenceId": .string(row.key)])
        case .dutyEvent where row.isDeleted: deleted.append(["entity": "dutyEvent", "eventId": .string(row.key)])
        case .dutyMute where row.isDeleted: deleted.append(["entity": "dutyMute", "dutyId": .string(row.key)])
        case .dutyMute:
            guard let record = try store.duty(id, of: account), let mute = try store.dutyMute(record, of: account)
            else { return }
            mutes.append(SyncValues.dutyMute(row.key, mute.end, mute.stamp))
        case .duty:
            guard let record = try store.duty(id, of: account) else { return }
            duties.append(DutyValues.duty(record))
        case .dutyMember:
            guard let number = try store.dutyNumber(ofMember: id), let record = try record(number, in: store),
                let member = record.member(id)
            else { return }
            people.append(DutyValues.member(member, of: record, for: account))
        case .occurrence:
            guard let (number, index) = try store.occurrencePlace(id), let record = try record(number, in: store),
                let occurrence = try store.occurrence(index, of: record)
            else { return }
            occurrences.append(DutyValues.occurrence(occurrence))
        case .dutyEvent:
            guard let event = try store.dutyEvent(id, of: account) else { return }
            switch event.what {
            case .completion: completions.append(DutyValues.event(event))
            case .reassignment: reassignments.append(DutyValues.event(event))
            }
        case .watch, .choice, .deniedActor, .settings, .readMark: return
        }
    }

    private mutating func record(_ number: Int64, in store: Store) throws -> DutyRecord? {
        if let known = records[number] { return known }
        guard let record = try store.duty(number: number), record.member(of: account) != nil else { return nil }
        records[number] = record
        return record
    }
}
