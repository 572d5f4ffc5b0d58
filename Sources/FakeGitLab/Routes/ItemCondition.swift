import Platform

/// One condition of a list of items beyond those that pollers use (supplement §2).
indirect enum ItemCondition: Sendable {
    /// A name that is nothing's: the list is empty.
    case never
    /// Every project may have a label of that title.
    case labels([String])
    case someLabel
    case noLabel
    case milestoneTitle(String)
    case someMilestone
    case noMilestone
    case milestones(Set<Int>)
    case draft(Bool)
    case type(String)
    case due(DueDate)
    case sourceBranch(String)
    case targetBranch(String)
    case sourceProject(Int64)
    case search(ItemSearch)
    case merged(after: WallTime?, before: WallTime?)
    case mergedBy(Int?)
    case approvedBy([Int?])
    case someApproval
    case noApproval
    case iids([Int64])
    case author(PersonFilter)
    case assignee(PersonFilter)
    case reviewer(PersonFilter)
    /// An emoji of that person, of that name or of any.
    case awarded(by: Int, String?)
    case not(ItemCondition)

    /// What the parameters ask for; deployments there are none, so who asks for some gets nothing.
    static func made(from call: Call, in state: InstanceState) -> [ItemCondition] {
        let parameters = call.parameters
        var made = labels(parameters)
        made += milestone(call, in: state)
        made += negations(call, in: state)
        if let search = ItemSearch(parameters, call.route.kind) { made.append(.search(search)) }
        made += reactions(parameters["my_reaction_emoji"], of: call.reader)
        if let name = parameters["not[my_reaction_emoji]"] { made.append(.not(.awarded(by: call.reader, name))) }
        return made + (call.route.kind == .issue ? ofIssues(call, in: state) : ofMergeRequests(call, in: state))
    }

    func accepts(_ index: Int, _ fields: ItemFields, in state: InstanceState) -> Bool {
        let item = state.items[index]
        return switch self {
        case .never: false
        case .labels(let names):
            names.allSatisfy { name in
                fields.labels.contains { !state.labels[$0].isDeleted && state.labels[$0].name == name }
            }
        case .someLabel: !fields.labels.isEmpty
        case .noLabel: fields.labels.isEmpty
        case .milestoneTitle(let title): fields.milestone.map { state.milestones[$0].title == title } ?? false
        case .someMilestone: fields.milestone != nil
        case .noMilestone: fields.milestone == nil
        case .milestones(let milestones): fields.milestone.map(milestones.contains) ?? false
        case .draft(let isDraft): fields.isDraft == isDraft
        case .type(let type): type == "issue"
        case .due(let due): due.accepts(fields.dueDate?.dateText)
        case .sourceBranch(let branch): fields.sourceBranch == branch
        case .targetBranch(let branch): fields.targetBranch == branch
        case .sourceProject(let id): state.projects[item.project].id == id
        case .search(let search): search.accepts(fields)
        case .merged(let after, let before): fields.mergedAt.map { ItemFilter.lies($0, after, before) } ?? false
        case .mergedBy(let person): person != nil && fields.mergedBy == person
        case .approvedBy(let people):
            people.allSatisfy { person in fields.approvals.contains { $0.person == person } }
        case .someApproval: !fields.approvals.isEmpty
        case .noApproval: fields.approvals.isEmpty
        case .iids(let iids): iids.contains(item.iid)
        case .author(let filter): filter.accepts([item.author])
        case .assignee(let filter): filter.accepts(fields.assignees)
        case .reviewer(let filter): filter.accepts(fields.reviewers)
        case .awarded(let person, let name):
            state.awards(on: index, note: nil, at: fields.updatedAt.advanced(by: .days(36_500))).contains { row in
                row.current.person == person && name.map { $0 == row.current.name } ?? true
            }
        case .not(let condition): !condition.accepts(index, fields, in: state)
        }
    }

    /// All of them; `None` and `Any` in any case mean just that; an unknown name finds nothing.
    private static func labels(_ parameters: Parameters) -> [ItemCondition] {
        let names = parameters.list("labels") ?? []
        let words = names.map { $0.lowercased() }
        if words.contains("none") { return [.noLabel] }
        if words.contains("any") { return [.someLabel] }
        return names.isEmpty ? [] : [.labels(names)]
    }

    private static func reactions(_ name: String?, of reader: Int) -> [ItemCondition] {
        switch name?.lowercased() {
        case nil, "": []
        case "none": [.not(.awarded(by: reader, nil))]
        case "any": [.awarded(by: reader, nil)]
        case let name?: [.awarded(by: reader, name)]
        }
    }

    private static func milestone(_ call: Call, in state: InstanceState) -> [ItemCondition] {
        if let title = call.parameters["milestone"], !title.isEmpty {
            switch title.lowercased() {
            case "none": return [.noMilestone]
            case "any": return [.someMilestone]
            case "#upcoming": return [.milestones(state.upcomingMilestones(at: call.now))]
            case "#started": return [.milestones(state.startedMilestones(at: call.now))]
            default: return [.milestoneTitle(title)]
            }
        }
        switch call.parameters["milestone_id"] {
        case "None": return [.noMilestone]
        case "Any": return [.someMilestone]
        case "Upcoming": return [.milestones(state.upcomingMilestones(at: call.now))]
        case "Started": return [.milestones(state.startedMilestones(at: call.now))]
        default: return []
        }
    }

    private static func negations(_ call: Call, in state: InstanceState) -> [ItemCondition] {
        let parameters = call.parameters
        guard parameters.entries.contains(where: { $0.name.hasPrefix("not[") }) else { return [] }
        var made = (parameters.list("not[labels]") ?? []).map { ItemCondition.not(.labels([$0])) }
        if let title = parameters["not[milestone]"], !title.isEmpty { made.append(.not(.milestoneTitle(title))) }
        switch parameters["not[milestone_id]"] {
        case "None": made.append(.someMilestone)
        case "Any": made.append(.noMilestone)
        // Not the plain complements.
        case "Upcoming": made.append(.milestones(state.milestonesDue(at: call.now)))
        case "Started": made.append(.milestones(state.milestonesToStart(at: call.now)))
        default: break
        }
        if let iids = parameters.list("not[iids]") { made.append(.not(.iids(iids.compactMap { Int64($0) }))) }
        let roles: [(String, (PersonFilter) -> ItemCondition)] = [
            ("author", { .author($0) }), ("assignee", { .assignee($0) }), ("reviewer", { .reviewer($0) }),
        ]
        for (role, condition) in roles {
            let filter = PersonFilter(parameters, role, negated: true, in: state)
            if !filter.isUnconditional { made.append(.not(condition(filter))) }
        }
        return made
    }

    private static func ofIssues(_ call: Call, in state: InstanceState) -> [ItemCondition] {
        var made: [ItemCondition] = []
        if let type = call.parameters["issue_type"] { made.append(.type(type)) }
        if let text = call.parameters["due_date"], let due = DueDate(text, today: state.today(at: call.now).dateText) {
            made.append(.due(due))
        }
        return made
    }

    private static func ofMergeRequests(_ call: Call, in state: InstanceState) -> [ItemCondition] {
        let parameters = call.parameters
        var made: [ItemCondition] = []
        if let wip = parameters["wip"] { made.append(.draft(wip == "yes")) }
        if let branch = parameters["source_branch"] { made.append(.sourceBranch(branch)) }
        if let branch = parameters["target_branch"] { made.append(.targetBranch(branch)) }
        if let id = parameters.integer("source_project_id") { made.append(.sourceProject(id)) }
        if ["deployed_after", "deployed_before", "environment"].contains(where: parameters.has) { made.append(.never) }
        if state.version.filtersDrafts, parameters.has("draft") { made.append(.draft(parameters.isTrue("draft"))) }
        if state.version.ordersByMerge { made += merges(parameters, in: state) }
        guard state.configuration.edition == .enterprise, let ids = parameters.list("approved_by_ids") else {
            return made
        }
        switch ids.first?.lowercased() {
        case "none": made.append(.noApproval)
        case "any": made.append(.someApproval)
        default:
            made.append(.approvedBy(ids.map { id in state.people.firstIndex { "\($0.id)" == id } }))
        }
        return made
    }

    private static func merges(_ parameters: Parameters, in state: InstanceState) -> [ItemCondition] {
        var made: [ItemCondition] = []
        let (after, before) = (parameters.time("merged_after"), parameters.time("merged_before"))
        if after != nil || before != nil { made.append(.merged(after: after, before: before)) }
        if let id = parameters.integer("merge_user_id") {
            made.append(.mergedBy(state.people.firstIndex { $0.id == id }))
        } else if let username = parameters["merge_user_username"] {
            made.append(.mergedBy(state.peopleByUsername[username]))
        }
        return made
    }
}

/// When an issue is due, seen from today; dates are `YYYY-MM-DD`, so that they compare as texts.
struct DueDate: Sendable {
    private let from: String?
    private let until: String?
    private let isNone: Bool

    /// Nil for an empty value, which asks for nothing.
    init?(_ text: String, today: String) {
        guard !text.isEmpty, let date = TimestampParser.parseDate(today) else { return nil }
        isNone = text == "0"
        switch text {
        case "0", "any": (from, until) = (nil, nil)
        case "today": (from, until) = (today, today)
        case "tomorrow": (from, until) = (date.day(1), date.day(1))
        case "overdue": (from, until) = (nil, date.day(-1))
        case "week":
            let monday = 1 - date.isoWeekday
            (from, until) = (date.day(monday), date.day(monday + 6))
        case "month": (from, until) = (date.monthStart(0), date.dayBefore(date.monthStart(1)))
        default: (from, until) = (date.day(-14), date.dayBefore(date.monthStart(2)))
        }
    }

    func accepts(_ due: String?) -> Bool {
        guard let due else { return isNone }
        guard !isNone else { return false }
        return (from.map { due >= $0 } ?? true) && (until.map { due <= $0 } ?? true)
    }
}

extension CivilDate {
    /// So many days later, as `YYYY-MM-DD`.
    fileprivate func day(_ days: Int) -> String {
        CivilDate(CivilDate(year: year, month: month, day: day).wallTime().advanced(by: .days(days))).dateText
    }

    /// The first of the month so many months later.
    fileprivate func monthStart(_ months: Int) -> String {
        let index = year * 12 + month - 1 + months
        return CivilDate(year: index / 12, month: index % 12 + 1, day: 1).dateText
    }

    fileprivate func dayBefore(_ text: String) -> String { TimestampParser.parseDate(text)?.day(-1) ?? text }
}

/// Milestones as the filters understand them (supplement §2).
extension InstanceState {
    /// Of each project the one active milestone whose due date comes next after today.
    func upcomingMilestones(at now: WallTime) -> Set<Int> {
        let today = today(at: now).dateText
        var next: [Int: Int] = [:]
        for index in milestones.indices where !milestones[index].isClosed && !milestones[index].isDeleted {
            guard let due = milestones[index].dueDate?.dateText, due > today else { continue }
            let project = milestones[index].project
            if let other = next[project], (milestones[other].dueDate?.dateText ?? "") <= due { continue }
            next[project] = index
        }
        return Set(next.values)
    }

    /// Active ones whose first day has come, whatever their last.
    func startedMilestones(at now: WallTime) -> Set<Int> {
        let today = today(at: now).dateText
        return active { $0.startDate.map { $0.dateText <= today } ?? false }
    }

    func milestonesDue(at now: WallTime) -> Set<Int> {
        let today = today(at: now).dateText
        return active { $0.dueDate.map { $0.dateText <= today } ?? false }
    }

    func milestonesToStart(at now: WallTime) -> Set<Int> {
        let today = today(at: now).dateText
        return active { $0.startDate.map { $0.dateText > today } ?? false }
    }

    private func active(_ isMeant: (Milestone) -> Bool) -> Set<Int> {
        Set(
            milestones.indices.filter { index in
                let milestone = milestones[index]
                return !milestone.isClosed && !milestone.isDeleted && isMeant(milestone)
            }
        )
    }
}
