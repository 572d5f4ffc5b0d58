import Platform

/// The order of a list of items (GitLab facts §7.2, supplement §2); ties go by id.
struct ItemOrder {
    private let name: String
    private let ascending: Bool

    init(_ parameters: Parameters) {
        name = parameters["order_by"] ?? "created_at"
        ascending = parameters["sort"] == "asc"
    }

    func sorted(_ found: [Int], in state: InstanceState, at instant: WallTime) -> [Int] {
        func fields(_ item: Int) -> ItemFields { state.fields(of: item, at: instant) }
        switch name {
        case "updated_at": return ordered(found, state) { fields($0).updatedAt }
        case "title": return ordered(found, state) { fields($0).title }
        case "merged_at": return ordered(found, state) { fields($0).mergedAt ?? .distantPast }
        case "popularity": return ordered(found, state) { fields($0).upvotes }
        case "due_date": return byDate(found, state) { fields($0).dueDate?.dateText }
        case "milestone_due": return byDate(found, state) { due(fields($0), state) }
        case "label_priority": return byDate(found, state) { rank($0, fields($0), state) }
        case "priority":
            return byDate(found, state) { item in
                let parts = [due(fields(item), state), rank(item, fields(item), state)]
                return parts.allSatisfy { $0 == nil } ? nil : parts.map { $0 ?? "~" }.joined(separator: " ")
            }
        case "relative_position", "weight": return ordered(found, state) { _ in 0 }
        default: return ordered(found, state) { state.items[$0].createdAt }
        }
    }

    private func due(_ fields: ItemFields, _ state: InstanceState) -> String? {
        fields.milestone.flatMap { state.milestones[$0].dueDate?.dateText }
    }

    /// The highest of the labels' priorities, as a text that sorts like the number.
    private func rank(_ item: Int, _ fields: ItemFields, _ state: InstanceState) -> String? {
        let project = state.items[item].project
        let first = fields.labels.compactMap { state.labels[$0].priorities[project] }.min()
        return first.map { String(String("\($0)".reversed() + "000000000000000000").prefix(19).reversed()) }
    }

    private func ordered<Key: Comparable>(_ found: [Int], _ state: InstanceState, _ key: (Int) -> Key) -> [Int] {
        let keyed = found.map { (key($0), state.items[$0].id, $0) }
        return keyed.sorted { ascending ? ($0.0, $0.1) < ($1.0, $1.1) : ($0.0, $0.1) > ($1.0, $1.1) }.map(\.2)
    }

    /// What has no date comes last, whichever way the dates go.
    private func byDate(_ found: [Int], _ state: InstanceState, _ date: (Int) -> String?) -> [Int] {
        let dated = found.filter { date($0) != nil }
        return ordered(dated, state) { date($0) ?? "" } + ordered(found.filter { date($0) == nil }, state) { _ in 0 }
    }
}
