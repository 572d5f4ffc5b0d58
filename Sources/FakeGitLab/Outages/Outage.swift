package import Platform

/// A guise in which GitLab is not there (GitLab facts §16).
package enum OutageMode: Sendable, Hashable {
    /// 502 `GitLab is not responding`, text from Workhorse while Rails restarts.
    case workhorseBadGateway
    /// 502 with an HTML page from nginx.
    case proxyBadGateway
    /// 503 with a JSON message.
    case unavailable
    /// 200 with the HTML login page of a portal in front.
    case loginPage
    /// No answer ever comes; the request was processed.
    case hang
    /// The body ends half-way; the request was processed.
    case truncatedBody
    /// The connection is reset; the request was processed.
    case reset
    /// 500 with a JSON message; nothing was processed.
    case internalError
    /// The answer is right but late by a draw from the table.
    case slow(QuantileTable)
    /// Maintenance mode: writes get 503 with a JSON message.
    case maintenance
    /// 404 as for a route that this release does not have: an older node answers, or a proxy keeps the path to itself (§2).
    case routeMissing
    /// 401 without a word about the token, which is sound (trap 21).
    case unauthorized
    /// 403 without a reason (trap 22).
    case forbidden
    /// Read-only: writes without a JSON content type are redirected to the web root, others get 403 (trap 37).
    case readOnly

    /// Every mode, with a slowness of five seconds.
    static let all: [OutageMode] = [
        .workhorseBadGateway, .proxyBadGateway, .unavailable, .loginPage, .hang, .truncatedBody, .reset,
        .internalError, .slow(.constant(.seconds(5))), .maintenance, .readOnly, .routeMissing, .unauthorized,
        .forbidden,
    ]
}

/// An outage with its window and the routes it hits.
package struct Outage: Sendable, Hashable {
    /// Names the fault in replies.
    var faultID: String
    var mode: OutageMode
    var routes: RoutePattern
    /// First instant of the window.
    var from: WallTime
    /// End of the window, itself not in it; nil lasts until the fault is ended.
    var until: WallTime?
    /// Of a thousand requests this many are hit; 0 is a no-op. Default 1,000.
    var perMille: UInt64

    package init(
        faultID: String,
        mode: OutageMode,
        routes: RoutePattern = .all,
        from: WallTime,
        until: WallTime? = nil,
        perMille: UInt64 = 1_000
    ) {
        self.faultID = faultID
        self.mode = mode
        self.routes = routes
        self.from = from
        self.until = until
        self.perMille = perMille
    }

    func isActive(at now: WallTime) -> Bool {
        from <= now && (until.map { now < $0 } ?? true)
    }
}

/// Which requests a fault hits, such as `/projects/*/issues/**` or `GET /todos`; addresses below `/api/v4`.
///
/// `*` stands for one segment, a final `**` for any number of them.
package struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
    private let method: String?
    private let segments: [String]

    /// Every request.
    package static let all = RoutePattern(method: nil, segments: ["**"])

    private init(method: String?, segments: [String]) {
        self.method = method
        self.segments = segments
    }

    /// Reads a pattern.
    ///
    /// - Throws: `FakeGitLabError` with `invalidValue` when it has no path.
    package init(_ text: String) throws {
        let words = text.split(separator: " ")
        guard (1...2).contains(words.count), let path = words.last, path.hasPrefix("/") else {
            throw FakeGitLabError(
                .invalidValue,
                "\"\(text)\" is not a route pattern.",
                hint: "Write a path below /api/v4, such as /projects/*/issues/** or GET /todos."
            )
        }
        method = words.count == 2 ? String(words[0]) : nil
        segments = path.split(separator: "/").map(String.init)
    }

    package var description: String { (method.map { $0 + " " } ?? "") + "/" + segments.joined(separator: "/") }

    func matches(method: String, path: [Substring]) -> Bool {
        guard self.method == nil || self.method == method else { return false }
        for (index, segment) in segments.enumerated() {
            if segment == "**", index == segments.count - 1 { return true }
            guard index < path.count, segment == "*" || segment == path[index] else { return false }
        }
        return segments.count == path.count
    }
}
