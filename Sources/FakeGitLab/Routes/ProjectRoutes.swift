import HTTP
import Platform

/// `/projects` and `/projects/:id` (supplement §1.4).
extension InstanceState {
    func projectAnswer(_ call: Call) throws(APIError) -> RouteResponse {
        let index = try project(of: call)
        var writer = writer(capacity: 4_096)
        writer.object { writeWholeProject(index, call.reader, into: &$0) }
        // The moment of the last activity moves with everything that happens.
        return RouteResponse(body: writer.bytes)
    }

    func projectList(_ call: Call) throws(APIError) -> RouteResponse {
        let filter = try ProjectFilter(call)
        let found = projects.indices.filter { canRead(project: $0, call.reader) && filter.accepts($0, in: self) }
        let sorted = sorted(found, call)
        let page = try page(call, of: sorted.count)
        let isSimple = call.parameters.isTrue("simple")
        var writer = writer(capacity: 4_096)
        writer.array { array in
            for index in sorted[page.request.range(of: page.total)] {
                array.object { object in
                    if isSimple {
                        writeBasicProject(index, call.reader, into: &object)
                    } else {
                        writeWholeProject(index, call.reader, into: &object)
                    }
                }
            }
        }
        return RouteResponse(body: writer.bytes, page: page)
    }

    private func sorted(_ found: [Int], _ call: Call) -> [Int] {
        let ascending = call.parameters["sort"] == "asc"
        func ordered<Key: Comparable>(_ key: (Int) -> Key) -> [Int] {
            let keyed = found.map { (key($0), projects[$0].id, $0) }
            return keyed.sorted { ascending ? ($0.0, $0.1) < ($1.0, $1.1) : ($0.0, $0.1) > ($1.0, $1.1) }.map(\.2)
        }
        switch call.parameters["order_by"] {
        case "name": return ordered { projects[$0].name.lowercased() }
        case "path": return ordered { projects[$0].slug }
        case "updated_at", "last_activity_at": return ordered { lastActivity(in: $0) }
        case "created_at": return ordered { projects[$0].createdAt }
        default: return ordered { projects[$0].id }
        }
    }

    func lastActivity(in project: Int) -> WallTime {
        projects[project].events.rows.last?.current.createdAt ?? projects[project].createdAt
    }

    /// The whole row of `simple=true`.
    private func writeBasicProject(_ index: Int, _ reader: Int, into object: inout JSONWriter) {
        let project = projects[index]
        let address = "\(configuration.externalURL)/\(project.path)"
        let readsCode = canReadCode(of: index, reader)
        writeProject(index, into: &object)
        if readsCode { object.field("default_branch", "main") }
        object.arrayField("tag_list") { _ in }
        object.arrayField("topics") { _ in }
        object.field("ssh_url_to_repo", "git@\(configuration.externalURL.host):\(project.path).git")
        object.field("http_url_to_repo", "\(address).git")
        object.field("web_url", address)
        if readsCode { object.field("readme_url", "\(address)/-/blob/main/README.md") }
        if readsCode { object.field("forks_count", 0) }
        object.nullField("avatar_url")
        object.field("star_count", 0)
        object.field("last_activity_at", lastActivity(in: index))
        object.objectField("namespace") { writeNamespace(of: index, into: &$0) }
    }

    private func canReadCode(of project: Int, _ reader: Int) -> Bool {
        projects[project].visibility != .private || (role(of: reader, in: project) ?? .guest) >= .reporter
    }

    /// A person's own namespace where it bears a username, otherwise a group, named by the first project in it.
    private func writeNamespace(of index: Int, into object: inout JSONWriter) {
        let path = Self.namespacePath(of: projects[index].path)
        let first = projects.first { Self.namespacePath(of: $0.path) == path } ?? projects[index]
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let owner = peopleByUsername[path]
        object.field("id", owner.map { people[$0].id } ?? 1_000 + first.id)
        object.field("name", owner.map { people[$0].name } ?? name)
        object.field("path", name)
        object.field("kind", owner == nil ? "group" : "user")
        object.field("full_path", path)
        object.nullField("parent_id")
        object.nullField("avatar_url")
        object.field("web_url", "\(configuration.externalURL)/\(owner == nil ? "groups/" : "")\(path)")
    }

    private static func namespacePath(of path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    private func writeWholeProject(_ index: Int, _ reader: Int, into object: inout JSONWriter) {
        let project = projects[index]
        writeBasicProject(index, reader, into: &object)
        writeProjectLinks(index, into: &object)
        object.field("visibility", project.visibility.rawValue)
        object.field("archived", false)
        object.field("empty_repo", false)
        object.field("creator_id", project.members.keys.min().map { people[$0].id })
        object.field("updated_at", lastActivity(in: index))
        object.field("import_status", "none")
        for name in ["issues_enabled", "merge_requests_enabled", "wiki_enabled", "jobs_enabled", "snippets_enabled"]
            as [StaticString]
        {
            object.field(name, true)
        }
        for name in ["issues_access_level", "merge_requests_access_level", "repository_access_level"] as [StaticString]
        {
            object.field(name, "enabled")
        }
        object.field("open_issues_count", openIssues(in: index))
        object.field("can_create_merge_request_in", (role(of: reader, in: index) ?? .guest) >= .developer)
        object.arrayField("shared_with_groups") { _ in }
        for name in ["only_allow_merge_if_pipeline_succeeds", "only_allow_merge_if_all_discussions_are_resolved"]
            as [StaticString]
        {
            object.field(name, false)
        }
        object.field("merge_method", "merge")
        object.field("squash_option", "default_off")
        writePermissions(index, reader, into: &object)
    }

    private func writeProjectLinks(_ index: Int, into object: inout JSONWriter) {
        let base = "\(configuration.externalURL)/api/v4/projects/\(projects[index].id)"
        object.objectField("_links") { links in
            links.field("self", base)
            links.field("issues", "\(base)/issues")
            links.field("merge_requests", "\(base)/merge_requests")
            links.field("labels", "\(base)/labels")
            links.field("events", "\(base)/events")
            links.field("members", "\(base)/members")
        }
    }

    private func openIssues(in project: Int) -> Int {
        projects[project].issues.values.count { items[$0].row.current.state == .opened }
    }

    /// Integers here, words in the notification settings.
    private func writePermissions(_ index: Int, _ reader: Int, into object: inout JSONWriter) {
        object.objectField("permissions") { permissions in
            if let role = role(of: reader, in: index) {
                permissions.objectField("project_access") { access in
                    access.field("access_level", role.rawValue)
                    access.field("notification_level", notificationSetting(of: reader, in: index).level.number)
                }
            } else {
                permissions.nullField("project_access")
            }
            permissions.nullField("group_access")
        }
    }
}

/// The filters of the list of projects.
private struct ProjectFilter {
    private let reader: Int
    private let parameters: Parameters
    private let search: String
    private let minimumRole: Int64?
    private let needsMembership: Bool

    init(_ call: Call) throws(APIError) {
        reader = call.reader
        parameters = call.parameters
        search = call.parameters["search"]?.lowercased() ?? ""
        minimumRole = call.parameters.integer("min_access_level")
        needsMembership = call.parameters.isTrue("membership")
        let filtersByUpdate = parameters.has("updated_after") || parameters.has("updated_before")
        if filtersByUpdate, parameters["order_by"] != "updated_at" {
            throw .message(400, "400 Bad request - `updated_at` filter and `updated_at` sorting must be paired")
        }
    }

    func accepts(_ index: Int, in state: InstanceState) -> Bool {
        let project = state.projects[index]
        let role = project.members[reader]
        if needsMembership, role == nil { return false }
        if let minimumRole, Int64(role?.rawValue ?? 0) < minimumRole { return false }
        if parameters.isTrue("owned"), role != .owner { return false }
        // Nobody stars, nothing is archived, and no project has a topic.
        if parameters.isTrue("starred") || parameters.isTrue("archived") { return false }
        if let topic = parameters["topic"], !topic.isEmpty { return false }
        if let visibility = parameters["visibility"], visibility != project.visibility.rawValue { return false }
        return matchesSearch(project) && lies(project.id) && lies(state.lastActivity(in: index))
    }

    private func matchesSearch(_ project: Project) -> Bool {
        guard !search.isEmpty else { return true }
        let place = parameters.isTrue("search_namespaces") ? project.path : project.slug
        return place.lowercased().contains(search) || project.name.lowercased().contains(search)
    }

    private func lies(_ id: Int64) -> Bool {
        (parameters.integer("id_after").map { id > $0 } ?? true)
            && (parameters.integer("id_before").map { id < $0 } ?? true)
    }

    private func lies(_ activity: WallTime) -> Bool {
        ["updated_after", "last_activity_after"].allSatisfy { parameters.time($0).map { activity >= $0 } ?? true }
            && ["updated_before", "last_activity_before"].allSatisfy {
                parameters.time($0).map { activity <= $0 } ?? true
            }
    }
}
