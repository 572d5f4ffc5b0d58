package import Platform

/// An item whose day by which it is due has changed although nothing was done to it.
package struct MovedDueDate: Equatable, Sendable {
    package let item: Activity.ItemSummary
    /// As it is from then on.
    package let due: Activity.DueState
}

extension FakeGitLab {
    /// Moves the last day of a milestone, or takes it away when `date` is nil. That makes neither a note nor an event, and touches
    /// `updated_at` of the milestone alone: rows of its items tell another day under the same time (supplement §1.3, §4).
    ///
    /// - Parameters:
    ///   - username: who does it; at least a reporter.
    ///   - title: the milestone's.
    ///   - project: where it is.
    ///   - date: its last day from then on.
    /// - Returns: the items that are due by another day for that, in the order in which they were made.
    /// - Throws: `FakeGitLabError`.
    @discardableResult
    package func moveMilestone(
        by username: String,
        _ title: String,
        in project: String,
        to date: CivilDate?
    ) throws -> [MovedDueDate] {
        try act { state, now in
            let place = try state.project(project)
            let milestone = try state.milestone(title, project: place)
            try state.requireReporter(try state.person(username), in: place)
            return try state.moveMilestone(milestone, to: date, at: now)
        }
    }
}

extension InstanceState {
    /// Milestones are for reporters upwards (GitLab facts §2).
    fileprivate func requireReporter(_ person: Int, in project: Int) throws {
        let role = projects[project].members[person] ?? .guest
        guard people[person].state == .active, role >= .reporter else {
            throw FakeGitLabError(
                .notAllowed,
                "\(people[person].username) cannot change a milestone of \(projects[project].path).",
                hint: "Make the person a reporter of the project, or let someone else act."
            )
        }
    }

    fileprivate mutating func moveMilestone(
        _ milestone: Int,
        to date: CivilDate?,
        at now: WallTime
    ) throws -> [MovedDueDate] {
        guard milestones[milestone].dueDate != date else {
            throw FakeGitLabError(.wrongState, "The milestone's last day would not change.", hint: "Name another day.")
        }
        if let date, let start = milestones[milestone].startDate, date.wallTime() < start.wallTime() {
            throw FakeGitLabError(.invalidValue, "A milestone ends before it begins.", hint: "Name a later day.")
        }
        milestones[milestone].dueDate = date
        milestones[milestone].updatedAt = now
        expireMilestones(at: now)
        return items.indices.compactMap { index in
            let fields = items[index].row.current
            guard fields.milestone == milestone, fields.dueDate == nil else { return nil }
            return MovedDueDate(item: summary(of: index), due: dueState(of: index))
        }
    }
}
