/// Who owns a part of a latency, in five groups: more colours could not be told apart. Each has a shape of its own, too.
enum OwnerFamily: String, CaseIterable {
    case gitlab, quiet, down, notifier, push

    /// The owners of the ledger that belong to it.
    var owners: [String] {
        switch self {
        case .gitlab: ["visibility", "outage", "rateLimit", "token"]
        case .quiet: ["quiet"]
        case .down: ["downtime"]
        case .notifier: ["backoff", "poll", "queue"]
        case .push: ["apns", "device"]
        }
    }

    init(owner: String) { self = Self.allCases.first { $0.owners.contains(owner) } ?? .notifier }

    var label: String {
        switch self {
        case .gitlab: "GitLab or its link"
        case .quiet: "quiet hours"
        case .down: "notifier not running"
        case .notifier: "notifier: polling, backoff, outbox"
        case .push: "APNs and device"
        }
    }

    /// A closed shape around a point.
    func shape(_ x: Double, _ y: Double) -> Markup {
        let (x, y) = (Coordinate(x), Coordinate(y))
        switch self {
        case .gitlab: return "M\(x) \(y)m0-4l4 4-4 4-4-4z"
        case .quiet: return "M\(x) \(y)m-3.5-3h7l-3.5 6.5z"
        case .down: return "M\(x) \(y)m-4-1.3h8v2.6h-8z"
        case .notifier: return "M\(x) \(y)m-2.6-2.6h5.2v5.2h-5.2z"
        case .push: return "M\(x) \(y)m-3.5 3h7l-3.5-6.5z"
        }
    }

    /// Its shape in its colour, for a legend.
    var key: Markup {
        "<svg class=\"key\" aria-hidden=\"true\" viewBox=\"0 0 14 14\"><path class=\"o-\(rawValue)\" d=\"\(shape(7, 7))\"/></svg>"
    }
}
