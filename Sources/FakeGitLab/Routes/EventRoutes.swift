import Platform

/// The activity feed (GitLab facts §12).
extension InstanceState {
    mutating func eventList(_ call: Call) throws(APIError) -> RouteResponse {
        let filter = EventFilter(call.parameters, offsetSeconds: configuration.timeZoneOffsetSeconds)
        var found = try matchingEvents(call, filter)
        if call.parameters["sort"] == "asc" { found.reverse() }
        let page = try page(call, of: found.count)
        let range = page.request.range(of: page.total)
        var writer = writer(capacity: 64 + range.count * 1_200)
        writer.array { array in
            for place in found[range] {
                guard let event = event(place, at: call.instant), canRead(event, call.reader) else { continue }
                write(event, id: place.id, call, into: &array)
            }
        }
        // Lists across projects depend on too much to be kept.
        let isOfProject = call.route.endpoint == .projectEvents
        let source: PageSource? = isOfProject ? .projectEvents(try project(of: call)) : nil
        return RouteResponse(body: writer.bytes, page: page, source: source)
    }

    private func event(_ place: EventPlace, at instant: WallTime) -> FeedEvent? {
        projects[place.project].events.value(place.id, at: instant)
    }

    /// What the list shows, newest first.
    private func matchingEvents(_ call: Call, _ filter: EventFilter) throws(APIError) -> [EventPlace] {
        if call.route.endpoint == .projectEvents {
            let project = try project(of: call)
            return newestFirst(projects[project].events.rows, at: call.instant, filter)
                .map { EventPlace(project: project, id: $0.id) }
        }
        return try eventPlaces(call).filter { place in
            event(place, at: call.instant).map { filter.accepts($0, in: self) } ?? false
        }
    }

    /// Stops a day before the filter's first day: events are written in the order of time.
    private func newestFirst(_ rows: [Row<FeedEvent>], at instant: WallTime, _ filter: EventFilter) -> [Row<FeedEvent>]
    {
        let bound = filter.from?.advanced(by: .days(-1)) ?? .distantPast
        let recent = rows.reversed().prefix { $0.current.createdAt >= bound }
        return recent.filter { $0.exists(at: instant) && filter.accepts($0.current, in: self) }
    }

    private func eventPlaces(_ call: Call) throws(APIError) -> [EventPlace] {
        switch call.route.endpoint {
        case .userEvents:
            let id = call.parameters["id"] ?? ""
            guard let person = people.firstIndex(where: { "\($0.id)" == id || $0.username == id }) else {
                throw .notFound("User")
            }
            return people[person].events.reversed()
        default:
            guard call.parameters["scope"] == "all" else { return people[call.reader].events.reversed() }
            return newestEvents(of: call.reader, at: call.instant)
        }
    }

    /// The newest rows of all the person's projects, cut before anything is filtered (trap 18).
    private func newestEvents(of person: Int, at instant: WallTime) -> [EventPlace] {
        var places: [EventPlace] = []
        for index in projects.indices where projects[index].members[person] != nil {
            let visible = projects[index].events.rows.reversed().lazy.filter { $0.exists(at: instant) }
            let newest = configuration.eventScopeAllCap.map { Array(visible.prefix($0)) } ?? Array(visible)
            places += newest.map { EventPlace(project: index, id: $0.id) }
        }
        let sorted = places.sorted { $0.id > $1.id }
        return configuration.eventScopeAllCap.map { Array(sorted.prefix($0)) } ?? sorted
    }

    private func canRead(_ event: FeedEvent, _ person: Int) -> Bool {
        switch event.target {
        case .item(let item): return canRead(item: item, person)
        case .note(let item, let id, _):
            guard canRead(item: item, person), let place = items[item].notes.index(of: id) else { return false }
            return canRead(items[item].notes.rows[place].current, on: item, person)
        case .push, .membership: return canRead(project: event.project, person)
        }
    }

    private mutating func write(_ event: FeedEvent, id: Int64, _ call: Call, into writer: inout JSONWriter) {
        let author = personJSON(event.author)
        let note = noteInEvent(event, at: call.instant)
        writer.object { object in
            object.field("id", id)
            object.field("project_id", projects[event.project].id)
            object.field("action_name", event.printedAction)
            writeTarget(of: event, into: &object)
            object.field("target_title", event.title)
            object.field("author_id", people[event.author].id)
            object.field("created_at", event.createdAt)
            if let note { object.field("note", json: note) }
            object.field("author", json: author)
            object.field("author_username", people[event.author].username)
            if version.tellsImported { Self.writeImport(event.isImported, into: &object) }
            if case .push = event.target { Self.writePush(event.target, into: &object) }
        }
    }

    private mutating func noteInEvent(_ event: FeedEvent, at instant: WallTime) -> [UInt8]? {
        guard case .note(let item, let id, _) = event.target, let place = items[item].notes.index(of: id) else {
            return nil
        }
        return noteJSON(at: place, of: item, instant: instant)
    }

    /// For comments `target_iid` is the note's id again (trap 19).
    private func writeTarget(of event: FeedEvent, into object: inout JSONWriter) {
        switch event.target {
        case .item(let item):
            object.field("target_id", items[item].id)
            object.field("target_iid", items[item].iid)
            object.field("target_type", items[item].kind.className)
        case .note(_, let id, let type):
            object.field("target_id", id)
            object.field("target_iid", id)
            object.field("target_type", type == .plain ? "Note" : type.rawValue)
        case .push, .membership:
            object.nullField("target_id")
            object.nullField("target_iid")
            object.nullField("target_type")
        }
    }

    private static func writePush(_ target: FeedEvent.Target, into object: inout JSONWriter) {
        guard case .push(let branch, let from, let to, let commits, let title) = target else { return }
        object.objectField("push_data") { push in
            push.field("commit_count", commits)
            push.field("action", "pushed")
            push.field("ref_type", "branch")
            push.field("commit_from", from)
            push.field("commit_to", to)
            push.field("ref", branch)
            push.field("commit_title", title)
            push.nullField("ref_count")
        }
    }
}

extension FeedEvent {
    /// Words for people, not the filter's values (GitLab facts §12.1, trap 20).
    var printedAction: String {
        switch action {
        case .created, .reopened, .updated: "opened"
        case .closed: "closed"
        case .merged: "accepted"
        case .approved: "approved"
        case .commented: "commented on"
        case .pushed: "pushed to"
        case .joined: "joined"
        case .left: "left"
        case .expired: "removed due to membership expiration from"
        case .destroyed: "destroyed"
        }
    }
}

/// Filters of the feed. `after` and `before` are dates, exclusive, in the instance's time zone.
struct EventFilter {
    private let action: String?
    private let targetType: String?
    let from: WallTime?
    private let until: WallTime?

    init(_ parameters: Parameters, offsetSeconds: Int) {
        action = parameters["action"]
        targetType = parameters["target_type"]
        let after = parameters["after"].flatMap(TimestampParser.parseDate)
        from = after.map { $0.wallTime(offsetSeconds: offsetSeconds).advanced(by: .days(1)) }
        until = parameters["before"].flatMap(TimestampParser.parseDate)?.wallTime(offsetSeconds: offsetSeconds)
    }

    func accepts(_ event: FeedEvent, in state: InstanceState) -> Bool {
        guard action == nil || event.action.rawValue == action else { return false }
        guard from.map({ event.createdAt >= $0 }) ?? true, until.map({ event.createdAt < $0 }) ?? true else {
            return false
        }
        guard let targetType else { return true }
        switch event.target {
        case .item(let item): return state.items[item].kind.rawValue == targetType
        case .note(_, _, let type): return type == .plain && targetType == "note"
        case .push, .membership: return false
        }
    }
}
