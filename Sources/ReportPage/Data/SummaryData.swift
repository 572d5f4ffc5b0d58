import Verdict

/// `summary.json` as far as the page shows it. What an older report does not have is nil.
struct SummaryData: Decodable, Sendable {
    static let knownVersion = 1

    struct Gate: Decodable, Sendable {
        var rule: String
        var metric: String
        var verdict: Verdict
        var observed: String
        var bound: String?
        var margin: String?
        var samples: Int
        var note: String?
    }

    struct Probe: Decodable, Sendable {
        var probe: String
        var count: Int
        var seeds: Int
    }

    struct Invariants: Decodable, Sendable {
        struct Violation: Decodable, Sendable {
            var invariant: String
            var seed: UInt64
            var atSeconds: Double
            var detail: String
        }
        var checked: [String]
        var broken: Int
        var violations: [Violation]
    }

    struct Crash: Decodable, Sendable {
        var seed: UInt64
        var message: String
        var backtrace: String
    }

    struct Delivery: Decodable, Sendable {
        var expected: Int
        var optional: Int
        var delivered: Int
        var missed: Int
        var duplicates: Int
        var unexpected: Int
        var lowerBound95: Double?
    }

    struct Quantiles: Decodable, Sendable {
        var samples: Int
        var p50: Double?
        var p90: Double?
        var p95: Double?
        var p99: Double?
        var max: Double?
    }

    struct Owners: Decodable, Sendable {
        var meanSeconds: [String: Double]?
        var slowestMeanSeconds: [String: Double]?
    }

    struct Kind: Decodable, Sendable {
        var latencySeconds: Quantiles
        var excessLatencySeconds: Quantiles
        var owners: Owners
    }

    var scenario: String
    var description: String
    var build: String
    var seeds: [UInt64]
    var verdict: Verdict
    var exitCode: Int
    var exitReason: String?
    var claim: String
    var reproduction: String?
    var gates: [Gate]
    var probes: [Probe]
    var invariants: Invariants
    var crashes: [Crash]
    var delivery: Delivery
    var misses: [String: Int]
    var latencySeconds: Quantiles
    var excessLatencySeconds: Quantiles
    var latencyByKind: [String: Kind]
    var owners: Owners
    var faults: [String]
    var drainedSeconds: Double?
    var requests: [String: Int]
    var pushes: [String: Int]
    var simulatedSeconds: Double
    var events: Int64
    var digest: String
    var behaviour: String
}

/// The one member that every version of a file has.
struct VersionData: Decodable {
    var schemaVersion: Int
}
