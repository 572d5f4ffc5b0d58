import Platform

extension Connection {
    /// Counts one bad answer; true when there have been too many of its kind within the window.
    func exceeds(
        _ configuration: FakeAPNs.Configuration,
        _ isBadDeviceToken: Bool,
        _ now: MonotonicInstant
    ) -> Bool {
        let window = configuration.badAnswerWindow
        Self.note(&badAnswers, now, window)
        if isBadDeviceToken { Self.note(&badDeviceTokens, now, window) }
        return badAnswers.count >= configuration.badAnswerLimit
            || badDeviceTokens.count >= configuration.badDeviceTokenLimit
    }

    private static func note(_ instants: inout [MonotonicInstant], _ now: MonotonicInstant, _ window: Duration) {
        instants.removeAll { $0.duration(to: now) >= window }
        instants.append(now)
    }
}
