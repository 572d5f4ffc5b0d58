import Configuration
import HTTP
import Platform

/// Decides whether a delivery is sent, and what an outcome means for it and its device. Values in, a decision out; it knows no clock and no database.
///
/// What may pass (a 5xx, a 429, no answer, no connection) is tried until the news expires, more and more slowly: half an outage must
/// not use up anything. What APNs says of the push itself is definite: it ends the delivery at once, or after
/// `deliveryAttempts` where the app has registered the token since and APNs may not know yet.
struct DeliveryPolicy: Sendable {
    let attemptLimit: Int
    let retryDelays: [Duration]
    let throttleDelays: [Duration]
    /// Pause before a push that was refused through no fault of its own is offered again; the gate decides when it really goes.
    static let refundedDelay: Duration = .seconds(10)

    init(_ configuration: NotifierConfiguration) {
        attemptLimit = configuration.deliveryAttempts
        retryDelays = configuration.retryDelays
        throttleDelays = configuration.throttleDelays
    }

    /// No pause before a push is tried again is longer, but where its device has got too many, or is held.
    var longestRetry: Duration { max(retryDelays.max() ?? .zero, Self.refundedDelay) * 2 }

    /// What is known when an outcome comes in.
    struct Circumstances: Equatable, Sendable {
        /// Counted attempts, this one included; at least 1.
        var attempts: Int
        var expiresAt: WallTime
        /// How often in a row APNs had called the device's pushes too many when the attempt was claimed.
        var throttles = 0
        /// When the attempt was claimed.
        var sentAt: WallTime
        /// When the device was last registered, as the row says now.
        var deviceRegisteredAt: WallTime
        /// True when the device has another token by now: what APNs says of this one says nothing of that.
        var isFormerToken = false
        /// What the gate made of the outcome.
        var ruling: ServiceRuling
    }

    /// What is known of a delivery's device when it is claimed.
    struct ClaimedDevice: Equatable, Sendable {
        var state: DeviceState
        /// False when the phone has a new owner since.
        var isRecipients: Bool
        /// True when this push shows whether APNs takes the device's token again.
        var isOnTrial = false
        /// True for a reminder of what was dealt with since, or that a later one has overtaken, and of a day by which nothing is due any more.
        var isMoot = false
        /// True for news that the person has read by now, on another device, in the app or in GitLab.
        var isRead = false
    }

    /// The delivery's next state.
    enum Disposition: Equatable, Sendable {
        case accepted
        case dead(reason: String)
        /// `isCounted` is false when the attempt costs nothing.
        case retry(at: WallTime, isCounted: Bool)
        /// Waits, at no cost, until the device is revived or the news expires.
        case parked
    }

    /// What happens to the device's row.
    enum DeviceAction: Equatable, Sendable {
        case keep
        case hold(reason: String)
        case deactivate(reason: String)
        /// None of its pushes that wait goes out before this instant, unless APNs takes a later one. `count` is how often in a row it was so.
        case throttle(until: WallTime, count: Int)
    }

    struct Decision: Equatable, Sendable {
        var delivery: Disposition
        var device: DeviceAction = .keep
    }

    /// APNs calls a token dead no longer that was registered anew so long ago.
    private static let registrationPatience: Duration = .minutes(3)
    /// News that is too old by now.
    static let expired = Disposition.dead(reason: "expired")
    /// A reminder, or news, that nobody needs any more.
    static let moot = Disposition.dead(reason: "moot")
    /// What is recorded of an attempt during which a process died.
    static let crashOutcome = "unknown.crash"

    /// What becomes of a delivery that was claimed instead of being sent; nil when it is sent.
    func decide(expiresAt: WallTime, _ device: ClaimedDevice, _ now: WallTime) -> Disposition? {
        guard expiresAt > now else { return Self.expired }
        guard !device.isMoot, !device.isRead else { return Self.moot }
        // Nobody else's news may reach the new owner.
        guard device.isRecipients else { return .dead(reason: "device_moved") }
        return switch device.state {
        case .active: nil
        case .held: device.isOnTrial ? nil : .parked
        case .dead: .dead(reason: "device_dead")
        }
    }

    /// What `outcome` means. `jitter` is a fresh draw of 0…999, which spreads a pause over 80 to 120 % of its length.
    func decide(_ outcome: PushOutcome, _ now: WallTime, _ facts: Circumstances, jitter: Int64) -> Decision {
        switch outcome {
        // For a token of no more use, APNs says so too, and shows nothing.
        case .accepted where facts.isFormerToken:
            Decision(delivery: retry(after: .zero, now, facts, isCounted: false))
        case .accepted: Decision(delivery: .accepted)
        // A stop of this process says nothing about the push.
        case .unknown(.cancelled), .notSent(.cancelled):
            Decision(delivery: retry(after: .zero, now, facts, isCounted: false))
        case .unknown, .notSent: Decision(delivery: retryByTable(now, facts, jitter))
        case .rejected(let rejection): decide(rejection, outcome, now, facts, jitter)
        }
    }

    private func decide(
        _ rejection: PushRejection,
        _ outcome: PushOutcome,
        _ now: WallTime,
        _ facts: Circumstances,
        _ jitter: Int64
    ) -> Decision {
        let remedy = PushRemedy(rejection)
        // The same news goes to the token that the device has now.
        if facts.isFormerToken, remedy.isAboutDevice {
            return Decision(delivery: retry(after: .zero, now, facts, isCounted: false))
        }
        return switch remedy {
        case .dropMessage: Decision(delivery: .dead(reason: rejection.code))
        case .dropToken: dropToken(rejection, outcome, now, facts, jitter)
        case .holdToken: holdToken(rejection, outcome, now, facts, jitter)
        case .throttleDevice: throttle(rejection, now, facts, jitter)
        case .service, .serviceAndReconnect: Decision(delivery: retryByTable(now, facts, jitter))
        case .reconnect, .renewToken:
            Decision(delivery: retry(after: .zero, now, facts, isCounted: false))
        case .keepToken, .configuration:
            Decision(delivery: retry(after: Self.refundedDelay, now, facts, isCounted: false))
        }
    }

    /// 410 is final unless the token was registered again after APNs last found it invalid (APNs facts §5, §10).
    private func dropToken(
        _ rejection: PushRejection,
        _ outcome: PushOutcome,
        _ now: WallTime,
        _ facts: Circumstances,
        _ jitter: Int64
    ) -> Decision {
        guard facts.deviceRegisteredAt <= rejection.invalidSince ?? facts.sentAt else {
            let delivery = retryBounded(outcome, now, facts, jitter)
            guard case .dead = delivery, isLongRegistered(facts, now) else { return Decision(delivery: delivery) }
            return Decision(delivery: delivery, device: .deactivate(reason: rejection.code))
        }
        return Decision(delivery: .dead(reason: rejection.code), device: .deactivate(reason: rejection.code))
    }

    /// Whether APNs must have heard of the registration that its answers are older than. One that lies ahead was dated by a clock that was.
    private func isLongRegistered(_ facts: Circumstances, _ now: WallTime) -> Bool {
        let at = facts.deviceRegisteredAt
        return at > now || at.advanced(by: Self.registrationPatience) < facts.sentAt
    }

    /// Whether pushes may wait because APNs had not heard of the registration yet: what it takes in that time shows that it has, by now.
    func isLatelyRegistered(_ registeredAt: WallTime, _ now: WallTime) -> Bool {
        let longest = retryDelays.max() ?? .zero
        return registeredAt.advanced(by: Self.registrationPatience + longest * 2) > now
    }

    /// How long after it was held, or tried in vain, a held device is tried with one push: what APNs says of a token may pass, and not
    /// everybody opens the app.
    static func trialPause(after trials: Int) -> Duration {
        switch trials {
        case ...0: .minutes(10)
        case 1: .hours(1)
        default: .days(1)
        }
    }

    /// The token is held, not dropped, and not even that while so many are refused that the server must be wrong.
    private func holdToken(
        _ rejection: PushRejection,
        _ outcome: PushOutcome,
        _ now: WallTime,
        _ facts: Circumstances,
        _ jitter: Int64
    ) -> Decision {
        if facts.deviceRegisteredAt > facts.sentAt {
            return Decision(delivery: retryBounded(outcome, now, facts, jitter))
        }
        guard facts.ruling.mayHoldDevice else {
            let pause = spread(Self.refundedDelay, jitter)
            return Decision(delivery: retry(after: pause, now, facts, isCounted: false))
        }
        return Decision(delivery: .parked, device: .hold(reason: rejection.code))
    }

    /// What counts is how often this device got too much, and not what else the push has met: an outage before must not make it wait longer.
    private func throttle(
        _ rejection: PushRejection,
        _ now: WallTime,
        _ facts: Circumstances,
        _ jitter: Int64
    ) -> Decision {
        let count = facts.throttles + 1
        let pause = max(delay(throttleDelays, count, jitter), rejection.retryAfter ?? .zero)
        let delivery = retry(after: pause, now, facts, isCounted: true)
        return Decision(delivery: delivery, device: .throttle(until: now.advanced(by: pause), count: count))
    }

    private func retryByTable(_ now: WallTime, _ facts: Circumstances, _ jitter: Int64) -> Disposition {
        guard facts.ruling.isCounted else {
            return retry(after: spread(Self.refundedDelay, jitter), now, facts, isCounted: false)
        }
        return retry(after: delay(retryDelays, facts.attempts, jitter), now, facts, isCounted: true)
    }

    /// A retry of what was refused for good, though the token was registered since, of which APNs may hear later than this server: only so many
    /// times.
    private func retryBounded(
        _ outcome: PushOutcome,
        _ now: WallTime,
        _ facts: Circumstances,
        _ jitter: Int64
    ) -> Disposition {
        guard facts.attempts < attemptLimit else { return .dead(reason: outcome.code) }
        let pause = isLongRegistered(facts, now) ? .seconds(1) : delay(retryDelays, facts.attempts, jitter)
        return retry(after: pause, now, facts, isCounted: true)
    }

    /// A retry, unless the news would have expired (APNs facts §17, item 11).
    private func retry(after pause: Duration, _ now: WallTime, _ facts: Circumstances, isCounted: Bool) -> Disposition {
        let instant = now.advanced(by: pause)
        guard instant < facts.expiresAt else { return Self.expired }
        return .retry(at: instant, isCounted: isCounted)
    }

    /// A push during which a process died, and which may have arrived, goes again at once, but for one that so many attempts have not
    /// brought to an end. That one lets the others go first, in case it is what the process dies of. The attempt counts.
    func decideAfterCrash(attempts: Int, _ now: WallTime) -> Disposition {
        let pause = attempts >= attemptLimit ? retryDelays[retryDelays.count - 1] : .zero
        return .retry(at: now.advanced(by: pause), isCounted: true)
    }

    private func delay(_ table: [Duration], _ attempts: Int, _ jitter: Int64) -> Duration {
        spread(table[min(max(attempts, 1), table.count) - 1], jitter)
    }

    private func spread(_ pause: Duration, _ jitter: Int64) -> Duration {
        pause.spread(over: 80...120, by: jitter)
    }
}
