import Testing

@testable import Notifier

/// The files below `deploy` speak of metrics that there are.
struct DeployedFilesTests {
    /// What Prometheus itself adds, labels, functions and the like.
    private static let words: Set<String> = [
        "histogram_quantile", "rate_interval", "last_over_time", "error_type", "device_dead", "device_moved",
        "alert_name",
        "humanize_duration", "not_sent", "user_id",
    ]

    @Test(arguments: ["deploy/prometheus/alerts.yml", "deploy/grafana/dashboard.json"])
    func `every metric that is asked for stands in the table`(path: String) throws {
        let text = try LiveSourceTree.text(at: path)
        let names = Set(MetricFamily.all.flatMap { Self.exposed($0) })
        var asked: Set<String> = []
        for word in text.split(whereSeparator: { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }) {
            let word = String(word)
            guard word.contains("_"), !word.hasPrefix("_"), word == word.lowercased(), !Self.words.contains(word) else {
                continue
            }
            #expect(names.contains(word), "\(word)")
            asked.insert(word)
        }
        #expect(asked.count >= 8)
    }

    private static func exposed(_ family: MetricFamily) -> [String] {
        guard case .histogram = family.kind else { return [family.name] }
        return ["_bucket", "_sum", "_count"].map { family.name + $0 }
    }
}
