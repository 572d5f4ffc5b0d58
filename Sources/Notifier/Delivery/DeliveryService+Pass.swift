import Configuration
import HTTP
import Platform
import SQLite

/// One look at the queue, which is also the commit of what came back.
extension DeliveryService {
    /// Takes a delivery with its device's token.
    typealias Sending = (ClaimedDelivery, String, ServiceGate.Ticket, ProviderToken) -> Void
    /// Takes a silent push with its device's token.
    typealias SilentSending = (SilentPush, String, ServiceGate.Ticket, ProviderToken) -> Void

    /// How long to wait after the database, or the making of a token, failed.
    static let failurePause: Duration = .seconds(5)

    /// Commits the outcomes that wait and claims what is due and may go, hands that to `send` and `sendSilently`, and tells when to look
    /// again; nil waits for the wake signal.
    func pass(_ send: Sending, silently sendSilently: SilentSending) async -> MonotonicInstant? {
        let startedAt = time.monotonicNow
        pace.begin(at: startedAt)
        defer { metrics.observe(.deliveryCycleDuration, startedAt.duration(to: time.monotonicNow)) }
        do {
            try await followClock()
            if hasOrphans { try await reclaim(endedBy: time.wallNow) }
            try await giveBack([])
            let looks = try await commit(at: time.wallNow)
            guard !isLogOnly else {
                try await tellWithheld()
                return nil
            }
            var wakes: [MonotonicInstant] = []
            for (place, look) in looks.enumerated() {
                do {
                    if let wake = try await settle(look, send, sendSilently) { wakes.append(wake) }
                } catch {
                    // Nobody else knows of these: no lease ends for them. What cannot be written now is by the next pass.
                    try? await giveBack(looks[(place + 1)...].flatMap(\.silent))
                    throw error
                }
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

    /// Waits until it is signalled or `wake`, and then for company while many pushes are under way. False when cancelled.
    func isCalled(until wake: MonotonicInstant?) async -> Bool {
        do {
            _ = try await wakeSignal.wait(until: wake)
            while !isStopping, let end = pace.pause(at: time.monotonicNow, underWay: underWay) {
                _ = try await wakeSignal.wait(until: end)
            }
            return true
        } catch {
            return false
        }
    }

    /// What one environment's queue held.
    private struct Look: Sendable {
        var environment: PushEnvironment
        var found = ClaimResult()
        var silent: [SilentPush] = []
        /// When the next delivery, or silent push, is due.
        var due: WallTime?
        var at: WallTime
        /// True when the gate lets nothing through, so that nobody looked.
        var isShut = false
    }

    /// Records outcomes, then claims for every environment, all in one transaction; none at all when there is neither.
    ///
    /// - Throws: `SQLiteError` when nothing could be claimed. An outcome's error goes to the one that waits for it.
    private func commit(at now: WallTime) async throws -> [Look] {
        let permits = permits
        let shut = permits.filter { $0.limit == 0 }.map { Look(environment: $0.environment, at: now, isShut: true) }
        let open = permits.filter { $0.limit > 0 }
        let batch = outcomes.takeBatch()
        guard !batch.isEmpty || !open.isEmpty else { return shut }
        let (concluded, leaseUntil) = (batch.map(\.outcome), now.advanced(by: leaseDuration))
        let (policy, entropy, dueWords) = (policy, entropy, dueWords)
        do {
            let (recorded, looks) = try await store.transaction { store in
                let recorded = try concluded.map { try Self.record($0, policy, by: entropy, at: now, in: store) }
                let looks = try open.map { environment, limit, poorProbes in
                    try store.beginTrials(environment, by: entropy, at: now)
                    var found = try store.claim(
                        environment,
                        limit: limit,
                        avoiding: poorProbes,
                        by: policy,
                        at: now,
                        leaseUntil: leaseUntil
                    )
                    try dueWords.renew(&found.claimed, at: now, in: store)
                    try Badges.renew(&found.claimed, in: store)
                    let room = limit - found.claimed.count
                    let silent = try store.claimSilentPushes(environment, limit: room, at: now)
                    let due = [
                        try store.nextDue(environment), try store.nextSilentPush(environment),
                        try store.nextTrial(environment),
                    ]
                    return Look(
                        environment: environment,
                        found: found,
                        silent: silent,
                        due: due.compactMap { $0 }.min(),
                        at: now
                    )
                }
                return (recorded, looks)
            }
            // Before anything is sent: what is to go again at once was claimed again here.
            for delivery in concluded.map(\.delivery) { inFlight.remove(delivery.id) }
            for (entry, one) in zip(batch, recorded) { entry.waiter.resume(returning: .done(.success(one))) }
            if !outcomes.isEmpty { wakeSignal.send() }
            return shut + looks
        } catch {
            guard !batch.isEmpty else { throw error }
            // Each goes alone from now on, and the claim without them.
            for entry in batch { entry.waiter.resume(returning: .done(.failure(error))) }
            return try await commit(at: now)
        }
    }

    /// How many pushes may start, for each environment, and to whom none should while others wait.
    private var permits: [(environment: PushEnvironment, limit: Int, poorProbes: [DeviceID])] {
        let now = time.monotonicNow
        return PushEnvironment.allCases.map {
            ($0, isLogOnly ? 0 : gate($0).permits(at: now), gate($0).poorProbes)
        }
    }

    /// Starts what was claimed; tells when to look again at this environment.
    private func settle(
        _ look: Look,
        _ send: Sending,
        _ sendSilently: SilentSending
    ) async throws -> MonotonicInstant? {
        let environment = look.environment
        for delivery in look.found.expired { log.write(.deliveryExpired, fields(delivery)) }
        metrics.count(.notificationsDead, look.found.expired.count, ["expired"])
        for delivery in look.found.moot { log.write(.deliveryMoot, fields(delivery)) }
        if !look.isShut, try await start(look, send, sendSilently) {
            guard let due = look.due else { return nil }
            guard due <= look.at else { return monotonic(due, from: look.at) }
        }
        // More is due, or may be: an outcome, or the gate, says when there is room.
        return gate(environment).permits(at: time.monotonicNow) > 0
            ? time.monotonicNow : gate(environment).nextChange(after: time.monotonicNow)
    }

    /// Sends what was claimed, news first. False when some of it went back.
    private func start(_ look: Look, _ send: Sending, _ sendSilently: SilentSending) async throws -> Bool {
        do {
            guard try await start(look.found.claimed, look.environment, send) else {
                try await giveBack(look.silent)
                return false
            }
        } catch {
            // Nobody else knows of these: no lease ends for them.
            try await giveBack(look.silent)
            throw error
        }
        return try await start(look.silent, look.environment, sendSilently)
    }

    /// Sends what was claimed. False when some went back, at no cost, because the gate closed or no token could be had meanwhile.
    private func start(
        _ claimed: [ClaimedDelivery],
        _ environment: PushEnvironment,
        _ send: Sending
    ) async throws -> Bool {
        guard !claimed.isEmpty else { return true }
        guard let token = try await providerToken(environment) else {
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
                    try store.hold(delivery.device, reason: "TokenUnreadable", isTried: false, at: now)
                }
            }
            for delivery in closed { log.write(.deviceTokenUnreadable, fields(delivery)) }
        }
        return opened.compactMap { entry in entry.device.map { (entry.delivery, $0) } }
    }

    /// The token to send with; nil, with the queue paused, when there is none.
    ///
    /// - Throws: `SQLiteError` when one was made and could not be kept.
    func providerToken(_ environment: PushEnvironment) async throws -> ProviderToken? {
        do {
            if let token = try await tokens.current(for: environment, refused: refusedToken?.token) { return token }
            let changeAt = await tokens.changeAt(for: environment)
            withGate(environment) { $0.expectToken(at: changeAt) }
            // Paused for this already: a probe with the token there is shows whether APNs takes it now.
            if gate(environment).breaker != .closed, let token = await tokens.inUse(for: environment) { return token }
            log.write(.tokenRefused, [("apns.reason", .text(refusedToken?.reason ?? ""))])
        } catch let error as SQLiteError where error.storeTrouble != nil {
            throw error
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
}
