import JSON

/// A key of an action with its value: how it is read, and how it is written, in the order in which entries are written.
enum ActionKey: String, CaseIterable {
    case by, on, user, mention, body, duty, device, project, to, count, commits, emoji, label, milestone, due, title,
        status,
        says,
        name, run
    case length = "for"
    case backdated, offset, environment
    case quietHours = "quiet"
    case assignees, reviewers
    case time, zone, mode, leadHours, escalates
    case kinds, commands

    /// Takes what stands at `place`, under this key of `entry`.
    func read(_ place: Cursor, of entry: Cursor, by decoder: inout ScenarioDecoder, into action: inout ActionTemplate) {
        switch self {
        case .by: action.by = decoder.decodeSelector(place, except: entry["except"])
        case .on: action.on = decoder.decodeTarget(place, action.kind)
        case .user: action.user = decoder.decodeSelector(place, except: nil)
        case .mention: action.mention = decoder.decodeSelector(place, except: nil)
        case .body: action.bodies = place.elements.compactMap(\.node.string)
        case .duty: action.duty = decoder.decodeDutyName(place)
        case .device: action.device = place.node.string.flatMap(DeviceName.init(_:))
        case .project: action.project = decoder.decodeProject(place)
        case .to: (action.project, action.number) = decoder.decodeDestination(place)
        case .count, .commits: action.count = place.node.integer.map(Int.init)
        case .emoji, .label, .milestone, .title, .name: action.text = place.node.string
        case .due: action.due = place.node.string.flatMap { CalendarNotation.day($0, from: decoder.start) }
        case .says: action.word = entry.choice(rawValue)
        case .run: action.run = place.node.string
        case .status: action.status = entry.choice(rawValue)
        case .length, .backdated, .offset: action.length = entry.duration(rawValue)
        case .environment: action.environment = entry.choice(rawValue)
        case .quietHours: action.quietHours = decoder.decodeQuietHours(entry)
        case .assignees: action.assignees = decoder.decodePeople(place.elements)
        case .reviewers: action.reviewers = decoder.decodePeople(place.elements)
        case .time: action.edit.minute = place.node.string.flatMap(CalendarNotation.minute)
        // Of quiet hours it is read with the rest.
        case .zone where action.kind != .editDuty: break
        case .zone: action.edit.zone = entry.choice(rawValue)
        case .mode: action.edit.mode = entry.choice(rawValue)
        case .leadHours: action.edit.leadHours = place.node.integer.map(Int.init)
        case .escalates: action.edit.escalates = place.node.bool
        case .kinds:
            action.kinds = place.elements.compactMap(\.node.string).compactMap(NotifiedKind.init(rawValue:))
        case .commands:
            action.commands = place.elements.compactMap(\.node.string).compactMap(QuickCommand.init(rawValue:))
        }
    }

    /// Writes what `action` says under this key.
    func write(_ action: ActionTemplate, to object: inout JSONObject) {
        switch self {
        case .by:
            object.set(rawValue, action.by)
            if case .anyone(let except) = action.by { object.setPeople("except", except) }
        case .on: object.set(rawValue, action.on)
        case .user: object.set(rawValue, action.user)
        case .mention: object.set(rawValue, action.mention)
        case .body where action.bodies.count > 1: object.set(rawValue, .strings(action.bodies))
        case .body: object.set(rawValue, action.bodies.first)
        case .duty: object.set(rawValue, action.duty)
        case .device: object.set(rawValue, action.device?.text)
        case .project: object.set(rawValue, action.project?.text)
        case .to: object.set(rawValue, action.project.map { "\($0)\(action.number.map { "#\($0)" } ?? "")" })
        case .count, .commits: object.set(rawValue, action.count.map { .integer(Int64($0)) })
        case .emoji, .label, .milestone, .title, .name: object.set(rawValue, action.text)
        case .due: object.set(rawValue, action.due.map(CalendarNotation.dayText))
        case .says: object.set(rawValue, action.word?.rawValue)
        case .run: object.set(rawValue, action.run)
        case .status: object.set(rawValue, action.status?.rawValue)
        case .length, .backdated, .offset: object.set(rawValue, action.length)
        case .environment: object.set(rawValue, action.environment?.rawValue)
        case .quietHours: Self.write(action.quietHours, to: &object)
        case .assignees: object.setPeople(rawValue, action.assignees)
        case .reviewers: object.setPeople(rawValue, action.reviewers)
        case .time: object.set(rawValue, action.edit.minute.map(CalendarNotation.timeText))
        case .zone: object.set(rawValue, action.edit.zone?.rawValue)
        case .mode: object.set(rawValue, action.edit.mode?.rawValue)
        case .leadHours: object.set(rawValue, action.edit.leadHours.map { .integer(Int64($0)) })
        case .escalates: object.set(rawValue, action.edit.escalates.map { .bool($0) })
        case .kinds where action.kinds.isEmpty: break
        case .kinds: object.set(rawValue, .strings(action.kinds.map(\.rawValue)))
        case .commands: object.set(rawValue, .strings(action.commands.map(\.rawValue)))
        }
    }

    private static func write(_ hours: QuietHours?, to object: inout JSONObject) {
        guard let hours else { return }
        object.set("quiet", "\(CalendarNotation.timeText(hours.from))-\(CalendarNotation.timeText(hours.until))")
        object.set("days", hours.weekdays.map { CalendarNotation.weekdayNames[$0 - 1] }.joined(separator: ","))
        object.set("zone", hours.zone.rawValue)
        object.set("urgent", .bool(hours.letsUrgentThrough))
    }
}

extension JSONObject {
    /// One person, several to choose from, or anyone.
    mutating func set(_ key: String, _ selector: PersonSelector?) {
        switch selector {
        case .oneOf(let people) where people.count == 1: set(key, people[0].description)
        case .oneOf(let people): set(key, .strings(people.map(\.description)))
        case .anyone: set(key, "anyone")
        case nil: break
        }
    }

    /// One item, several to choose from, any, or the project of a new one.
    mutating func set(_ key: String, _ selector: ItemSelector?) {
        switch selector {
        case .oneOf(let items) where items.count == 1: set(key, items[0].description)
        case .oneOf(let items): set(key, .strings(items.map(\.description)))
        case .any: set(key, "any")
        case .new(let project): set(key, project.text)
        case nil: break
        }
    }
}
