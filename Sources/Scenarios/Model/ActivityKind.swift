/// What kind of thing was done in GitLab, or said by a program: what an action leads to, and what the record of a run tells.
package enum ActivityKind: String, Sendable, CaseIterable, Codable {
    case comment, reply, diffComment, reviewComment, editedComment, deletedComment, reaction, threadResolved
    case approved, unapproved, pushed, merged, closed, reopened
    case assigned, unassigned, reviewRequested, reviewRequestRemoved, approvalRequired
    case labelled, milestoneSet, dueDateChanged, titleChanged, markedDraft, markedReady
    case confidentialityChanged, moved, deleted, opened, pipelineFinished, imported, crossReference
    case autoMergeSet, unmergeable, other
    /// Not in GitLab at all.
    case signal
}
