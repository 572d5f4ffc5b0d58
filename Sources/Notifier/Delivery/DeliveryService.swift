import HTTP
import Platform

/// Brings what is in the outbox to APNs: claims, sends, records. Everything that is decided is decided by ``ServiceGate``,
/// ``DeliveryPolicy`` and ``ProviderTokenPolicy``; this actor carries it out.
///
/// A delivery is claimed, and that committed, before it is sent; its outcome is committed after. A crash between the two leaves
/// a lease, whose outcome counts as unknown.
actor DeliveryService {
    let store: StoreActor
    let time: any TimeSource
    let entropy: any EntropySource
    let policy: DeliveryPolicy
    let log: Log
    let metrics: MetricsRegistry
    /// Ring it after a commit that queued something.
    nonisolated let doorbell: Doorbell

    private let client: any HTTPClient
    let tokens: ProviderTokenSource
    private let deviceTokens: DeviceTokenVault
    private let requests: PushRequest
    private let leaseDuration: Duration

    var gates: [PushEnvironment: ServiceGate]
    private let freshGate: ServiceGate
    /// Deliveries this process is sending.
    var inFlight: Set<DeliveryID> = []
    /// What waits to be recorded.
    var outcomes = OutcomeQueue()
    /// True when there may be more due than the gate let through, so that each outcome is worth another look.
    private var hasBacklog = false
    /// True when an outcome could not be recorded: its lease is to be reclaimed when it ends.
    var hasOrphans = false
    /// The provider token that APNs refused last, with its reason.
    var refusedToken: (token: ProviderToken, reason: String)?
    private var isStopping = false
    /// True while there is no key to push with: what is queued waits.
    var isLogOnly: Bool
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
        log: Log,
        metrics: MetricsRegistry = MetricsRegistry(tellsPeopleApart: false)
    ) {
        self.store = store
        self.client = client
        self.tokens = tokens
        isLogOnly = !tokens.hasKeyAtStart
        self.deviceTokens = deviceTokens
        self.time = time
        self.entropy = entropy
        self.log = log
        self.metrics = metrics
        policy = DeliveryPolicy(configuration)
        requests = PushRequest(configuration)
        leaseDuration = configuration.leaseDuration
        freshGate = ServiceGate(configuration)
        gates = [.production: freshGate, .sandbox: freshGate]
        doorbell = Doorbell(time: time)
        clocks = (time.wallNow, time.monotonicNow)
    }

    /// Delivers until ``stop()`` or cancellation. First takes back what an earlier process left claimed.
    ///
    /// After ``stop()`` it waits for the pushes under way; when cancelled it gives their leases back at once, at no cost.
    ///
    /// - Throws: `SQLiteError` when the database cannot be read at the start.
    func run() async throws {
        try await tokens.load()
        try await reclaim(endedBefore: nil)
        if isLogOnly { tellLogOnly() }
        await withDiscardingTaskGroup { group in
            while !isStopping {
                let wake = await pass { delivery, device, ticket, token in
                    group.addTask { await self.deliver(delivery, to: device, ticket, token) }
                }
                guard !isStopping, (try? await doorbell.wait(until: wake)) != nil else { break }
            }
        }
    }

    /// Takes no more work; ``run()`` returns when the pushes under way have their outcome.
    func stop() {
        isStopping = true
        doorbell.ring()
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
        if hasBacklog { doorbell.ring() }
    }
}

// MARK: - One look at the queue

extension DeliveryService {
    /// Takes a delivery with its device's token.
    typealias Sending = (ClaimedDelivery, String, ServiceGate.Ticket, ProviderToken) -> Void

    /// How long to wait after the database, or the making of a token, failed.
    private static let failurePause: Duration = .seconds(5)

    /// Claims what is due and may go, hands it to `send`, and tells when to look again; nil waits for the bell.
    private func pass(_ send: Sending) async -> MonotonicInstant? {
        let startedAt = time.monotonicNow
        defer { metrics.observe(.deliveryCycleDuration, startedAt.duration(to: time.monotonicNow)) }
        do {
            try await followClock()
            if hasOrphans { try await reclaim(endedBefore: time.wallNow) }
            hasBacklog = false
            guard !isLogOnly else {
                try await tellWithheld()
                return nil
            }
            var wakes: [MonotonicInstant] = []
            for found in try await claim(at: time.wallNow) {
                if let wake = try await settle(found, send) { wakes.append(wake) }
            }
            if hasOrphans, let wake = try await nextLeaseEnd() { wakes.append(wake) }
            return wakes.min()
        } catch {
            // What was claimed and not given back is found when its lease ends.
            hasOrphans = true
            log.write(.claimFailed, [("error", .text(String(describing: error)))])
            return time.monotonicNow.advanced(by: Self.failurePause)
        }
    }

    /// What one environment's queue held.
    private struct Look: Sendable {
        var environment: PushEnvironment
        var found = ClaimResult()
        /// When the next delivery is due.
        var due: WallTime?
        var at: WallTime
        /// True when the gate lets nothing through, so that nobody looked.
        var isShut = false
    }

    /// Claims for every environment in one transaction; none at all when every gate is shut.
    private func claim(at now: WallTime) async throws -> [Look] {
        let monotonicNow = time.monotonicNow
        let permits = PushEnvironment.allCases.map { ($0, gate($0).permits(at: monotonicNow)) }
        let shut = permits.filter { $0.1 == 0 }.map { Look(environment: $0.0, at: now, isShut: true) }
        let open = permits.filter { $0.1 > 0 }
        guard !open.isEmpty else { return shut }
        let leaseUntil = now.advanced(by: leaseDuration)
        let looks = try await store.transaction { store in
            try open.map { environment, limit in
                let found = try store.claim(environment, limit: limit, at: now, leaseUntil: leaseUntil)
                return Look(environment: environment, found: found, due: try store.nextDue(environment), at: now)
            }
        }
        return shut + looks
    }

    /// Starts what was claimed; tells when to look again at this environment.
    private func settle(_ look: Look, _ send: Sending) async throws -> MonotonicInstant? {
        let environment = look.environment
        for id in look.found.expired { log.write(.deliveryExpired, [("delivery.id", .number(id.rawValue))]) }
        metrics.count(.notificationsDead, look.found.expired.count, ["expired"])
        if !look.isShut, try await start(look.found.claimed, environment, send) {
            guard let due = look.due else { return nil }
            guard due <= look.at else { return monotonic(due, from: look.at) }
        }
        // More is due, or may be: an outcome, or the gate, says when there is room.
        hasBacklog = true
        return gate(environment).permits(at: time.monotonicNow) > 0
            ? time.monotonicNow : gate(environment).nextChange(after: time.monotonicNow)
    }

    /// Sends what was claimed. False when some went back, at no cost, because the gate closed or no token could be had meanwhile.
    private func start(
        _ claimed: [ClaimedDelivery],
        _ environment: PushEnvironment,
        _ send: Sending
    ) async throws -> Bool {
        guard !claimed.isEmpty else { return true }
        guard let token = await providerToken(environment) else {
            try await release(claimed)
            return false
        }
        var surplus: [ClaimedDelivery] = []
        for (delivery, device) in try await open(claimed) {
            let now = time.monotonicNow
            guard !isStopping, gate(environment).permits(at: now) > 0 else {
                surplus.append(delivery)
                continue
            }
            let ticket = withGate(environment) { $0.start(at: now) }
            if ticket.isProbe { log.write(.breakerProbed, [("apns.environment", .text(environment.rawValue))]) }
            inFlight.insert(delivery.id)
            log.write(.deliverySent, fields(delivery))
            send(delivery, device, ticket, token)
        }
        if !surplus.isEmpty { try await release(surplus) }
        return surplus.isEmpty
    }

    /// The deliveries with their devices' tokens. A device whose token cannot be opened, because its key is not configured any more,
    /// waits until it registers again.
    private func open(_ claimed: [ClaimedDelivery]) async throws -> [(delivery: ClaimedDelivery, device: String)] {
        let opened = claimed.map { (delivery: $0, device: try? deviceTokens.open($0.deviceToken)) }
        let closed = opened.filter { $0.device == nil }.map(\.delivery)
        if !closed.isEmpty {
            let now = time.wallNow
            try await store.transaction { store in
                for delivery in closed {
                    try store.finish(delivery.id, .parked, outcome: "token_unreadable", at: now)
                    try store.hold(delivery.device, reason: "TokenUnreadable", at: now)
                }
            }
            for delivery in closed { log.write(.deviceTokenUnreadable, fields(delivery)) }
        }
        return opened.compactMap { entry in entry.device.map { (entry.delivery, $0) } }
    }

    /// The token to send with; nil, with the queue paused, when there is none.
    private func providerToken(_ environment: PushEnvironment) async -> ProviderToken? {
        do {
            if let token = try await tokens.current(refused: refusedToken?.token) { return token }
            // Paused for this already: a probe with the token there is shows whether APNs takes it now.
            if gate(environment).breaker != .closed, let token = await tokens.inUse { return token }
            log.write(.tokenRefused, [("apns.reason", .text(refusedToken?.reason ?? ""))])
        } catch {
            log.write(.tokenRefused, [("error", .text(String(describing: error)))])
        }
        let fault = ServiceGate.Fault.configuration(refusedToken?.reason ?? "ProviderToken")
        let actions = withGate(environment) { $0.pause(fault, at: time.monotonicNow) }
        tell(actions, environment)
        return nil
    }

    private func release(_ claimed: [ClaimedDelivery]) async throws {
        let now = time.wallNow
        try await store.transaction { store in
            for delivery in claimed {
                try store.finish(delivery.id, .retry(at: now, isCounted: false), at: now)
            }
        }
    }

    private func monotonic(_ instant: WallTime, from now: WallTime) -> MonotonicInstant {
        time.monotonicNow.advanced(by: now.duration(to: instant))
    }

    func gate(_ environment: PushEnvironment) -> ServiceGate {
        guard let gate = gates[environment] else { preconditionFailure("every environment has a gate") }
        return gate
    }

    func withGate<T>(_ environment: PushEnvironment, _ body: (inout ServiceGate) -> T) -> T {
        // In place: a gate remembers hundreds of answers, which a copy would double.
        body(&gates[environment, default: freshGate])
    }
}

// MARK: - Leases and clocks

extension DeliveryService {
    /// Takes back what nobody is sending any more.
    private func reclaim(endedBefore end: WallTime?) async throws {
        let now = time.wallNow
        let (keeping, limit) = (inFlight, policy.attemptLimit)
        let reclaimed = try await store.transaction {
            try $0.reclaimLeases(endedBefore: end, keeping: keeping, attemptLimit: limit, at: now)
        }
        for delivery in reclaimed {
            let fields: [Log.Field] = [
                ("delivery.id", .number(delivery.id.rawValue)), ("apns.id", .text(delivery.apnsID)),
            ]
            log.write(delivery.isDead ? .deliveryDead : .leaseReclaimed, fields)
            if delivery.isDead { metrics.count(.notificationsDead, 1, ["unknown.crash"]) }
        }
        if end == nil { hasOrphans = false }
    }

    private func nextLeaseEnd() async throws -> MonotonicInstant? {
        let keeping = inFlight
        let end = try await store.read { try $0.nextLeaseEnd(keeping: keeping) }
        hasOrphans = end != nil
        return end.map { monotonic($0, from: time.wallNow) }
    }

    /// Notices that the wall clock was set, and moves what waits by as much: instants in the table are wall times, waiting is not.
    private func followClock() async throws {
        let now = (wall: time.wallNow, monotonic: time.monotonicNow)
        let step = clocks.wall.duration(to: now.wall) - clocks.monotonic.duration(to: now.monotonic)
        guard step > .seconds(1) || step < .seconds(-1) else {
            clocks = now
            return
        }
        log.write(.clockStepped, [("step_ms", .milliseconds(step))])
        let threshold = min(now.wall, now.wall.advanced(by: .zero - step))
        try await store.transaction { try $0.shiftQueue(by: step, after: threshold) }
        clocks = now
    }
}
