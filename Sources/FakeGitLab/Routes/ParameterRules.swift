/// Which parameters each route declares, with their defaults (GitLab facts §6.1, §7.2, §8.1, §12.1).
enum ParameterRules {
    static func rules(for route: Route, version: GitLabVersion) -> [ParameterRule] {
        pathRules(route) + ownRules(route, version)
    }

    /// Every id in a path is a number, except a project's path and a thread's id.
    private static func pathRules(_ route: Route) -> [ParameterRule] {
        route.segments.compactMap { segment in
            guard segment.hasPrefix(":"), segment != ":discussion_id", segment != ":name" else { return nil }
            if segment == ":id", route.segments.first != "todos", route.endpoint != .userByID { return nil }
            return ParameterRule(String(segment.dropFirst()), .integer)
        }
    }

    private static func ownRules(_ route: Route, _ version: GitLabVersion) -> [ParameterRule] {
        switch route.endpoint {
        case .todos: todos(version)
        case .allItems: items(route.kind, standardScope: "created_by_me", version)
        case .projectItems: items(route.kind, standardScope: "all", version)
        case .notes: notes(version)
        case .ownEvents, .userEvents, .projectEvents: events
        case .createNote, .createDiscussion, .replyToDiscussion, .updateNote:
            [ParameterRule("body", .text, isRequired: true), ParameterRule("internal", .boolean), createdAt]
        case .resolveDiscussion: [ParameterRule("resolved", .boolean, isRequired: true)]
        default: resourceRules(route)
        }
    }

    private static var createdAt: ParameterRule { ParameterRule("created_at", .time) }

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

    private static func items(_ kind: ItemKind, standardScope: String, _ version: GitLabVersion) -> [ParameterRule] {
        var scopes = ["created_by_me", "assigned_to_me", "all", "created-by-me", "assigned-to-me"]
        if kind == .mergeRequest, version.hasReviewsForMe { scopes.append("reviews_for_me") }
        let states = ["opened", "closed", "all"] + (kind == .mergeRequest ? ["merged", "locked"] : [])
        let orders = ["created_at", "updated_at", "title"] + (kind == .mergeRequest ? ["merged_at"] : [])
        return [
            ParameterRule("order_by", .choice(orders), standard: "created_at"),
            ParameterRule("sort", .choice(["asc", "desc"]), standard: "desc"),
            ParameterRule("scope", .choice(scopes), standard: standardScope),
            ParameterRule("state", .choice(states), standard: "all"),
            ParameterRule("with_labels_details", .boolean, standard: "false"),
            ParameterRule("created_after", .time), ParameterRule("created_before", .time),
            ParameterRule("updated_after", .time), ParameterRule("updated_before", .time),
            ParameterRule("iids", .list), ParameterRule("labels", .list), ParameterRule("confidential", .boolean),
            ParameterRule("assignee_username", .list), ParameterRule("assignee_id", .integerNoneAny),
            ParameterRule("author_id", .integer), ParameterRule("author_username", .text),
        ]
            + (kind == .mergeRequest
                ? [ParameterRule("reviewer_id", .integerNoneAny), ParameterRule("reviewer_username", .text)] : [])
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
