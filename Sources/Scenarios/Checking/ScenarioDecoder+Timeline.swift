import JSON
import Platform

extension ScenarioDecoder {
    mutating func decodeTimeline(_ places: [Cursor]) -> [TimelineEntry] {
        for place in places { collectOpenedItem(place) }
        var entries: [TimelineEntry] = []
        var names: Set<String> = []
        for place in places {
            guard !report.isFull, let entry = decodeEntry(place) else { continue }
            if let id = entry.id ?? entry.faultID, !names.insert(id.text).inserted {
                let hint = "Give each entry an `id` of its own."
                note(
                    .duplicateEntry,
                    place["id"] ?? place,
                    "There are two entries called \(quoted(id.text)).",
                    hint: hint
                )
            }
            entries.append(entry)
        }
        return entries
    }

    private mutating func decodeEntry(_ cursor: Cursor) -> TimelineEntry? {
        let occurrence = decodeOccurrence(cursor)
        let id = cursor.text("id").flatMap(EntryID.init(_:))
        if let kind: ActionKind = cursor.choice("action") {
            return TimelineEntry(id: id, occurrence: occurrence, event: .action(decodeAction(kind, cursor)))
        }
        if let kind: FaultKind = cursor.choice("fault") {
            let name = id ?? EntryID("\(kind.rawValue)@\(occurrenceName(cursor))")
            guard let name, let fault = kind.form.decode(name, cursor, by: &self) else { return nil }
            checkEnd(fault, occurrence, cursor)
            return TimelineEntry(id: id, occurrence: occurrence, event: .fault(fault))
        }
        return TimelineEntry(id: id, occurrence: occurrence, event: .mix(decodeMix(cursor)))
    }

    // MARK: When

    private mutating func decodeOccurrence(_ cursor: Cursor) -> Occurrence {
        if let place = cursor["at"], let offset = cursor.duration("at") {
            if offset >= duration { afterEnd(place) }
            return .at(offset)
        }
        let span = TimeSpan(from: cursor.duration("from") ?? .zero, until: cursor.duration("until") ?? duration)
        checkSpan(span, cursor)
        if cursor["at"] != nil { return .once(in: span) }
        let hours = decodeWorkingHours(cursor)
        if let interval = cursor.duration("every") { return .every(interval, span, hours) }
        let rate = cursor.text("rate").flatMap(Rate.init(notation:)) ?? Rate(count: 1, period: .seconds(3_600))
        return .rate(rate, span, hours)
    }

    private mutating func checkSpan(_ span: TimeSpan, _ cursor: Cursor) {
        if let place = cursor["from"], span.from >= duration { return afterEnd(place) }
        if let place = cursor["until"], span.until > duration { return afterEnd(place) }
        guard span.until <= span.from, let place = cursor["until"] ?? cursor["from"] else { return }
        note(.impossibleTime, place, "`until` must come after `from`; nothing lies between them.")
    }

    private mutating func afterEnd(_ place: Cursor) {
        let end = DurationNotation.text(duration)
        note(.impossibleTime, place, "\(quoted(place.node.string ?? "")) lies after the end; the story lasts \(end).")
    }

    private mutating func decodeWorkingHours(_ cursor: Cursor) -> WorkingHours {
        var hours = WorkingHours.always
        if let weekdays = cursor.text("weekdays").flatMap(CalendarNotation.weekdays) { hours.weekdays = weekdays }
        guard let place = cursor["hours"], let text = place.node.string, let day = CalendarNotation.hours(text) else {
            return hours
        }
        if day.closes <= day.opens {
            let hint = "For a night write two entries, one before and one after midnight."
            note(.impossibleTime, place, "The hours end before they begin.", hint: hint)
        }
        (hours.opensAtMinute, hours.closesAtMinute) = (day.opens, day.closes)
        return hours
    }

    /// What stands behind the `@` of a fault that has no name of its own.
    private func occurrenceName(_ cursor: Cursor) -> String {
        if let offset = cursor.duration("at") { return DurationNotation.text(offset) }
        if let interval = cursor.duration("every") { return "every-" + DurationNotation.text(interval) }
        return cursor.text("rate") ?? "random"
    }

    private mutating func checkEnd(_ fault: Fault, _ occurrence: Occurrence, _ cursor: Cursor) {
        guard case .at(let offset) = occurrence, offset < duration, offset + fault.length > duration else { return }
        let end = DurationNotation.text(offset + fault.length)
        note(
            .impossibleTime,
            cursor["for"] ?? cursor["downFor"] ?? cursor["offFor"] ?? cursor,
            "The fault would last until \(end); the story is over at \(DurationNotation.text(duration)).",
            hint: "End it earlier, so that the notifier can recover, or make the story longer."
        )
    }

    // MARK: What

    /// Remembers the items that entries open under a number of their own, so that any entry may name them.
    private mutating func collectOpenedItem(_ cursor: Cursor) {
        guard let kind: ActionKind = cursor.choice("action") else { return }
        switch kind.target {
        case .newItem(let itemKind): collectOpenedItem(cursor, kind, itemKind, at: "on")
        case _ where kind == .moveIssue: collectOpenedItem(cursor, kind, .issue, at: "to")
        default: break
        }
    }

    private mutating func collectOpenedItem(_ cursor: Cursor, _ kind: ActionKind, _ itemKind: ItemKind, at key: String)
    {
        guard let place = cursor[key], let text = place.node.string else { return }
        guard let item = ItemReference(notation: text) else {
            if let path = ProjectPath(text) { _ = knownProject(path, place) }
            return
        }
        guard knownProject(item.project, place) else { return }
        if item.kind != itemKind {
            let hint = "Merge requests are written with !, issues with #."
            note(
                .impossibleAction,
                place,
                "\(kind.rawValue) cannot make \(item): that is an \(item.kind.phrase).",
                hint: hint
            )
        }
        if existingItems.contains(item) || !openedItems.insert(item).inserted {
            note(.duplicateItem, place, "\(item) exists already.")
        }
        if cursor.duration("at") == nil {
            let hint = "Name only the project; the plan numbers the items."
            note(.impossibleAction, place, "An entry that may occur again cannot open the same item.", hint: hint)
        }
    }

    /// The project that an issue moves to, and the number that it is to have there. Problems were noted when the opened items were
    /// collected.
    mutating func decodeDestination(_ place: Cursor) -> (ProjectPath?, Int64?) {
        guard let text = place.node.string else { return (nil, nil) }
        if let item = ItemReference(notation: text) { return (item.project, item.iid) }
        return (ProjectPath(text), nil)
    }

    private mutating func decodeAction(_ kind: ActionKind, _ cursor: Cursor) -> ActionTemplate {
        var action = ActionTemplate(kind: kind)
        for key in ActionKey.allCases {
            if let place = cursor[key.rawValue] { key.read(place, of: cursor, by: &self, into: &action) }
        }
        checkPeople(of: action, cursor)
        return action
    }

    /// The quiet hours that an entry sets.
    mutating func decodeQuietHours(_ cursor: Cursor) -> QuietHours? {
        guard let place = cursor["quiet"], let times = place.node.string.flatMap(CalendarNotation.hours) else {
            return nil
        }
        if times.opens == times.closes || times.opens == 1_440 || times.closes == 0 {
            note(.impossibleTime, place, "The quiet hours have no length.", hint: "For midnight as an end write 24:00.")
        }
        return QuietHours(
            zone: cursor.choice("zone") ?? .utc,
            weekdays: cursor.text("days").flatMap(CalendarNotation.weekdays) ?? Array(1...7),
            from: times.opens,
            until: times.closes,
            letsUrgentThrough: cursor.bool("urgent") ?? true
        )
    }

    private mutating func decodeMix(_ cursor: Cursor) -> MixTemplate {
        let weights = cursor["mix"]?.node.members ?? []
        let shares = weights.compactMap { member -> MixTemplate.Share? in
            guard let kind = ActionKind(rawValue: member.key), let weight = member.node.integer else { return nil }
            return MixTemplate.Share(kind: kind, weight: weight)
        }
        let by = cursor["by"].map { decodeSelector($0, except: cursor["except"]) }
        return MixTemplate(
            shares: shares,
            by: by ?? .anyone(except: decodePeople(cursor.list("except"))),
            on: cursor["on"].map { decodeItemSelector($0) } ?? .any,
            mention: cursor["mention"].map { decodeSelector($0, except: nil) }
        )
    }

    /// The people that stand at `place`; `except` is the key beside it.
    mutating func decodeSelector(_ place: Cursor, except: Cursor?) -> PersonSelector {
        if place.node.string == "anyone" { return .anyone(except: decodePeople(except?.elements ?? [])) }
        if let except { note(.conflictingKeys, except, "`except` goes with `by` only when that is \"anyone\".") }
        return .oneOf(decodePeople(place.elements))
    }

    private mutating func decodeItemSelector(_ place: Cursor) -> ItemSelector {
        if place.node.string == "any" { return .any }
        return .oneOf(place.elements.flatMap { decodeItems($0) })
    }

    /// What an action of that kind is done to.
    mutating func decodeTarget(_ place: Cursor, _ kind: ActionKind) -> ItemSelector {
        switch kind.target {
        case .newItem:
            // Its problems were noted when the opened items were collected.
            guard let text = place.node.string, let item = ItemReference(notation: text) else {
                return place.node.string.flatMap(ProjectPath.init(_:)).map(ItemSelector.new(in:)) ?? .any
            }
            return .oneOf([item])
        case .item(let kinds):
            let selector = decodeItemSelector(place)
            if case .oneOf(let items) = selector, !items.isEmpty, !items.contains(where: { kinds.contains($0.kind) }) {
                let message = "\(kind.rawValue) is not possible on \(items[0]): that is \(article(items[0].kind))."
                note(.impossibleAction, place, message)
            }
            return selector
        default:
            return decodeItemSelector(place)
        }
    }

    private func article(_ kind: ItemKind) -> String { kind == .issue ? "an issue" : "a merge request" }
}

// MARK: - Who may do it

extension ScenarioDecoder {
    private mutating func checkPeople(of action: ActionTemplate, _ cursor: Cursor) {
        if action.kind.form.needsNotifiedPerson {
            for place in cursor.list("by") where checkNotified(place, action.device, cursor) {
                checkPairing(of: action, place, cursor)
            }
        }
        if action.kind == .mentionOnCommit, let project = action.project {
            checkMembers(cursor.list("by") + cursor.list("user"), of: [project])
        }
        if action.kind == .moveMilestone, let project = action.project {
            checkMembers(cursor.list("by"), of: [project])
        }
        guard case .oneOf(let items) = action.on, !items.isEmpty else {
            if case .new(let path) = action.on { checkMembers(cursor.list("by"), of: [path]) }
            return
        }
        let projects = items.map(\.project).reduce(into: [ProjectPath]()) { if !$0.contains($1) { $0.append($1) } }
        if cursor.text("by") != "anyone" { checkMembers(cursor.list("by"), of: projects) }
        for key in ["user", "assignees", "reviewers"] where cursor.text(key) != "anyone" {
            checkMembers(cursor.list(key), of: projects)
        }
    }

    /// Only a device that joins later can be paired: the others are there already.
    private mutating func checkPairing(of action: ActionTemplate, _ place: Cursor, _ cursor: Cursor) {
        guard action.kind == .pairDevice, let name = action.device, let key = cursor["device"],
            let username = place.node.string.flatMap(Username.init(notation:)),
            let device = world.person(username)?.notified?.devices.first(where: { $0.name == name }),
            !device.joinsLater
        else { return }
        let hint = "Give the device `\"joinsLater\": true`."
        note(.impossibleAction, key, "\(username) has \(quoted(name.text)) from the start.", hint: hint)
    }

    /// Whether the person at `place` uses the notifier, on a device of that name where one is given.
    mutating func checkNotified(_ place: Cursor, _ device: DeviceName?, _ cursor: Cursor) -> Bool {
        let before = report.problems.count
        guard let text = place.node.string, let username = Username(notation: text) else { return false }
        guard let person = world.person(username) else { return false }
        guard let notified = person.notified else {
            _ = decodeNotified(place)
            return false
        }
        if let device, let deviceKey = cursor["device"], !notified.devices.contains(where: { $0.name == device }) {
            let names = notified.devices.map(\.name.text)
            note(
                .unknownDevice,
                deviceKey,
                "\(username) has no device called \(quoted(device.text)).",
                allowed: names,
                nearest: NearestName.find(device.text, in: names)
            )
        }
        return report.problems.count == before
    }

    /// A person who is named must be a member of one of the projects at least.
    private mutating func checkMembers(_ places: [Cursor], of projects: [ProjectPath]) {
        for place in places {
            guard let text = place.node.string, let username = Username(notation: text) else { continue }
            guard world.person(username) != nil, !projects.contains(where: { isMember(username, of: $0) }) else {
                continue
            }
            let names = projects.map(\.text).joined(separator: ", ")
            note(
                .notAMember,
                place,
                "\(username) is not a member of \(names).",
                hint: "Add the person to its `members`."
            )
        }
    }
}
