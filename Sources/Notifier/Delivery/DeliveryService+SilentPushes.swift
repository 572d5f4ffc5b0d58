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
        let ruling = finish(ticket, outcome, token, push)
        let facts = DeliveryPolicy.Circumstances(
            attempts: policy.attemptLimit,
            expiresAt: push.claimedAt,
            throttles: push.throttles,
            sentAt: push.claimedAt,
            deviceRegisteredAt: push.registeredAt,
            ruling: ruling.ruling
        )
        let decision = policy.decide(outcome, time.wallNow, facts, jitter: ruling.jitter)
        await note(decision.device, ruling.released, push)
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

    private func finish(
        _ ticket: ServiceGate.Ticket,
        _ outcome: PushOutcome,
        _ token: ProviderToken,
        _ push: SilentPush
    ) -> (ruling: ServiceRuling, released: [DeviceID], jitter: Int64) {
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
        return (ruling, actions.released, jitter)
    }

    /// What cannot be written is found out again by the next push. That a device is active again is not: it is tried on while the
    /// database takes nothing.
    private func note(_ action: DeliveryPolicy.DeviceAction, _ released: [DeviceID], _ push: SilentPush) async {
        guard action != .keep || !released.isEmpty else { return }
        while true {
            do {
                try await write(action, released, push)
                return tell(action, of: push.device)
            } catch {
                let mayPass = (error as? SQLiteError)?.storeTrouble != nil && !isStopping && !Task.isCancelled
                guard mayPass, !released.isEmpty else {
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

    private func write(
        _ action: DeliveryPolicy.DeviceAction,
        _ released: [DeviceID],
        _ push: SilentPush
    ) async throws {
        let (now, entropy) = (time.wallNow, entropy)
        try await store.transaction { store in
            // The device may be another person's by now, or gone.
            if try store.isRegistered(push.device, with: push.deviceToken) {
                try store.apply(action, to: push.device, at: now)
            }
            try store.release(released, by: entropy, at: now)
        }
    }
}
