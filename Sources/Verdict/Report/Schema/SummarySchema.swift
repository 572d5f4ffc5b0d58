import Scenarios

/// The schema of `summary.json`.
enum SummarySchema {
    static var node: SchemaNode { .object(verdict + latencies + run) }

    private static var verdict: [(String, SchemaNode)] {
        [
            ("schemaVersion", .constant(SummaryFile.schemaVersion)),
            ("scenario", .text), ("description", .text), ("build", .text),
            ("seeds", .list(ReportSchema.seed)),
            ("verdict", ReportSchema.verdict), ("exitCode", ReportSchema.exitCode),
            ("claim", .text.described("What the figures may be taken to say about other runs.")),
            ("gates", .list(gate)), ("probes", .list(probe)), ("invariants", invariants),
            ("crashes", .list(.object([("seed", ReportSchema.seed), ("message", .text), ("backtrace", .text)]))),
            ("delivery", delivery), ("misses", ReportSchema.misses),
        ]
    }

    private static var gate: SchemaNode {
        .object([
            ("rule", .text.described("The gate as a sentence of the scenario.")),
            ("metric", .choice(Metric.allCases.map(\.rawValue))),
            ("unit", .choice(Metric.Unit.allCases.map(\.rawValue))),
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

    private static var probe: SchemaNode {
        .object([
            ("probe", .choice(Probe.allCases.map(\.rawValue))), ("count", .count),
            ("seeds", .count.described("Seeds under which the path was taken.")),
        ])
    }

    private static var invariants: SchemaNode {
        let names = SchemaNode.choice(ViolationRecord.Invariant.allCases.map(\.rawValue))
        let violation = SchemaNode.object([
            ("invariant", names), ("seed", ReportSchema.seed), ("atSeconds", .amount), ("detail", .text),
        ])
        return .object([
            ("checked", .list(names)), ("broken", .count),
            ("violations", .list(violation).described("The first \(RunLimits.violations) at most.")),
        ])
    }

    private static var delivery: SchemaNode {
        .object([
            ("expected", .count), ("optional", .count), ("accepted", .count), ("displayed", .count), ("known", .count),
            ("delivered", .count.described("The same as known.")),
            ("missed", .count), ("duplicates", .count), ("unexpected", .count),
            ("lowerBound95", .amount.described("At least this share, at 95 % confidence.")),
            ("designEffect", .amount), ("cleanSeeds", .count.described("Seeds without a miss.")),
        ])
    }

    // MARK: latency

    private static var latencies: [(String, SchemaNode)] {
        let kinds = ActivityGroup.allCases.map(\.rawValue)
        let figures = SchemaNode.object([
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
            ("owners", .either([owners, .nothing])),
        ]
    }

    private static var quantiles: SchemaNode {
        .object([
            ("samples", .count), ("p50", .amount.orNull), ("p90", .amount.orNull), ("p95", .amount.orNull),
            ("p99", .amount.orNull.described("Null below \(LatencyJudge.samplesForP99) samples.")),
            ("max", .amount.orNull),
        ])
    }

    private static var owners: SchemaNode {
        let seconds = SchemaNode.map(of: LatencyOwner.allCases.map(\.rawValue), to: .amount)
        return .object([
            ("meanSeconds", seconds.described("Mean of all notifications, by owner of the time.")),
            ("slowestMeanSeconds", seconds.described("Mean of the slowest hundredth, largest first.")),
        ])
    }

    // MARK: the run

    private static var run: [(String, SchemaNode)] {
        [
            ("faults", .list(.choice(FaultKind.allCases.map(\.rawValue)))),
            ("drainedSeconds", .amount.orNull.described("Null when something was left to deliver.")),
            ("requests", .object(ReportSchema.requestFields)), ("pushes", ReportSchema.pushes),
            ("unknownRoutes", .list(.text)),
            ("simulatedSeconds", .amount), ("wallSeconds", .amount.described("Real time: differs between equal runs.")),
            ("eventsPerSecond", .amount.orNull.described("By real time: differs between equal runs.")),
            ("events", .count), ("digest", .digest), ("behaviour", .digest),
        ]
    }
}
