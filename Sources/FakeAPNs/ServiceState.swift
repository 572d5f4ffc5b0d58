import HTTP
import Platform

/// Everything one environment remembers. Decides; `FakeAPNs` performs.
struct ServiceState {
    var configuration: FakeAPNs.Configuration
    var verifier = ProviderTokenVerifier()
    var addressUpdates: [String: TokenUpdateLimiter] = [:]
    var penalties = PenaltyBox()
    private var churn = ConnectionChurn()
    var faults: FaultTable
    var counters = Counters()
    var ledger: RequestLedger
    private var connections: ConnectionTable
    private var recentMessages = RecentMessages()

    // One stream per concern, so that a new draw in one does not shift the others.
    private var identifierRandom: RandomStream
    private var latencyRandom: RandomStream
    private var backendRandom: RandomStream

    init(_ configuration: FakeAPNs.Configuration, seed: UInt64) {
        let prefix = "apns.\(configuration.environment.rawValue)."
        self.configuration = configuration
        faults = FaultTable(seed: seed)
        ledger = RequestLedger(limit: configuration.requestLedgerLimit)
        connections = ConnectionTable(limit: configuration.connectionLimit)
        identifierRandom = RandomStream(seed: seed, stream: prefix + "identifiers")
        latencyRandom = RandomStream(seed: seed, stream: prefix + "latency")
        backendRandom = RandomStream(seed: seed, stream: prefix + "backends")
    }

    /// Answers one request; the effects are for the fleet to perform once the lock is released.
    mutating func respond(
        _ request: HTTPRequest,
        _ peer: HTTPPeer,
        _ now: ClockReading,
        _ fleet: DeviceFleet
    ) -> (reply: SentResponse, effects: FleetEffects?) {
        let isNew = connections[peer.connection] == nil
        var exchange = Exchange(request, peer, now, connection: connection(of: peer))
        count(exchange)
        if isNew, !churn.admits(peer.address, configuration.churn, at: now.monotonic) {
            counters.refusedConnections += 1
            return (refuseStream(exchange), nil)
        }
        exchange.wait = exchange.connection.streams.wait(at: now.monotonic)
        if exchange.wait > .zero {
            counters.refusedStreams += 1
            if configuration.excessStreams == .closeConnection { return (refuseStream(exchange), nil) }
        }
        exchange.faults = drawFaults(exchange, fleet)
        if let fault = exchange.faults.preventing { return (prevent(exchange, fault), nil) }
        if exchange.headerListBytes > configuration.headerListLimitBytes {
            let answer = PushResponse(status: 431, body: .reason(configuration.longHeadersReason), at: now.wall)
            return (finish(exchange, answer, fault: nil), nil)
        }
        if let refusal = judge(&exchange, fleet) {
            return (finish(exchange, PushResponse(refusal, at: now.wall), fault: nil), nil)
        }
        return accept(exchange, fleet)
    }

    /// Forgets what was counted against clients: provider tokens, connections, refusals.
    mutating func forgetClients() {
        addressUpdates = [:]
        churn = ConnectionChurn()
        penalties = PenaltyBox()
        connections.forgetTokenUpdates()
    }

    private mutating func connection(of peer: HTTPPeer) -> Connection {
        let connection: Connection
        if let known = connections[peer.connection] {
            connection = known
        } else {
            let count = UInt64(configuration.backendCount)
            connection = Connection(
                id: peer.connection,
                backend: count == 1 ? 0 : Int(backendRandom.next(below: count))
            )
            counters.connectionsOpened += 1
        }
        connections.use(connection)
        return connection
    }

    private mutating func count(_ exchange: Exchange) {
        counters.requests += 1
        counters.headerBytes += Int64(exchange.headers.byteCount)
        counters.bodyBytes += Int64(exchange.request.body.count)
    }

    /// What the running faults do to this request, a sticky one from before included.
    private mutating func drawFaults(_ exchange: Exchange, _ fleet: DeviceFleet) -> FaultTable.Effect {
        let connection = exchange.connection
        var effect = faults.draw(backend: connection.backend, token: exchange.lastSegment) {
            DeviceToken(exchange.lastSegment).flatMap { fleet.origin(of: $0) }
        }
        if let fault = effect.preventing, fault.kind.isSticky {
            connection.stickyFaultID = fault.id
        } else if let id = connection.stickyFaultID, effect.preventing == nil {
            effect.preventing = faults.running(id)
        }
        return effect
    }

    /// Answers, or keeps silent, without judging.
    private mutating func prevent(_ exchange: Exchange, _ fault: Fault) -> SentResponse {
        switch fault.kind {
        case .answer(let status, let body):
            return finish(exchange, PushResponse(status: status, body: body, at: exchange.now.wall), fault: fault)
        case .stickyInternalServerError:
            return finish(exchange, PushResponse(Refusal(.internalServerError), at: exchange.now.wall), fault: fault)
        case .stickyServiceUnavailable:
            return finish(exchange, PushResponse(Refusal(.serviceUnavailable), at: exchange.now.wall), fault: fault)
        case .shutdown:
            let answer = PushResponse(Refusal(.shutdown), at: exchange.now.wall)
            return finish(exchange, answer, fault: fault, closes: true)
        case .neverAnswer: return lose(exchange, .never, fault: fault)
        case .resetBeforeActing, .acceptThenReset, .acceptThenSilence, .slow, .deliveryDelay, .reordering,
            .lostAfterAcceptance:
            return lose(exchange, .reset, fault: fault)
        }
    }

    private mutating func refuseStream(_ exchange: Exchange) -> SentResponse {
        record(exchange, nil, push: nil, faultID: nil)
        counters.connectionsClosed += 1
        connections.forget(exchange.connection.id)
        return SentResponse(HTTPResponse(status: 503), travel: .reset, closesConnection: true)
    }

    /// No answer is formed and nothing was accepted.
    private mutating func lose(_ exchange: Exchange, _ travel: SentResponse.Travel, fault: Fault) -> SentResponse {
        counters.faulted += 1
        record(exchange, nil, push: nil, faultID: fault.id)
        occupy(exchange.connection, travel, exchange.now)
        return SentResponse(HTTPResponse(status: 503), travel: travel, faultID: fault.id)
    }

    /// What becomes of the stream and the connection when no answer leaves.
    private mutating func occupy(_ connection: Connection, _ travel: SentResponse.Travel, _ now: ClockReading) {
        if travel == .reset {
            connections.forget(connection.id)
        } else {
            connection.streams.open(until: now.monotonic.advanced(by: configuration.unansweredHold))
            counters.peakStreams = max(counters.peakStreams, connection.streams.peak)
        }
    }

    private mutating func accept(_ exchange: Exchange, _ fleet: DeviceFleet) -> (SentResponse, FleetEffects?) {
        guard let standing = exchange.standing, var draft = exchange.draft else {
            preconditionFailure("a request that passed every check names a token, a topic and a payload")
        }
        draft.apnsID = exchange.headers.apnsID ?? inventedID()
        draft.treatment = treatment(exchange, draft, token: standing.index)
        let (push, effects) = fleet.accept(draft, token: standing.index)
        counters.accepted += 1
        var answer = PushResponse(status: 200)
        answer.apnsID = draft.apnsID
        answer.push = push.id
        if configuration.environment == .sandbox {
            answer.uniqueID = identifierRandom.uuid(upperCase: true).lowercased()
        }
        let fault = exchange.faults.loss ?? exchange.faults.delivery
        return (finish(exchange, answer, fault: fault), effects)
    }

    /// What faults and switches do to the delivery of an accepted push.
    private mutating func treatment(_ exchange: Exchange, _ draft: PushDraft, token: Int) -> DeliveryTreatment {
        var treatment = DeliveryTreatment()
        let isRepeated = recentMessages.insert(apnsID: draft.apnsID, token: token)
        if isRepeated { counters.repeatedMessageIDs += 1 }
        if let loss = exchange.faults.loss {
            treatment.discarded = .lostByFault(loss.id)
        } else if isRepeated, configuration.dropsRepeatedMessageIDs {
            treatment.discarded = .repeatedMessageID
        } else if exchange.headers.pushType == nil, configuration.missingPushType == .discarded {
            treatment.discarded = .missingPushType
        }
        switch exchange.faults.delivery?.kind {
        case .deliveryDelay(let delay): treatment.delay = delay
        case .reordering(let delay):
            treatment.delay = delay
            treatment.mayOvertake = true
        default: break
        }
        return treatment
    }

    /// Sends the answer on its way and draws the consequences for the connection.
    private mutating func finish(
        _ exchange: Exchange,
        _ given: PushResponse,
        fault: Fault?,
        closes: Bool = false
    ) -> SentResponse {
        var answer = given
        answer.apnsID = given.apnsID ?? exchange.headers.apnsID ?? inventedID()
        let loss = given.push == nil ? nil : exchange.faults.answerLoss
        let faultID = (loss ?? fault ?? exchange.faults.slowness)?.id
        if faultID != nil { counters.faulted += 1 }
        let closes = closeAfter(answer, exchange, wanted: closes)
        record(exchange, answer, push: answer.push, faultID: faultID)
        var reply = SentResponse(answer.response, closesConnection: closes, faultID: faultID)
        reply.serviceTime = serviceTime(exchange)
        if let loss {
            reply.travel = loss.kind == .acceptThenReset ? .reset : .never
            occupy(exchange.connection, reply.travel, exchange.now)
        } else {
            openStream(exchange, answer, reply.serviceTime)
        }
        return reply
    }

    private mutating func serviceTime(_ exchange: Exchange) -> Duration {
        var time = configuration.responseLatency.draw(from: &latencyRandom) + exchange.wait
        if !exchange.connection.isWarm { time += configuration.slowStart }
        exchange.connection.isWarm = true
        if case .slow(let delay) = exchange.faults.slowness?.kind { time += delay }
        return time
    }

    /// A success gives the connection its streams, an error takes them away with its answer (APNs facts §8).
    private mutating func openStream(_ exchange: Exchange, _ answer: PushResponse, _ serviceTime: Duration) {
        let connection = exchange.connection
        let end = exchange.now.monotonic.advanced(by: serviceTime)
        connection.streams.open(until: end)
        counters.peakStreams = max(counters.peakStreams, connection.streams.peak)
        if answer.status == 200 || answer.status == 410 {
            connection.streams.announce(configuration.streamLimit, from: end)
        } else if (400..<500).contains(answer.status) {
            connection.streams.announce(1, from: end)
        }
    }

    /// Counts bad answers: too many close the connection, `BadDeviceToken` sooner, 410 not at all (APNs facts §6).
    private mutating func closeAfter(_ answer: PushResponse, _ exchange: Exchange, wanted: Bool) -> Bool {
        let isBad = (400..<500).contains(answer.status) && answer.status != 410
        let isBadToken = answer.reason == Reason.badDeviceToken.rawValue
        let closes = (isBad && exchange.connection.exceeds(configuration, isBadToken, exchange.now.monotonic)) || wanted
        guard closes else { return false }
        counters.connectionsClosed += 1
        connections.forget(exchange.connection.id)
        return true
    }

    private mutating func record(_ exchange: Exchange, _ answer: PushResponse?, push: PushID?, faultID: String?) {
        if let answer {
            counters.tally[.init(status: answer.status, reason: answer.reason ?? ""), default: 0] += 1
        }
        ledger.append(
            RequestRecord(
                sequence: counters.requests - 1,
                at: exchange.now.wall,
                peer: exchange.peer,
                status: answer?.status,
                reason: answer?.reason,
                apnsID: answer?.apnsID ?? exchange.headers.apnsID,
                deviceToken: exchange.token?.hex ?? (exchange.lastSegment.isEmpty ? nil : String(exchange.lastSegment)),
                push: push,
                faultID: faultID
            )
        )
    }

    private mutating func inventedID() -> String {
        identifierRandom.uuid(upperCase: configuration.inventsUpperCaseMessageIDs)
    }
}
