import Duties
import Platform

/// What clients write of duties: read and checked, whichever route it comes by.
struct DutyInput: Decodable {
    var title: String?
    var everyDays: WholeNumber?
    var weekdays: [String]?
    var everyWeeks: WholeNumber?
    var startOn: String?
    var timeOfDay: String?
    var timeZone: String?
    var leadHours: WholeNumber?
    var mode: String?
    var escalates: Bool?

    /// One of the first members of a duty.
    struct Member: Decodable {
        var memberId: String?
        var name: String
        var isYou: Bool?
    }

    /// A duty to be made.
    ///
    /// - Throws: `APIError.invalidField`.
    func wish(
        id: EntityID,
        members: [Member],
        at now: WallTime,
        _ context: APIContext
    ) throws(APIError) -> DutyWish {
        guard let title, let minute = try Self.minute(timeOfDay) else {
            throw .invalidField(title == nil ? "title" : "timeOfDay", expected: "present")
        }
        guard let zone = try Self.zone(timeZone, context) else { throw .invalidField("timeZone", expected: "present") }
        return DutyWish(
            id: id,
            title: try Self.title(title),
            recurrence: try recurrence(),
            start: try start(at: now),
            minute: minute,
            zone: zone,
            leadSeconds: try lead() ?? 0,
            mode: try dutyMode() ?? .alternate,
            escalates: escalates ?? false,
            members: try Self.members(members, context)
        )
    }

    /// A change of a duty. Recurrence and first day stay.
    ///
    /// - Throws: `APIError.invalidField`.
    func edit(_ context: APIContext) throws(APIError) -> DutyEdit {
        guard everyDays == nil, weekdays == nil, everyWeeks == nil, startOn == nil else {
            throw .invalidField(
                startOn != nil
                    ? "startOn" : everyDays != nil ? "everyDays" : weekdays != nil ? "weekdays" : "everyWeeks",
                expected: "left out: every occurrence is numbered from there; make another duty"
            )
        }
        return DutyEdit(
            title: try title.map { text throws(APIError) in try Self.title(text) },
            minute: try Self.minute(timeOfDay),
            zone: try Self.zone(timeZone, context),
            leadSeconds: try lead(),
            mode: try dutyMode(),
            escalates: escalates
        )
    }

    // MARK: Members of the object

    private func recurrence() throws(APIError) -> Recurrence {
        let recurrence: Recurrence
        if let everyDays {
            guard weekdays == nil, everyWeeks == nil else {
                throw .invalidField("everyDays", expected: "left out beside weekdays")
            }
            guard let days = Int(exactly: everyDays.value) else {
                throw .invalidField("everyDays", expected: "from 1 to 366")
            }
            recurrence = .everyDays(days)
        } else {
            guard let weekdays else { throw .invalidField("weekdays", expected: "present, or everyDays") }
            let days = weekdays.compactMap { QuietHoursText.dayNames.firstIndex(of: $0).map { $0 + 1 } }
            guard days.count == weekdays.count, Set(days).count == days.count else {
                throw .invalidField("weekdays", expected: "of \"mon\" to \"sun\", none twice")
            }
            let weeks = Int(clamping: everyWeeks?.value ?? 1)
            guard (1...52).contains(weeks) else { throw .invalidField("everyWeeks", expected: "from 1 to 52") }
            recurrence = .weekly(on: days.sorted(), everyWeeks: weeks)
        }
        if let flaw = recurrence.flaw {
            throw .invalidField(everyDays != nil ? "everyDays" : "weekdays", expected: flaw)
        }
        return recurrence
    }

    private func start(at now: WallTime) throws(APIError) -> CivilDay {
        guard let startOn else { throw .invalidField("startOn", expected: "present") }
        let today = Int(now.secondsSinceEpoch / 86_400)
        let days = DutyPolicy.startDays
        guard let day = CivilDay(startOn), days.contains(day.number - today) else {
            throw .invalidField(
                "startOn",
                expected: "a day such as 2026-03-02, at most \(-days.lowerBound) days ago and a year ahead"
            )
        }
        return day
    }

    private static func title(_ text: String) throws(APIError) -> String {
        guard SignalInput.isLine(text, DutyPolicy.titleCharacters) else {
            throw .invalidField("title", expected: "1 to 100 characters without control characters")
        }
        return text
    }

    private static func minute(_ text: String?) throws(APIError) -> Int? {
        guard let text else { return nil }
        guard let minute = QuietHoursText.minute(text), minute < QuietHours.Window.day else {
            throw .invalidField("timeOfDay", expected: "a time of day such as \"09:30\"")
        }
        return minute
    }

    private static func zone(_ text: String?, _ context: APIContext) throws(APIError) -> String? {
        guard let text else { return nil }
        guard TimeZone(text, from: context.zones) != nil else {
            throw .invalidField("timeZone", expected: "a name of the tz database, such as \"Europe/Berlin\"")
        }
        return text
    }

    private func lead() throws(APIError) -> Int64? {
        guard let leadHours else { return nil }
        guard DutyPolicy.leadHours.contains(leadHours.value) else {
            throw .invalidField("leadHours", expected: "from 0 to \(DutyPolicy.leadHours.upperBound)")
        }
        return leadHours.value * 3_600
    }

    private func dutyMode() throws(APIError) -> Duty.Mode? {
        guard let mode else { return nil }
        guard let known = Duty.Mode(rawValue: mode) else {
            throw .invalidField("mode", expected: "\"alternate\" or \"fixed\"")
        }
        return known
    }

    private static func members(_ members: [Member], _ context: APIContext) throws(APIError) -> [DutyWish.Member] {
        guard (1...DutyPolicy.memberLimit).contains(members.count) else {
            throw .invalidField("members", expected: "from 1 to \(DutyPolicy.memberLimit) members")
        }
        guard members.count(where: { $0.isYou == true }) == 1 else {
            throw .invalidField("members", expected: "members of whom exactly one is you")
        }
        let wished = try members.map { member throws(APIError) in
            DutyWish.Member(
                id: try id(member.memberId, "memberId", context),
                name: try name(member.name),
                isOwn: member.isYou == true
            )
        }
        guard Set(wished.map(\.id)).count == wished.count else {
            throw .invalidField("memberId", expected: "another one for each member")
        }
        return wished
    }

    // MARK: What other routes read too

    static func name(_ text: String) throws(APIError) -> String {
        guard SignalInput.isLine(text, DutyPolicy.nameCharacters) else {
            throw .invalidField("name", expected: "1 to 64 characters without control characters")
        }
        return text
    }

    /// An id that a client chose, or a new one.
    static func id(_ text: String?, _ field: String, _ context: APIContext) throws(APIError) -> EntityID {
        guard let text else { return makeID(context) }
        return try known(text, field)
    }

    /// An id that must be there.
    static func known(_ text: String?, _ field: String) throws(APIError) -> EntityID {
        guard let id = text.flatMap({ EntityID($0) }) else { throw .invalidField(field, expected: "a UUID") }
        return id
    }

    static func makeID(_ context: APIContext) -> EntityID {
        guard let id = EntityID(context.entropy.uuidString()) else {
            preconditionFailure("what makes UUIDs makes UUIDs")
        }
        return id
    }

    static func note(_ text: String?) throws(APIError) -> String {
        guard let text else { return "" }
        guard SignalInput.isText(text, DutyPolicy.noteCharacters) else {
            throw .invalidField("note", expected: "at most 500 characters without control characters")
        }
        return text
    }
}
