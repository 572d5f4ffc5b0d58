/// What the notifier tells its operator at one instant, in Prometheus' text format. It answers without a person's session, so that it can be
/// asked when every session has ended.
struct MetricsPage {
    private let lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n")
    }

    /// True when no delivery waits or is under way, of nobody; false also when the page does not say, as when the database cannot be read.
    var hasNothingToDeliver: Bool {
        tellsOfTables
            && !lines.contains { $0.hasPrefix("outbox_depth{") && Self.isOfLiveDelivery($0) && !$0.hasSuffix(" 0") }
    }

    /// Where each person has series of their own, those without a delivery have none; how many people are active always stands there.
    private var tellsOfTables: Bool { lines.contains { $0.hasPrefix("active_users ") } }

    private static func isOfLiveDelivery(_ line: Substring) -> Bool {
        ["queued", "sending"].contains { line.contains("status=\"\($0)\"") }
    }
}
