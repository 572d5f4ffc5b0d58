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

    /// Reading these is also allowed to a token with `read_user` only (GitLab facts §2).
    var acceptsReadUser: Bool {
        switch self {
        case .version, .metadata, .user, .ownEvents, .userEvents: true
        default: false
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

    /// Names and values of the path's parameters; nil when the path does not fit.
    func match(_ path: [Substring]) -> [(name: String, value: String)]? {
        guard path.count == segments.count else { return nil }
        var parameters: [(name: String, value: String)] = []
        for (segment, given) in zip(segments, path) {
            if segment.utf8.first == UInt8(ascii: ":") {
                guard let value = PercentEncoding.decode(given) else { return nil }
                parameters.append((String(segment.dropFirst()), value))
            } else if segment.utf8.count != given.utf8.count || !segment.utf8.elementsEqual(given.utf8) {
                return nil
            }
        }
        return parameters
    }
}
