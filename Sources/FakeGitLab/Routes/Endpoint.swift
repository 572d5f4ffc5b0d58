/// What a route answers.
enum Endpoint: UInt8, Sendable, CaseIterable {
    case version, metadata, user, tokenSelf, project
    case allItems, projectItems, item
    case notes, note, createNote, updateNote, deleteNote
    case discussions, discussion, createDiscussion, replyToDiscussion, resolveDiscussion
    case stateEvents, stateEvent, labelEvents, labelEvent, milestoneEvents, milestoneEvent
    case approvals, approvalState, approve, unapprove, pipelines
    case ownEvents, userEvents, projectEvents
    case todos, completeTodo, completeAllTodos, createTodo
    case subscribe, unsubscribe
    case projects, users, userByID, notificationSettings, updateNotificationSettings
    case labels, label, createLabel, updateLabel, deleteLabel
    case milestones, milestone, milestoneItems, createMilestone, updateMilestone, deleteMilestone
    case awards, award, createAward, deleteAward
    case versions, versionDetail, commits, participants, reviewers
    case createIssue, updateIssue, deleteIssue, moveIssue
    case rotateToken
    case hooks, hook, createHook, updateHook, deleteHook
    case members, member, createMember, updateMember, deleteMember

    /// Reading these is also allowed to a token with `read_user` only (GitLab facts §2).
    var acceptsReadUser: Bool {
        switch self {
        case .version, .metadata, .user, .ownEvents, .userEvents, .users, .userByID: true
        default: false
        }
    }

    /// What a request without a token is told (GitLab facts §2, supplement §1.4).
    var anonymousRefusal: APIError {
        switch self {
        case .users: .message(403, "403 Forbidden - Not authorized to access /api/v4/users")
        case .userByID: .message(403, "403 Forbidden - Not authorized!")
        default: .unauthorized
        }
    }

    /// Works with any scope (GitLab facts §5.3).
    var acceptsEveryScope: Bool { self == .tokenSelf }
}

/// One route: a method, a path below `/api/v4`, and what answers it.
struct Route: Sendable {
    let index: Int
    let method: String
    /// Such as `/projects/:id/issues/:issue_iid`.
    let template: String
    let segments: [String]
    let endpoint: Endpoint
    let kind: ItemKind

    /// As counts and reports name it.
    var name: String { "\(method) \(template)" }

    var isRead: Bool { method == "GET" }

    /// Whether the fixed segments are those of a path of the same length.
    func fits(_ path: [Substring]) -> Bool {
        for (segment, given) in zip(segments, path) where segment.utf8.first != UInt8(ascii: ":") {
            if segment.utf8.count != given.utf8.count || !segment.utf8.elementsEqual(given.utf8) { return false }
        }
        return true
    }

    /// Names and values of the parameters of a path that fits; nil when one cannot be decoded.
    func match(_ path: [Substring]) -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        for (segment, given) in zip(segments, path) where segment.utf8.first == UInt8(ascii: ":") {
            guard let value = PercentEncoding.decode(given) else { return nil }
            parameters.append((String(segment.dropFirst()), value))
        }
        return parameters
    }
}
