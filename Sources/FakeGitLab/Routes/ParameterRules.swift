/// Which parameters each route declares, with their defaults (GitLab facts §6.1, §7.2, §8.1, §12.1).
enum ParameterRules {
    static func set(for route: Route, _ version: GitLabVersion, _ edition: GitLabEdition) -> ParameterRuleSet {
        let isList = route.endpoint == .allItems || route.endpoint == .projectItems
        return ParameterRuleSet(
            pathRules(route) + ownRules(route, version, edition),
            exclusive: isList ? ItemParameterRules.exclusive(route.kind, version) : []
        )
    }

    /// Every id in a path is a number, except a project's path and a thread's id.
    private static func pathRules(_ route: Route) -> [ParameterRule] {
        route.segments.compactMap { segment in
            guard segment.hasPrefix(":"), segment != ":discussion_id", segment != ":name" else { return nil }
            if segment == ":id", route.segments.first != "todos", route.endpoint != .userByID { return nil }
            return ParameterRule(String(segment.dropFirst()), .integer)
        }
    }

    private static func ownRules(
        _ route: Route,
        _ version: GitLabVersion,
        _ edition: GitLabEdition
    ) -> [ParameterRule] {
        switch route.endpoint {
        case .todos: todos(version)
        case .allItems: ItemParameterRules.rules(route.kind, standardScope: "created_by_me", version, edition)
        case .projectItems: ItemParameterRules.rules(route.kind, standardScope: "all", version, edition)
        case .item: single(route.kind)
        case .notes: notes(version)
        case .ownEvents, .userEvents, .projectEvents: events
        case .createNote, .createDiscussion, .replyToDiscussion, .updateNote: writtenNote
        case .approve: [ParameterRule("sha", .text), ParameterRule("approval_password", .text)]
        case .resolveDiscussion: [ParameterRule("resolved", .boolean, isRequired: true)]
        default: resourceRules(route)
        }
    }

    private static let writtenNote = [
        ParameterRule("body", .text, isRequired: true), ParameterRule("internal", .boolean),
        ParameterRule("confidential", .boolean), ParameterRule("resolved", .boolean),
        ParameterRule("created_at", .time), ParameterRule("position", .hash), ParameterRule("commit_id", .text),
        ParameterRule("merge_request_diff_head_sha", .text),
    ]

    private static func single(_ kind: ItemKind) -> [ParameterRule] {
        guard kind == .mergeRequest else { return [ParameterRule("with_labels_details", .boolean)] }
        return ["render_html", "include_diverged_commits_count", "include_rebase_in_progress"].map {
            ParameterRule($0, .boolean)
        }
    }

    private static func todos(_ version: GitLabVersion) -> [ParameterRule] {
        let action = version.acceptsActionArray ? ParameterRule("action", .list) : ParameterRule("action", .text)
        return [
            action, ParameterRule("author_id", .integer), ParameterRule("project_id", .integer),
            ParameterRule("group_id", .integer), ParameterRule("state", .choice(["pending", "done"])),
            ParameterRule("type", .text),
        ]
    }

    private static func notes(_ version: GitLabVersion) -> [ParameterRule] {
        var rules = [
            ParameterRule("order_by", .choice(["created_at", "updated_at"]), standard: "created_at"),
            ParameterRule("sort", .choice(["asc", "desc"]), standard: "desc"),
        ]
        if version.hasActivityFilter {
            let choices = ["all_notes", "only_comments", "only_activity"]
            rules.append(ParameterRule("activity_filter", .choice(choices), standard: "all_notes"))
        }
        return rules
    }

    private static let events: [ParameterRule] = [
        ParameterRule("action", .choice(FeedEvent.Action.allCases.map(\.rawValue))),
        ParameterRule(
            "target_type",
            .choice(["issue", "milestone", "merge_request", "note", "project", "snippet", "user", "wiki", "design"])
        ),
        ParameterRule("before", .date), ParameterRule("after", .date), ParameterRule("scope", .choice(["all"])),
        ParameterRule("sort", .choice(["asc", "desc"]), standard: "desc"),
    ]
}
