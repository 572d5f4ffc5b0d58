import Platform

/// What delivery measures.
extension DeliveryService {
    /// Every push has one of these outcomes.
    func measure(_ outcome: PushOutcome, of delivery: ClaimedDelivery, since start: MonotonicInstant) {
        let account = delivery.account
        metrics.observe(.deliveryAttemptDuration, start.duration(to: time.monotonicNow), of: account)
        metrics.count(.apnsAttempts, 1, [outcome.word], of: account)
    }

    func measure(_ decision: DeliveryPolicy.Decision, of delivery: ClaimedDelivery) {
        let account = delivery.account
        switch decision.delivery {
        case .accepted: metrics.count(.apnsSent, of: account)
        case .dead(let reason): metrics.count(.notificationsDead, 1, [reason], of: account)
        case .retry: metrics.count(.apnsRetries, of: account)
        case .parked: break
        }
        switch decision.device {
        case .hold where delivery.isTrial: break
        case .hold, .deactivate: metrics.count(.apnsInvalidTokens, of: account)
        case .keep, .throttle: break
        }
    }

    func measure(_ acceptance: Store.FirstAcceptance, at now: WallTime) {
        metrics.count(.notificationsSent, 1, [acceptance.source], of: acceptance.account)
        metrics.observe(.notificationDelivery, acceptance.createdAt.duration(to: now), of: acceptance.account)
    }
}

extension PushOutcome {
    /// The label `outcome`.
    var word: String {
        switch self {
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .notSent: "not_sent"
        case .unknown: "unknown"
        }
    }
}
