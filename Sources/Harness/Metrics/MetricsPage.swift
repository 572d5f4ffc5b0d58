/// What the notifier tells its operator at one instant, in Prometheus' text format. It answers without a person's session, so that it can be
/// asked when every session has ended.
struct MetricsPage {
    private let lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n")
    }

    /// True when nothing waits for a device that can be pushed to; what waits for one that APNs does not take at the moment may do so
    /// until it expires. False also when the page does not say, as when the database cannot be read.
    var hasNothingToDeliver: Bool {
        tellsOfTables && !lines.contains { $0.hasPrefix("outbox_oldest_age_seconds") && !$0.hasSuffix(" 0") }
    }

    /// Where each person has series of their own, those for whom nothing waits have none; how many people are active always stands there.
    private var tellsOfTables: Bool { lines.contains { $0.hasPrefix("active_users ") } }
}
