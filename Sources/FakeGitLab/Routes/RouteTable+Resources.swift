/// Routes around the items: who is there, and what items are sorted by.
extension RouteTable {
    static let people: [Entry] = [
        ("GET", "/projects", .projects, .issue),
        ("GET", "/users", .users, .issue),
        ("GET", "/users/:id", .userByID, .issue),
        ("GET", "/notification_settings", .notificationSettings, .issue),
        ("PUT", "/notification_settings", .updateNotificationSettings, .issue),
        ("GET", "/projects/:id/notification_settings", .notificationSettings, .issue),
        ("PUT", "/projects/:id/notification_settings", .updateNotificationSettings, .issue),
        ("GET", "/projects/:id/members", .members, .issue),
        ("POST", "/projects/:id/members", .createMember, .issue),
        ("GET", "/projects/:id/members/all", .members, .issue),
        ("GET", "/projects/:id/members/:user_id", .member, .issue),
        ("GET", "/projects/:id/members/all/:user_id", .member, .issue),
        ("PUT", "/projects/:id/members/:user_id", .updateMember, .issue),
        ("DELETE", "/projects/:id/members/:user_id", .deleteMember, .issue),
    ]

    static let metadata: [Entry] = [
        ("GET", "/projects/:id/labels", .labels, .issue),
        ("POST", "/projects/:id/labels", .createLabel, .issue),
        ("PUT", "/projects/:id/labels", .updateLabel, .issue),
        ("DELETE", "/projects/:id/labels", .deleteLabel, .issue),
        ("GET", "/projects/:id/labels/:name", .label, .issue),
        ("PUT", "/projects/:id/labels/:name", .updateLabel, .issue),
        ("DELETE", "/projects/:id/labels/:name", .deleteLabel, .issue),
        ("GET", "/projects/:id/milestones", .milestones, .issue),
        ("POST", "/projects/:id/milestones", .createMilestone, .issue),
        ("GET", "/projects/:id/milestones/:milestone_id", .milestone, .issue),
        ("PUT", "/projects/:id/milestones/:milestone_id", .updateMilestone, .issue),
        ("DELETE", "/projects/:id/milestones/:milestone_id", .deleteMilestone, .issue),
        ("GET", "/projects/:id/milestones/:milestone_id/issues", .milestoneItems, .issue),
        ("GET", "/projects/:id/milestones/:milestone_id/merge_requests", .milestoneItems, .mergeRequest),
    ]

    /// What hangs on items beside their notes, and writing issues.
    static let changes: [Entry] =
        awards(.issue) + awards(.mergeRequest) + [
            ("POST", "/projects/:id/issues", .createIssue, .issue),
            ("PUT", "/projects/:id/issues/:issue_iid", .updateIssue, .issue),
            ("DELETE", "/projects/:id/issues/:issue_iid", .deleteIssue, .issue),
            ("POST", "/projects/:id/issues/:issue_iid/move", .moveIssue, .issue),
            ("GET", "/projects/:id/issues/:issue_iid/participants", .participants, .issue),
            ("GET", "/projects/:id/merge_requests/:merge_request_iid/participants", .participants, .mergeRequest),
            ("GET", "/projects/:id/merge_requests/:merge_request_iid/reviewers", .reviewers, .mergeRequest),
            ("GET", "/projects/:id/merge_requests/:merge_request_iid/commits", .commits, .mergeRequest),
            ("GET", "/projects/:id/merge_requests/:merge_request_iid/versions", .versions, .mergeRequest),
            (
                "GET", "/projects/:id/merge_requests/:merge_request_iid/versions/:version_id", .versionDetail,
                .mergeRequest
            ),
        ]

    private static func awards(_ kind: ItemKind) -> [Entry] {
        let item = "/projects/:id/\(kind.folder)/:\(kind == .issue ? "issue" : "merge_request")_iid"
        return [item, "\(item)/notes/:note_id"].flatMap { awardable in
            [
                ("GET", "\(awardable)/award_emoji", .awards, kind),
                ("POST", "\(awardable)/award_emoji", .createAward, kind),
                ("GET", "\(awardable)/award_emoji/:award_id", .award, kind),
                ("DELETE", "\(awardable)/award_emoji/:award_id", .deleteAward, kind),
            ] as [Entry]
        }
    }

    static let hooks: [Entry] = [
        ("POST", "/personal_access_tokens/self/rotate", .rotateToken, .issue),
        ("GET", "/projects/:id/hooks", .hooks, .issue),
        ("POST", "/projects/:id/hooks", .createHook, .issue),
        ("GET", "/projects/:id/hooks/:hook_id", .hook, .issue),
        ("PUT", "/projects/:id/hooks/:hook_id", .updateHook, .issue),
        ("DELETE", "/projects/:id/hooks/:hook_id", .deleteHook, .issue),
    ]
}
