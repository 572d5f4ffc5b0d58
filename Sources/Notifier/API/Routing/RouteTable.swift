import HTTP

/// Finds the route that a request is for.
struct RouteTable: Sendable {
    let routes: [APIRoute]
    /// Those whose path holds no names, by that path: an app asks `/ping` every ten seconds.
    private let writtenOut: [String: [APIRoute]]
    private let patterns: [APIRoute]

    /// - Parameter routes: no two with the same method and path.
    init(_ routes: [APIRoute]) {
        self.routes = routes
        let names = routes.map { "\($0.method.rawValue) \($0.path)" }
        precondition(Set(names).count == names.count, "a route stands in the table once")
        writtenOut = Dictionary(grouping: routes.filter { $0.path.names.isEmpty }) { $0.path.description }
        patterns = routes.filter { !$0.path.names.isEmpty }
    }

    /// The route and what stands for the names in its path.
    ///
    /// - Throws: `APIError.routeNotFound`, or `methodNotAllowed` with the methods the path does take.
    func find(_ request: HTTPRequest) throws(APIError) -> (route: APIRoute, parameters: [String: String]) {
        var allowed: [String] = []
        // A path that is written out is never what another one has a name for: `/watch/import` is no entry of the watch list.
        if let found = writtenOut[String(request.path)] {
            if let route = found.first(where: { $0.method == request.method }) { return (route, [:]) }
            allowed = found.map(\.method.rawValue)
        } else {
            for route in patterns {
                guard let parameters = route.path.match(request.path) else { continue }
                if route.method == request.method { return (route, parameters) }
                allowed.append(route.method.rawValue)
            }
        }
        guard allowed.isEmpty else { throw .methodNotAllowed(allowed: allowed.joined(separator: ", ")) }
        throw .routeNotFound
    }
}
