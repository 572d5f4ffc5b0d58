package import Platform

/// An issue or merge request to be created.
package struct NewItem: Sendable, Hashable {
    /// Full path of the project.
    var project: String
    var kind: ItemKind
    /// Nil takes the next free one.
    var iid: Int64?
    var title: String
    var author: String
    var description: String?
    var assignees: [String]
    /// Merge requests only.
    var reviewers: [String]
    var labels: [String]
    var milestone: String?
    /// Issues only.
    var dueDate: CivilDate?
    var isConfidential: Bool
    var isDraft: Bool
    /// When it was created, in the past; nil is now.
    var createdAt: WallTime?

    package init(
        project: String,
        kind: ItemKind,
        iid: Int64? = nil,
        title: String,
        author: String,
        description: String? = nil,
        assignees: [String] = [],
        reviewers: [String] = [],
        labels: [String] = [],
        milestone: String? = nil,
        dueDate: CivilDate? = nil,
        isConfidential: Bool = false,
        isDraft: Bool = false,
        createdAt: WallTime? = nil
    ) {
        self.project = project
        self.kind = kind
        self.iid = iid
        self.title = title
        self.author = author
        self.description = description
        self.assignees = assignees
        self.reviewers = reviewers
        self.labels = labels
        self.milestone = milestone
        self.dueDate = dueDate
        self.isConfidential = isConfidential
        self.isDraft = isDraft
        self.createdAt = createdAt
    }
}

/// Building the world before anything happens: none of this enters the ledger or makes to-dos.
extension FakeGitLab {
    /// Creates an account.
    ///
    /// - Returns: Its id.
    /// - Throws: `FakeGitLabError` with `duplicateName` or `invalidValue`.
    @discardableResult
    package func addPerson(_ new: NewPerson) throws -> Int64 {
        try act { try $0.addPerson(new, at: $1) }
    }

    /// Creates a project with its members' roles.
    ///
    /// - Returns: Its id.
    /// - Throws: `FakeGitLabError` with `duplicateName`, `unknownPerson` or `invalidValue`.
    @discardableResult
    package func addProject(
        _ path: String,
        visibility: ProjectVisibility = .private,
        members: [String: Role] = [:]
    ) throws -> Int64 {
        try act { try $0.addProject(path, visibility: visibility, members: members, at: $1) }
    }

    /// Creates a label, known in every project.
    @discardableResult
    package func addLabel(_ name: String, color: String = "#428BCA") throws -> Int64 {
        try act { state, _ in
            guard !name.isEmpty, state.labelsByName[name] == nil else {
                throw FakeGitLabError(.duplicateName, "There is a label \"\(name)\".", hint: "Use another name.")
            }
            let label = Label(id: state.sequences.next(.label), name: name, color: color, project: nil)
            state.labelsByName[name] = state.labels.count
            state.labels.append(label)
            return label.id
        }
    }

    /// Deletes a label: its events stay with a null label (GitLab facts §10).
    func deleteLabel(_ name: String) throws {
        try act { state, now in
            guard let label = state.labelsByName[name] else {
                throw FakeGitLabError(.invalidValue, "There is no label \"\(name)\".", hint: "Add the label first.")
            }
            state.deleteLabel(label, at: now)
        }
    }

    /// Creates a milestone of a project, from its first to its last day.
    @discardableResult
    package func addMilestone(
        _ title: String,
        in project: String,
        startDate: CivilDate? = nil,
        dueDate: CivilDate? = nil
    ) throws -> Int64 {
        try act { state, now in
            let project = try state.project(project)
            guard !title.isEmpty, state.milestoneIndex(title, in: project) == nil else {
                throw FakeGitLabError(.duplicateName, "There is a milestone \"\(title)\".", hint: "Use another title.")
            }
            let index = state.insertMilestone(title, in: project, at: now)
            state.milestones[index].startDate = startDate
            state.milestones[index].dueDate = dueDate
            if dueDate != nil { state.expireMilestones(at: now) }
            return state.milestones[index].id
        }
    }

    /// Creates an item that was there before; `open` is the activity.
    @discardableResult
    package func addItem(_ new: NewItem) throws -> ItemReference {
        try act { state, now in
            let index = try state.add(new, at: now)
            return state.items[index].reference(in: state.projects)
        }
    }

    /// Gives an item old comments, the last of them `interval` ago, the authors taking turns.
    package func addHistory(
        of count: Int,
        to item: ItemReference,
        by authors: [String],
        every interval: Duration = .hours(1)
    ) throws {
        try act { try $0.addHistory(of: count, to: $0.item(item), by: authors.map($0.person), every: interval, at: $1) }
    }

    /// Issues a personal access token. `expiresOn` is the date from whose start in UTC it is dead (GitLab facts §2).
    ///
    /// - Returns: Its id.
    @discardableResult
    package func addToken(
        _ secret: String,
        for username: String,
        name: String = "notifier",
        scopes: [TokenScope] = [.api],
        expiresOn: CivilDate? = nil,
        state tokenState: TokenState = .valid
    ) throws -> Int64 {
        try act { state, now in
            let person = try state.person(username)
            guard !secret.isEmpty, state.tokens[secret] == nil else {
                throw FakeGitLabError(.duplicateName, "That token is in use.", hint: "Use another secret.")
            }
            var token = Token(
                id: state.sequences.next(.token),
                secret: secret,
                person: person,
                name: name,
                scopes: scopes,
                createdAt: now
            )
            token.expiresAt = expiresOn.map { CivilDate(year: $0.year, month: $0.month, day: $0.day).wallTime() }
            token.state = tokenState
            state.tokens[secret] = token
            return token.id
        }
    }
}
