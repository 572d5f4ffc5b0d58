import Platform

/// A list in which a person's items stand. GitLab has no list of all of them, nor one of what they are subscribed to (GitLab
/// facts §7.2, §13).
enum ItemSource: Hashable, Sendable {
    /// Issues or merge requests, most recently updated first.
    case items(ItemKind, Involvement, Query)
    /// To-dos, newest first; `isDone` for those the person has dealt with.
    case todos(isDone: Bool, project: ProjectID?)

    /// What every list of items is asked for.
    struct Query: Hashable, Sendable {
        /// The person, by the id that stays when the name changes.
        var user: Int64
        var project: ProjectID?
        /// `opened`, `closed`, `merged` or `all`.
        var state: String
        /// Only items updated at or before this instant; GitLab compares what it stores, which is finer than what it shows.
        var updatedBefore: WallTime?
    }

    /// The request target of a page; every parameter exists on every version (GitLab facts §6.1, §7.2).
    func target(page: Int, perPage: Int) -> String {
        let paging = "per_page=\(perPage)" + (page > 1 ? "&page=\(page)" : "")
        switch self {
        case .items(let kind, let involvement, let query):
            let folder = kind == .issue ? "issues" : "merge_requests"
            let path = query.project.map { "/api/v4/projects/\($0.rawValue)/\(folder)" } ?? "/api/v4/\(folder)"
            let bound = query.updatedBefore.map { "&updated_before=\(ISO8601.text($0))" } ?? ""
            return "\(path)?\(Self.filter(involvement, query))&state=\(query.state)&order_by=updated_at&sort=desc"
                + "\(bound)&\(paging)"
        case .todos(let isDone, let project):
            let filter = project.map { "&project_id=\($0.rawValue)" } ?? ""
            return "/api/v4/todos?state=\(isDone ? "done" : "pending")\(filter)&\(paging)"
        }
    }

    /// `reviews_for_me` is too new to be relied on, hence the id with `scope=all`.
    private static func filter(_ involvement: Involvement, _ query: Query) -> String {
        switch involvement {
        case .assigned: "scope=assigned_to_me"
        case .authored: "scope=created_by_me"
        case .reviewer: "scope=all&reviewer_id=\(query.user)"
        case .mentioned: preconditionFailure("mentions stand in the to-dos")
        }
    }
}
