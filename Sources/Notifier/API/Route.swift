import HTTP

/// What a request asks for: method and path, nothing else.
enum Route: Equatable, Sendable {
    case register
    case registerDevice
    case addWatch, listWatches
    case removeWatch(publicID: String)
    case listNotifications
    case health, readiness, status

    /// - Throws: `APIError.routeNotFound`, or `methodNotAllowed` with the methods the path does take.
    init(_ request: HTTPRequest) throws(APIError) {
        let segments = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let routes = Self.routes(segments)
        guard !routes.isEmpty else { throw .routeNotFound }
        guard let route = routes.first(where: { $0.method == request.method }) else {
            throw .methodNotAllowed(allowed: routes.map(\.method.rawValue).joined(separator: ", "))
        }
        self = route.route
    }

    private static func routes(_ segments: [String]) -> [(method: HTTPMethod, route: Route)] {
        switch segments {
        case ["auth", "register"]: [(.post, .register)]
        case ["devices"]: [(.post, .registerDevice)]
        case ["watch"]: [(.get, .listWatches), (.post, .addWatch)]
        case ["notifications"]: [(.get, .listNotifications)]
        case ["health"]: [(.get, .health)]
        case ["health", "ready"]: [(.get, .readiness)]
        case ["status"]: [(.get, .status)]
        default:
            segments.count == 2 && segments[0] == "watch" && !segments[1].isEmpty
                ? [(.delete, .removeWatch(publicID: segments[1]))] : []
        }
    }
}
