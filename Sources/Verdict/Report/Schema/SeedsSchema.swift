import JSON
import Scenarios

/// The schema of a line of `seeds.jsonl`.
enum SeedsSchema {
    /// A seed came to its end, or the notifier crashed under it.
    static var node: JSONSchema { .anyOf([.object(head + figures), .object(head + [("crash", .text)])]) }

    private static var head: [(String, JSONSchema)] {
        [
            ("schemaVersion", .constant(.integer(SeedLines.schemaVersion))), ("seed", ReportSchema.seed),
            ("verdict", ReportSchema.verdict.described("How the seed would be judged by itself.")),
            ("exitCode", ReportSchema.exitCode),
        ]
    }

    private static var figures: [(String, JSONSchema)] {
        [
            ("digest", ReportSchema.digest), ("behaviour", ReportSchema.digest), ("simulatedMilliseconds", .count),
            ("events", .count),
            ("counts", counts), ("misses", ReportSchema.misses), ("requests", requests),
            ("pushes", ReportSchema.pushes), ("histograms", histograms), ("deliveries", deliveries),
        ]
    }

    private static var counts: JSONSchema {
        .object([
            ("activities", .count), ("expected", .count), ("optional", .count), ("accepted", .count),
            ("displayed", .count), ("delivered", .count), ("missed", .count), ("duplicates", .count),
            ("unexpected", .count), ("remindersExpected", .count), ("remindersMissed", .count),
            ("remindersLate", .count), ("remindersUnexpected", .count), ("unreadNumbers", .count),
            ("wrongUnreadNumbers", .count), ("invariantsBroken", .count),
        ])
    }

    private static var requests: JSONSchema {
        let classes = JSONSchema.object(["1xx", "2xx", "3xx", "4xx", "5xx"].map { ($0, .count) })
        return .object(
            ReportSchema.requestFields
                + [("gitlabByStatus", classes.described("Answers of GitLab by the class of their status."))]
        )
    }

    private static var histograms: JSONSchema {
        let bits = LatencyHistogram.significantBits
        let bucket = JSONSchema.tuple([.count, .count])
        let histogram = JSONSchema.object([
            ("samples", .count), ("maxMilliseconds", .count.orNull),
            (
                "buckets",
                .array(of: bucket)
                    .described("Upper bound in milliseconds, a number of \(bits) significant bits; how many. Rising.")
            ),
        ])
        return .object(["latency", "excessLatency", "acceptedLatency", "knownLatency"].map { ($0, histogram) })
    }

    private static var deliveries: JSONSchema {
        let row = JSONSchema.tuple([.count, .count, .count.orNull, .count.orNull])
        return .object([
            ("people", .array(of: .text)),
            (
                "rows",
                .array(of: row).described(
                    "Activity, position in people, milliseconds until it could be known (null: missed), excess milliseconds "
                        + "until a device showed it (null: none did)."
                )
            ),
            ("leftOut", .count.described("Expected notifications of this seed that are not listed: all or none.")),
        ])
    }
}
