package import Platform

/// What a trace records. Each kind has a stable name; `docs/trace.md` lists them.
package enum TraceEvent: Sendable {
    case nodeStarted(name: String, incarnation: Int)
    case nodeStopped(name: String)
    case nodeCrashed(name: String)
    case nodeStalled(name: String)
    /// A request leaves its client. The body is not recorded: it may hold secrets.
    case requestSent(exchange: Int64, link: String, method: String, target: String, bodyBytes: Int)
    /// A request reaches its server.
    case requestArrived(exchange: Int64)
    /// A server answers; `fault` names the injected fault that shaped the answer.
    case replySent(exchange: Int64, status: Int, bodyBytes: Int, fault: String?)
    /// A client learns what became of its request.
    case exchangeEnded(exchange: Int64, status: Int, failure: String?)
    case faultBegan(id: String, kind: String)
    case faultEnded(id: String)
    /// A component of the product wrote a log entry.
    case log(LogEntry)
    /// Something of the scenario's world: an activity on GitLab, a notification on a device. `kind` is constant.
    case world(kind: StaticString, subject: Int64, detail: String)

    /// The exchange the event belongs to; nil for all but the steps of an exchange.
    var exchange: Int64? {
        switch self {
        case .requestSent(let exchange, _, _, _, _), .requestArrived(let exchange), .replySent(let exchange, _, _, _),
            .exchangeEnded(let exchange, _, _):
            exchange
        default: nil
        }
    }

    /// The stable name of this kind of event.
    package var name: String {
        switch self {
        case .nodeStarted: "node.started"
        case .nodeStopped: "node.stopped"
        case .nodeCrashed: "node.crashed"
        case .nodeStalled: "node.stalled"
        case .requestSent: "request.sent"
        case .requestArrived: "request.arrived"
        case .replySent: "reply.sent"
        case .exchangeEnded: "exchange.ended"
        case .faultBegan: "fault.began"
        case .faultEnded: "fault.ended"
        case .log: "log"
        case .world(let kind, _, _): kind.description
        }
    }
}

/// One event of a trace: when, on which node, what.
package struct TraceRecord: Sendable {
    package var at: MonotonicInstant
    /// The node's number; 0 for the world around the nodes.
    package var node: UInt32
    package var event: TraceEvent
}
