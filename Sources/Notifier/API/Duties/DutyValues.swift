import Duties
import JSON
import Platform

/// The shapes of duties and what belongs to them.
enum DutyValues {
    /// A duty with its members and some of its occurrences, for one who takes part.
    static func whole(
        _ record: DutyRecord,
        _ occurrences: [Occurrence],
        mutedUntil end: WallTime?,
        for account: AccountID
    ) -> JSONValue {
        guard case .object(var members) = duty(record) else { return .null }
        if let end { members.append(JSONMember("mutedUntil", .string(ISO8601.text(end)))) }
        return .object(
            members + [
                JSONMember("members", .array(record.members.map { member($0, of: record, for: account) })),
                JSONMember("occurrences", .array(occurrences.map(occurrence))),
            ]
        )
    }

    static func duty(_ record: DutyRecord) -> JSONValue {
        let duty = record.duty
        var members = [JSONMember("dutyId", .string(duty.id.description)), JSONMember("title", .string(duty.title))]
        switch duty.recurrence {
        case .everyDays(let days): members.append(JSONMember("everyDays", .integer(Int64(days))))
        case .weekly(let on, let weeks):
            members.append(JSONMember("weekdays", .strings(on.map { QuietHoursText.dayNames[$0 - 1] })))
            members.append(JSONMember("everyWeeks", .integer(Int64(weeks))))
        }
        return .object(
            members + [
                JSONMember("startOn", .string(duty.start.description)),
                JSONMember("timeOfDay", .string(QuietHoursText.text(duty.minute))),
                JSONMember("timeZone", .string(duty.zone)),
                JSONMember("leadHours", .integer(duty.leadSeconds / 3_600)),
                JSONMember("mode", .string(duty.mode.rawValue)), JSONMember("escalates", .bool(duty.escalates)),
                JSONMember("baseIndex", .integer(Int64(duty.base.nextIndex))),
                JSONMember("baseQueue", .strings(duty.base.queue.map(\.description))),
                JSONMember("changedAt", instant(record.stamp.at)),
            ]
        )
    }

    static func member(_ record: DutyMemberRecord, of duty: DutyRecord, for account: AccountID) -> JSONValue {
        let member = record.member
        var members = [
            JSONMember("memberId", .string(member.id.description)),
            JSONMember("dutyId", .string(duty.duty.id.description)), JSONMember("name", .string(member.name)),
            JSONMember("position", .integer(Int64(member.position))),
            JSONMember("hasAccount", .bool(record.account != nil)),
            JSONMember("isYou", .bool(record.account == account)), JSONMember("joinedAt", instant(member.joinedAt)),
            JSONMember("changedAt", instant(record.stamp.at)),
        ]
        if let leftAt = member.leftAt { members.append(JSONMember("leftAt", instant(leftAt))) }
        return .object(members)
    }

    static func occurrence(_ occurrence: Occurrence) -> JSONValue {
        var members = [
            JSONMember("occurrenceId", .string(occurrence.id.description)),
            JSONMember("dutyId", .string(occurrence.duty.description)),
            JSONMember("index", .integer(Int64(occurrence.index))), JSONMember("dueAt", instant(occurrence.dueAt)),
            JSONMember("status", .string(occurrence.status.rawValue)),
        ]
        if let assignee = occurrence.assignee {
            members.append(JSONMember("assignee", .string(assignee.description)))
        }
        if let decision = occurrence.decision {
            members.append(JSONMember("decidedAt", instant(decision.at)))
            members.append(JSONMember("decidedBy", .string(decision.id.description)))
        }
        return .object(members)
    }

    /// Something that happened; the kind of a reassignment is left out, as it stands among its own.
    static func event(_ event: DutyEvent) -> JSONValue {
        switch event.what {
        case .completion(let done):
            var members = [
                JSONMember("completionId", .string(done.id.description)),
                JSONMember("occurrenceId", .string(done.occurrence.description)),
                JSONMember("by", .string(done.by.description)), JSONMember("at", instant(done.at)),
                JSONMember("kind", .string(done.kind.rawValue)),
            ]
            if !done.note.isEmpty { members.append(JSONMember("note", .string(done.note))) }
            return .object(members)
        case .reassignment(let gift):
            return [
                "reassignmentId": .string(gift.id.description), "occurrenceId": .string(gift.occurrence.description),
                "to": .string(gift.to.description), "by": .string(gift.by.description), "at": instant(gift.at),
            ]
        }
    }

    static func instant(_ second: Int64) -> JSONValue {
        .string(ISO8601.text(WallTime(secondsSinceEpoch: second)))
    }
}
