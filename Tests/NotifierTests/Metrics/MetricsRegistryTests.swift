import Platform
import Testing

@testable import Notifier

struct MetricsRegistryTests {
    private let first = AccountID(rawValue: 1)
    private let second = AccountID(rawValue: 2)

    private func lines(_ registry: MetricsRegistry, of name: String) -> [String] {
        MetricsText.render(registry).split(separator: "\n").map(String.init).filter { line in
            line.hasPrefix(name + " ") || line.hasPrefix(name + "{") || line.hasPrefix(name + "_")
        }
    }

    @Test func `every metric stands in the table once, under a name of its own`() {
        #expect(MetricFamily.all.count == Metric.allCases.count)
        #expect(Set(MetricFamily.all.map(\.metric)).count == Metric.allCases.count)
        #expect(Set(MetricFamily.all.map(\.name)).count == Metric.allCases.count)
    }

    @Test func `names end as their types ask`() {
        for family in MetricFamily.all {
            switch family.kind {
            case .counter: #expect(family.name.hasSuffix("_total"), "\(family.name)")
            case .gauge: #expect(!family.name.hasSuffix("_total"), "\(family.name)")
            case .histogram(let bounds):
                #expect(family.name.hasSuffix("_seconds"), "\(family.name)")
                #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count, "\(family.name)")
            }
            #expect(!family.help.contains("\"") && !family.help.contains("\n"), "\(family.name)")
        }
    }

    @Test func `people are added up unless they are to be told apart`() {
        let together = MetricsRegistry(tellsPeopleApart: false)
        let apart = MetricsRegistry(tellsPeopleApart: true)
        for registry in [together, apart] {
            registry.count(.notesFetched, 2, of: first)
            registry.count(.notesFetched, 3, of: second)
        }
        #expect(lines(together, of: "gitlab_notes_fetched_total") == ["gitlab_notes_fetched_total 5"])
        #expect(
            lines(apart, of: "gitlab_notes_fetched_total") == [
                "gitlab_notes_fetched_total{user_id=\"1\"} 2", "gitlab_notes_fetched_total{user_id=\"2\"} 3",
            ]
        )
    }

    @Test func `news that are centuries old by their own word end nothing`() {
        let registry = MetricsRegistry(tellsPeopleApart: false)
        for _ in 1...1_500 { registry.observe(.notificationDetection, .days(80_000)) }
        let name = Metric.notificationDetection.family.name
        #expect(lines(registry, of: name).contains("\(name)_count 1500"))
    }

    @Test(arguments: [
        (Metric.pollLoopHeartbeat, "poll_loop_heartbeat_timestamp_seconds 10"),
        (.pollInterval, "poll_interval_seconds 20.5"),
    ])
    func `a gauge of several people shows the worst off`(metric: Metric, line: String) {
        let registry = MetricsRegistry(tellsPeopleApart: false)
        registry.set(metric, to: .milliseconds(20_500), of: first)
        registry.set(metric, to: .seconds(10), of: second)
        #expect(lines(registry, of: metric.family.name) == [line])
        registry.forgetGauges([metric], of: first)
        #expect(lines(registry, of: metric.family.name) == ["\(metric.family.name) 10"])
    }

    @Test func `known labels are there before anything was counted`() {
        let registry = MetricsRegistry(tellsPeopleApart: false)
        registry.count(.apnsAttempts, 1, ["accepted"])
        #expect(
            lines(registry, of: "apns_attempts_total") == [
                "apns_attempts_total{outcome=\"accepted\"} 1", "apns_attempts_total{outcome=\"not_sent\"} 0",
                "apns_attempts_total{outcome=\"rejected\"} 0", "apns_attempts_total{outcome=\"unknown\"} 0",
            ]
        )
    }

    @Test func `buckets are cumulative and a bound belongs to its bucket`() {
        let registry = MetricsRegistry(tellsPeopleApart: false)
        for seconds in [-5, 1, 2, 4_000] { registry.observe(.pollCycleDuration, .seconds(seconds)) }
        let found = lines(registry, of: "poll_cycle_duration_seconds")
        #expect(
            found.prefix(2) == [
                "poll_cycle_duration_seconds_bucket{le=\"1\"} 2", "poll_cycle_duration_seconds_bucket{le=\"5\"} 3",
            ]
        )
        #expect(
            found.suffix(3) == [
                "poll_cycle_duration_seconds_bucket{le=\"+Inf\"} 4", "poll_cycle_duration_seconds_sum 4003",
                "poll_cycle_duration_seconds_count 4",
            ]
        )
    }

    @Test func `labels beyond the limit are counted together and lose nothing`() {
        let registry = MetricsRegistry(tellsPeopleApart: false)
        let count = MetricsRegistry.seriesLimit + 50
        for number in 0..<count { registry.count(.notificationsDead, 1, ["reason \(number)"]) }
        let found = lines(registry, of: "notifications_dead_total")
        #expect(found.count == MetricsRegistry.seriesLimit + 1)
        #expect(found.contains("notifications_dead_total{reason=\"other\"} 50"))
    }

    @Test func `a label is escaped`() {
        let registry = MetricsRegistry(tellsPeopleApart: false)
        registry.count(.notificationsDead, 1, ["a\"b\\c\nd"])
        #expect(
            lines(registry, of: "notifications_dead_total") == [#"notifications_dead_total{reason="a\"b\\c\nd"} 1"#]
        )
    }

    @Test func `a person who is forgotten leaves no series`() {
        let registry = MetricsRegistry(tellsPeopleApart: true)
        registry.count(.notesFetched, 2, of: first)
        registry.observe(.pollCycleDuration, .seconds(1), of: first)
        registry.forget(first)
        #expect(!MetricsText.render(registry).contains("user_id"))
    }

    @Test(arguments: [
        (Int64(0), "0"), (1, "0.000001"), (-1_500_000, "-1.5"), (90_000_000, "90"), (120_050_000, "120.05"),
    ])
    func `millionths are written exactly`(value: Int64, text: String) {
        #expect(MetricsText.decimal(millionths: value) == text)
    }

    @Test func `a metric used as another kind traps`() async {
        await #expect(processExitsWith: .failure) {
            MetricsRegistry(tellsPeopleApart: false).count(.pollInterval)
        }
    }
}
