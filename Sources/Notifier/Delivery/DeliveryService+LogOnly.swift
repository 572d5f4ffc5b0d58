import Configuration
import Platform
import SQLite

/// Without a key nothing is pushed. What would be is made and stored as always, told of in the log, and waits: with a key, what is
/// still news goes out at once, and what has expired by then is told of as expired. The history has it in either case.
extension DeliveryService {
    /// Pushes from now on with another key, or with none.
    func use(_ signer: ProviderTokenSigner?) async {
        await tokens.use(signer)
        refusedToken = nil
        isLogOnly = signer == nil
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
        log.write(.pushNotConfigured)
        for environment in PushEnvironment.allCases { metrics.set(.apnsPaused, to: 1, [environment.rawValue]) }
    }

    /// Tells how many deliveries wait for a key.
    func tellWithheld() async throws {
        let waiting = try await store.read { try $0.queuedDeliveryCount() }
        if waiting > 0 { log.write(.deliveriesWithheld, [("waiting", .count(waiting))]) }
    }
}

extension Store {
    /// Deliveries that wait, over all environments.
    func queuedDeliveryCount() throws -> Int {
        try database.first("SELECT count(*) FROM deliveries WHERE state = 'queued'") { $0.int(0) } ?? 0
    }
}
