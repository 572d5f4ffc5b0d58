/// Kinds of activity on watched items that a person can switch on or off; the names of the settings and of the
/// configuration, which never change meaning.
///
/// What is addressed to the person (mentions, and everything that comes as a to-do) is none of them: it is always told.
package enum ActivityKind: String, Hashable, Sendable, CaseIterable {
    case comments, approvals, pushes
    /// Closes, reopenings and merges.
    case states
    /// Who is assigned. Off unless chosen: those concerned have a to-do of their own.
    case assignees
    /// Whose review is asked for. Off unless chosen, for the same reason.
    case reviewers
    case labels, milestones
    /// Pipelines of merge requests that succeeded or failed. Off unless chosen: each push makes one, and it costs a request
    /// per merge request and poll. The author of a merge request has a to-do for a failed one anyway.
    case pipelines

    /// What is told to a person who has chosen nothing.
    package static let standard: Set<ActivityKind> = [.comments, .approvals, .pushes, .states]

    /// Reads names separated by spaces; nil when one is unknown.
    package static func set(_ names: String) -> Set<ActivityKind>? {
        var kinds: Set<ActivityKind> = []
        for name in names.split(separator: " ") {
            guard let kind = ActivityKind(rawValue: String(name)) else { return nil }
            kinds.insert(kind)
        }
        return kinds
    }
}

extension NotifierConfiguration {
    /// ``activities`` as a set; the standard when a name is wrong, which validation refuses before.
    package var activitySet: Set<ActivityKind> { ActivityKind.set(activities) ?? ActivityKind.standard }
}
