import Platform

/// What a device token is worth. Transitions: `active` ⇄ `notificationsOff`; both → `removed`, `replaced`, `expired`;
/// `removed` → `active` when the app registers again and is given the same token.
enum TokenState: String, Sendable, Hashable, CaseIterable {
    case active, notificationsOff, removed, replaced, expired
}

/// One entry of a token's history.
struct TokenChange: Sendable, Hashable {
    /// By the fleet's clock.
    let at: WallTime
    /// What the token became.
    let state: TokenState
}

/// What the registry knows of a token.
struct TokenRecord {
    /// How far APNs has got in noticing that a token is dead (APNs facts §10: late by design, and only after a push).
    enum Notice {
        case notAttempted
        case due(MonotonicInstant, timestamp: WallTime)
        case never
    }

    let token: DeviceToken
    let environment: APNsEnvironment
    let bundleID: String
    let install: Int
    var history: [TokenChange]
    var notice = Notice.notAttempted
    /// The per-device rate limiter.
    var rate = RateGate()

    var state: TokenState { history[history.count - 1].state }

    /// Appends to the history, which keeps its newest hundred entries.
    mutating func change(to state: TokenState, at wall: WallTime) {
        guard state != self.state else { return }
        if history.count >= 100 { history.removeFirst() }
        history.append(TokenChange(at: wall, state: state))
        if state == .active || state == .notificationsOff { notice = .notAttempted }
    }

    /// What APNs answers for this token now; nil when it accepts.
    func refusal(at now: ClockReading) -> (reason: Reason, timestamp: WallTime)? {
        if state == .expired { return (.expiredToken, history[history.count - 1].at) }
        guard state == .removed || state == .replaced else { return nil }
        guard case .due(let instant, let timestamp) = notice, instant <= now.monotonic else { return nil }
        return (.unregistered, timestamp)
    }
}

/// What the registry says of a token, as far as a request is judged by it.
struct TokenStanding: Sendable {
    /// The token's place in the registry, for the steps that follow.
    let index: Int
    let environment: APNsEnvironment
    let bundleID: String
    /// The 410 that stands against it.
    let refusal: Reason?
    let timestamp: WallTime?
}
