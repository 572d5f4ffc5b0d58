import Configuration
import HTTP
import Platform
import SQLite

/// Silent pushes go when no news waits for the room, and are no deliveries: no figure of those counts them, and none is tried twice. What
/// APNs says of the device and of the service holds as for any push.
extension DeliveryService {
    /// Sends what was claimed. False when some went back because the gate closed or no token could be had meanwhile.
    func start(_ pushes: [SilentPush], _ environment: PushEnvironment, _ send: SilentSending) async throws -> Bool {
        guard !pushes.isEmpty else { return true }
        var surplus: [SilentPush] = []
        let token = try await providerToken(environment)
        for push in pushes {
            // The next news finds out that a token cannot be opened, and says so.
            guard let device = try? deviceTokens.open(push.deviceToken) else { continue }
            let now = time.monotonicNow
            guard let token, !isStopping, gate(environment).permits(at: now) > 0 else {
                surplus.append(push)
                continue
            }
            let ticket = withGate(environment) { $0.start(at: now) }
            if ticket.isProbe { log.write(.breakerProbed, [("apns.environment", .text(environment.rawValue))]) }
            send(push, device, ticket, token)
        }
        try await giveBack(surplus)
        return surplus.isEmpty
    }

    /// They are due again at once, and so are those that could not be given back before.
    ///
    /// - Throws: `SQLiteError`; they are kept for the next time then.
    func giveBack(_ pushes: [SilentPush]) async throws {
        unreturned += pushes
        let owed = unreturned
        guard !owed.isEmpty else { return }
        let now = time.wallNow
        try await store.transaction { store in
            for push in owed { try store.returnSilentPush(to: push.device, at: now) }
        }
        unreturned = []
    }

    /// Sends one, and notes what it says of the device and the service.
    func deliver(
        _ push: SilentPush,
        to device: String,
        _ ticket: ServiceGate.Ticket,
        _ token: ProviderToken
    ) async {
        let apnsID = entropy.uuidString()
        let outcome = PushOutcome(
            await client.send(
                requests.make(push, to: device, id: apnsID, token: token),
                options: requests.options(isFresh: ticket.isFresh)
            )
        )
        await note(outcome, finish(ticket, outcome, token, push), push)
        metrics.count(.silentPushes, 1, [outcome.word], of: push.account)
        log.write(
            .silentPushSent,
            [
                ("device.id", .number(push.device.rawValue)), ("apns.id", .text(apnsID)),
                ("apns.outcome", .text(outcome.code)),
            ]
        )
        wakeSignal.send()
    }

    /// What the gate made of an outcome.
    private struct Finding: Sendable {
        var ruling: ServiceRuling
        /// Devices that the gate wants active again.
        var released: [DeviceID]
        var jitter: Int64
    }

    private func finish(
        _ ticket: ServiceGate.Ticket,
        _ outcome: PushOutcome,
        _ token: ProviderToken,
        _ push: SilentPush
    ) -> Finding {
        let event = ServiceEvent(outcome)
        note(event, token, outcome)
        let jitter = entropy.next(in: 0...999)
        let (ruling, actions) = withGate(ticket.environment) { gate in
            gate.finish(
                ticket,
                event,
                // No delivery has such a number.
                delivery: DeliveryID(rawValue: 0 - push.device.rawValue),
                device: push.device,
                reason: outcome.code,
                at: time.monotonicNow,
                jitter: jitter
            )
        }
        tell(actions, ticket.environment)
        return Finding(ruling: ruling, released: actions.released, jitter: jitter)
    }

    /// What an outcome means for the device, which was registered last at `registeredAt`.
    private static func action(
        _ outcome: PushOutcome,
        _ finding: Finding,
        _ push: SilentPush,
        registeredAt: WallTime,
        by policy: DeliveryPolicy,
        at now: WallTime
    ) -> DeliveryPolicy.DeviceAction {
        let facts = DeliveryPolicy.Circumstances(
            attempts: policy.attemptLimit,
            expiresAt: push.claimedAt,
            sentAt: push.claimedAt,
            deviceRegisteredAt: registeredAt,
            ruling: finding.ruling
        )
        let action = policy.decide(outcome, now, facts, jitter: finding.jitter).device
        // That there are too many of these makes no news wait, nor wait longer.
        if case .throttle = action { return .keep }
        return action
    }

    /// What cannot be written is found out again by the next push. That a device is active again is not: it is tried on while the
    /// database takes nothing.
    private func note(_ outcome: PushOutcome, _ finding: Finding, _ push: SilentPush) async {
        // Who has registered since is told less by it, never more.
        let (policy, now) = (policy, time.wallNow)
        let action = Self.action(outcome, finding, push, registeredAt: push.registeredAt, by: policy, at: now)
        guard action != .keep || !finding.released.isEmpty else { return }
        while true {
            do {
                return tell(try await write(outcome, finding, push), of: push.device)
            } catch {
                let mayPass = (error as? SQLiteError)?.storeTrouble != nil && !isStopping && !Task.isCancelled
                guard mayPass, !finding.released.isEmpty else {
                    return log.write(
                        .outcomeNotRecorded,
                        [("device.id", .number(push.device.rawValue)), ("error", .text(String(describing: error)))]
                    )
                }
                // Cancelled while waiting: the next attempt follows at once.
                try? await time.sleep(for: Self.failurePause)
            }
        }
    }

    /// Returns what became of the device.
    private func write(
        _ outcome: PushOutcome,
        _ finding: Finding,
        _ push: SilentPush
    ) async throws -> DeliveryPolicy.DeviceAction {
        let (now, entropy, policy) = (time.wallNow, entropy, policy)
        return try await store.transaction { store in
            var action = DeliveryPolicy.DeviceAction.keep
            // The device may be another person's by now, or gone, or have registered the same token since.
            if try store.isRegistered(push.device, with: push.deviceToken),
                let registeredAt = try store.registrationTime(of: push.device)
            {
                action = Self.action(outcome, finding, push, registeredAt: registeredAt, by: policy, at: now)
                try store.apply(action, to: push.device, at: now)
            }
            try store.release(finding.released, by: entropy, at: now)
            return action
        }
    }
}
