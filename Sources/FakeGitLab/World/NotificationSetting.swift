/// How much GitLab writes to a person by e-mail; to-dos do not depend on it (GitLab facts §13).
enum NotificationLevel: String, Sendable, CaseIterable {
    case disabled, participating, watch, global, mention, custom

    /// As `permissions` of a project have it (supplement §1.4).
    var number: Int {
        switch self {
        case .disabled: 0
        case .participating: 1
        case .watch: 2
        case .global: 3
        case .mention: 4
        case .custom: 5
        }
    }
}

/// One person's setting, for everything or for one project.
struct NotificationSetting: Sendable {
    /// Whose it is, and for which project; nil for everything.
    struct Key: Hashable, Sendable {
        let person: Int
        let project: Int?
    }

    /// What can be switched at the level `custom`, with what holds while nobody has (supplement §1.5).
    static let events: [(name: String, standard: Bool)] = [
        ("new_release", false), ("new_note", false), ("new_issue", false), ("reopen_issue", false),
        ("close_issue", false), ("reassign_issue", false), ("issue_due", false), ("new_merge_request", false),
        ("push_to_merge_request", false), ("reopen_merge_request", false), ("close_merge_request", false),
        ("reassign_merge_request", false), ("change_reviewer_merge_request", false), ("merge_merge_request", false),
        ("failed_pipeline", true), ("fixed_pipeline", true), ("success_pipeline", false), ("moved_project", false),
        ("merge_when_pipeline_succeeds", false),
    ]

    var level: NotificationLevel
    /// Nil for the person's own address.
    var email: String?
    var switches: [String: Bool] = [:]
}

extension InstanceState {
    /// What holds without a row: `participating` for everything, `global` for a project.
    func notificationSetting(of person: Int, in project: Int?) -> NotificationSetting {
        notificationSettings[NotificationSetting.Key(person: person, project: project)]
            ?? NotificationSetting(level: project == nil ? .participating : .global)
    }
}
