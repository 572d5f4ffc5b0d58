import HTTP
import Platform

/// What is known about one request beyond its answer.
struct Exchange {
    let now: WallTime
    /// The instant whose state the primary shows.
    let primary: WallTime
    let outage: Outage?
    var serviceTime = Duration.zero
    var faultID: String?
    /// Where the client stands with limiter A; nil while that is off.
    var standing: RequestLimiter.Standing?
    /// Whose state is shown.
    private(set) var instant: WallTime
    private(set) var isInstantUndecided = true
    private var lagFault: String?

    init(now: WallTime, primary: WallTime, outage: Outage?) {
        self.now = now
        self.primary = primary
        self.outage = outage
        instant = primary
    }

    /// Draws the lag of the replica once per request.
    mutating func drawInstant(_ state: inout InstanceState, _ person: Int) {
        guard isInstantUndecided else { return }
        isInstantUndecided = false
        guard state.lag != nil else { return }
        guard let lag = state.drawLag(for: person, at: now) else { return }
        instant = primary.advanced(by: .zero - lag)
        guard instant < primary, faultID == nil else { return }
        faultID = state.lag?.faultID
        lagFault = faultID
    }

    /// Writes go to the primary.
    mutating func readFromPrimary() {
        instant = primary
        isInstantUndecided = false
        if lagFault != nil { faultID = nil }
    }
}

extension InstanceState {
    mutating func drawServiceTime(_ outage: Outage?) -> Duration {
        let usual = configuration.serviceTime.draw(from: &serviceRandom)
        guard case .slow(let table) = outage?.mode else { return usual }
        return usual + table.draw(from: &serviceRandom)
    }

    /// The answer to one request, as whatever is wrong with rows lets it be.
    mutating func render(
        _ rendered: RenderedResponse,
        of endpoint: Endpoint,
        for request: HTTPRequest,
        _ exchange: inout Exchange
    ) -> HTTPResponse {
        changed(rendered, of: endpoint, for: request, &exchange).response(
            to: request,
            date: dateText.text(at: exchange.now),
            requestID: RequestID.text(number: requestNumber, at: exchange.now),
            runtime: RequestID.runtime(exchange.serviceTime)
        )
    }

    /// A refusal as a reply, counted.
    mutating func refuse(_ error: APIError, person: Int?, route: Int?, _ exchange: Exchange) -> SentResponse {
        count(person: person, route: route, status: error.status)
        var exchange = exchange
        exchange.faultID = exchange.faultID ?? error.faultID
        return shaped(SentResponse(response(for: error, exchange)), exchange)
    }

    mutating func response(for error: APIError, _ exchange: Exchange) -> HTTPResponse {
        var fields: HTTPFields = ["Server": "nginx", "Date": dateText.text(at: exchange.now)]
        if !error.contentType.isEmpty { fields.append("Content-Type", error.contentType) }
        fields.append("Cache-Control", "no-cache")
        for (name, value) in error.headers.sorted(by: { $0.key < $1.key }) { fields.append(name, value) }
        fields.append("Vary", "Origin")
        fields.append("X-Content-Type-Options", "nosniff")
        fields.append("X-Request-Id", RequestID.text(number: requestNumber, at: exchange.now))
        fields.append("X-Runtime", RequestID.runtime(exchange.serviceTime))
        return HTTPResponse(status: error.status, fields: fields, body: error.body)
    }

    /// Adds what travels with every reply: limiter fields, service time, and what the outage does to the bytes.
    func shaped(_ reply: SentResponse, _ exchange: Exchange) -> SentResponse {
        var reply = reply
        reply.serviceTime = exchange.serviceTime
        reply.faultID = exchange.faultID
        if let standing = exchange.standing, version.tellsRateLimits, reply.response.status != 429 {
            standing.append(to: &reply.response.fields)
        }
        switch exchange.outage?.mode {
        case .hang: reply.travel = .never
        case .reset: reply.travel = .reset
        case .truncatedBody:
            reply.travel = .truncated(afterBytes: reply.response.body.count / 2)
            reply.closesConnection = true
        default: break
        }
        return reply
    }
}

extension RequestLimiter.Standing {
    /// The `RateLimit-*` fields of GitLab facts §3.
    func append(to fields: inout HTTPFields) {
        fields.append("RateLimit-Limit", "\(perMinute)")
        fields.append("RateLimit-Name", name)
        fields.append("RateLimit-Observed", "\(observed)")
        fields.append("RateLimit-Remaining", "\(remaining)")
        fields.append("RateLimit-Reset", "\(reset)")
        fields.append("RateLimit-ResetTime", CivilDate(WallTime(secondsSinceEpoch: reset)).httpText)
    }
}

extension InstanceState {
    /// Limiter A's refusal, if it refuses: text, with every field (GitLab facts §3).
    mutating func throttle(_ token: Token?, from peer: HTTPPeer, _ exchange: inout Exchange) -> SentResponse? {
        guard requestLimiter.limit != nil else { return nil }
        let client: RequestLimiter.Client = token.map { .person($0.person) } ?? .address(peer.address)
        exchange.standing = requestLimiter.observe(client, at: exchange.now)
        guard let standing = exchange.standing, standing.isThrottled else { return nil }
        count(person: token?.person, route: nil, status: 429)
        var error = APIError(status: 429, body: Array(standing.limit.text.utf8), contentType: "text/plain")
        error.headers["Retry-After"] = "\(standing.retryAfter)"
        var response = response(for: error, exchange)
        standing.append(to: &response.fields)
        exchange.faultID = exchange.faultID ?? requestLimiter.faultID
        return SentResponse(response)
    }
}
