/// Every route the fake knows, static segments before parameters where both would fit.
enum RouteTable {
    static let routes: [Route] = numbered(
        general + items(.issue) + items(.mergeRequest) + mergeRequestOnly + people + metadata + changes + hooks
    )

    typealias Entry = (method: String, template: String, endpoint: Endpoint, kind: ItemKind)

    private static let general: [Entry] = [
        ("GET", "/version", .version, .issue),
        ("GET", "/metadata", .metadata, .issue),
        ("GET", "/user", .user, .issue),
        ("GET", "/personal_access_tokens/self", .tokenSelf, .issue),
        ("GET", "/events", .ownEvents, .issue),
        ("GET", "/users/:id/events", .userEvents, .issue),
        ("GET", "/todos", .todos, .issue),
        ("POST", "/todos/mark_as_done", .completeAllTodos, .issue),
        ("POST", "/todos/:id/mark_as_done", .completeTodo, .issue),
        ("GET", "/projects/:id", .project, .issue),
        ("GET", "/projects/:id/events", .projectEvents, .issue),
    ]

    private static let mergeRequestOnly: [Entry] = [
        ("GET", "/projects/:id/merge_requests/:merge_request_iid/approvals", .approvals, .mergeRequest),
        ("GET", "/projects/:id/merge_requests/:merge_request_iid/approval_state", .approvalState, .mergeRequest),
        ("POST", "/projects/:id/merge_requests/:merge_request_iid/approve", .approve, .mergeRequest),
        ("POST", "/projects/:id/merge_requests/:merge_request_iid/unapprove", .unapprove, .mergeRequest),
        ("GET", "/projects/:id/merge_requests/:merge_request_iid/pipelines", .pipelines, .mergeRequest),
        (
            "PUT", "/projects/:id/merge_requests/:noteable_id/discussions/:discussion_id", .resolveDiscussion,
            .mergeRequest
        ),
    ]

    private static func items(_ kind: ItemKind) -> [Entry] {
        let all = "/projects/:id/\(kind.folder)"
        let item = "\(all)/:\(kind == .issue ? "issue" : "merge_request")_iid"
        let noteable = "\(all)/:noteable_id"
        let eventable = "\(all)/:eventable_id"
        return [
            ("GET", "/\(kind.folder)", .allItems, kind),
            ("GET", all, .projectItems, kind),
            ("GET", item, .item, kind),
            ("POST", "\(item)/todo", .createTodo, kind),
            ("POST", "\(all)/:subscribable_id/subscribe", .subscribe, kind),
            ("POST", "\(all)/:subscribable_id/unsubscribe", .unsubscribe, kind),
            ("GET", "\(noteable)/notes", .notes, kind),
            ("POST", "\(noteable)/notes", .createNote, kind),
            ("GET", "\(noteable)/notes/:note_id", .note, kind),
            ("PUT", "\(noteable)/notes/:note_id", .updateNote, kind),
            ("DELETE", "\(noteable)/notes/:note_id", .deleteNote, kind),
            ("GET", "\(noteable)/discussions", .discussions, kind),
            ("POST", "\(noteable)/discussions", .createDiscussion, kind),
            ("GET", "\(noteable)/discussions/:discussion_id", .discussion, kind),
            ("POST", "\(noteable)/discussions/:discussion_id/notes", .replyToDiscussion, kind),
            ("GET", "\(eventable)/resource_state_events", .stateEvents, kind),
            ("GET", "\(eventable)/resource_state_events/:event_id", .stateEvent, kind),
            ("GET", "\(eventable)/resource_label_events", .labelEvents, kind),
            ("GET", "\(eventable)/resource_label_events/:event_id", .labelEvent, kind),
            ("GET", "\(eventable)/resource_milestone_events", .milestoneEvents, kind),
            ("GET", "\(eventable)/resource_milestone_events/:event_id", .milestoneEvent, kind),
        ]
    }

    private static func numbered(_ entries: [Entry]) -> [Route] {
        entries.enumerated().map { index, entry in
            Route(
                index: index,
                method: entry.method,
                template: entry.template,
                segments: entry.template.split(separator: "/").map(String.init),
                endpoint: entry.endpoint,
                kind: entry.kind
            )
        }
    }

    /// What a path and method lead to.
    enum Match {
        case route(Route, parameters: [(name: String, value: String)])
        case methodNotAllowed([String])
        case unknown
    }

    /// The routes by the number of their segments, so that a path is compared with few.
    private static let routesByLength: [[Route]] = {
        let longest = routes.map(\.segments.count).max() ?? 0
        return (0...longest).map { length in routes.filter { $0.segments.count == length } }
    }()

    static func match(method: String, path: [Substring]) -> Match {
        guard path.count < routesByLength.count else { return .unknown }
        var allowed: [String] = []
        for route in routesByLength[path.count] where route.fits(path) {
            guard route.method == method || (route.isRead && method == "HEAD") else {
                allowed.append(route.method)
                continue
            }
            guard let parameters = route.match(path) else { continue }
            return .route(route, parameters: parameters)
        }
        return allowed.isEmpty ? .unknown : .methodNotAllowed(allowed)
    }

    /// The route that differs from the path in the fewest characters, segment by segment.
    static func nearest(to path: [Substring], method: String) -> String {
        let close = routes.filter { abs($0.segments.count - path.count) <= 1 }
        let ranked = (close.isEmpty ? routes : close).map { route in
            (route, Self.distance(route.segments, path) * 2 + (route.method == method ? 0 : 1))
        }
        return ranked.min { ($0.1, $0.0.index) < ($1.1, $1.0.index) }?.0.name ?? ""
    }

    /// Edit distance over segments, a replaced segment costing at most as much as its letters differ.
    private static func distance(_ segments: [String], _ path: [Substring]) -> Int {
        let path = path.prefix(16)
        var previous = Array(stride(from: 0, through: path.count * 6, by: 6))
        for (row, segment) in segments.enumerated() {
            var current = [(row + 1) * 6]
            for (column, given) in path.enumerated() {
                let replaced = previous[column] + cost(segment, given)
                current.append(min(replaced, previous[column + 1] + 6, current[column] + 6))
            }
            previous = current
        }
        return previous[path.count]
    }

    private static func cost(_ segment: String, _ given: Substring) -> Int {
        let isNumber = given.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if segment.hasPrefix(":") { return isNumber || given.contains("%") ? 0 : 4 }
        if segment == given { return 0 }
        let isClose = abs(segment.utf8.count - given.utf8.count) < 5
        return isNumber || !isClose ? 6 : min(6, 1 + EditDistance.between(segment, String(given)))
    }
}

/// How many letters must be inserted, removed or replaced to turn one word into another.
enum EditDistance {
    static func between(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var previous = Array(0...right.count)
        for (row, byte) in left.utf8.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = previous[column] + (byte == other ? 0 : 1)
                current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[right.count]
    }
}
