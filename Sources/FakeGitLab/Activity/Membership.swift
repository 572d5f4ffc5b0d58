import Platform

extension FakeGitLab {
    /// Gives a person a role in a project, changes it, or takes it away when `role` is nil.
    ///
    /// Who loses access gets 404 at once, and loses the to-dos there an hour later unless access returns (GitLab facts
    /// §6.1).
    @discardableResult
    package func setRole(of username: String, in project: String, to role: Role?, by actor: String) throws -> Activity {
        try act {
            try $0.setRole(of: $0.person(username), in: $0.project(project), to: role, by: $0.person(actor), at: $1)
        }
    }

    /// Subscribes a person to an item, or unsubscribes them, explicitly (GitLab facts §13).
    @discardableResult
    func setSubscription(of username: String, to item: ItemReference, _ isSubscribed: Bool) throws -> Activity {
        try act { try $0.setSubscription(of: $0.person(username), to: $0.item(item), isSubscribed, at: $1) }
    }

    /// Blocks or unblocks an account, or puts it into another state; takes effect at once.
    package func setAccountState(of username: String, to accountState: AccountState) throws {
        try act { state, _ in
            state.people[try state.person(username)].state = accountState
            state.invalidateEverything()
        }
    }

    /// Changes a username; ids stay (GitLab facts §1).
    func rename(_ username: String, to newUsername: String) throws {
        try act { state, _ in
            let index = try state.person(username)
            try state.requireUnused(newUsername)
            state.peopleByUsername[username] = nil
            state.peopleByUsername[newUsername] = index
            state.people[index].username = newUsername
            state.invalidateEverything()
        }
    }

    /// Moves a project to another path; the old one answers with a redirect from 16.7 on (GitLab facts §1).
    func moveProject(_ path: String, to newPath: String) throws {
        try act { state, _ in
            let index = try state.project(path)
            try state.requireUnusedPath(newPath)
            state.projectsByPath[path] = nil
            state.projectsByPath[newPath] = index
            state.formerPaths[path] = index
            state.projects[index].path = newPath
            state.invalidateEverything()
        }
    }

    /// Upgrades (or downgrades) the instance while it runs; what was rendered before is rendered anew.
    func setVersion(_ version: GitLabVersion) {
        act { state, _ in
            state.version = version
            state.invalidateEverything()
        }
    }
}

extension InstanceState {
    mutating func setRole(
        of person: Int,
        in project: Int,
        to role: Role?,
        by actor: Int,
        at now: WallTime
    ) throws -> Activity {
        guard projects[project].members[person] != role else {
            throw FakeGitLabError(.wrongState, "The role is that already.", hint: "Leave it as it is.")
        }
        var draft = draft(.membershipChanged, by: actor, on: nil, at: now)
        let could = canRead(project: project, person)
        let wasMember = projects[project].members[person] != nil
        projects[project].members[person] = role
        if !wasMember { projects[project].joinedAt[person] = now }
        let can = canRead(project: project, person)
        if could != can { scheduleTodoDeletion(of: person, in: project, regained: can, at: now) }
        if wasMember != (role != nil) {
            let action: FeedEvent.Action = role == nil ? .left : .joined
            let event = FeedEvent(action: action, author: person, project: project, createdAt: now, target: .membership)
            append(event, visibleFrom: now, now: now)
        }
        invalidateEverything()
        draft.concerned = [person]
        draft.body = role.map { "made \(people[person].username) a \($0)" } ?? "removed \(people[person].username)"
        return conclude(draft)
    }

    mutating func setSubscription(of person: Int, to item: Int, _ isSubscribed: Bool, at now: WallTime) throws
        -> Activity
    {
        try requireAccess(person, to: item)
        var draft = draft(.subscriptionChanged, by: person, on: item, at: now)
        items[item].subscriptions[person] = isSubscribed
        itemLooksDifferent(item, at: now, now: now)
        draft.body = isSubscribed ? "subscribed" : "unsubscribed"
        return conclude(draft)
    }
}
