import Platform

/// Who may see what.
extension InstanceState {
    func role(of person: Int, in project: Int) -> Role? { projects[project].members[person] }

    func canRead(project: Int, _ person: Int) -> Bool {
        projects[project].visibility != .private || projects[project].members[person] != nil
    }

    /// Guests of a private project see no merge requests; a confidential issue is for its author, its assignees and
    /// reporters upwards (GitLab facts §2, §8.2).
    func canRead(item index: Int, _ person: Int) -> Bool {
        let project = items[index].project
        guard canRead(project: project, person) else { return false }
        let role = projects[project].members[person]
        if items[index].kind == .mergeRequest {
            return projects[project].visibility != .private || (role ?? .guest) >= .reporter
        }
        guard items[index].row.current.isConfidential else { return true }
        return isInvolved(person, in: index) || (role ?? .guest) >= .reporter
    }

    func canRead(_ note: Note, on item: Int, _ person: Int) -> Bool {
        if let referring = note.referringItem { return canRead(item: referring, person) }
        guard note.isInternal else { return true }
        let role = projects[items[item].project].members[person] ?? .guest
        return role >= .reporter || isInvolved(person, in: item)
    }

    /// Author or assignee.
    func isInvolved(_ person: Int, in item: Int) -> Bool {
        items[item].author == person || items[item].row.current.assignees.contains(person)
    }

    /// Reporters see pipelines of private projects.
    func canReadPipelines(of project: Int, _ person: Int) -> Bool {
        projects[project].visibility != .private || (projects[project].members[person] ?? .guest) >= .reporter
    }

    /// Developers may approve, but not their own merge request.
    func canApprove(_ item: Int, _ person: Int) -> Bool {
        items[item].author != person && (projects[items[item].project].members[person] ?? .guest) >= .developer
    }

    func hasApproved(_ fields: ItemFields, _ person: Int) -> Bool {
        fields.approvals.contains { $0.person == person }
    }

    /// An explicit row wins; otherwise participants are subscribed (GitLab facts §13).
    func isSubscribed(_ person: Int, to item: Int) -> Bool {
        if let explicit = items[item].subscriptions[person] { return explicit }
        return isInvolved(person, in: item) || items[item].participants.contains(person)
            || items[item].row.current.reviewers.contains(person)
    }
}
