import Platform

/// Turns away a client that opens connections as fast as an attacker would: APNs takes repeated opening and closing for a denial of
/// service and blocks the sender (APNs facts §8, §16.22).
struct ConnectionChurn {
    private static let addressLimit = 4_096

    private struct Record {
        var windowStart: MonotonicInstant
        var connections = 0
        var blockedUntil: MonotonicInstant?
    }

    private var records: [String: Record] = [:]

    /// Notes a new connection; false when it is turned away.
    mutating func admits(_ address: String, _ rules: ChurnRules, at now: MonotonicInstant) -> Bool {
        var record = records[address] ?? Record(windowStart: now)
        if let until = record.blockedUntil, now < until { return false }
        if record.blockedUntil != nil || record.windowStart.duration(to: now) >= rules.window {
            record = Record(windowStart: now)
        }
        record.connections += 1
        let isAdmitted = record.connections <= rules.connections
        if !isAdmitted { record.blockedUntil = now.advanced(by: rules.block) }
        // More addresses than this start afresh; no scenario has as many.
        if records.count >= Self.addressLimit { records = [:] }
        records[address] = record
        return isAdmitted
    }
}

/// When a client's new connections are turned away, and for how long. Assumed: Apple gives no figures (APNs facts §8).
struct ChurnRules: Sendable, Hashable {
    /// One more than these within `window` is turned away, and so is every new one for `block`.
    var connections = 1_000
    /// In which connections add up.
    var window: Duration = .minutes(1)
    /// How long it lasts.
    var block: Duration = .minutes(15)

    init() {}
}
