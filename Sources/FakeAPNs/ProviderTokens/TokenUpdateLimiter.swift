import Platform

/// Refuses the second change of the provider token within 20 minutes, in one scope: a connection or a client address
/// (APNs facts §7, §16.10). Tokens once admitted keep working.
struct TokenUpdateLimiter {
    private static let admittedLimit = 8

    private var admitted: [String] = []
    private var lastChange: MonotonicInstant?

    /// True when the token may be used in this scope. Changes nothing.
    func allows(_ token: String, within window: Duration, at now: MonotonicInstant) -> Bool {
        if admitted.last == token || admitted.contains(token) { return true }
        guard let lastChange else { return true }
        return lastChange.duration(to: now) >= window
    }

    /// Notes that the token is used. The first one of a scope is no change.
    mutating func admit(_ token: String, at now: MonotonicInstant) {
        guard admitted.last != token, !admitted.contains(token) else { return }
        if !admitted.isEmpty { lastChange = now }
        if admitted.count == Self.admittedLimit { admitted.removeFirst() }
        admitted.append(token)
    }
}
