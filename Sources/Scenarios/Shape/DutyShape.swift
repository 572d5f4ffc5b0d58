import JSON
import Platform

extension ScenarioShape {
    /// How many duties a world may have.
    static let mostDuties = 50

    static let duty = ObjectShape(
        name: "duty",
        summary: "Something that several people do in turn.",
        fields: [
            Field("name", .notation(.name), isRequired: true, "By which actions name it."),
            Field(
                "members",
                .list(.notation(.username), count: 1...50),
                isRequired: true,
                "Who takes part, in the order of their turns; the first makes it, the others join by a code."
            ),
            Field("everyDays", .integer(1...366), "It is due every so many days."),
            Field("weekdays", .notation(.weekdays), "It is due on these days of the week."),
            Field("everyWeeks", .integer(1...52), "Of every so many weeks; each by default."),
            Field("from", .notation(.date), "The first day on which it can be due; that of the start by default."),
            Field("time", .notation(.timeOfDay), isRequired: true, "When it is due, by the clocks of its zone."),
            Field("zone", .oneOf(QuietHours.Zone.self), "UTC by default."),
            Field("mode", .oneOf(WorldDuty.Mode.self), "alternate by default; fixed: the first has every turn."),
            Field("leadHours", .integer(0...336), "So long before it is due its person is reminded; never by default."),
            Field(
                "escalates",
                .boolean,
                "Its person is asked for it when it is due, and told again; false by default."
            ),
        ],
        rules: [.exactlyOne(["everyDays", "weekdays"]), .needsOneOf("everyWeeks", ["weekdays"])]
    )
}

extension ScenarioDecoder {
    mutating func decodeDuty(_ cursor: Cursor) {
        guard let name = cursor.text("name"), let minute = cursor.text("time").flatMap(CalendarNotation.minute) else {
            return
        }
        if world.duties.contains(where: { $0.name == name }), let place = cursor["name"] {
            note(.duplicateName, place, "There are two duties called \(quoted(name)).")
        }
        var members: [Username] = []
        for place in cursor.list("members") {
            guard let person = decodeNotified(place) else { continue }
            if members.contains(person) { note(.duplicateName, place, "\(person) is named twice.") }
            members.append(person)
        }
        let days = cursor.text("weekdays").flatMap(CalendarNotation.weekdays)
        let rhythm = days.map { WorldDuty.Rhythm.weekdays($0, everyWeeks: cursor.integer("everyWeeks") ?? 1) }
        let zone: QuietHours.Zone? = cursor.choice("zone")
        let mode: WorldDuty.Mode? = cursor.choice("mode")
        guard let first = CalendarNotation.day(cursor.text("from") ?? "+0", from: start) else { return }
        world.duties.append(
            WorldDuty(
                name: name,
                members: members,
                rhythm: rhythm ?? .everyDays(cursor.integer("everyDays") ?? 1),
                start: first,
                minute: minute,
                zone: zone ?? .utc,
                mode: mode ?? .alternate,
                leadHours: cursor.integer("leadHours") ?? 0,
                escalates: cursor.bool("escalates") ?? false
            )
        )
    }

    /// The name of a duty of the world that stands at `place`.
    mutating func decodeDutyName(_ place: Cursor) -> String? {
        guard let name = place.node.string else { return nil }
        let names = world.duties.map(\.name)
        if !names.contains(name) {
            let nearest = NearestName.find(name, in: names)
            note(.unknownDuty, place, "There is no duty called \(quoted(name)).", allowed: names, nearest: nearest)
        }
        return name
    }
}

extension ScenarioEncoder {
    static func duty(_ duty: WorldDuty) -> JSONValue {
        var object = JSONObject()
        object.set("name", duty.name)
        object.set("members", .strings(duty.members.map(\.description)))
        switch duty.rhythm {
        case .everyDays(let days): object.set("everyDays", .integer(Int64(days)))
        case .weekdays(let days, let weeks):
            object.set("weekdays", days.map { CalendarNotation.weekdayNames[$0 - 1] }.joined(separator: ","))
            object.set("everyWeeks", .integer(Int64(weeks)))
        }
        object.set("from", CalendarNotation.dayText(duty.start))
        object.set("time", CalendarNotation.timeText(duty.minute))
        object.set("zone", duty.zone.rawValue)
        object.set("mode", duty.mode.rawValue)
        if duty.leadHours > 0 { object.set("leadHours", .integer(Int64(duty.leadHours))) }
        if duty.escalates { object.set("escalates", .bool(true)) }
        return object.value
    }
}
