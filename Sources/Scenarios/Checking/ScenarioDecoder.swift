import JSON
import Platform

/// Turns a tree of sound shape into a scenario and notes what makes no sense in it.
struct ScenarioDecoder {
    var report: ProblemReport
    /// Filled while the world is decoded.
    var world = World(people: [], projects: [])
    /// Items that exist at the beginning, for look-up.
    var existingItems: Set<ItemReference> = []
    /// Items that entries of the timeline open under a number of their own.
    var openedItems: Set<ItemReference> = []
    var duration = Duration.zero
    /// When the story begins.
    var start = WallTime(microseconds: 0)

    /// The scenario; worth nothing when the report is not empty afterwards.
    mutating func decode(_ root: Cursor) -> Scenario {
        duration = root.duration("duration") ?? .zero
        start = root.text("start").flatMap(CalendarNotation.wallTime) ?? start
        if start > CalendarNotation.latest, let place = root["start"] {
            note(.outOfRange, place, "The story begins after the year 2199.", hint: "An earlier one tells the same.")
            start = CalendarNotation.latest
        }
        if let cursor = root["world"] { decodeWorld(cursor) }
        let timeline = decodeTimeline(root.list("timeline"))
        let gates = root.list("expect").compactMap { decodeGate($0, timeline: timeline) }
        return Scenario(
            name: root.text("name") ?? "",
            description: root.text("description") ?? "",
            seed: UInt64(root.integer("seed") ?? 1),
            duration: duration,
            start: start,
            world: world,
            notifier: decodeNotifier(root["notifier"]),
            timeline: timeline,
            expectations: gates,
            probes: root.list("probes").compactMap { $0.node.string.flatMap(Probe.init(rawValue:)) }
        )
    }

    private mutating func decodeGate(_ cursor: Cursor, timeline: [TimelineEntry]) -> Gate? {
        let metrics = Metric.allCases.filter { cursor.node[$0.rawValue] != nil }
        guard let metric = metrics.first, let text = cursor.text(metric.rawValue) else { return nil }
        guard let comparison = Comparison(notation: text, unit: metric.unit) else { return nil }
        let confidence = cursor.ratio("confidence")
        if let confidence, confidence == .one || confidence == .zero, let place = cursor["confidence"] {
            let message = "No number of runs proves anything at \(confidence) confidence."
            note(.outOfRange, place, message, hint: "95% is customary.")
        }
        let window = cursor.text("window").flatMap(Window.init(notation:)) ?? .whole
        if let place = cursor["window"] { checkWindow(window, timeline, place) }
        let person = cursor["person"].flatMap { decodeNotified($0) }
        let kind: ActionKind? = cursor.choice("kind")
        return Gate(
            metric: metric,
            comparison: comparison,
            confidence: confidence,
            window: window,
            kind: kind,
            person: person
        )
    }

    private mutating func checkWindow(_ window: Window, _ timeline: [TimelineEntry], _ place: Cursor) {
        let id: EntryID
        switch window {
        case .whole: return
        case .during(let fault), .after(let fault): id = fault
        }
        let faults = timeline.compactMap(\.faultID)
        guard !faults.contains(where: { $0 == id || $0.group == id.text }) else { return }
        let names = faults.map(\.text)
        note(
            .unknownFault,
            place,
            "The timeline has no fault called \(quoted(id.text)).",
            allowed: names,
            nearest: NearestName.find(id.text, in: names)
        )
    }

    // MARK: Names

    /// Notes a problem about the value at `place`.
    mutating func note(
        _ code: ProblemCode,
        _ place: Cursor,
        _ message: String,
        allowed: [String] = [],
        nearest: String? = nil,
        hint: String? = nil
    ) {
        let names = allowed.count > 24 ? Array(allowed.prefix(24)) + ["…"] : allowed
        report.add(code, at: place.node.offset, place.pointer, message, allowed: names, nearest: nearest, hint: hint)
    }

    /// The person named at `place`; nil, and a problem, when the world has no such person.
    mutating func decodePerson(_ place: Cursor) -> Username? {
        guard let text = place.node.string, let username = Username(notation: text) else { return nil }
        if world.person(username) != nil { return username }
        let names = world.people.map(\.username.description)
        note(
            .unknownPerson,
            place,
            "There is no person \(username) in the world.",
            allowed: names,
            nearest: NearestName.find(text, in: names)
        )
        return nil
    }

    /// The user of the notifier named at `place`.
    mutating func decodeNotified(_ place: Cursor) -> Username? {
        guard let username = decodePerson(place) else { return nil }
        if world.person(username)?.notified != nil { return username }
        let users = world.people.filter { $0.notified != nil }.map(\.username.description)
        let hint = "Give the person a `notified` section with devices."
        note(.notNotified, place, "\(username) is not a user of the notifier.", allowed: users, hint: hint)
        return nil
    }

    /// The project named at `place`.
    mutating func decodeProject(_ place: Cursor) -> ProjectPath? {
        guard let text = place.node.string, let path = ProjectPath(text) else { return nil }
        return knownProject(path, place) ? path : nil
    }

    /// Whether the world has the project; notes a problem otherwise.
    mutating func knownProject(_ path: ProjectPath, _ place: Cursor) -> Bool {
        if world.project(path) != nil { return true }
        let names = world.projects.map(\.path.text)
        note(
            .unknownProject,
            place,
            "There is no project \(path) in the world.",
            allowed: names,
            nearest: NearestName.find(path.text, in: names)
        )
        return false
    }

    /// The items that the notation at `place` means: one, or all of a kind in a project.
    mutating func decodeItems(_ place: Cursor) -> [ItemReference] {
        guard let text = place.node.string, let pattern = ItemPattern(notation: text) else { return [] }
        guard knownProject(pattern.project, place) else { return [] }
        guard let iid = pattern.iid else {
            let items = world.itemReferences.filter { $0.project == pattern.project && $0.kind == pattern.kind }
            if items.isEmpty { note(.unknownItem, place, "\(pattern.project) has no \(pattern.kind.phrase).") }
            return items
        }
        let reference = ItemReference(project: pattern.project, kind: pattern.kind, iid: iid)
        if existingItems.contains(reference) || openedItems.contains(reference) { return [reference] }
        noteUnknown(reference, place)
        return []
    }

    private mutating func noteUnknown(_ reference: ItemReference, _ place: Cursor) {
        let names = world.itemReferences.filter { $0.project == reference.project }.map(\.description)
        let twin = ItemReference(
            project: reference.project,
            kind: reference.kind == .issue ? .mergeRequest : .issue,
            iid: reference.iid
        )
        note(
            .unknownItem,
            place,
            "There is no \(reference.kind.phrase) \(reference) in the world.",
            allowed: names,
            nearest: existingItems.contains(twin)
                ? twin.description : NearestName.find(reference.description, in: names)
        )
    }
}
