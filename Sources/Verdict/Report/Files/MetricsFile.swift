import Scenarios

/// `metrics.txt`: the figures that a pipeline compares with those of the target branch, in OpenMetrics.
///
/// GitLab compares values as texts, so that each has fixed decimals, and none depends on the machine or the day.
package enum MetricsFile {
    /// One family, ended by `# EOF` after the last; the same bytes for the same report.
    package static func text(_ report: RunReport) -> String {
        let scenario = Label("scenario", report.scenario.name)
        return families(report).map { $0.text(scenario) }.joined() + "# EOF\n"
    }

    private static func families(_ report: RunReport) -> [Family] {
        verdict(report) + delivery(report) + [
            latency("simctl_latency_seconds", "From the activity to its first display.", report.whole.total.latency),
            latency(
                "simctl_excess_latency_seconds",
                "The part of the latency that nobody is excused from.",
                report.whole.total.excess
            ),
            Family(
                "simctl_requests",
                "Requests of the notifier over all seeds.",
                [
                    Sample([Label("service", "gitlab")], report.traffic.gitlabRequests),
                    Sample([Label("service", "apns")], report.traffic.apnsRequests),
                ]
            ),
            Family(
                "simctl_requests_refused",
                "Requests that GitLab's limiter answered 429, over all seeds.",
                [Sample([], report.traffic.gitlabRefused)]
            ),
        ]
    }

    private static func verdict(_ report: RunReport) -> [Family] {
        let gates = Verdict.allCases.map { verdict in
            Sample([Label("verdict", verdict.rawValue)], report.gates.count { $0.verdict == verdict })
        }
        return [
            Family(
                "simctl_exit_code",
                "What simctl told its caller: 0 is all met.",
                [
                    Sample([], Int(report.exitCode.rawValue))
                ]
            ),
            Family("simctl_seeds", "Seeds that were run.", [Sample([], report.seeds.count)]),
            Family("simctl_gates", "Gates by verdict.", gates),
            Family("simctl_invariants_broken", "Counterexamples to invariants.", [Sample([], report.violationsInAll)]),
            Family("simctl_crashes", "Seeds under which the notifier crashed.", [Sample([], report.crashes.count)]),
        ]
    }

    private static func delivery(_ report: RunReport) -> [Family] {
        let total = report.whole.total
        let counts = [
            ("expected", total.expected), ("delivered", total.known), ("missed", total.missed),
            ("duplicate", total.duplicates), ("unexpected", total.unexpected),
        ]
        return [
            Family(
                "simctl_notifications",
                "Notifications over all seeds, by what became of them.",
                counts.map {
                    Sample([Label("outcome", $0)], $1)
                }
            ),
            Family(
                "simctl_missed",
                "Missed notifications by cause.",
                report.misses.map {
                    Sample([Label("cause", $0.code)], $0.count)
                }
            ),
            Family(
                "simctl_delivery_lower_bound_ratio",
                "At least this share is delivered, at 95 % confidence; without a miss, as if they came singly.",
                [share(report.deliveryLowerBound95)]
            ),
            Family(
                "simctl_clean_seeds_lower_bound_ratio",
                "At least this share of all seeds has no miss, at 95 % confidence, however misses cluster.",
                [share(report.cleanSeedsLowerBound95)]
            ),
        ]
    }

    /// Rounded down, so that it promises nothing.
    private static func share(_ bound: Double) -> Sample {
        Sample([], value: FigureText.decimal((bound * 10_000).rounded(.down) / 10_000, 4))
    }

    /// A summary; quantiles without data are left out, and the 99th percentile of too few samples.
    private static func latency(_ name: String, _ help: String, _ samples: LatencySamples) -> Family {
        let quantiles = [
            ("0.5", samples.percentile(50)), ("0.9", samples.percentile(90)), ("0.95", samples.percentile(95)),
            ("0.99", LatencyFigures.p99(samples)), ("1", samples.maximum),
        ]
        var family = Family(
            name,
            help,
            quantiles.compactMap { quantile, milliseconds in
                milliseconds.map {
                    Sample([Label("quantile", quantile)], value: FigureText.decimal(Double($0) / 1_000, 1))
                }
            }
        )
        family.kind = "summary"
        family.unit = "seconds"
        family.samples.append(Sample([], samples.count, suffix: "_count"))
        return family
    }
}

/// A name with a value in braces.
private struct Label {
    var text: String

    init(_ name: String, _ value: String) {
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            case "\r": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        text = "\(name)=\"\(escaped)\""
    }
}

private struct Sample {
    var labels: [Label]
    var value: String
    var suffix = ""

    init(_ labels: [Label], value: String) {
        self.labels = labels
        self.value = value
    }

    init(_ labels: [Label], _ count: Int, suffix: String = "") {
        self.init(labels, value: String(count))
        self.suffix = suffix
    }
}

/// Samples of one name.
private struct Family {
    var name: String
    var help: String
    var samples: [Sample]
    var kind = "gauge"
    var unit: String?

    init(_ name: String, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.help = help
        self.samples = samples
    }

    /// Nothing for a family without samples.
    func text(_ common: Label) -> String {
        guard !samples.isEmpty else { return "" }
        var text = "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        for sample in samples {
            let labels = ([common] + sample.labels).map(\.text).joined(separator: ",")
            text += "\(name)\(sample.suffix){\(labels)} \(sample.value)\n"
        }
        return text
    }
}
