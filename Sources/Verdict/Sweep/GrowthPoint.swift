package import Scenarios

/// What the report of one size says of it.
package struct GrowthPoint: Sendable, Equatable {
    package var size: Int
    package var report: String
    package var verdict: Verdict
    /// Requirements that were not met, and what else went wrong.
    package var failures: [String]
    package var people: Int
    package var items: Int
    package var seeds: Int
    /// Of a seed, on average.
    package var activities: Double
    package var expected: Int
    /// Excess latency, in seconds; nil without a notification.
    package var p50: Double?
    package var p95: Double?
    package var longest: Double?
    /// The most requests to GitLab for one person in an hour, in all, and those that the limiter refused.
    package var peakHour: Int
    package var requests: Int
    package var refused: Int
    /// Polls that waited for the budget of requests.
    package var budgetWaits: Int
    /// Requests that waited a second or longer for what all people together may ask their GitLab.
    package var instanceWaits: Int
    /// Where the slowest hundredth was on average, in seconds by owner.
    package var slowest: [String: Double]
    package var misses: [String: Int]

    /// The largest part of the slowest hundredth; by name where two are equal.
    package var slowestOwner: (owner: String, seconds: Double)? {
        slowest.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }

}

extension GrowthPoint {
    /// Reads the report of `scenario`.
    ///
    /// - Throws: `ReportError` for what is no whole report.
    package init(size: Int, report path: String, of scenario: Scenario) throws {
        let reader = try ReportReader(path, needing: ["summary.json"])
        let summary: Summary = try reader.decoded("summary.json")
        let crashes = summary.crashes.count
        let broken = summary.invariants.broken
        let excess = summary.excessLatencySeconds
        self.init(
            size: size,
            report: path,
            verdict: crashes > 0 || broken > 0 ? .fail : summary.verdict,
            failures: (crashes > 0 ? ["the notifier crashed under \(crashes) seeds"] : [])
                + (broken > 0 ? ["an invariant broke"] : [])
                + summary.gates.filter { $0.verdict == .fail }.map(\.rule),
            people: scenario.world.people.count { $0.notified != nil },
            items: scenario.world.itemReferences.count,
            seeds: summary.seeds.count,
            activities: try Self.meanActivities(reader),
            expected: summary.delivery.expected,
            p50: excess.p50,
            p95: excess.p95,
            longest: excess.max,
            peakHour: summary.peakHour.gitlabPerPerson,
            requests: summary.requests.gitlab,
            refused: summary.requests.gitlabRefused,
            budgetWaits: summary.reached[Probe.budgetWaited.rawValue] ?? 0,
            instanceWaits: summary.reached[Probe.instanceWaited.rawValue] ?? 0,
            slowest: summary.owners.slowestMeanSeconds ?? [:],
            misses: summary.misses
        )
    }

    private static func meanActivities(_ reader: ReportReader) throws -> Double {
        var (sum, count) = (0, 0)
        try reader.eachValue(of: "seeds.jsonl") { (_, line: SeedLine) in
            guard let counts = line.counts else { return }
            sum += counts.activities
            count += 1
        }
        return count == 0 ? 0 : Double(sum) / Double(count)
    }

    /// `summary.json` as far as it is needed.
    private struct Summary: Decodable {
        struct Gate: Decodable {
            var rule: String
            var verdict: Verdict
        }
        struct Crash: Decodable {}
        struct Invariants: Decodable { var broken: Int }
        struct Delivery: Decodable { var expected: Int }
        struct Quantiles: Decodable { var p50, p95, max: Double? }
        struct Requests: Decodable { var gitlab, gitlabRefused: Int }
        struct PeakHour: Decodable { var gitlabPerPerson: Int }
        struct Owners: Decodable { var slowestMeanSeconds: [String: Double]? }

        var verdict: Verdict
        var seeds: [UInt64]
        var gates: [Gate]
        var crashes: [Crash]
        var invariants: Invariants
        var delivery: Delivery
        var misses: [String: Int]
        var excessLatencySeconds: Quantiles
        var owners: Owners
        var requests: Requests
        var peakHour: PeakHour
        var reached: [String: Int]
    }
}
