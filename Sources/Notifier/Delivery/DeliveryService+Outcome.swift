import Configuration
import HTTP
import Platform
import SQLite

/// What happens with an outcome: the gate learns of it, the policy decides, the database records, the log tells.
extension DeliveryService {
    /// How often recording an outcome is tried before its lease is left to be reclaimed.
    private static let recordingAttempts = 3
    private static let recordingPause: Duration = .seconds(1)

    func conclude(
        _ delivery: ClaimedDelivery,
        _ ticket: ServiceGate.Ticket,
        _ token: ProviderToken,
        _ outcome: PushOutcome
    ) async {
        var event = ServiceEvent(outcome)
        // That a held token is refused again is no news about the others.
        if delivery.isTrial, event == .tokenFault { event = .answered }
        note(event, token, outcome)
        if event == .providerTokenRefused { await expectToken(ticket.environment) }
        let jitter = entropy.next(in: 0...999)
        let (ruling, actions) = withGate(ticket.environment) { gate in
            gate.finish(
                ticket,
                event,
                delivery: delivery.id,
                device: delivery.device,
                reason: outcome.code,
                at: time.monotonicNow,
                jitter: jitter
            )
        }
        let decision = await record(outcome, delivery, ruling, releasing: actions.released, jitter: jitter)
        tell(actions, ticket.environment)
        if event == .providerTokenLimited { log.write(.tokenKept, [("apns.reason", .text(outcome.code))]) }
        if let decision {
            tell(decision, delivery, outcome)
            measure(decision, of: delivery)
        }
    }

    /// A pause for a token that was just refused is over when there may be another, which may be at once.
    private func expectToken(_ environment: PushEnvironment) async {
        let soon = time.monotonicNow.advanced(by: ServiceGate.reconnectPause)
        let instant = await tokens.changeAt(for: environment) ?? soon
        withGate(environment) { $0.expectToken(at: instant) }
    }

    /// Whether APNs takes the token: what it has refused counts no more once it has taken it.
    func note(_ event: ServiceEvent, _ token: ProviderToken, _ outcome: PushOutcome) {
        if event == .providerTokenRefused {
            refusedToken = (token, outcome.code)
        } else if event == .accepted, refusedToken?.token == token {
            refusedToken = nil
        }
    }

    /// Commits the decision; nil when the database refused it several times. While the database takes nothing at all it is tried on: what
    /// APNs has accepted must not be pushed again because a disk was full, and no new push begins meanwhile.
    private func record(
        _ outcome: PushOutcome,
        _ delivery: ClaimedDelivery,
        _ ruling: ServiceRuling,
        releasing devices: [DeviceID],
        jitter: Int64
    ) async -> DeliveryPolicy.Decision? {
        let concluded = Concluded(
            outcome: outcome,
            delivery: delivery,
            ruling: ruling,
            released: devices,
            jitter: jitter
        )
        var attempt = 0
        while true {
            attempt += 1
            do {
                // Once it failed it goes alone, so that it fails for nobody else.
                let recorded = try await attempt == 1 ? recordTogether(concluded) : recordAll([concluded])[0]
                // What it queued is for the next look: the one that commits outcomes has had its own.
                if attempt > 1 { wakeSignal.send() }
                if let first = recorded.firstAcceptance { measure(first, at: recorded.at) }
                return recorded.decision
            } catch {
                let mayPass = (error as? SQLiteError)?.storeTrouble != nil && !isStopping && !Task.isCancelled
                guard attempt >= Self.recordingAttempts, !mayPass else {
                    // Cancelled while waiting: the next attempt follows at once.
                    try? await time.sleep(for: attempt < 5 ? Self.recordingPause : Self.failurePause)
                    continue
                }
                hasOrphans = true
                inFlight.remove(delivery.id)
                log.write(.outcomeNotRecorded, fields(delivery) + [("error", .text(String(describing: error)))])
                wakeSignal.send()
                return nil
            }
        }
    }

    /// What is known of an outcome before it is recorded.
    struct Concluded: Sendable {
        var outcome: PushOutcome
        var delivery: ClaimedDelivery
        var ruling: ServiceRuling
        /// Devices that the gate wants active again.
        var released: [DeviceID]
        var jitter: Int64
    }

    /// An outcome as it was committed.
    struct Recorded: Sendable {
        var decision: DeliveryPolicy.Decision
        /// Set when this was the first device to take the notification.
        var firstAcceptance: Store.FirstAcceptance?
        var at: WallTime
    }

    /// Commits an outcome together with those that come at the same time: with the next look at the queue, or by itself when there
    /// are no more.
    private func recordTogether(_ concluded: Concluded) async throws -> Recorded {
        if !outcomes.tryToLead() {
            let turn = await withUnsafeContinuation { waiter in
                let isFirst = outcomes.isEmpty
                outcomes.wait(OutcomeQueue.Entry(outcome: concluded, waiter: waiter))
                if isFirst || !pace.isCrowded(underWay) { wakeSignal.send() }
            }
            if case .done(let result) = turn { return try result.get() }
        }
        let others = outcomes.takeBatch()
        let results: [Result<Recorded, any Error>]
        do {
            results = try await recordAll([concluded] + others.map(\.outcome)).map { .success($0) }
        } catch {
            results = Array(repeating: .failure(error), count: others.count + 1)
        }
        for (entry, result) in zip(others, results.dropFirst()) { entry.waiter.resume(returning: .done(result)) }
        outcomes.handOver()?.resume(returning: .lead)
        return try results[0].get()
    }

    /// All of them in one transaction, in order.
    private func recordAll(_ batch: [Concluded]) async throws -> [Recorded] {
        let now = time.wallNow
        let (policy, entropy) = (policy, entropy)
        let recorded = try await store.transaction { store in
            try batch.map { try Self.record($0, policy, by: entropy, at: now, in: store) }
        }
        for concluded in batch { inFlight.remove(concluded.delivery.id) }
        return recorded
    }

    static func record(
        _ concluded: Concluded,
        _ policy: DeliveryPolicy,
        by entropy: any EntropySource,
        at now: WallTime,
        in store: Store
    ) throws -> Recorded {
        let delivery = concluded.delivery
        let isSameToken = try store.isRegistered(delivery.device, with: delivery.deviceToken)
        let facts = DeliveryPolicy.Circumstances(
            attempts: delivery.attempts,
            expiresAt: delivery.expiresAt,
            throttles: delivery.throttles,
            sentAt: delivery.claimedAt,
            deviceRegisteredAt: try store.registrationTime(of: delivery.device) ?? delivery.claimedAt,
            isFormerToken: !isSameToken,
            ruling: concluded.ruling
        )
        let decision = policy.decide(concluded.outcome, now, facts, jitter: concluded.jitter)
        try store.apply(decision, to: delivery, outcome: concluded.outcome.code, at: now)
        try store.release(concluded.released, by: entropy, at: now)
        let isAccepted = decision.delivery == .accepted
        if isAccepted { try store.endThrottle(of: delivery.device, sentAt: delivery.claimedAt, at: now) }
        if isAccepted, isSameToken, policy.isLatelyRegistered(facts.deviceRegisteredAt, now) {
            try store.endRefusals(of: delivery.device, at: now)
        }
        if isAccepted, delivery.isTrial { try store.endTrials(of: delivery.device, by: entropy, at: now) }
        if isAccepted { try store.noteTold(through: delivery.id, at: now) }
        let first = isAccepted ? try store.firstAcceptance(through: delivery.id) : nil
        return Recorded(decision: decision, firstAcceptance: first, at: now)
    }
}

// MARK: - Log

extension DeliveryService {
    func fields(_ delivery: ClaimedDelivery) -> [Log.Field] {
        [
            ("delivery.id", .number(delivery.id.rawValue)), ("device.id", .number(delivery.device.rawValue)),
            ("notification.id", .text(delivery.notification)), ("apns.id", .text(delivery.apnsID)),
            ("delivery.attempt", .count(delivery.attempts)),
        ]
    }

    func tell(_ actions: [ServiceGate.Action], _ environment: PushEnvironment) {
        let place: Log.Field = ("apns.environment", .text(environment.rawValue))
        for action in actions {
            switch action {
            case .opened(let fault, let pause):
                metrics.set(.apnsPaused, to: 1, [environment.rawValue])
                let fields: [Log.Field] = [place, ("fault", .text(fault.code)), ("pause_ms", .milliseconds(pause))]
                log.write(.breakerOpened, fields)
                if case .configuration = fault { log.write(.queuePaused, fields) }
            case .closed:
                metrics.set(.apnsPaused, to: 0, [environment.rawValue])
                log.write(.breakerClosed, [place])
            case .warmed: log.write(.connectionWarm, [place])
            case .suspected: log.write(.connectionSuspect, [place])
            case .release(let devices): log.write(.deviceRevived, [place, ("devices", .count(devices.count))])
            }
        }
    }

    private func tell(_ decision: DeliveryPolicy.Decision, _ delivery: ClaimedDelivery, _ outcome: PushOutcome) {
        let code: Log.Field = ("apns.outcome", .text(outcome.code))
        switch decision.delivery {
        case .accepted:
            log.write(.deliveryAccepted, fields(delivery))
            if delivery.isTrial { log.write(.deviceRevived, [("device.id", .number(delivery.device.rawValue))]) }
        case .dead(let reason): log.write(.deliveryDead, fields(delivery) + [code, ("reason", .text(reason))])
        case .retry(let instant, let isCounted):
            if case .unknown(let failure) = outcome, failure != .cancelled {
                log.write(.deliveryUnknown, fields(delivery) + [code])
            }
            let pause = time.wallNow.duration(to: instant)
            log.write(
                outcome.isAbandoned ? .leaseReleased : .deliveryRetry,
                fields(delivery) + [code, ("pause_ms", .milliseconds(pause)), ("counted", .number(isCounted ? 1 : 0))]
            )
        case .parked: break
        }
        tell(decision.device, of: delivery.device)
    }

    func tell(_ action: DeliveryPolicy.DeviceAction, of id: DeviceID) {
        let device: Log.Field = ("device.id", .number(id.rawValue))
        switch action {
        case .keep: break
        case .hold(let reason): log.write(.deviceHeld, [device, ("apns.reason", .text(reason))])
        case .deactivate(let reason): log.write(.deviceDeactivated, [device, ("apns.reason", .text(reason))])
        case .throttle(let instant, _):
            log.write(.deviceThrottled, [device, ("pause_ms", .milliseconds(time.wallNow.duration(to: instant)))])
        }
    }
}

extension [ServiceGate.Action] {
    /// Devices that the gate wants active again.
    var released: [DeviceID] {
        flatMap { action in
            guard case .release(let devices) = action else { return [DeviceID]() }
            return devices
        }
    }
}

extension ServiceGate.Fault {
    /// A stable word for log fields and `/status`.
    var code: String {
        switch self {
        case .service: "service"
        case .tokenUpdates: "TooManyProviderTokenUpdates"
        case .configuration(let reason): reason
        }
    }
}

extension PushOutcome {
    /// True when this process stopped waiting.
    fileprivate var isAbandoned: Bool { ServiceEvent(self) == .abandoned }
}
