import HTTP
import Platform

/// The order in which GitLab's layers see a request: proxies, the HTTP limiter, read-only mode, routing,
/// authentication, parameters, records.
extension InstanceState {
    mutating func respond(
        to request: HTTPRequest,
        from peer: HTTPPeer,
        at now: WallTime
    ) -> (SentResponse, UnknownRequest?) {
        requestNumber &+= 1
        writePendingEvents(until: primary.latest)
        if now >= nextMilestoneExpiry { expireMilestones(at: now) }
        let outage = outages.isEmpty ? nil : activeOutage(for: request, at: now)
        var exchange = Exchange(now: now, primary: primary.latest, outage: outage)
        exchange.serviceTime = drawServiceTime(outage)
        exchange.faultID = outage?.faultID
        if let error = APIError.overlong(request) { return (refuse(error, person: nil, route: nil, exchange), nil) }
        if let outage, let reply = replacement(of: outage, for: request) {
            count(person: nil, route: nil, status: reply.response.status)
            return (shaped(reply, exchange), nil)
        }
        if Self.isPreflight(request) { return (shaped(SentResponse(preflight(request, exchange)), exchange), nil) }
        let identity = identify(request)
        let token = validToken(identity, at: now)
        if let token, token.isOAuth { noteUse(of: token.secret) }
        if let throttled = throttle(token, from: peer, &exchange) { return (shaped(throttled, exchange), nil) }
        if let outage, let refused = refusedWrite(outage, request) {
            count(person: token?.person, route: nil, status: refused.response.status)
            return (shaped(refused, exchange), nil)
        }
        if let token, let reply = cachedReply(to: request, token, &exchange) { return (shaped(reply, exchange), nil) }
        return process(request, identity, &exchange)
    }

    private func validToken(_ identity: Identity, at now: WallTime) -> Token? {
        guard case .token(let token) = identity, refusal(of: token, at: now) == nil else { return nil }
        return token
    }

    /// Answers from a kept page when nothing it shows has changed.
    private mutating func cachedReply(to request: HTTPRequest, _ token: Token, _ exchange: inout Exchange)
        -> SentResponse?
    {
        let isHead = request.method == .head
        guard isHead || request.method == .get else { return nil }
        if lag != nil { exchange.drawInstant(&self, token.person) }
        guard let page = pages[PageCache.Key(person: token.person, request: request)],
            page.generation == generation, page.version == version(of: page.source),
            page.from <= exchange.instant, exchange.instant < page.until,
            (try? checkScope(of: token, for: page.route)) != nil, drifts.isEmpty || !page.hasNext
        else { return nil }
        if !heldRows.isEmpty, let fault = holdingFault(on: page.source, at: exchange.instant) {
            exchange.faultID = exchange.faultID ?? fault
        }
        let response = render(page.rendered, of: page.route.endpoint, for: request, &exchange)
        count(person: token.person, route: page.route.index, status: response.status)
        return SentResponse(response)
    }

    /// Routes, authorises and answers a request whose page is not at hand.
    private mutating func process(
        _ request: HTTPRequest,
        _ identity: Identity,
        _ exchange: inout Exchange
    ) -> (SentResponse, UnknownRequest?) {
        let person: Int? = if case .token(let token) = identity { token.person } else { nil }
        if request.path.hasPrefix("/oauth/") {
            let answer = answerOAuth(request, identity, at: exchange.now)
            return (refuse(answer, person: person, route: nil, exchange), nil)
        }
        if APIError.isMalformed(request.target) {
            return (refuse(.malformed, person: person, route: nil, exchange), nil)
        }
        let path = Self.apiPath(request.path)
        guard let path else {
            let unknown = report(request, path: request.path.split(separator: "/"), at: exchange.now)
            return (refuse(Self.outsideAPI(request), person: person, route: nil, exchange), unknown)
        }
        switch RouteTable.match(method: request.method.rawValue, path: path) {
        case .unknown:
            let unknown = report(request, path: path, at: exchange.now)
            return (refuse(.routeNotFound, person: person, route: nil, exchange), unknown)
        case .methodNotAllowed(let allowed):
            let allow = Self.allow(allowed)
            if request.method.rawValue == "OPTIONS" {
                return (answerOptions(allow, identity, exchange), nil)
            }
            var error = APIError.methodNotAllowed
            error.headers["Allow"] = allow
            let unknown = report(request, path: path, at: exchange.now)
            return (refuse(error, person: person, route: nil, exchange), unknown)
        case .route(let route, let parameters):
            var unknown: UnknownRequest?
            do throws(APIError) {
                let reply = try answer(request, route, parameters, identity, &exchange, &unknown)
                return (reply, unknown)
            } catch {
                return (refuse(error, person: person, route: route.index, exchange), unknown)
            }
        }
    }

    /// As Grape lists them: HEAD goes with GET.
    private static func allow(_ methods: [String]) -> String {
        let all = methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]
        let order = ["OPTIONS", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
        return order.filter(all.contains).joined(separator: ", ")
    }

    /// A plain OPTIONS runs what stands before every route, so that it needs a token, and then only names the methods.
    private mutating func answerOptions(_ allow: String, _ identity: Identity, _ exchange: Exchange) -> SentResponse {
        guard case .token(let token) = identity else {
            return refuse(.unauthorized, person: nil, route: nil, exchange)
        }
        if let refusal = refusal(of: token, at: exchange.now) {
            return refuse(refusal, person: token.person, route: nil, exchange)
        }
        var answer = APIError(status: 204, body: [], contentType: "")
        answer.headers["Allow"] = allow
        return refuse(answer, person: token.person, route: nil, exchange)
    }

    private mutating func answer(
        _ request: HTTPRequest,
        _ route: Route,
        _ path: [(name: String, value: String)],
        _ identity: Identity,
        _ exchange: inout Exchange,
        _ unknown: inout UnknownRequest?
    ) throws(APIError) -> SentResponse {
        try checkExists(route)
        if route.endpoint == .rotateToken, case .token(let token) = identity, token.state == .revoked {
            revokeFamily(of: token)
        }
        let token = try authorise(identity, for: route, at: exchange.now)
        if exchange.isInstantUndecided { exchange.drawInstant(&self, token.person) }
        if !route.isRead { exchange.readFromPrimary() }
        let (parameters, ignored) = try parameters(of: request, path: path, route: route)
        if !ignored.isEmpty { unknown = reportIgnored(ignored, request, route, at: exchange.now) }
        let call = Call(
            route: route,
            request: request,
            parameters: parameters,
            reader: token.person,
            token: token,
            now: exchange.now,
            instant: exchange.instant
        )
        markUsed(token, at: exchange.now)
        let answer = try dispatch(call)
        return finish(answer, call, &exchange)
    }

    private func authorise(_ identity: Identity, for route: Route, at now: WallTime) throws(APIError) -> Token {
        switch identity {
        case .anonymous: throw route.endpoint.anonymousRefusal
        case .unknownToken(let faultID): throw APIError.unauthorized.caused(by: faultID)
        case .token(let token):
            if let refusal = refusal(of: token, at: now) { throw refusal }
            try checkScope(of: token, for: route)
            return token
        }
    }

    /// Routes that this release or edition does not have.
    private func checkExists(_ route: Route) throws(APIError) {
        let exists =
            switch route.endpoint {
            case .metadata: version.hasMetadata
            case .tokenSelf: version.hasTokenSelf
            case .rotateToken: version.hasSelfRotation
            case .approvalState: configuration.edition == .enterprise
            default: true
            }
        guard exists else { throw .routeNotFound }
    }

    /// Keeps the page, and turns the answer into a reply.
    private mutating func finish(_ answer: RouteResponse, _ call: Call, _ exchange: inout Exchange) -> SentResponse {
        var rendered = rendered(answer, call)
        if let source = answer.source, call.route.isRead {
            rendered.keepParts(in: &pages.parts)
            let page = CachedPage(
                route: call.route,
                source: source,
                version: version(of: source),
                generation: generation,
                span: clock(of: source).span(around: exchange.instant),
                hasNext: answer.page?.next != nil,
                rendered: rendered
            )
            let key = PageCache.Key(person: call.reader, request: call.request)
            pages.store(page, for: key, limit: configuration.pageCacheLimit)
            if let fault = holdingFault(on: source, at: exchange.instant) {
                exchange.faultID = exchange.faultID ?? fault
            }
        }
        let response = render(rendered, of: call.route.endpoint, for: call.request, &exchange)
        count(person: call.reader, route: call.route.index, status: response.status)
        if !drifts.isEmpty, answer.page?.next != nil, let fault = drift(after: call) {
            exchange.faultID = exchange.faultID ?? fault
        }
        return shaped(SentResponse(response), exchange)
    }

    private func rendered(_ answer: RouteResponse, _ call: Call) -> RenderedResponse {
        var link: String?
        var paging: [HTTPFields.Field] = []
        if let page = answer.page {
            let tellsTotals = page.total <= configuration.totalsLimit
            let base = "\(call.request.origin.scheme)://\(configuration.externalURL.authority)\(call.path)"
            link = LinkHeader.text(base: base, parameters: call.parameters, page: page, tellsTotals: tellsTotals)
            paging = Self.pagingFields(page, tellsTotals: tellsTotals)
        }
        return RenderedResponse(
            status: answer.status,
            body: answer.body,
            link: link,
            paging: paging,
            isSecure: call.request.origin.scheme == "https"
        )
    }

    private static func pagingFields(_ page: PageInfo, tellsTotals: Bool) -> [HTTPFields.Field] {
        var fields: [HTTPFields.Field] = [
            .init(name: "X-Next-Page", value: page.next.map(String.init) ?? ""),
            .init(name: "X-Page", value: "\(page.request.page)"),
            .init(name: "X-Per-Page", value: "\(page.request.perPage)"),
            .init(name: "X-Prev-Page", value: page.previous.map(String.init) ?? ""),
        ]
        if tellsTotals {
            fields.append(.init(name: "X-Total", value: "\(page.total)"))
            fields.append(.init(name: "X-Total-Pages", value: "\(page.totalPages)"))
        }
        return fields
    }
}
