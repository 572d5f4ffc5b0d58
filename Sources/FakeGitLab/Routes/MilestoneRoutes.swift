import Platform

/// `/projects/:id/milestones`: addressed by global id (supplement §1.3).
extension InstanceState {
    /// Newest first.
    func milestoneList(_ call: Call) throws(APIError) -> RouteResponse {
        let project = try project(of: call)
        let filter = try MilestoneFilter(call.parameters)
        let found = milestones.indices.reversed().filter { index in
            milestones[index].project == project && !milestones[index].isDeleted && filter.accepts(milestones[index])
        }
        let page = try page(call, of: found.count)
        var writer = writer(capacity: 2_048)
        writer.array { array in
            for index in found[page.request.range(of: page.total)] { array.object { writeMilestone(index, into: &$0) } }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    mutating func milestoneAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let project = try project(of: call)
        switch call.route.endpoint {
        case .createMilestone:
            try requireRole(.reporter, call, in: project)
            return try createMilestone(call, in: project)
        case .updateMilestone:
            let milestone = try milestone(of: call, in: project)
            try requireRole(.reporter, call, in: project)
            return try updateMilestone(milestone, call)
        case .deleteMilestone:
            let milestone = try milestone(of: call, in: project)
            try requireRole(.reporter, call, in: project)
            deleteMilestone(milestone, at: call.now)
            return .noContent
        case .milestoneItems: return try milestoneItems(try milestone(of: call, in: project), call)
        default: return answer(try milestone(of: call, in: project))
        }
    }

    private func answer(_ milestone: Int, status: Int = 200) -> RouteResponse {
        var writer = writer()
        writer.object { writeMilestone(milestone, into: &$0) }
        return RouteResponse(status: status, body: writer.bytes)
    }

    private func milestone(of call: Call, in project: Int) throws(APIError) -> Int {
        let id = call.parameters.integer("milestone_id") ?? 0
        let index = milestones.firstIndex { $0.id == id && $0.project == project && !$0.isDeleted }
        guard let index else { throw .recordNotFound }
        return index
    }

    private mutating func createMilestone(_ call: Call, in project: Int) throws(APIError) -> RouteResponse {
        let changes = MilestoneChanges(call.parameters)
        let complaint = complaint(about: changes, of: nil, in: project)
        if let complaint { throw .message(400, "Failed to create milestone {\(complaint)}") }
        let milestone = insertMilestone(changes.title ?? "", in: project, at: call.now)
        apply(changes, to: milestone, at: call.now)
        return answer(milestone, status: 201)
    }

    private mutating func updateMilestone(_ milestone: Int, _ call: Call) throws(APIError) -> RouteResponse {
        try call.parameters.requireOne(of: ["title", "description", "due_date", "start_date", "state_event"])
        let changes = MilestoneChanges(call.parameters)
        let complaint = complaint(about: changes, of: milestone, in: milestones[milestone].project)
        if let complaint { throw .message(400, "Failed to update milestone {\(complaint)}") }
        apply(changes, to: milestone, at: call.now)
        return answer(milestone)
    }

    /// A hash as Ruby prints it; nil when nothing is wrong.
    private func complaint(about changes: MilestoneChanges, of milestone: Int?, in project: Int) -> String? {
        if let title = changes.title {
            if title.allSatisfy(\.isWhitespace) { return ":title=>[\"can't be blank\"]" }
            if let taken = milestoneIndex(title, in: project), taken != milestone {
                return ":title=>[\"already being used for another group or project milestone.\"]"
            }
        }
        let start = changes.startDate ?? milestone.map { milestones[$0].startDate } ?? nil
        let due = changes.dueDate ?? milestone.map { milestones[$0].dueDate } ?? nil
        if let start, let due, due.wallTime() < start.wallTime() {
            return ":due_date=>[\"must be greater than start date\"]"
        }
        return nil
    }

    private mutating func apply(_ changes: MilestoneChanges, to milestone: Int, at now: WallTime) {
        if let title = changes.title { milestones[milestone].title = title }
        if let description = changes.description { milestones[milestone].description = description }
        if let dueDate = changes.dueDate { milestones[milestone].dueDate = dueDate }
        if let startDate = changes.startDate { milestones[milestone].startDate = startDate }
        if let isClosed = changes.isClosed { milestones[milestone].isClosed = isClosed }
        milestones[milestone].updatedAt = now
        // Rows of items carry it.
        expireMilestones(at: now)
    }

    private mutating func milestoneItems(_ milestone: Int, _ call: Call) throws(APIError) -> RouteResponse {
        let found = projects[milestones[milestone].project].items.reversed().filter { item in
            items[item].kind == call.route.kind && canRead(item: item, call.reader)
                && items[item].row.value(at: call.instant)?.milestone == milestone
        }
        let page = try page(call, of: found.count)
        var writer = writer(capacity: 4_096)
        writer.array { array in
            for item in found[page.request.range(of: page.total)] {
                if let json = itemJSON(item, instant: call.instant) { array.raw(json) }
            }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }
}

/// What a request wants of a milestone. A date that cannot be read takes the old one away, as an empty one does.
private struct MilestoneChanges {
    let title: String?
    let description: String?
    let dueDate: CivilDate??
    let startDate: CivilDate??
    let isClosed: Bool?

    init(_ parameters: Parameters) {
        title = parameters["title"]
        description = parameters["description"]
        dueDate = parameters["due_date"].map { TimestampParser.parseDate($0) }
        startDate = parameters["start_date"].map { TimestampParser.parseDate($0) }
        isClosed = parameters["state_event"].map { $0 == "close" }
    }
}

/// The filters of a list of milestones.
private struct MilestoneFilter {
    private let isClosed: Bool?
    private let iids: [Int64]?
    private let title: String?
    private let search: String
    private let updatedAfter: WallTime?
    private let updatedBefore: WallTime?

    init(_ parameters: Parameters) throws(APIError) {
        if parameters.has("include_ancestors"), parameters.has("include_parent_milestones") {
            throw .error(400, "include_ancestors, include_parent_milestones are mutually exclusive")
        }
        let state = parameters["state"]
        isClosed = state == nil || state == "all" ? nil : state == "closed"
        iids = parameters.list("iids").map { $0.compactMap { Int64($0) } }
        title = parameters["title"]
        search = parameters["search"]?.lowercased() ?? ""
        updatedAfter = parameters.time("updated_after")
        updatedBefore = parameters.time("updated_before")
    }

    func accepts(_ milestone: Milestone) -> Bool {
        guard isClosed.map({ $0 == milestone.isClosed }) ?? true, iids?.contains(milestone.iid) ?? true else {
            return false
        }
        guard title.map({ $0 == milestone.title }) ?? true else { return false }
        guard
            search.isEmpty || milestone.title.lowercased().contains(search)
                || milestone.description.lowercased().contains(search)
        else { return false }
        return (updatedAfter.map { milestone.updatedAt >= $0 } ?? true)
            && (updatedBefore.map { milestone.updatedAt <= $0 } ?? true)
    }
}
