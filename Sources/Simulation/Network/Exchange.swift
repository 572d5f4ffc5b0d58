import HTTP
import Platform

/// One request on its way to a server and its answer on the way back.
///
/// `outbound` (fires when the request arrives) → `homebound` (fires when the answer is complete at the client). The client
/// may learn an outcome earlier, from a deadline or a cancellation; what the server does is not undone by that.
///
/// Unchecked: simulation thread.
final class Exchange: TimedEvent, @unchecked Sendable {
    private enum Stage {
        case outbound
        case homebound(HTTPOutcome, keepsConnection: Bool)
    }

    private let request: HTTPRequest
    private let options: HTTPSendOptions
    private let destination: NetworkClient.Destination
    private let client: NetworkClient
    private let loop: EventLoop
    private let trace: Trace
    private let number: Int64
    private let deadline: MonotonicInstant
    /// Until when the first byte must be there; as late as `deadline` where it has no deadline of its own.
    private let firstByteDeadline: MonotonicInstant
    /// True once it is known that the first byte comes in time.
    private var hasBegun = false
    private let passage: Link.Passage
    private var connection: Int64 = 0
    private var stage = Stage.outbound
    private var continuation: UnsafeContinuation<HTTPOutcome, Never>?

    init(
        _ request: HTTPRequest,
        options: HTTPSendOptions,
        to destination: NetworkClient.Destination,
        from client: NetworkClient
    ) {
        self.request = request
        self.options = options
        self.destination = destination
        self.client = client
        number = client.network.nextExchange()
        loop = client.network.loop
        trace = client.network.trace
        deadline = loop.now.advanced(by: options.totalTimeout)
        firstByteDeadline = min(deadline, loop.now.advanced(by: options.firstByteTimeout ?? options.totalTimeout))
        passage = destination.route.link.passage()
    }

    // MARK: The way out

    /// Sends the request; `continuation` is resumed once with the outcome.
    func begin(_ continuation: UnsafeContinuation<HTTPOutcome, Never>) {
        self.continuation = continuation
        recordSending()
        let roundTrip = passage.outwardNanoseconds + passage.homewardNanoseconds
        if case .refuse = passage.fault?.kind {
            return comeHome(.notSent(.connectionRefused), after: roundTrip, keepsConnection: false)
        }
        var outward = passage.outwardNanoseconds
        if destination.connection == 0 {
            // A new connection costs the handshakes of TCP and TLS 1.3.
            let limit = options.connectTimeout.wholeNanoseconds
            guard 2 * roundTrip <= limit else {
                return comeHome(.notSent(.connectTimedOut), after: limit, keepsConnection: false)
            }
            destination.connection = client.network.nextConnection()
            outward += 2 * roundTrip
        }
        connection = destination.connection
        if case .resetBeforeServer = passage.fault?.kind {
            return comeHome(.unknown(.connectionReset), after: roundTrip, keepsConnection: false)
        }
        let arrival = MonotonicInstant(nanoseconds: loop.now.nanoseconds + outward)
        if arrival > firstByteDeadline { timeOut(at: firstByteDeadline) }
        loop.schedule(self, at: arrival)
    }

    override func fire() {
        switch stage {
        case .outbound: arrive()
        case .homebound(let outcome, let keepsConnection):
            if !keepsConnection { dropConnection() }
            finish(outcome)
        }
    }

    private func arrive() {
        let peer = HTTPPeer(address: client.address, connection: connection)
        switch destination.route.server {
        case .responder(let responder):
            answer(responder.respond(to: request, from: peer))
        case .handler(let handler, let node):
            guard node.isAlive else {
                return comeHome(
                    .notSent(.connectionRefused),
                    after: passage.homewardNanoseconds,
                    keepsConnection: false
                )
            }
            trace.record(.requestArrived(exchange: number), node: node.number)
            client.network.onArrival?(request)
            timeOut(at: firstByteDeadline)
            node.serve { [request] in
                let response = await handler.handle(request, from: peer)
                self.answer(SentResponse(response))
            }
        case .nobody:
            comeHome(.notSent(.connectionRefused), after: passage.homewardNanoseconds, keepsConnection: false)
        }
    }

    // MARK: The way home

    private func answer(_ reply: SentResponse) {
        trace.record(
            .replySent(
                exchange: number,
                status: reply.response.status,
                bodyBytes: reply.response.body.count,
                fault: reply.faultID ?? passage.fault?.id
            )
        )
        var delay = reply.serviceTime.wholeNanoseconds + passage.homewardNanoseconds
        if case .truncated = reply.travel {
            return comeHome(.unknown(.bodyTruncated), after: delay, keepsConnection: false)
        }
        if reply.travel == .reset { return comeHome(.unknown(.connectionReset), after: delay, keepsConnection: false) }
        if reply.travel == .never { return timeOut(at: firstByteDeadline) }
        if case .stallBeforeFirstByte(let stall) = passage.fault?.kind { delay += stall.wholeNanoseconds }
        let firstByte = MonotonicInstant(nanoseconds: loop.now.nanoseconds + delay)
        guard firstByte <= firstByteDeadline else { return timeOut(at: firstByteDeadline) }
        hasBegun = true
        switch passage.fault?.kind {
        case .stallInBody(let stall):
            delay += stall.wholeNanoseconds
        case .slowBody(let rate):
            delay += Int64(reply.response.body.count) * 1_000_000_000 / max(1, rate)
        case .resetAfterServer:
            return comeHome(.unknown(.connectionReset), after: delay, keepsConnection: false)
        case .truncateBody:
            return comeHome(.unknown(.bodyTruncated), after: delay, keepsConnection: false)
        default: break
        }
        let bodyBytes = reply.response.body.count
        guard bodyBytes <= options.responseLimitBytes, options.bodyMeter?.take(bodyBytes) ?? true else {
            return comeHome(.unknown(.responseTooLarge), after: delay, keepsConnection: false)
        }
        comeHome(.response(reply.response), after: delay, keepsConnection: !reply.closesConnection)
    }

    private func comeHome(_ outcome: HTTPOutcome, after nanoseconds: Int64, keepsConnection: Bool) {
        let arrival = MonotonicInstant(nanoseconds: loop.now.nanoseconds + nanoseconds)
        guard arrival <= deadline else { return timeOut(at: deadline) }
        stage = .homebound(outcome, keepsConnection: keepsConnection)
        loop.schedule(self, at: arrival)
    }

    /// The client gives up at its deadline; the connection stays, as its health is for the client to judge.
    private func timeOut(at instant: MonotonicInstant) {
        let event = ClosureEvent { [self] in
            guard instant == deadline || !hasBegun else { return }
            finish(.unknown(.timedOut))
        }
        loop.schedule(event, at: instant)
    }

    /// Hands the outcome to the client; only the first one counts.
    func finish(_ outcome: HTTPOutcome) {
        guard let continuation = continuation.take() else { return }
        recordEnd(outcome)
        continuation.resume(returning: outcome)
    }

    private func dropConnection() {
        if destination.connection == connection { destination.connection = 0 }
    }

    // MARK: The record

    private func recordSending() {
        trace.record(
            .requestSent(
                exchange: number,
                link: destination.route.link.name,
                method: request.method.rawValue,
                target: request.target,
                bodyBytes: request.body.count
            ),
            node: client.node
        )
    }

    private func recordEnd(_ outcome: HTTPOutcome) {
        switch outcome {
        case .response(let response):
            trace.record(.exchangeEnded(exchange: number, status: response.status, failure: nil), node: client.node)
        case .notSent(let failure):
            trace.record(.exchangeEnded(exchange: number, status: 0, failure: failure.rawValue), node: client.node)
        case .unknown(let failure):
            trace.record(.exchangeEnded(exchange: number, status: -1, failure: failure.rawValue), node: client.node)
        }
    }
}
