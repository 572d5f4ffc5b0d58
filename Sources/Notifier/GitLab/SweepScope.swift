/// What one sweep asks about: watched items of one kind in one project, by their numbers.
///
/// Asking for numbers instead of for whatever moved in the project keeps the answer as short as the watch list, however busy
/// the project is: it has one page, nothing drifts between pages, and its entity tag changes only with the items themselves.
/// The instance-wide lists would need one request less per project, but make GitLab look through every project the person may
/// see, and their length is whatever happens there.
struct SweepScope: Hashable, Sendable {
    var project: ProjectID
    var kind: ItemKind
    /// Ascending, no more than a page holds.
    var iids: [Int64]

    /// Whether who may see one of its items may see all of them. Issues are hidden one by one, as confidential; merge requests with their
    /// project, but for those of authors who are banned.
    var isSeenAsAWhole: Bool { kind == .mergeRequest }

    /// The fewest scopes that cover `items`, in a fixed order.
    static func covering(_ items: [ItemReference], limit: Int) -> [SweepScope] {
        let sorted = items.sorted { ($0.project, $0.kind.rawValue, $0.iid) < ($1.project, $1.kind.rawValue, $1.iid) }
        var scopes: [SweepScope] = []
        for item in sorted {
            if let last = scopes.last, last.project == item.project, last.kind == item.kind, last.iids.count < limit {
                scopes[scopes.count - 1].iids.append(item.iid)
            } else {
                scopes.append(SweepScope(project: item.project, kind: item.kind, iids: [item.iid]))
            }
        }
        return scopes
    }
}
