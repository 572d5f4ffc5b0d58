/// A line of `seeds.jsonl`, as far as pages and comparisons read it.
package struct SeedLine: Decodable {
    /// What was counted.
    package struct Counts: Decodable {
        package var activities: Int
        package var expected: Int
        package var delivered: Int
        package var missed: Int
        package var duplicates: Int
        package var unexpected: Int
        /// Nil, as what follows but for the invariants, in a report of an older program.
        package var remindersExpected: Int?
        package var remindersMissed: Int?
        package var remindersLate: Int?
        package var remindersUnexpected: Int?
        package var wrongUnreadNumbers: Int?
        package var invariantsBroken: Int
    }

    /// What the notifier asked.
    package struct Requests: Decodable {
        package var gitlab: Int
    }

    /// How long deliveries took.
    package struct Histogram: Decodable {
        package var samples: Int
        package var maxMilliseconds: Int64?
        /// Bound in milliseconds, count.
        package var buckets: [[Int64]]
    }

    /// From the activity, and from the first moment it could be read.
    package struct Histograms: Decodable {
        package var latency: Histogram
        package var excessLatency: Histogram
    }

    /// Each notification that became known, up to a bound.
    package struct Deliveries: Decodable {
        package var people: [String]
        /// Activity, person, milliseconds until known, milliseconds of excess.
        package var rows: [[Int64?]]
        package var leftOut: Int
    }

    package var schemaVersion: Int
    package var seed: UInt64
    package var verdict: Verdict
    package var exitCode: Int
    /// Nil, as what follows, when the notifier crashed.
    package var behaviour: String?
    package var counts: Counts?
    package var requests: Requests?
    package var histograms: Histograms?
    package var deliveries: Deliveries?
    package var crash: String?
}
