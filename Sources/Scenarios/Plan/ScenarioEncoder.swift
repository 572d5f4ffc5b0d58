package import JSON
import Platform

/// Writes scenarios as the JSON that `ScenarioReader` reads: the same scenario, though not the same text.
package enum ScenarioEncoder {
    /// The scenario as JSON, its members in a fixed order.
    package static func scenario(_ scenario: Scenario) -> JSONValue {
        var object = JSONObject()
        object.set("name", scenario.name)
        object.set("description", scenario.description)
        object.set("seed", .integer(Int64(scenario.seed)))
        object.set("duration", scenario.duration)
        object.set("start", scenario.start.utcText(.seconds))
        object.set("world", world(scenario.world))
        if !scenario.notifier.values.isEmpty { object.set("notifier", .object(scenario.notifier.values)) }
        object.set("timeline", .array(scenario.timeline.map(entry)))
        object.set("expect", .array(scenario.expectations.map(gate)))
        object.set("probes", .strings(scenario.probes.map(\.rawValue)))
        return object.value
    }

    private static func gate(_ gate: Gate) -> JSONValue {
        var object = JSONObject()
        object.set(gate.metric.rawValue, gate.comparison.notation)
        object.set("confidence", gate.confidence?.description)
        if gate.window != .whole { object.set("window", gate.window.notation) }
        object.set("kind", gate.kind?.rawValue)
        object.set("person", gate.person?.description)
        return object.value
    }

    // MARK: World

    private static func world(_ world: World) -> JSONValue {
        var object = JSONObject()
        object.set("gitlab", gitlab(world.gitlab))
        var apns = JSONObject()
        apns.set("latency", latency(world.apns.latency))
        apns.set("deviceLatency", latency(world.apns.deviceLatency))
        object.set("apns", apns.value)
        object.set("api", api(world))
        object.set("people", .array(world.people.map(person)))
        object.set("projects", .array(world.projects.map(project)))
        if !world.duties.isEmpty { object.set("duties", .array(world.duties.map(duty))) }
        return object.value
    }

    private static func api(_ world: World) -> JSONValue {
        var object = JSONObject()
        object.set("latency", latency(world.apiLatency))
        if world.receipts != ReceiptHabits() {
            var receipts = JSONObject()
            receipts.set("delivered", world.receipts.delivered.description)
            receipts.set("opened", world.receipts.opened.description)
            object.set("receipts", receipts.value)
        }
        return object.value
    }

    private static func gitlab(_ gitlab: GitLabWorld) -> JSONValue {
        var object = JSONObject()
        object.set("version", gitlab.version.rawValue)
        object.set("edition", gitlab.edition.rawValue)
        object.set("url", gitlab.externalURL)
        object.set("timeZone", CalendarNotation.zoneText(gitlab.timeZoneOffset))
        object.set("latency", latency(gitlab.latency))
        var limits = JSONObject()
        limits.set("authenticated", gitlab.authenticatedLimit.map(limit))
        limits.set("notesPerMinute", gitlab.noteLimit.map { .integer(Int64($0.requests)) })
        if !limits.members.isEmpty { object.set("limits", limits.value) }
        let quirks = gitlab.quirks.map { setting in
            switch setting.value {
            case .on(let isOn): JSONMember(setting.quirk.rawValue, .bool(isOn))
            case .number(let number): JSONMember(setting.quirk.rawValue, .integer(number))
            }
        }
        if gitlab.sendsWebhooks { object.set("webhooks", .bool(true)) }
        if !quirks.isEmpty { object.set("quirks", .object(quirks)) }
        return object.value
    }

    private static func limit(_ limit: RequestLimit) -> JSONValue {
        .object([
            JSONMember("requests", .integer(Int64(limit.requests))),
            JSONMember("period", .string(DurationNotation.text(limit.period))),
        ])
    }

    static func latency(_ table: QuantileTable) -> JSONValue {
        if table.points.count == 2, table.points[0].value == table.points[1].value {
            return .string(DurationNotation.text(table.points[0].value))
        }
        let names: [Int64: String] = [0: "min", 500: "p50", 900: "p90", 990: "p99", 1_000: "max"]
        return .object(
            table.points.compactMap { point in
                names[point.perMille].map { JSONMember($0, .string(DurationNotation.text(point.value))) }
            }
        )
    }

    private static func person(_ person: Person) -> JSONValue {
        var object = JSONObject()
        object.set("username", person.username.description)
        object.set("name", person.name)
        if person.isBot { object.set("bot", .bool(true)) }
        object.set("notified", person.notified.map(notified))
        return object.value
    }

    private static func notified(_ notified: NotifiedPerson) -> JSONValue {
        var object = JSONObject()
        let devices = notified.devices.map { device in
            var object = JSONObject()
            object.set("name", device.name.text)
            object.set("platform", device.platform.rawValue)
            object.set("environment", device.environment.rawValue)
            if device.joinsLater { object.set("joinsLater", .bool(true)) }
            if !device.syncs { object.set("sync", .bool(false)) }
            return object.value
        }
        object.set("devices", .array(devices))
        var token = JSONObject()
        token.set("scopes", .strings(notified.token.scopes.map(\.rawValue)))
        token.set("expires", notified.token.expiry)
        object.set("token", token.value)
        if notified.signIn != .token { object.set("signIn", notified.signIn.rawValue) }
        object.set("watches", .strings(notified.watches.map(\.description)))
        return object.value
    }

    private static func project(_ project: Project) -> JSONValue {
        var object = JSONObject()
        object.set("path", project.path.text)
        let members = project.members.map { member in
            JSONValue.object([
                JSONMember("username", .string(member.username.description)),
                JSONMember("role", .string(member.role.rawValue)),
            ])
        }
        object.set("members", .array(members))
        for (key, kind) in [("mergeRequests", ItemKind.mergeRequest), ("issues", .issue)] {
            let items = project.items.filter { $0.kind == kind }
            if !items.isEmpty { object.set(key, .array(items.map(item))) }
        }
        return object.value
    }

    private static func item(_ item: Item) -> JSONValue {
        var object = JSONObject()
        object.set("iid", .integer(item.iid))
        object.set("title", item.title)
        object.set("author", item.author.description)
        object.setPeople("assignees", item.assignees)
        object.setPeople("reviewers", item.reviewers)
        if !item.labels.isEmpty { object.set("labels", .strings(item.labels)) }
        if item.state != .opened { object.set("state", item.state.rawValue) }
        if item.isDraft { object.set("draft", .bool(true)) }
        if item.isConfidential { object.set("confidential", .bool(true)) }
        if item.oldNotes > 0 { object.set("oldNotes", .integer(Int64(item.oldNotes))) }
        return object.value
    }
}

/// A JSON object that is being written; keys without a value are left out.
struct JSONObject {
    private(set) var members: [JSONMember] = []

    var value: JSONValue { .object(members) }

    mutating func set(_ key: String, _ value: JSONValue?) {
        if let value { members.append(JSONMember(key, value)) }
    }

    mutating func set(_ key: String, _ text: String?) { set(key, text.map(JSONValue.string)) }

    mutating func set(_ key: String, _ duration: Duration?) { set(key, duration.map(DurationNotation.text)) }

    mutating func setPeople(_ key: String, _ people: [Username]) {
        if !people.isEmpty { set(key, .strings(people.map(\.description))) }
    }
}
