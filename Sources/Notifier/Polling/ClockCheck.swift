import Platform

/// Compares this machine's clock with GitLab's, which stands in every answer (GitLab facts §16): a clock that is far off makes APNs refuse
/// the server's token and quiet hours come at the wrong time, and nobody else would notice.
struct ClockCheck: Equatable, Sendable {
    /// From so far apart on it is told; answers take some seconds, and their times are whole seconds.
    static let limit: Duration = .seconds(90)
    /// Only nearer than this all is well again.
    static let relief: Duration = .seconds(45)

    /// What an answer has shown.
    enum Change: Equatable, Sendable {
        case none
        /// The clocks have come apart.
        case differs
        /// The clocks agree again.
        case agrees
    }

    private var isOff = false

    /// Takes the time of an answer that came when our clock showed `now`.
    mutating func take(_ serverTime: WallTime, at now: WallTime) -> Change {
        let offset = Self.offset(serverTime, now)
        if !isOff && offset >= Self.limit {
            isOff = true
            return .differs
        }
        guard isOff, offset < Self.relief else { return .none }
        isOff = false
        return .agrees
    }

    /// How far apart the clocks are, whichever is ahead.
    static func offset(_ serverTime: WallTime, _ now: WallTime) -> Duration {
        let ahead = serverTime.duration(to: now)
        return max(ahead, .zero - ahead)
    }
}

extension AccountPoller {
    /// Tells the operator when the clocks come apart, and when they agree again.
    func compareClocks(_ serverTime: WallTime?) {
        guard let serverTime else { return }
        let now = context.time.wallNow
        context.metrics.set(.clockOffset, to: ClockCheck.offset(serverTime, now), of: id)
        let fields = [accountField, ("offset_ms", .milliseconds(serverTime.duration(to: now)))]
        switch clockCheck.take(serverTime, at: now) {
        case .none: break
        case .differs: context.log.write(.clockDiffers, fields)
        case .agrees: context.log.write(.clockAgrees, fields)
        }
    }
}
