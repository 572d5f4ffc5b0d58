import Configuration
import Platform

/// Decides how many pushes may be under way to one APNs host: one on a cold or suspect connection until it answers, none while the
/// service is known to be down except single probes, otherwise as many as configured (APNs facts §17, items 1, 2, 8, 10).
///
/// Transitions: closed → open (three failures in a row, a refused configuration, a wave of bad device tokens) → probing, when
/// its pause is over → closed by any accepted push, or open again with the next longer pause.
struct ServiceGate: Equatable, Sendable {
    /// Why no pushes go out.
    enum Fault: Equatable, Sendable {
        /// APNs fails or is silent.
        case service
        /// The provider token changed too often.
        case tokenUpdates
        /// APNs refuses what the server is configured with; the word is APNs' reason.
        case configuration(String)
    }

    enum Breaker: Equatable, Sendable {
        case closed
        /// Nothing goes out before `until`, then one probe; `probes` were made in vain.
        case open(Fault, probes: Int, until: MonotonicInstant)
    }

    /// What a push needs to know about the state it left in.
    struct Ticket: Equatable, Sendable {
        /// Whose gate gave it, and takes it back: what became of the device meanwhile changes nothing about that.
        var environment: PushEnvironment
        var generation: Int
        /// True when the push must open a new connection.
        var isFresh: Bool
        var isProbe: Bool
    }

    /// What the shell carries out after an outcome.
    enum Action: Equatable, Sendable {
        case opened(Fault, pause: Duration)
        case closed
        case warmed
        case suspected
        /// Make these devices active again: the fault was not theirs.
        case release([DeviceID])
    }

    /// Failures in a row that open the breaker.
    static let failureThreshold = 3
    /// Within this time failures of so many different deliveries mean that the service is sick, also when some pushes pass. One that
    /// fails again and again among others that pass is its own trouble, and its attempts count.
    static let sickWindow: Duration = .seconds(60)
    /// Least time between two new connections (APNs facts §17, item 1).
    static let reconnectPause: Duration = .seconds(1)
    /// A connection unused for longer proves itself with one push again (APNs facts §8, idle loss).
    static let idleLimit: Duration = .minutes(10)
    /// Pause after `TooManyProviderTokenUpdates`.
    static let tokenUpdatePause: Duration = .minutes(1)

    let environment: PushEnvironment
    let concurrency: Int
    let probeDelays: [Duration]
    let configurationProbeInterval: Duration

    private(set) var breaker = Breaker.closed
    private var generation = 0
    private var isWarm = false
    private var needsFresh = false
    private var notBefore: MonotonicInstant?
    private var lastUse: MonotonicInstant?
    /// Pushes without an outcome.
    private(set) var inFlight = 0
    private var inFlightOfGeneration = 0
    private var failuresInRow = 0
    private var serverErrorsInRow = 0
    /// Connections that APNs has ended one after the other, without an answer that says more.
    private var disconnectsInRow = 0
    private var recentFailures: [Failure] = []
    private var tokenFaults = TokenFaultWindow()
    /// When there may be another provider token than the one that is refused.
    private var tokenAt: MonotonicInstant?

    private struct Failure: Equatable {
        var delivery: DeliveryID
        var at: MonotonicInstant
    }

    init(_ configuration: NotifierConfiguration, for environment: PushEnvironment) {
        self.environment = environment
        concurrency = configuration.deliveryConcurrency
        probeDelays = configuration.probeDelays
        configurationProbeInterval = configuration.configurationProbeInterval
    }

    /// How many more pushes may start at `now`.
    func permits(at now: MonotonicInstant) -> Int {
        if let notBefore, now < notBefore { return 0 }
        let room = max(0, concurrency - inFlight)
        if case .open(_, _, let until) = breaker {
            return now >= until && inFlightOfGeneration == 0 ? min(1, room) : 0
        }
        guard isWarm, !isIdle(at: now) else { return inFlightOfGeneration == 0 ? min(1, room) : 0 }
        return room
    }

    /// Devices of which a probe would learn nothing: while the settings seem to be wrong, those that were refused just now.
    var poorProbes: [DeviceID] {
        guard case .open(.configuration, _, _) = breaker else { return [] }
        return tokenFaults.refusedDevices
    }

    /// When ``permits(at:)`` may grow by itself; nil when only an outcome can change it.
    func nextChange(after now: MonotonicInstant) -> MonotonicInstant? {
        var instants = [notBefore].compactMap { $0 }
        if case .open(_, _, let until) = breaker { instants.append(until) }
        return instants.filter { $0 > now }.max()
    }

    /// One push starts.
    mutating func start(at now: MonotonicInstant) -> Ticket {
        if isIdle(at: now) { isWarm = false }
        let ticket = Ticket(
            environment: environment,
            generation: generation,
            isFresh: needsFresh,
            isProbe: breaker != .closed
        )
        needsFresh = false
        inFlight += 1
        inFlightOfGeneration += 1
        lastUse = now
        return ticket
    }

    /// The push of `ticket`, of `delivery` to `device`, has its outcome. `reason` is APNs' word; `jitter` is a fresh draw of 0…999.
    mutating func finish(
        _ ticket: Ticket,
        _ event: ServiceEvent,
        delivery: DeliveryID,
        device: DeviceID,
        reason: String,
        at now: MonotonicInstant,
        jitter: Int64
    ) -> (ruling: ServiceRuling, actions: [Action]) {
        inFlight -= 1
        if ticket.generation == generation { inFlightOfGeneration -= 1 }
        let wasSick = isSick(at: now)
        var change = Change(
            ticket: ticket,
            delivery: delivery,
            device: device,
            reason: reason,
            now: now,
            jitter: jitter
        )
        apply(event, &change)
        let mayHold = change.mayHoldDevice
        return (ServiceRuling(isCounted: !wasSick, mayHoldDevice: mayHold), change.actions)
    }

    /// Stops sending for a reason the shell found, such as a provider token that may not be renewed yet.
    mutating func pause(_ fault: Fault, at now: MonotonicInstant) -> [Action] {
        let (probes, pause) = (probes(for: fault), tokenPause(fault, at: now))
        switch breaker {
        case .closed:
            breaker = .open(fault, probes: probes, until: now.advanced(by: pause))
            return [.opened(fault, pause: pause)]
        case .open(_, _, let until):
            guard until <= now else { return [] }
            breaker = .open(fault, probes: probes, until: now.advanced(by: pause))
            return []
        }
    }

    /// How many probes will have been made in vain when `fault` closes the way, or keeps it closed.
    private func probes(for fault: Fault) -> Int {
        guard case .open(let former, let probes, _) = breaker, former.isOfSettings == fault.isOfSettings else {
            return 0
        }
        return probes + 1
    }

    /// How long nothing goes out when the settings seem to be wrong. A stray refusal looks the same as the first of many, so the first
    /// pauses are short.
    private func configurationPause(_ fault: Fault) -> Duration {
        let probes = probes(for: fault)
        guard probes < probeDelays.count else { return configurationProbeInterval }
        return min(probeDelays[probes], configurationProbeInterval)
    }

    /// As ``configurationPause(_:)`` while the provider token is refused: over when there may be another.
    private func tokenPause(_ fault: Fault, at now: MonotonicInstant) -> Duration {
        let pause = configurationPause(fault)
        guard let tokenAt, now < tokenAt else { return pause }
        return min(pause, now.duration(to: tokenAt))
    }

    /// There may be another provider token at `instant`, where the one there is is refused.
    mutating func expectToken(at instant: MonotonicInstant?) {
        tokenAt = instant
    }

    /// Ends a pause early: what it waited for may have been put right.
    mutating func probeSoon(at now: MonotonicInstant) {
        guard case .open(let fault, let probes, _) = breaker else { return }
        breaker = .open(fault, probes: probes, until: now)
    }

    /// True while refusals say nothing about the single push.
    func isSick(at now: MonotonicInstant) -> Bool {
        guard breaker == .closed else { return true }
        let oldest = now.advanced(by: .zero - Self.sickWindow)
        return recentFailures.count { $0.at > oldest } >= Self.failureThreshold
    }

    private func isIdle(at now: MonotonicInstant) -> Bool {
        guard let lastUse, inFlight == 0 else { return false }
        return lastUse.duration(to: now) > Self.idleLimit
    }
}

// MARK: - Outcomes

extension ServiceGate {
    /// One outcome on its way through the rules.
    private struct Change {
        let ticket: Ticket
        let delivery: DeliveryID
        let device: DeviceID
        let reason: String
        let now: MonotonicInstant
        let jitter: Int64
        var mayHoldDevice = true
        var actions: [Action] = []
    }

    private mutating func apply(_ event: ServiceEvent, _ change: inout Change) {
        switch event {
        case .accepted:
            tokenFaults.note(change.device, isFault: false, at: change.now)
            succeeded(&change)
            close(&change)
        case .answered:
            succeeded(&change)
            if breaker.isServiceFault { close(&change) }
        case .tokenFault: tokenFault(&change)
        case .failed(let reconnects): failed(reconnects: reconnects, &change)
        case .lost:
            // Pushes on a connection that was left already tell nothing new about the service.
            guard change.ticket.generation == generation else { return }
            suspect(&change)
            serviceFailed(&change)
        case .disconnected: disconnected(&change)
        case .providerTokenRefused:
            if case .open(let fault, _, _) = breaker {
                open(fault, pause: tokenPause(fault, at: change.now), &change)
            }
            suspect(&change)
        case .providerTokenLimited: open(.tokenUpdates, pause: Self.tokenUpdatePause, &change)
        case .misconfigured:
            let fault = Fault.configuration(change.reason)
            open(fault, pause: configurationPause(fault), &change)
        case .abandoned: break
        }
    }

    /// An answer proves the connection it came over.
    private mutating func succeeded(_ change: inout Change) {
        failuresInRow = 0
        serverErrorsInRow = 0
        disconnectsInRow = 0
        guard change.ticket.generation == generation, !isWarm else { return }
        isWarm = true
        change.actions.append(.warmed)
    }

    private mutating func close(_ change: inout Change) {
        guard breaker != .closed else { return }
        breaker = .closed
        change.actions.append(.closed)
    }

    private mutating func tokenFault(_ change: inout Change) {
        failuresInRow = 0
        disconnectsInRow = 0
        tokenFaults.note(change.device, isFault: true, at: change.now)
        if breaker.isServiceFault { close(&change) }
        guard breaker == .closed else {
            // It says nothing of the others: the next probe may go.
            guard !tokenFaults.isToBlame(change.device) else { return }
            // A probe met another refused token: the wave goes on.
            change.mayHoldDevice = false
            if case .open(let fault, _, _) = breaker, change.ticket.isProbe {
                open(fault, pause: configurationPause(fault), &change)
            }
            return
        }
        succeeded(&change)
        guard tokenFaults.isTripped else { return }
        change.mayHoldDevice = false
        change.actions.append(.release(tokenFaults.faultyDevices))
        let fault = Fault.configuration(change.reason)
        open(fault, pause: configurationPause(fault), &change)
    }

    /// A 500 can stick to a connection: a second one in a row ends it (APNs facts §8, §17 item 10). So may what else APNs fails with, which has
    /// other causes more often: that takes one more.
    private mutating func failed(reconnects: Bool, _ change: inout Change) {
        if change.ticket.generation == generation {
            serverErrorsInRow += 1
            let bound = reconnects ? 2 : Self.failureThreshold
            if serverErrorsInRow >= bound || change.reason == "Shutdown" { suspect(&change) }
        }
        serviceFailed(&change)
    }

    /// A connection may end at any time. Where one after the other does, the next will not do better: that is trouble of the service.
    private mutating func disconnected(_ change: inout Change) {
        guard change.ticket.generation == generation else { return }
        disconnectsInRow += 1
        suspect(&change)
        if disconnectsInRow >= Self.failureThreshold { serviceFailed(&change) }
    }

    private mutating func serviceFailed(_ change: inout Change) {
        failuresInRow += 1
        recentFailures.removeAll { $0.delivery == change.delivery }
        recentFailures.append(Failure(delivery: change.delivery, at: change.now))
        if recentFailures.count > Self.failureThreshold { recentFailures.removeFirst() }
        switch breaker {
        case .closed:
            guard failuresInRow >= Self.failureThreshold else { return }
            open(.service, pause: probeDelays[0], &change)
        case .open(let fault, let probes, _):
            // Pushes that left before the breaker opened tell nothing new.
            guard change.ticket.isProbe else { return }
            let pause = probeDelays[min(probes + 1, probeDelays.count - 1)]
            breaker = .open(fault, probes: probes + 1, until: change.now.advanced(by: spread(pause, change.jitter)))
        }
    }

    /// Leaves the connection: the next push opens a new one and goes alone.
    private mutating func suspect(_ change: inout Change) {
        guard change.ticket.generation == generation else { return }
        generation += 1
        inFlightOfGeneration = 0
        isWarm = false
        needsFresh = true
        serverErrorsInRow = 0
        notBefore = change.now.advanced(by: Self.reconnectPause)
        change.actions.append(.suspected)
    }

    private mutating func open(_ fault: Fault, pause: Duration, _ change: inout Change) {
        let length = spread(pause, change.jitter)
        let until = change.now.advanced(by: length)
        switch breaker {
        case .closed:
            breaker = .open(fault, probes: 0, until: until)
            change.actions.append(.opened(fault, pause: length))
        case .open:
            guard change.ticket.isProbe else { return }
            breaker = .open(fault, probes: probes(for: fault), until: until)
        }
    }

    /// Never earlier than promised.
    private func spread(_ pause: Duration, _ jitter: Int64) -> Duration {
        pause.spread(over: 100...120, by: jitter)
    }
}

extension ServiceGate.Fault {
    /// True when somebody may have to change the server's settings.
    fileprivate var isOfSettings: Bool {
        guard case .configuration = self else { return false }
        return true
    }
}

extension ServiceGate.Breaker {
    /// True when the service itself failed, so that any answer proves it back.
    fileprivate var isServiceFault: Bool {
        guard case .open(.service, _, _) = self else { return false }
        return true
    }
}
