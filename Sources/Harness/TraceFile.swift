import JSON
import Platform
import Scenarios
package import Simulation

/// `trace.jsonl`: one event of the run per line, in order.
package enum TraceFile {
    /// The line for `record`, without a newline. The instant always comes first.
    package static func line(_ record: TraceRecord) -> String {
        line(record.event, at: record.at, node: record.node)
    }

    /// The line for an event of that instant and node.
    static func line(_ event: TraceEvent, at instant: MonotonicInstant, node: UInt32) -> String {
        let start = [
            JSONMember("atNanoseconds", .integer(instant.nanoseconds)), JSONMember("node", .integer(Int64(node))),
            JSONMember("event", .string(event.name)),
        ]
        return JSONValue.object(start + members(of: event)).text(indented: false)
    }

    /// The target without a device token, of which the beginning tells devices apart.
    private static func shown(_ target: String) -> String {
        let push = "/3/device/"
        guard target.hasPrefix(push), target.count > push.count + 8 else { return target }
        return "\(target.prefix(push.count + 8))…"
    }

    private static func members(of event: TraceEvent) -> [JSONMember] {
        switch event {
        case .nodeStarted(let name, let incarnation):
            [JSONMember("name", .string(name)), JSONMember("incarnation", .integer(Int64(incarnation)))]
        case .nodeStopped(let name), .nodeCrashed(let name), .nodeStalled(let name):
            [JSONMember("name", .string(name))]
        case .requestSent(let exchange, let link, let method, let target, let bodyBytes):
            [
                JSONMember("exchange", .integer(exchange)), JSONMember("link", .string(link)),
                JSONMember("method", .string(method)), JSONMember("target", .string(shown(target))),
                JSONMember("bodyBytes", .integer(Int64(bodyBytes))),
            ]
        case .requestArrived(let exchange): [JSONMember("exchange", .integer(exchange))]
        case .replySent(let exchange, let status, let bodyBytes, let fault):
            [
                JSONMember("exchange", .integer(exchange)), JSONMember("status", .integer(Int64(status))),
                JSONMember("bodyBytes", .integer(Int64(bodyBytes))),
            ] + optional("fault", fault)
        case .exchangeEnded(let exchange, let status, let failure):
            [JSONMember("exchange", .integer(exchange)), JSONMember("status", .integer(Int64(status)))]
                + optional("failure", failure)
        case .faultBegan(let id, let kind): [JSONMember("id", .string(id)), JSONMember("kind", .string(kind))]
        case .faultEnded(let id): [JSONMember("id", .string(id))]
        case .log(let entry): members(of: entry)
        case .world(_, let subject, let detail):
            [JSONMember("subject", .integer(subject)), JSONMember("detail", .string(detail))]
        }
    }

    private static func members(of entry: LogEntry) -> [JSONMember] {
        let fields = entry.fields.map { field -> JSONMember in
            switch field.value {
            case .text(let text): JSONMember(field.key.description, .string(text))
            case .number(let number): JSONMember(field.key.description, .integer(number))
            }
        }
        return [
            JSONMember("level", .string(String(describing: entry.level))),
            JSONMember("message", .string(entry.message.description)), JSONMember("fields", .object(fields)),
        ]
    }

    private static func optional(_ key: String, _ value: String?) -> [JSONMember] {
        value.map { [JSONMember(key, .string($0))] } ?? []
    }
}
