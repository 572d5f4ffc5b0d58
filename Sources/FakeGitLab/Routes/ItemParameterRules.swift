/// What the lists of issues and merge requests declare (GitLab facts §7.2, supplement §2).
enum ItemParameterRules {
    /// Pairs that exclude each other.
    static func exclusive(_ kind: ItemKind, _ version: GitLabVersion) -> [[String]] {
        var pairs = [["author_id", "author_username"], ["assignee_id", "assignee_username"]]
        if kind == .issue {
            pairs.append(["milestone", "milestone_id"])
        } else {
            pairs.append(["reviewer_id", "reviewer_username"])
            if version.filtersDrafts { pairs.append(["wip", "draft"]) }
        }
        return pairs + pairs.map { $0.map { "not[\($0)]" } }
    }

    static func rules(
        _ kind: ItemKind,
        standardScope: String,
        _ version: GitLabVersion,
        _ edition: GitLabEdition
    ) -> [ParameterRule] {
        common(kind, standardScope, version, edition) + people(kind, edition) + negated(kind, edition)
            + (kind == .issue ? issueOnly(edition) : mergeRequestOnly(version, edition))
    }

    private static func common(
        _ kind: ItemKind,
        _ standardScope: String,
        _ version: GitLabVersion,
        _ edition: GitLabEdition
    ) -> [ParameterRule] {
        var scopes = ["created_by_me", "assigned_to_me", "all", "created-by-me", "assigned-to-me"]
        if kind == .mergeRequest, version.hasReviewsForMe { scopes.append("reviews_for_me") }
        let states = ["opened", "closed", "all"] + (kind == .mergeRequest ? ["merged", "locked"] : [])
        return [
            ParameterRule("order_by", .choice(orders(kind, version, edition)), standard: "created_at"),
            ParameterRule("sort", .choice(["asc", "desc"]), standard: "desc"),
            ParameterRule("scope", .choice(scopes), standard: standardScope),
            ParameterRule("state", .choice(states), standard: "all"),
            ParameterRule("with_labels_details", .boolean, standard: "false"),
            ParameterRule("created_after", .time), ParameterRule("created_before", .time),
            ParameterRule("updated_after", .time), ParameterRule("updated_before", .time),
            ParameterRule("iids", .integerList), ParameterRule("labels", .list), ParameterRule("milestone", .text),
            ParameterRule("search", .text), ParameterRule("in", .choices(["title", "description"])),
            ParameterRule("my_reaction_emoji", .text), ParameterRule("non_archived", .boolean),
        ]
    }

    private static func orders(_ kind: ItemKind, _ version: GitLabVersion, _ edition: GitLabEdition) -> [String] {
        var orders = ["created_at", "updated_at", "title", "label_priority", "milestone_due", "popularity", "priority"]
        if kind == .issue {
            orders += ["due_date", "relative_position"] + (edition == .enterprise ? ["weight"] : [])
        } else if version.ordersByMerge {
            orders.append("merged_at")
        }
        return orders
    }

    private static func people(_ kind: ItemKind, _ edition: GitLabEdition) -> [ParameterRule] {
        let assignees: ParameterRule.Kind = kind == .issue && edition == .enterprise ? .list : .single
        let both = [
            ParameterRule("author_id", .integer), ParameterRule("author_username", .text),
            ParameterRule("assignee_id", .integerNoneAny), ParameterRule("assignee_username", assignees),
        ]
        guard kind == .mergeRequest else { return both }
        return both + [ParameterRule("reviewer_id", .integerNoneAny), ParameterRule("reviewer_username", .text)]
    }

    /// `not[…]`: the assignee of an issue is a number here.
    private static func negated(_ kind: ItemKind, _ edition: GitLabEdition) -> [ParameterRule] {
        let both = [
            ParameterRule("not[author_id]", .integer), ParameterRule("not[author_username]", .text),
            ParameterRule("not[assignee_id]", kind == .issue ? .integer : .integerNoneAny),
            ParameterRule("not[assignee_username]", .list), ParameterRule("not[labels]", .list),
            ParameterRule("not[milestone]", .text), ParameterRule("not[my_reaction_emoji]", .text),
        ]
        guard kind == .issue else {
            return both + [
                ParameterRule("not[reviewer_id]", .integerNoneAny), ParameterRule("not[reviewer_username]", .text),
            ]
        }
        return both + [
            ParameterRule("not[milestone_id]", .choice(milestoneIDs)), ParameterRule("not[iids]", .integerList),
        ]
    }

    private static let milestoneIDs = ["None", "Any", "Upcoming", "Started"]

    private static func issueOnly(_ edition: GitLabEdition) -> [ParameterRule] {
        let dates = [
            "0", "any", "today", "tomorrow", "overdue", "week", "month", "next_month_and_previous_two_weeks", "",
        ]
        let rules = [
            ParameterRule("confidential", .boolean), ParameterRule("milestone_id", .choice(milestoneIDs)),
            ParameterRule("due_date", .choice(dates)),
            ParameterRule("issue_type", .choice(["issue", "incident", "test_case", "task"])),
        ]
        guard edition == .enterprise else { return rules }
        return rules + ["weight", "epic_id", "health_status", "iteration_id"].map { ParameterRule($0, .text) }
    }

    private static func mergeRequestOnly(_ version: GitLabVersion, _ edition: GitLabEdition) -> [ParameterRule] {
        var rules = [
            ParameterRule("wip", .choice(["yes", "no"])), ParameterRule("view", .choice(["simple"])),
            ParameterRule("source_branch", .text), ParameterRule("target_branch", .text),
            ParameterRule("source_project_id", .integer), ParameterRule("with_merge_status_recheck", .boolean),
            ParameterRule("render_html", .boolean), ParameterRule("environment", .text),
            ParameterRule("deployed_after", .time), ParameterRule("deployed_before", .time),
        ]
        if version.filtersDrafts { rules.append(ParameterRule("draft", .boolean)) }
        if version.ordersByMerge {
            rules += [
                ParameterRule("merged_after", .time), ParameterRule("merged_before", .time),
                ParameterRule("merge_user_id", .integer), ParameterRule("merge_user_username", .text),
            ]
        }
        guard edition == .enterprise else { return rules }
        return rules + [ParameterRule("approved_by_ids", .list), ParameterRule("approver_ids", .list)]
    }
}
