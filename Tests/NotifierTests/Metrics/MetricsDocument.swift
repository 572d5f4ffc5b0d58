@testable import Notifier

/// `docs/metrics.md`, made from the table.
enum MetricsDocument {
    static var text: String {
        """
        # Metrics

        <!-- Written by `make docs` from the table in Sources/Notifier/Metrics; a test holds it up to date. -->

        `GET /metrics` answers in Prometheus' text format, to anybody who can reach it: put it behind the reverse proxy's rules when
        the API faces the internet. It names nobody. With `metricsByUser` in the configuration, the families with an entry under
        "of several" carry a label `user_id`, the number that the log calls `account.id`: one series for each person, so mind how
        many they are. Without it the values of several people become one, as that column says.

        Durations are seconds. Counters start at zero with the process. A label whose values are open shows at most
        \(MetricsRegistry.seriesLimit) of them and counts what comes later as `\(MetricsRegistry.other)`.

        Names follow the project's specification, except where `promtool check metrics` refuses them: a type is no part of a name.

        \(section("Polling", MetricFamily.polling))
        \(section("Outbox", MetricFamily.outbox))
        \(section("Delivery", MetricFamily.delivery))
        \(section("Operations", MetricFamily.operations))
        """
    }

    private static func section(_ title: String, _ families: [MetricFamily]) -> String {
        let rows = families.map { family in
            "| `\(family.name)` | \(family.kind.word) | \(labels(of: family)) | \(family.severalPeople) | \(family.help) |\n"
        }
        return """
            ## \(title)

            | Name | Type | Labels | Of several | Meaning |
            |---|---|---|---|---|
            \(rows.joined())
            """
    }

    private static func labels(of family: MetricFamily) -> String {
        family.labels.map { label in
            label.values.isEmpty ? "`\(label.name)`" : "`\(label.name)`: " + label.values.joined(separator: ", ")
        }.joined(separator: "; ")
    }
}

extension MetricFamily {
    fileprivate var severalPeople: String {
        guard isPerPerson else { return "" }
        guard case .gauge(let merging) = kind else { return "sum" }
        return merging.rawValue
    }
}
