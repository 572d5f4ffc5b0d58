import Configuration
import HTTP
import Platform
import SQLite

/// Brings what is in the outbox to APNs: claims, sends, records. Everything that is decided is decided by ``ServiceGate``,
/// ``DeliveryPolicy`` and ``ProviderTokenPolicy``; this actor carries it out.
///
/// A delivery is claimed, and that committed, before it is sent; its outcome is committed after, together with the next claim. A crash
/// between the two leaves a lease, whose outcome counts as unknown.
actor DeliveryService {
    let store: StoreActor
    let time: any TimeSource
    let entropy: any EntropySource
    let policy: DeliveryPolicy
    let log: Log
    let metrics: MetricsRegistry
    /// Send it after a commit that queued something.
    nonisolated let wakeSignal: WakeSignal

    let client: any HTTPClient
    let tokens: ProviderTokenSource
    let deviceTokens: DeviceTokenVault
    let requests: PushRequest
    let dueWords: DueWords
    let leaseDuration: Duration
    private let expiration: Duration

    var gates: [PushEnvironment: ServiceGate]
    private let configuration: NotifierConfiguration
    /// Deliveries this process is sending.
    var inFlight: Set<DeliveryID> = []
    /// Silent pushes that were claimed and not sent, and that the database did not take back yet.
    var unreturned: [SilentPush] = []
    /// What waits to be recorded.
    var outcomes = OutcomeQueue()
    var pace: PassPace
    /// True when an outcome could not be recorded: its lease is to be reclaimed when it ends.
    var hasOrphans = false
    /// The provider token that APNs refused last, with its reason.
    var refusedToken: (token: ProviderToken, reason: String)?
    private(set) var isStopping = false
    /// True while there is no key to push with: what is queued waits. Also where pushing is switched off.
    var isLogOnly: Bool
    /// True where the operator wants no pushes: nothing is queued.
    let isSwitchedOff: Bool
    /// Where the two clocks stood when they were last compared.
    private var clocks: (wall: WallTime, monotonic: MonotonicInstant)

    init(
        store: StoreActor,
        client: any HTTPClient,
        tokens: ProviderTokenSource,
        deviceTokens: DeviceTokenVault,
        configuration: NotifierConfiguration,
        time: any TimeSource,
        entropy: any EntropySource,
        zones: any TimeZoneSource,
        log: Log,
        metrics: MetricsRegistry = MetricsRegistry(tellsPeopleApart: false)
    ) {
        self.store = store
        self.client = client
        self.tokens = tokens
        isSwitchedOff = !configuration.pushEnabled
        isLogOnly = isSwitchedOff || !tokens.hasKeyAtStart
        self.deviceTokens = deviceTokens
        self.time = time
        self.entropy = entropy
        self.log = log
        self.metrics = metrics
        policy = DeliveryPolicy(configuration)
        requests = PushRequest(configuration)
        dueWords = DueWords(zones: zones)
        leaseDuration = configuration.leaseDuration
        expiration = configuration.expiration
        pace = PassPace(concurrency: configuration.deliveryConcurrency)
        self.configuration = configuration
        gates = [
            .production: ServiceGate(configuration, for: .production),
            .sandbox: ServiceGate(configuration, for: .sandbox),
        ]
        wakeSignal = WakeSignal(time: time)
        clocks = (time.wallNow, time.monotonicNow)
    }

    /// Delivers until ``stop()`` or cancellation. First takes back what an earlier process left claimed.
    ///
    /// After ``stop()`` it waits for the pushes under way; when cancelled it gives their leases back at once, at no cost.
    ///
    /// - Throws: `SQLiteError` when the database cannot be read at the start.
    func run() async throws {
        try await tokens.load()
        guard try await settleFormerQueue() else { return }
        if isLogOnly { tellLogOnly() }
        _ = outcomes.tryToLead()
        await withDiscardingTaskGroup { group in
            while !isStopping {
                let wake = await pass { delivery, device, ticket, token in
                    group.addTask { await self.deliver(delivery, to: device, ticket, token) }
                } silently: { push, device, ticket, token in
                    group.addTask { await self.deliver(push, to: device, ticket, token) }
                }
                guard !isStopping, await isCalled(until: wake) else { break }
            }
            // No pass commits outcomes any more: those that come do it themselves.
            outcomes.handOver()?.resume(returning: .lead)
        }
    }

    /// Takes no more work; ``run()`` returns when the pushes under way have their outcome.
    func stop() {
        isStopping = true
        wakeSignal.send()
    }

    private func deliver(
        _ delivery: ClaimedDelivery,
        to device: String,
        _ ticket: ServiceGate.Ticket,
        _ token: ProviderToken
    ) async {
        let startedAt = time.monotonicNow
        let outcome = PushOutcome(
            await client.send(
                requests.make(delivery, to: device, token: token),
                options: requests.options(isFresh: ticket.isFresh)
            )
        )
        measure(outcome, of: delivery, since: startedAt)
        await conclude(delivery, ticket, token, outcome)
    }
}

// MARK: - Leases, clocks and gates

extension DeliveryService {
    /// Takes back what an earlier process left, and gives up what was queued where pushing is switched off by now. A database that takes
    /// nothing now may do so later: the server must be there then, and answer until then. False when it was stopped meanwhile.
    private func settleFormerQueue() async throws -> Bool {
        while !isStopping {
            do {
                try await reclaim(endedBy: nil)
                try await leaveFormerClock()
                if isSwitchedOff { try await dropQueue() }
                return true
            } catch let error as SQLiteError where error.storeTrouble != nil {
                log.write(.claimFailed, [("error", .text(error.description))])
                _ = try await wakeSignal.wait(until: time.monotonicNow.advanced(by: Self.failurePause))
            }
        }
        return false
    }

    /// Takes back what nobody is sending any more.
    func reclaim(endedBy end: WallTime?) async throws {
        let now = time.wallNow
        let (keeping, policy) = (inFlight, policy)
        let reclaimed = try await store.transaction { store in
            try store.reclaimLeases(endedBy: end, keeping: keeping, by: policy, at: now)
        }
        for delivery in reclaimed {
            let fields: [Log.Field] = [
                ("delivery.id", .number(delivery.id.rawValue)), ("apns.id", .text(delivery.apnsID)),
            ]
            log.write(.leaseReclaimed, fields)
        }
        if end == nil { hasOrphans = false }
    }

    func nextLeaseEnd() async throws -> MonotonicInstant? {
        let keeping = inFlight
        let end = try await store.read { try $0.nextLeaseEnd(keeping: keeping) }
        hasOrphans = end != nil
        return end.map { monotonic($0, from: time.wallNow) }
    }

    /// Notices that an earlier process queued by a clock that was ahead of ours, and moves what waits, which would be due when ours is as far. Where
    /// that clock was ahead by less than the newest has waited since, no row lies ahead, but pauses are longer than any.
    private func leaveFormerClock() async throws {
        let now = time.wallNow
        if let newest = try await store.read({ try $0.newestQueuedAt() }) {
            let step = newest.duration(to: now)
            if step < .seconds(-1) {
                log.write(.clockStepped, [("step_ms", .milliseconds(step))])
                try await store.transaction { [zones = dueWords.zones] store in
                    try store.shiftQueue(by: step, at: now, expiringBy: now)
                    try store.replanAnnouncements(over: step, by: zones, at: now)
                }
            }
        }
        try await store.transaction { [policy, silent = SilentPushPolicy(configuration)] store in
            try store.endFormerPauses(longest: policy.longestRetry, at: now)
            try store.endFormerPlans(by: silent, at: now)
        }
    }

    /// Notices that the wall clock was set, and moves what waits by as much: instants in the table are wall times, waiting is not.
    func followClock() async throws {
        let now = (wall: time.wallNow, monotonic: time.monotonicNow)
        let step = clocks.wall.duration(to: now.wall) - clocks.monotonic.duration(to: now.monotonic)
        guard step > .seconds(1) || step < .seconds(-1) else {
            clocks = now
            return
        }
        log.write(.clockStepped, [("step_ms", .milliseconds(step))])
        let limit = now.wall.advanced(by: expiration)
        try await store.transaction { [zones = dueWords.zones] store in
            try store.shiftQueue(by: step, at: now.wall, expiringBy: limit)
            try store.replanAnnouncements(over: step, by: zones, at: now.wall)
        }
        clocks = now
    }

    func monotonic(_ instant: WallTime, from now: WallTime) -> MonotonicInstant {
        time.monotonicNow.advanced(by: now.duration(to: instant))
    }

    /// Pushes without an outcome, over all environments.
    var underWay: Int { gates.values.reduce(0) { $0 + $1.inFlight } }

    func gate(_ environment: PushEnvironment) -> ServiceGate {
        guard let gate = gates[environment] else { preconditionFailure("every environment has a gate") }
        return gate
    }

    func withGate<T>(_ environment: PushEnvironment, _ body: (inout ServiceGate) -> T) -> T {
        // In place: a gate remembers hundreds of answers, which a copy would double.
        body(&gates[environment, default: ServiceGate(configuration, for: environment)])
    }
}
