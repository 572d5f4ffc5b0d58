import Platform

/// Single issues and merge requests and their lists (GitLab facts §7).
extension State {
    mutating func itemAnswer(_ call: Call) throws(APIError) -> Answer {
        let item = try item(of: call)
        return Answer(body: singleJSON(item, call), source: .item(item))
    }

    mutating func singleJSON(_ item: Int, _ call: Call) -> [UInt8] {
        let fields = fields(of: item, at: call.instant)
        var writer = writer(capacity: 4_096)
        writer.object { object in
            writeItem(item, fields, labelDetails: call.parameters.isTrue("with_labels_details"), into: &object)
            writeSinglePart(item, fields, call, into: &object)
        }
        return writer.bytes
    }

    mutating func itemList(_ call: Call) throws(APIError) -> Answer {
        let project: Int? = call.route.endpoint == .projectItems ? try self.project(of: call) : nil
        let found = try matchingItems(call, in: project)
        let page = try page(call, of: found.count)
        let range = page.request.range(of: page.total)
        let details = call.parameters.isTrue("with_labels_details")
        var writer = writer(capacity: 64 + range.count * 2_048)
        writer.array { array in
            for item in found[range] {
                if let json = itemJSON(item, instant: call.instant, labelDetails: details) { array.raw(json) }
            }
        }
        return Answer(body: writer.bytes, page: page, source: project.map { .projectItems($0) } ?? .allItems)
    }

    /// The items a list shows, in its order. Unlike notes, they are filtered before the page is cut.
    private func matchingItems(_ call: Call, in project: Int?) throws(APIError) -> [Int] {
        let filter = try ItemFilter(call, in: self)
        let found = candidates(filter, call, in: project).filter { item in
            guard items[item].kind == call.route.kind, project == nil || items[item].project == project,
                let fields = items[item].row.value(at: call.instant)
            else { return false }
            return filter.accepts(item, fields, in: self) && canRead(item: item, call.reader)
        }
        return sorted(found, call)
    }

    /// With `updated_after` only recently updated items are looked at.
    private func candidates(_ filter: ItemFilter, _ call: Call, in project: Int?) -> [Int] {
        if let bound = filter.updatedAfter, call.instant == call.now { return touchLog.items(updatedFrom: bound) }
        return project.map { projects[$0].items } ?? Array(items.indices)
    }

    private func sorted(_ found: [Int], _ call: Call) -> [Int] {
        let ascending = call.parameters["sort"] == "asc"
        func ordered<Key: Comparable>(_ key: (Int) -> Key) -> [Int] {
            let keyed = found.map { (key($0), items[$0].id, $0) }
            return keyed.sorted { ascending ? ($0.0, $0.1) < ($1.0, $1.1) : ($0.0, $0.1) > ($1.0, $1.1) }.map(\.2)
        }
        switch call.parameters["order_by"] {
        case "updated_at": return ordered { fields(of: $0, at: call.instant).updatedAt }
        case "title": return ordered { fields(of: $0, at: call.instant).title }
        case "merged_at": return ordered { fields(of: $0, at: call.instant).mergedAt ?? .distantPast }
        default: return ordered { items[$0].createdAt }
        }
    }
}

/// The filters of a list of items; those not declared are ignored.
struct ItemFilter {
    let updatedAfter: WallTime?
    private let updatedBefore: WallTime?
    private let createdAfter: WallTime?
    private let createdBefore: WallTime?
    private let state: String
    private let author: PersonFilter
    private let assignee: PersonFilter
    private let reviewer: PersonFilter
    private let labels: [String]
    private let iids: [Int64]?
    private let confidential: Bool?

    /// A person, nobody, anybody, or no condition.
    private enum PersonFilter {
        case unconditional
        case nobody
        case anybody
        case one(Int?)

        func accepts(_ people: [Int]) -> Bool {
            switch self {
            case .unconditional: true
            case .nobody: people.isEmpty
            case .anybody: !people.isEmpty
            case .one(let person): person.map(people.contains) ?? false
            }
        }
    }

    init(_ call: Call, in state: State) throws(APIError) {
        let parameters = call.parameters
        updatedAfter = parameters.time("updated_after")
        updatedBefore = parameters.time("updated_before")
        createdAfter = parameters.time("created_after")
        createdBefore = parameters.time("created_before")
        self.state = parameters["state"] ?? "all"
        labels = parameters.list("labels") ?? []
        iids = parameters.list("iids").map { $0.compactMap { Int64($0) } }
        confidential = parameters["confidential"].map { _ in parameters.isTrue("confidential") }
        let scope = parameters["scope"]
        let isOwn = scope == "created_by_me" || scope == "created-by-me"
        let isAssigned = scope == "assigned_to_me" || scope == "assigned-to-me"
        author = isOwn ? .one(call.reader) : Self.person(parameters, "author", state)
        assignee = isAssigned ? .one(call.reader) : Self.person(parameters, "assignee", state)
        let reviewer = Self.person(parameters, "reviewer", state)
        self.reviewer = scope == "reviews_for_me" ? .one(call.reader) : reviewer
        for role in ["author", "assignee", "reviewer"]
        where parameters[role + "_id"] != nil && parameters.list(role + "_username") != nil {
            throw .error(400, "\(role)_id, \(role)_username are mutually exclusive")
        }
    }

    private static func person(_ parameters: Parameters, _ role: String, _ state: State) -> PersonFilter {
        let username = parameters.list(role + "_username")?.first
        guard let text = parameters[role + "_id"] ?? username else { return .unconditional }
        if text.lowercased() == "none" { return .nobody }
        if text.lowercased() == "any" { return .anybody }
        if username != nil { return .one(state.peopleByUsername[text]) }
        return .one(Int64(text).flatMap { id in state.people.firstIndex { $0.id == id } })
    }

    func accepts(_ item: Int, _ fields: ItemFields, in world: State) -> Bool {
        let entity = world.items[item]
        guard state == "all" || fields.state.rawValue == state else { return false }
        guard author.accepts([entity.author]), assignee.accepts(fields.assignees) else { return false }
        guard entity.kind == .issue || reviewer.accepts(fields.reviewers) else { return false }
        guard Self.lies(fields.updatedAt, updatedAfter, updatedBefore) else { return false }
        guard Self.lies(entity.createdAt, createdAfter, createdBefore) else { return false }
        guard iids?.contains(entity.iid) ?? true else { return false }
        guard confidential.map({ $0 == fields.isConfidential }) ?? true else { return false }
        return labels.allSatisfy { name in fields.labels.contains { world.labels[$0].name == name } }
    }

    /// Both bounds are inclusive (GitLab facts §7.2).
    private static func lies(_ time: WallTime, _ after: WallTime?, _ before: WallTime?) -> Bool {
        (after.map { time >= $0 } ?? true) && (before.map { time <= $0 } ?? true)
    }
}
