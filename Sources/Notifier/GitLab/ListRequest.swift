import HTTP
import Platform

/// The lists the notifier reads, each with the parameters that really exist (GitLab facts §6.1, §8.1, §10).
enum ListSource: Hashable, Sendable {
    /// The person's pending to-dos, newest first.
    case todos
    /// An item's comments and system notes, newest first.
    case notes(ItemReference)
    /// An item's closes, reopens and merges, oldest first.
    case stateEvents(ItemReference)
    /// Labels added to and removed from an item, oldest first.
    case labelEvents(ItemReference)
    /// Milestones set on and removed from an item, oldest first.
    case milestoneEvents(ItemReference)
    /// A merge request's pipelines, newest first; one page of them holds all that still move.
    case pipelines(ItemReference)
    /// What happened in a project after the end of a day such as `2026-03-01`, newest first. The day is all the precision
    /// there is (GitLab facts §12.1, trap 18).
    case projectEvents(ProjectID, after: String)
    /// Watched items themselves, those updated last first; with a bound only those updated then or later.
    case sweep(SweepScope, since: WallTime?)

    /// The request target of the first page.
    func target(perPage: Int) -> String {
        switch self {
        case .todos: "/api/v4/todos?state=pending&per_page=\(perPage)"
        case .notes(let item): "\(item.path)/notes?order_by=created_at&sort=desc&per_page=\(perPage)"
        case .stateEvents(let item): "\(item.path)/resource_state_events?per_page=\(perPage)"
        case .labelEvents(let item): "\(item.path)/resource_label_events?per_page=\(perPage)"
        case .milestoneEvents(let item): "\(item.path)/resource_milestone_events?per_page=\(perPage)"
        case .pipelines(let item): "\(item.path)/pipelines?per_page=\(min(perPage, 20))"
        case .projectEvents(let project, let day):
            "/api/v4/projects/\(project.rawValue)/events?after=\(day)&sort=desc&per_page=\(perPage)"
        case .sweep(let scope, let since): Self.sweep(scope, since: since, perPage: perPage)
        }
    }

    /// `updated_after` includes its bound, and without `scope=all` only the person's own items come (GitLab facts §7.2).
    private static func sweep(_ scope: SweepScope, since: WallTime?, perPage: Int) -> String {
        let numbers = scope.iids.map { "&iids%5B%5D=\($0)" }.joined()
        let bound = since.map { "&updated_after=\(ISO8601.text($0))" } ?? ""
        return "\(scope.path)?scope=all&order_by=updated_at&sort=desc&per_page=\(perPage)\(bound)\(numbers)"
    }
}

extension ItemReference {
    /// Where the API keeps the item; numeric ids survive renames and proxies (GitLab facts §1).
    var path: String { "\(kind.path(in: project))/\(iid)" }
}

extension IssueDestination {
    /// Where the API keeps the issue.
    var path: String { "/api/v4/projects/\(project.replacing("/", with: "%2F"))/issues/\(iid)" }
}

extension SweepScope {
    /// The list that the items are in.
    var path: String { kind.path(in: project) }
}

extension ItemKind {
    fileprivate func path(in project: ProjectID) -> String {
        let folder = self == .issue ? "issues" : "merge_requests"
        return "/api/v4/projects/\(project.rawValue)/\(folder)"
    }
}

/// The requests for one list, built once, since a list is asked for every minute.
struct ListRequest: Sendable {
    /// The unconditional request for the first page.
    private(set) var firstPage: HTTPRequest
    /// Rows asked for per page.
    private(set) var rowsPerPage: Int

    /// The request for `page`, which is answered with 304 while its entity tag is still `entityTag`.
    func request(page: Int, entityTag: String? = nil) -> HTTPRequest {
        var request = firstPage
        if page > 1 { request.target += "&page=\(page)" }
        if let entityTag { request.fields.append("If-None-Match", entityTag) }
        return request
    }

    /// The same list in pages of a tenth, for one whose rows are so long that a page is too large; nil when its pages have a single row.
    var withSmallerPages: ListRequest? {
        guard rowsPerPage > 1 else { return nil }
        var list = self
        list.rowsPerPage = max(rowsPerPage / 10, 1)
        let size = { (rows: Int) in "per_page=\(rows)" }
        guard firstPage.target.hasSuffix(size(rowsPerPage)) else { return nil }
        list.firstPage.target = firstPage.target.dropLast(size(rowsPerPage).count) + size(list.rowsPerPage)
        return list
    }
}

/// One page of a list.
struct Page<Row: IdentifiedRow>: Sendable {
    var number: Int
    var rows: [Row]
    var head: PageHead = PageHead()
    /// Bytes in which it came.
    var bytes: Int = 0
    /// What it holds of the budget for answers; nil when nobody counts.
    var room: ResponseAllowance?

    /// What is worth remembering of it.
    var mark: PageMark { PageMark(number: number, head: head, smallestID: rows.lazy.map(\.id).min()) }
}

/// A page without its rows.
struct PageMark: Hashable, Sendable {
    var number: Int
    var head: PageHead
    /// Nil for a page without rows.
    var smallestID: Int64?
}

/// What the header of a page says.
struct PageHead: Hashable, Sendable {
    /// Nil on the last page.
    var nextPage: Int?
    /// Rows in the whole list, hidden ones included; nil over 10,000 (GitLab facts §4).
    var total: Int?
    var entityTag: String?
    /// The server's clock, read only where a page has content.
    var serverTime: WallTime?
}

/// The answer to a request for a page.
enum PageResponse<Row: IdentifiedRow>: Sendable {
    /// The page has the entity tag it was asked with. The header's page fields may be missing.
    case unchanged(PageHead)
    case page(Page<Row>)
}
