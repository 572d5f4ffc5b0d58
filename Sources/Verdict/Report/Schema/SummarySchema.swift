import JSON
import Scenarios

/// The schema of `summary.json`.
enum SummarySchema {
    static var node: JSONSchema { .object(verdict + latencies + run) }

    private static var verdict: [(String, JSONSchema)] {
        [
            ("schemaVersion", .constant(.integer(SummaryFile.schemaVersion))),
            ("scenario", .text), ("description", .text), ("build", .text),
            ("seeds", .array(of: ReportSchema.seed)),
            ("verdict", ReportSchema.verdict), ("exitCode", ReportSchema.exitCode),
            ("exitReason", .text.described("The exit code in words.")),
            ("claim", .text.described("What the figures may be taken to say about other runs.")),
            ("reproduction", .text.orNull.described("The command that runs the worst seed again.")),
            ("gates", .array(of: gate)), ("probes", .array(of: probe)), ("invariants", invariants),
            ("crashes", .array(of: .object([("seed", ReportSchema.seed), ("message", .text), ("backtrace", .text)]))),
            ("delivery", delivery), ("misses", ReportSchema.misses),
        ]
    }

    private static var gate: JSONSchema {
        .object([
            ("rule", .text.described("The gate as a sentence of the scenario.")),
            ("metric", .oneOf(Metric.allCases.map(\.rawValue))),
            ("unit", .oneOf(Metric.Unit.allCases.map(\.rawValue))),
            ("verdict", ReportSchema.verdict),
            ("observed", .text), ("observedValue", .number.orNull),
            ("bound", .text.orNull.described("What is proven, for a gate with a confidence.")),
            ("boundValue", .number.orNull),
            (
                "margin",
                .text.orNull.described("How far on the right side of the requirement; negative on the wrong one.")
            ),
            ("samples", .count), ("note", .text.orNull),
        ])
    }

    private static var probe: JSONSchema {
        .object([
            ("probe", .oneOf(Probe.allCases.map(\.rawValue))), ("count", .count),
            ("seeds", .count.described("Seeds under which the path was taken.")),
        ])
    }

    private static var invariants: JSONSchema {
        let names = JSONSchema.oneOf(ViolationRecord.Invariant.allCases.map(\.rawValue))
        let violation = JSONSchema.object([
            ("invariant", names), ("seed", ReportSchema.seed), ("atSeconds", .amount), ("detail", .text),
        ])
        return .object([
            ("checked", .array(of: names)), ("broken", .count),
            ("violations", .array(of: violation).described("The first \(RunLimits.violations) at most.")),
        ])
    }

    private static var delivery: JSONSchema {
        .object([
            ("expected", .count), ("optional", .count), ("accepted", .count), ("displayed", .count), ("known", .count),
            ("delivered", .count.described("The same as known.")),
            ("missed", .count), ("duplicates", .count), ("unexpected", .count),
            ("lowerBound95", .amount.described("At least this share, at 95 % confidence.")),
            ("designEffect", .amount), ("cleanSeeds", .count.described("Seeds without a miss.")),
        ])
    }

    // MARK: latency

    private static var latencies: [(String, JSONSchema)] {
        let kinds = ActivityGroup.allCases.map(\.rawValue)
        let figures = JSONSchema.object([
            ("latencySeconds", quantiles), ("excessLatencySeconds", quantiles), ("owners", owners),
        ])
        return [
            ("latencySeconds", quantiles.described("From the activity to its first display.")),
            ("excessLatencySeconds", quantiles.described("The part of it nobody is excused from.")),
            ("acceptedLatencySeconds", quantiles.described("From the activity to APNs' first acceptance.")),
            (
                "knownLatencySeconds",
                quantiles.described("From the activity to the first moment the person could know.")
            ),
            ("latencyByKind", .map(of: kinds, to: figures)),
            ("owners", .anyOf([owners, JSONSchema(["type": "object", "maxProperties": 0])])),
        ]
    }

    private static var quantiles: JSONSchema {
        .object([
            ("samples", .count), ("p50", .amount.orNull), ("p90", .amount.orNull), ("p95", .amount.orNull),
            ("p99", .amount.orNull.described("Null below \(LatencyJudge.samplesForP99) samples.")),
            ("max", .amount.orNull),
        ])
    }

    private static var owners: JSONSchema {
        let seconds = JSONSchema.map(of: LatencyOwner.allCases.map(\.rawValue), to: .amount)
        return .object([
            ("meanSeconds", seconds.described("Mean of all notifications, by owner of the time.")),
            ("slowestMeanSeconds", seconds.described("Mean of the slowest hundredth, largest first.")),
        ])
    }

    // MARK: the run

    private static var run: [(String, JSONSchema)] {
        [
            ("faults", .array(of: .oneOf(FaultKind.allCases.map(\.rawValue)))),
            ("drainedSeconds", .amount.orNull.described("Null when something was left to deliver.")),
            ("requests", .object(ReportSchema.requestFields)), ("peakHour", peakHour),
            ("reached", .map(of: Probe.allCases.map(\.rawValue), to: .count).described("Paths that were taken.")),
            ("pushes", ReportSchema.pushes),
            ("unknownRoutes", .array(of: .text)),
            ("simulatedSeconds", .amount), ("wallSeconds", .amount.described("Real time: differs between equal runs.")),
            ("eventsPerSecond", .amount.orNull.described("By real time: differs between equal runs.")),
            ("events", .count), ("digest", ReportSchema.digest), ("behaviour", ReportSchema.digest),
            (
                "world",
                ReportSchema.digest.described(
                    "Equal: the same seed gives the same activities. Settings and gates do not count."
                )
            ),
            ("settings", .map(to: JSONSchema(.object([]))).described("What the scenario sets of the notifier.")),
        ]
    }

    private static var peakHour: JSONSchema {
        .object([
            ("gitlabPerPerson", .count.described("The most requests that went to GitLab for one person in an hour.")),
            ("apns", .count.described("The most pushes in an hour.")),
        ])
    }
}
