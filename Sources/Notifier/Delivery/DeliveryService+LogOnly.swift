import Configuration
import Platform
import SQLite

/// Without a key nothing is pushed, and where pushing is switched off. What would be is made and stored as always. Without a key it is told of in the log, and waits:
/// with one, what is still news goes out at once, and what has expired by then is told of as expired. Switched off, nothing is queued. The
/// history has it in either case.
extension DeliveryService {
    /// Pushes from now on with another key, or with none.
    func use(_ signer: ProviderTokenSigner?) async {
        await tokens.use(signer)
        refusedToken = nil
        isLogOnly = isSwitchedOff || signer == nil
        guard !isLogOnly else { return tellLogOnly() }
        log.write(.pushConfigured)
        for environment in PushEnvironment.allCases {
            withGate(environment) { $0.probeSoon(at: time.monotonicNow) }
            let isPaused = gate(environment).breaker != .closed
            metrics.set(.apnsPaused, to: isPaused ? 1 : 0, [environment.rawValue])
        }
        wakeSignal.send()
    }

    func tellLogOnly() {
        // That is as the operator wants it, and no alert.
        guard !isSwitchedOff else { return log.write(.pushSwitchedOff) }
        log.write(.pushNotConfigured)
        for environment in PushEnvironment.allCases { metrics.set(.apnsPaused, to: 1, [environment.rawValue]) }
    }

    /// Gives up what was queued before pushing was switched off: nobody should get it a day later. The history has it.
    func dropQueue() async throws {
        let now = time.wallNow
        let count = try await store.transaction { try $0.dropQueuedDeliveries(reason: "push_switched_off", at: now) }
        if count > 0 { log.write(.deliveriesDropped, [("deliveries", .count(count))]) }
    }

    /// Tells how many deliveries wait for a key.
    func tellWithheld() async throws {
        let waiting = try await store.read { try $0.queuedDeliveryCount() }
        if waiting > 0 { log.write(.deliveriesWithheld, [("waiting", .count(waiting))]) }
    }
}

extension Store {
    /// Gives up every delivery that waits. Returns how many.
    func dropQueuedDeliveries(reason: String, at now: WallTime) throws -> Int {
        try database.execute(
            "UPDATE deliveries SET state = 'dead', last_outcome = ?, finished_at = ? WHERE state = 'queued'",
            reason,
            now
        )
    }

    /// Deliveries that wait, over all environments.
    func queuedDeliveryCount() throws -> Int {
        try database.first("SELECT count(*) FROM deliveries WHERE state = 'queued'") { $0.int(0) } ?? 0
    }
}
