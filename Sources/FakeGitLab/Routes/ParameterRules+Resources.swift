/// What the endpoints around the items declare (supplement §1.3, §1.4).
extension ParameterRules {
    static func resourceRules(_ route: Route) -> [ParameterRule] {
        switch route.endpoint {
        case .projects: projects
        case .users: users
        case .labels:
            [
                ParameterRule("with_counts", .boolean, standard: "false"),
                ParameterRule("include_ancestor_groups", .boolean, standard: "true"), ParameterRule("search", .text),
            ]
        case .createLabel:
            [ParameterRule("name", .text, isRequired: true), ParameterRule("color", .text, isRequired: true)]
                + labelText
        case .updateLabel: labelText + [ParameterRule("label_id", .integer)]
        case .deleteLabel: [ParameterRule("label_id", .integer)]
        case .milestones: milestones
        case .createMilestone: [ParameterRule("title", .text, isRequired: true)] + milestoneText
        case .updateMilestone:
            [ParameterRule("title", .text), ParameterRule("state_event", .choice(["close", "activate"]))]
                + milestoneText
        case .members:
            [
                ParameterRule("query", .text), ParameterRule("user_ids", .list), ParameterRule("skip_users", .list),
            ]
        case .createMember:
            [ParameterRule("user_id", .integer, isRequired: true), accessLevel]
        case .updateMember: [accessLevel]
        case .updateNotificationSettings:
            [ParameterRule("level", .text), ParameterRule("notification_email", .text)]
                + NotificationSetting.events.map { ParameterRule($0.name, .boolean) }
        case .createAward: [ParameterRule("name", .text, isRequired: true)]
        case .createIssue:
            [ParameterRule("title", .text, isRequired: true), ParameterRule("iid", .integer)] + issueText
        case .updateIssue:
            [ParameterRule("title", .text), ParameterRule("state_event", .choice(["close", "reopen"]))] + issueText
        case .moveIssue: [ParameterRule("to_project_id", .integer, isRequired: true)]
        case .rotateToken: [ParameterRule("expires_at", .date)]
        case .createHook: [ParameterRule("url", .text, isRequired: true)] + hookText
        case .updateHook: [ParameterRule("url", .text)] + hookText
        default: []
        }
    }

    private static let labelText = [
        ParameterRule("new_name", .text), ParameterRule("color", .text), ParameterRule("description", .text),
        ParameterRule("priority", .integer),
    ]

    private static let issueText = [
        ParameterRule("description", .text), ParameterRule("confidential", .boolean), ParameterRule("labels", .list),
        ParameterRule("add_labels", .list), ParameterRule("remove_labels", .list),
        ParameterRule("assignee_ids", .list), ParameterRule("assignee_id", .integer),
        ParameterRule("milestone_id", .integer), ParameterRule("due_date", .text),
        ParameterRule("created_at", .time), ParameterRule("updated_at", .time),
        ParameterRule("discussion_locked", .boolean),
        ParameterRule("issue_type", .choice(["issue", "incident", "test_case", "task"])),
        ParameterRule("weight", .integer), ParameterRule("epic_id", .integer),
        ParameterRule("merge_request_to_resolve_discussions_of", .integer),
        ParameterRule("discussion_to_resolve", .text),
    ]

    private static let hookText =
        [ParameterRule("name", .text), ParameterRule("description", .text), ParameterRule("token", .text)]
        + (["enable_ssl_verification"] + ProjectHook.switches.map(\.name)).map { ParameterRule($0, .boolean) }

    private static let milestoneText = [
        ParameterRule("description", .text), ParameterRule("due_date", .text), ParameterRule("start_date", .text),
    ]

    private static let milestones = [
        ParameterRule("state", .choice(["active", "closed", "all"]), standard: "all"), ParameterRule("iids", .list),
        ParameterRule("title", .text), ParameterRule("search", .text), ParameterRule("include_ancestors", .boolean),
        ParameterRule("include_parent_milestones", .boolean), ParameterRule("updated_before", .time),
        ParameterRule("updated_after", .time),
    ]

    /// The levels that there are here.
    private static let accessLevel = ParameterRule(
        "access_level",
        .choice(Role.allCases.map { "\($0.rawValue)" }),
        isRequired: true
    )

    private static let users =
        [ParameterRule("username", .text), ParameterRule("search", .text)]
        + [
            "active", "blocked", "external", "humans", "exclude_active", "exclude_humans", "without_project_bots",
        ].map { ParameterRule($0, .boolean) }

    private static let projects =
        [
            ParameterRule(
                "order_by",
                .choice([
                    "id", "name", "path", "created_at", "updated_at", "last_activity_at", "similarity", "star_count",
                ]),
                standard: "created_at"
            ),
            ParameterRule("sort", .choice(["asc", "desc"]), standard: "desc"),
            ParameterRule("visibility", .choice(ProjectVisibility.allCases.map(\.rawValue))),
            ParameterRule("search", .text), ParameterRule("topic", .text), ParameterRule("id_after", .integer),
            ParameterRule("id_before", .integer), ParameterRule("min_access_level", .integer),
        ]
        + ["simple", "membership", "owned", "starred", "archived", "search_namespaces"].map {
            ParameterRule($0, .boolean)
        }
        + [
            "updated_after", "updated_before", "last_activity_after", "last_activity_before",
        ].map { ParameterRule($0, .time) }
}
