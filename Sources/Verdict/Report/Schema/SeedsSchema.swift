import Scenarios

/// The schema of a line of `seeds.jsonl`.
enum SeedsSchema {
    /// A seed came to its end, or the notifier crashed under it.
    static var node: SchemaNode { .either([.object(head + figures), .object(head + [("crash", .text)])]) }

    private static var head: [(String, SchemaNode)] {
        [
            ("schemaVersion", .constant(SeedLines.schemaVersion)), ("seed", ReportSchema.seed),
            ("verdict", ReportSchema.verdict.described("How the seed would be judged by itself.")),
            ("exitCode", ReportSchema.exitCode),
        ]
    }

    private static var figures: [(String, SchemaNode)] {
        [
            ("digest", .digest), ("behaviour", .digest), ("simulatedMilliseconds", .count), ("events", .count),
            ("counts", counts), ("misses", ReportSchema.misses), ("requests", requests),
            ("pushes", ReportSchema.pushes), ("histograms", histograms), ("deliveries", deliveries),
        ]
    }

    private static var counts: SchemaNode {
        .object([
            ("activities", .count), ("expected", .count), ("optional", .count), ("accepted", .count),
            ("displayed", .count), ("delivered", .count), ("missed", .count), ("duplicates", .count),
            ("unexpected", .count), ("invariantsBroken", .count),
        ])
    }

    private static var requests: SchemaNode {
        let classes = SchemaNode.object(["1xx", "2xx", "3xx", "4xx", "5xx"].map { ($0, .count) })
        return .object(
            ReportSchema.requestFields
                + [("gitlabByStatus", classes.described("Answers of GitLab by the class of their status."))]
        )
    }

    private static var histograms: SchemaNode {
        let bits = LatencyHistogram.significantBits
        let bucket = SchemaNode.tuple([.count, .count])
        let histogram = SchemaNode.object([
            ("samples", .count), ("maxMilliseconds", .count.orNull),
            (
                "buckets",
                .list(bucket)
                    .described("Upper bound in milliseconds, a number of \(bits) significant bits; how many. Rising.")
            ),
        ])
        return .object(["latency", "excessLatency", "acceptedLatency", "knownLatency"].map { ($0, histogram) })
    }

    private static var deliveries: SchemaNode {
        let row = SchemaNode.tuple([.count, .count, .count.orNull, .count.orNull])
        return .object([
            ("people", .list(.text)),
            (
                "rows",
                .list(row).described(
                    "Activity, position in people, milliseconds until it could be known (null: missed), excess milliseconds "
                        + "until a device showed it (null: none did)."
                )
            ),
            ("leftOut", .count.described("Expected notifications of this seed that are not listed: all or none.")),
        ])
    }
}
