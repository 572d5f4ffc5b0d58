import Platform

/// Blocks a whole team for a while once it has been refused too often (APNs facts §9: or the sender is blocked).
struct PenaltyBox {
    private struct Record {
        var windowStart: MonotonicInstant
        var refusals = 0
        var blockedUntil: MonotonicInstant?
    }

    private var records: [String: Record] = [:]

    func isBlocked(_ team: String, at now: MonotonicInstant) -> Bool {
        guard !records.isEmpty, let until = records[team]?.blockedUntil else { return false }
        return now < until
    }

    /// Notes one `TooManyRequests`.
    mutating func refused(_ team: String, _ rules: PenaltyRules, at now: MonotonicInstant) {
        var record = records[team] ?? Record(windowStart: now)
        if record.windowStart.duration(to: now) >= rules.window { record = Record(windowStart: now) }
        record.refusals += 1
        if record.refusals >= rules.refusals { record.blockedUntil = now.advanced(by: rules.block) }
        records[team] = record
    }
}

/// When a provider is blocked, and for how long. Assumed: nothing is published (APNs facts §21.5).
struct PenaltyRules: Sendable, Hashable {
    /// This many `TooManyRequests` within `window` block the team for `block`.
    var refusals = 1_000
    /// In which refusals add up.
    var window: Duration = .minutes(10)
    /// How long the block lasts.
    var block: Duration = .minutes(15)

    init() {}
}
