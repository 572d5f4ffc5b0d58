import Platform

/// The filters of a list of items (GitLab facts §7.2, supplement §2).
struct ItemFilter {
    let updatedAfter: WallTime?
    /// Whether the answer may be another one tomorrow, though nothing has changed.
    let isDated: Bool
    private let updatedBefore: WallTime?
    private let createdAfter: WallTime?
    private let createdBefore: WallTime?
    private let state: String
    private let author: PersonFilter
    private let assignee: PersonFilter
    private let reviewer: PersonFilter
    private let iids: [Int64]?
    private let confidential: Bool?
    /// What few requests ask for.
    private let conditions: [ItemCondition]

    init(_ call: Call, in state: InstanceState) throws(APIError) {
        let parameters = call.parameters
        updatedAfter = parameters.time("updated_after")
        updatedBefore = parameters.time("updated_before")
        createdAfter = parameters.time("created_after")
        createdBefore = parameters.time("created_before")
        self.state = parameters["state"] ?? "all"
        iids = parameters.list("iids").map { $0.compactMap { Int64($0) } }
        confidential =
            call.route.kind == .issue ? parameters["confidential"].map { _ in parameters.isTrue("confidential") } : nil
        let scope = parameters["scope"]
        let isOwn = scope == "created_by_me" || scope == "created-by-me"
        let isAssigned = scope == "assigned_to_me" || scope == "assigned-to-me"
        author = isOwn ? .one(call.reader) : PersonFilter(parameters, "author", in: state)
        assignee = isAssigned ? .one(call.reader) : PersonFilter(parameters, "assignee", in: state)
        guard call.route.kind == .mergeRequest else {
            reviewer = .unconditional
            conditions = ItemCondition.made(from: call, in: state)
            isDated =
                parameters.has("due_date") || parameters.has("milestone_id") || parameters.has("not[milestone_id]")
            return
        }
        reviewer = scope == "reviews_for_me" ? .one(call.reader) : PersonFilter(parameters, "reviewer", in: state)
        conditions = ItemCondition.made(from: call, in: state)
        isDated = parameters["milestone"]?.hasPrefix("#") ?? false
    }

    func accepts(_ item: Int, _ fields: ItemFields, in world: InstanceState) -> Bool {
        let entity = world.items[item]
        guard state == "all" || fields.state.rawValue == state else { return false }
        guard author.accepts([entity.author]), assignee.accepts(fields.assignees) else { return false }
        guard reviewer.accepts(fields.reviewers) else { return false }
        guard Self.lies(fields.updatedAt, updatedAfter, updatedBefore) else { return false }
        guard Self.lies(entity.createdAt, createdAfter, createdBefore) else { return false }
        guard iids?.contains(entity.iid) ?? true else { return false }
        guard confidential.map({ $0 == fields.isConfidential }) ?? true else { return false }
        return conditions.allSatisfy { $0.accepts(item, fields, in: world) }
    }

    /// Both bounds are inclusive (GitLab facts §7.2).
    static func lies(_ time: WallTime, _ after: WallTime?, _ before: WallTime?) -> Bool {
        (after.map { time >= $0 } ?? true) && (before.map { time <= $0 } ?? true)
    }
}

/// A person, nobody, anybody, or no condition.
enum PersonFilter: Sendable {
    case unconditional
    case nobody
    case anybody
    /// Nil for a name or number that is nobody's: the list is empty.
    case one(Int?)
    /// All of them.
    case all([Int?])

    /// Reads `role_id` and `role_username`, or those names within `not[…]`.
    init(_ parameters: Parameters, _ role: String, negated: Bool = false, in state: InstanceState) {
        func name(_ suffix: String) -> String { negated ? "not[\(role)_\(suffix)]" : "\(role)_\(suffix)" }
        if let text = parameters[name("id")] {
            self = Self.byID(text, in: state)
            return
        }
        guard let usernames = parameters.list(name("username")), let first = usernames.first else {
            self = .unconditional
            return
        }
        if first.lowercased() == "none", role != "author" {
            self = .nobody
        } else if first.lowercased() == "any", role != "author" {
            self = .anybody
        } else {
            let people = usernames.map { state.peopleByUsername[$0] }
            self = people.count == 1 ? .one(people[0]) : .all(people)
        }
    }

    private static func byID(_ text: String, in state: InstanceState) -> PersonFilter {
        switch text.lowercased() {
        case "": .unconditional
        case "none": .nobody
        case "any": .anybody
        default: .one(Int64(text).flatMap { id in state.people.firstIndex { $0.id == id } })
        }
    }

    func accepts(_ people: [Int]) -> Bool {
        switch self {
        case .unconditional: true
        case .nobody: people.isEmpty
        case .anybody: !people.isEmpty
        case .one(let person): person.map(people.contains) ?? false
        case .all(let wanted): wanted.allSatisfy { $0.map(people.contains) ?? false }
        }
    }

    var isUnconditional: Bool { if case .unconditional = self { true } else { false } }
}
