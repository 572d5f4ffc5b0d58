import Crypto
import FakeAPNs
import FakeGitLab
import Harness
import JSON
import Platform
import Scenarios

/// What a served world has to show: what happened on GitLab, what APNs took, what devices displayed.
///
/// Everything shown is numbered from 1, so that "after 0" is the beginning; the fake APNs itself counts pushes and events from 0.
enum ServedLedgers {
    /// Everything people did on GitLab behind that sequence number.
    static func activities(of world: SimulatedWorld, after sequence: Int64, limit: Int) -> [JSONValue] {
        world.gitlab.activities(after: Int(clamping: sequence)).prefix(limit).map(json)
    }

    static func json(_ activity: Activity) -> JSONValue {
        var members = [
            JSONMember("sequence", .integer(Int64(activity.sequence))),
            JSONMember("at", .string(activity.at.utcText(.seconds))),
            JSONMember("kind", .string(activity.kind.rawValue)),
            JSONMember("by", .string("@\(activity.actor.username)")),
        ]
        if let item = activity.item {
            let mark = item.kind == .issue ? "#" : "!"
            members += [
                JSONMember("on", .string("\(item.projectPath)\(mark)\(item.iid)")),
                JSONMember("projectID", .integer(item.projectID)),
            ]
        }
        return .object(
            members + [
                JSONMember("noteIDs", .array(activity.noteIDs.map(JSONValue.integer))),
                JSONMember("todos", .array(activity.todos.map(json))),
                JSONMember("mentioned", .strings(activity.mentioned.map { "@\($0)" })),
                JSONMember("body", .string(activity.body)),
            ]
        )
    }

    private static func json(_ todo: Activity.CreatedTodo) -> JSONValue {
        .object([JSONMember("id", .integer(todo.id)), JSONMember("of", .string("@\(todo.person)"))])
    }

    /// Every push that APNs took behind that number, and what became of it.
    static func pushes(of world: SimulatedWorld, after id: Int64, limit: Int) -> [JSONValue] {
        world.fleet.pushes.filter { number(of: $0.push) > id }.prefix(limit).map { tracked in
            .object([JSONMember("fate", .string(Self.text(tracked.fate)))] + members(of: tracked.push))
        }
    }

    /// What every device saw behind that sequence number, in order.
    static func events(of world: SimulatedWorld, after sequence: Int64, limit: Int) -> [JSONValue] {
        let events = world.fleet.devices.flatMap { world.fleet.events(of: $0) }
        return events.filter { number(of: $0) > sequence }.sorted { $0.sequence < $1.sequence }.prefix(limit).map {
            event in
            .object(
                [
                    JSONMember("sequence", .integer(number(of: event))),
                    JSONMember("at", .string(event.at.utcText(.seconds))),
                    JSONMember("kind", .string(text(event.kind))),
                ] + members(of: event.push)
            )
        }
    }

    /// Devices with the tokens that reach them now.
    static func devices(_ world: SimulatedWorld) -> JSONValue {
        .array(
            world.people.flatMap { person in
                person.devices.map { device in
                    .object([
                        JSONMember("id", .string(device.id.rawValue)),
                        JSONMember("person", .string("@\(person.username.text)")),
                        JSONMember("platform", .string(device.platform.rawValue)),
                        JSONMember("environment", .string(device.environment.rawValue)),
                        JSONMember("token", .string(device.token.hex)),
                    ])
                }
            }
        )
    }

    private static func number(of push: Push) -> Int64 { push.id.rawValue + 1 }

    private static func number(of event: DeviceEvent) -> Int64 { event.sequence + 1 }

    private static func members(of push: Push) -> [JSONMember] {
        [
            JSONMember("push", .integer(number(of: push))), JSONMember("apnsID", .string(push.apnsID)),
            JSONMember("device", .string(push.device.rawValue)), JSONMember("topic", .string(push.topic)),
            JSONMember("collapseID", push.collapseID.map(JSONValue.string) ?? .null),
            JSONMember("payload", payload(push)),
        ]
    }

    /// The payload as JSON, which APNs has seen that it is.
    private static func payload(_ push: Push) -> JSONValue {
        var reader = JSONReader(bytes: push.payload)
        guard let node = try? reader.read() else { return .string(String(decoding: push.payload, as: UTF8.self)) }
        return node.value
    }

    private static func text(_ kind: DeviceEvent.Kind) -> String {
        switch kind {
        case .accepted: "accepted"
        case .stored: "stored"
        case .held: "held"
        case .displayed: "displayed"
        case .replaced: "replaced"
        case .delivered: "delivered"
        case .discarded: "discarded"
        }
    }

    private static func text(_ fate: PushFate) -> String {
        switch fate {
        case .inFlight: "in-flight"
        case .stored: "stored"
        case .held: "held"
        case .displayed: "displayed"
        case .delivered: "delivered"
        case .discarded: "discarded"
        }
    }
}
