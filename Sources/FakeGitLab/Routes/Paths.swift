import HTTP
import Platform

/// A request that no route answers, or that carries parameters its route ignores (GitLab facts §1, trap 1).
package struct UnknownRequest: Sendable, Hashable {
    package let method: String
    /// What an existing route does not declare, in the order given; empty when there is no such route. Each name is reported once for
    /// a route.
    package let ignoredParameters: [String]
    /// Path and query as sent; a token in the query is cut out.
    package let target: String
    /// The route that differs least, such as `GET /projects/:id/issues/:noteable_id/notes`.
    package let nearestRoute: String
    let at: WallTime
}

extension InstanceState {
    /// How many unknown requests are kept; later ones are only counted.
    static let unknownRequestLimit = 1_000

    /// The segments below `/api/v4`; nil for another address.
    static func apiPath(_ path: Substring) -> [Substring]? {
        guard path.utf8.starts(with: "/api/v4/".utf8) else { return nil }
        return path.utf8.split(separator: UInt8(ascii: "/")).dropFirst(2).map { Substring($0) }
    }

    /// Older versions of the API are gone; everything else wants a browser session.
    static func outsideAPI(_ request: HTTPRequest) -> APIError {
        if request.path.utf8.starts(with: "/api/v3".utf8) {
            return .error(410, "API V3 is no longer supported. Use API V4 instead.")
        }
        if request.path.utf8.starts(with: "/api/".utf8) { return .routeNotFound }
        var error = APIError(status: 302, body: [], contentType: "text/html; charset=utf-8")
        error.headers["Location"] = "\(request.origin)/users/sign_in"
        return error
    }

    mutating func report(_ request: HTTPRequest, path: [Substring], at now: WallTime) -> UnknownRequest {
        let unknown = UnknownRequest(
            method: request.method.rawValue,
            ignoredParameters: [],
            target: Self.withoutSecrets(request),
            nearestRoute: RouteTable.nearest(to: path, method: request.method.rawValue),
            at: now
        )
        unknownRequestCount += 1
        if unknownRequests.count < Self.unknownRequestLimit { unknownRequests.append(unknown) }
        return unknown
    }

    /// Notes what a request asked in vain; nil when that was told before.
    mutating func reportIgnored(_ names: [String], _ request: HTTPRequest, _ route: Route, at now: WallTime)
        -> UnknownRequest?
    {
        let new = names.map { String($0.prefix(100)) }.filter { name in
            ignoredParameters.count < Self.unknownRequestLimit
                && ignoredParameters.insert("\(route.index) \(name)").inserted
        }
        guard !new.isEmpty else { return nil }
        let unknown = UnknownRequest(
            method: request.method.rawValue,
            ignoredParameters: new,
            target: Self.withoutSecrets(request),
            nearestRoute: route.name,
            at: now
        )
        if unknownRequests.count < Self.unknownRequestLimit { unknownRequests.append(unknown) }
        return unknown
    }

    private static func withoutSecrets(_ request: HTTPRequest) -> String {
        guard let query = request.query else { return request.target }
        let kept = query.split(separator: "&").filter { part in
            !part.hasPrefix("private_token=") && !part.hasPrefix("access_token=")
        }
        return String(request.path) + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    /// Parameters of path, query and body, declared defaults added; and the names of those that are not declared.
    mutating func parameters(
        of request: HTTPRequest,
        path: [(name: String, value: String)],
        route: Route
    ) throws(APIError) -> (Parameters, ignored: [String]) {
        var parameters = Parameters()
        if let query = request.query {
            guard let pairs = PercentEncoding.pairs(query) else { throw .malformed }
            for (name, value) in pairs { parameters.add(name, value) }
        }
        if !route.isRead {
            for (name, value) in try RequestBody.pairs(of: request) { parameters.add(name, value) }
        }
        for (name, value) in path { parameters.add(name, value) }
        let ignored = try ruleSet(of: route).apply(to: &parameters)
        return (parameters, ignored)
    }

    /// Made once for a route and release.
    private mutating func ruleSet(of route: Route) -> ParameterRuleSet {
        let key = (version.major * 1_000 + version.minor) * 1_000 + route.index
        if let kept = ruleSets[key] { return kept }
        let made = ParameterRules.set(for: route, version, configuration.edition)
        ruleSets[key] = made
        return made
    }

    /// `last_used_at` is coarse (GitLab facts §5.3).
    mutating func markUsed(_ token: Token, at now: WallTime) {
        if let last = token.lastUsedAt, last.duration(to: now) < .minutes(10) { return }
        tokens[token.secret]?.lastUsedAt = now
    }
}
