import HTTP
import Platform

/// From endpoint to handler.
extension InstanceState {
    mutating func dispatch(_ call: Call) throws(APIError) -> RouteResponse {
        switch call.route.endpoint {
        case .version, .metadata: metadata(call)
        case .user: currentUser(call)
        case .tokenSelf: try tokenSelf(call)
        case .project: try projectAnswer(call)
        case .allItems, .projectItems: try itemList(call)
        case .item: try itemAnswer(call)
        case .notes: try noteList(call)
        case .note: try noteAnswer(call)
        case .createNote, .updateNote, .deleteNote: try writeNote(call)
        case .discussions: try discussionList(call)
        case .discussion: try discussionAnswer(call)
        case .createDiscussion, .replyToDiscussion, .resolveDiscussion: try writeDiscussion(call)
        case .stateEvents, .labelEvents, .milestoneEvents: try resourceEventList(call)
        case .stateEvent, .labelEvent, .milestoneEvent: try resourceEventAnswer(call)
        case .approvals: try approvals(call)
        case .approvalState: try approvalState(call)
        case .approve, .unapprove: try writeApproval(call)
        case .pipelines: try pipelineList(call)
        case .ownEvents, .userEvents, .projectEvents: try eventList(call)
        case .todos: try todoList(call)
        case .completeTodo, .completeAllTodos, .createTodo: try writeTodo(call)
        case .subscribe, .unsubscribe: try writeSubscription(call)
        case .projects: try projectList(call)
        case .users: try userList(call)
        case .userByID: try userAnswer(call)
        case .notificationSettings, .updateNotificationSettings: try notificationSettings(call)
        case .labels: try labelList(call)
        case .label, .createLabel, .updateLabel, .deleteLabel: try labelAnswer(call)
        case .milestones: try milestoneList(call)
        case .milestone, .milestoneItems, .createMilestone, .updateMilestone, .deleteMilestone:
            try milestoneAnswer(call)
        case .awards: try awardList(call)
        case .award, .createAward, .deleteAward: try awardAnswer(call)
        case .versions: try versionList(call)
        case .versionDetail: try versionAnswer(call)
        case .commits: try commitList(call)
        case .participants: try participantList(call)
        case .reviewers: try reviewerList(call)
        case .createIssue, .updateIssue, .deleteIssue, .moveIssue: try writeIssue(call)
        case .rotateToken: try rotateToken(call)
        case .hooks: try hookList(call)
        case .hook, .createHook, .updateHook, .deleteHook: try hookAnswer(call)
        case .members: try memberList(call)
        case .member, .createMember, .updateMember, .deleteMember: try memberAnswer(call)
        }
    }
}

/// Finding the records a call names, as its reader may see them.
extension InstanceState {
    func project(of call: Call) throws(APIError) -> Int {
        let text = call.parameters["id"] ?? ""
        var found = Int64(text).flatMap { projectsByID[$0] } ?? projectsByPath[text]
        if found == nil, let former = formerPaths[text], canRead(project: former, call.reader) {
            try redirect(call, to: former)
            found = nil
        }
        guard let index = found, canRead(project: index, call.reader) else { throw .notFound("Project") }
        return index
    }

    /// A moved project's old path (GitLab facts §1).
    private func redirect(_ call: Call, to project: Int) throws(APIError) {
        guard version.redirectsMovedProjects else { return }
        guard call.route.isRead else { throw .message(405, "Non GET methods are not allowed for moved projects") }
        let segments = call.path.split(separator: "/").enumerated().map { index, segment in
            index == 3 ? "\(projects[project].id)" : String(segment)
        }
        let query = call.request.query.map { "?" + $0 } ?? ""
        let location = "\(configuration.externalURL)/" + segments.joined(separator: "/") + query
        let body = "This resource has been moved permanently to \(location)"
        var error = APIError(status: 301, body: Array(body.utf8), contentType: "text/plain")
        error.headers["Location"] = location
        throw error
    }

    /// The issue or merge request of the path, whatever its parameter is called there.
    func item(of call: Call) throws(APIError) -> Int {
        let project = try project(of: call)
        let names = ["noteable_id", "eventable_id", "subscribable_id", "issue_iid", "merge_request_iid"]
        let iid = names.lazy.compactMap { call.parameters.integer($0) }.first ?? 0
        let table = call.route.kind == .issue ? projects[project].issues : projects[project].mergeRequests
        guard let index = table[iid], items[index].row.exists(at: call.instant),
            canRead(item: index, call.reader)
        else { throw .recordNotFound }
        return index
    }

    func fields(of item: Int, at instant: WallTime) -> ItemFields {
        items[item].row.value(at: instant) ?? items[item].row.current
    }

    /// A page of rows, newest or oldest first.
    func page(_ call: Call, of total: Int) throws(APIError) -> PageInfo {
        PageInfo(request: try PageRequest(call.parameters), total: total)
    }

    func writer(capacity: Int = 512) -> JSONWriter {
        JSONWriter(offsetSeconds: configuration.timeZoneOffsetSeconds, capacity: capacity)
    }
}

/// Calls that act on the world answer a refused action as the API does.
extension APIError {
    init(_ error: any Error) {
        guard let error = error as? FakeGitLabError else {
            self = .internalError
            return
        }
        switch error.code {
        case .unknownNote, .unknownTodo, .unknownItem, .unknownProject, .unknownPerson: self = .recordNotFound
        case .notAllowed: self = .forbidden
        case .invalidValue: self = .message(400, "400 Bad request - Note {:note=>[\"can't be blank\"]}")
        case .limitReached:
            self = .message(400, "400 Bad request - Note {:base=>[\"Maximum number of comments exceeded\"]}")
        default: self = .message(422, "422 Unprocessable Entity")
        }
    }

    /// Runs an action of the world.
    static func translating<Result>(_ body: () throws -> Result) throws(APIError) -> Result {
        do { return try body() } catch { throw APIError(error) }
    }
}
