import Platform

/// What must be known of an item to find its rows in the activity feed.
struct ItemOrigin: Hashable, Sendable {
    /// Of a merge request from the same project; a push to a fork stands in the fork's feed.
    var sourceBranch: String?
    /// When the item was opened.
    var openedAt: WallTime?
}

/// Which item a row of the feed is about, and what it says (GitLab facts §12.1).
extension EventRow {
    /// The issue or merge request named by the row. Comments name it in their note alone; a push names none.
    func item(in project: ProjectID) -> ItemReference? {
        guard projectID ?? project.rawValue == project.rawValue else { return nil }
        if isComment {
            return comment.flatMap { Self.item(project, type: $0.noteableType, iid: $0.noteableIID) }
        }
        return Self.item(project, type: targetType, iid: targetIID)
    }

    /// Whether the row is about `item`; a push is when it went to the item's branch.
    func concerns(_ item: ItemReference, _ origin: ItemOrigin) -> Bool {
        if let push {
            guard projectID ?? item.project.rawValue == item.project.rawValue, push.refType == "branch" else {
                return false
            }
            return actionName == "pushed to" && item.kind == .mergeRequest && push.ref == origin.sourceBranch
        }
        return self.item(in: item.project) == item
    }

    /// What happened, nil for what is no news about an item that is watched. A reopening is written as `opened`, like the
    /// opening that began the item's life.
    func action(_ origin: ItemOrigin) -> Action? {
        switch actionName {
        case "closed": .closed
        case "accepted", "merged": .merged
        case "approved": .approved
        case "reopened": .reopened
        case "opened", "created": isOpening(origin) ? nil : .reopened
        case "pushed to": push == nil ? nil : .pushed
        case "pushed new", "deleted": nil
        default: .other(actionName)
        }
    }

    var isComment: Bool {
        comment != nil || ["Note", "DiffNote", "DiscussionNote"].contains(targetType)
    }

    /// The event of an opening is written together with the item.
    private static let openingMargin = Duration.minutes(1)

    private func isOpening(_ origin: ItemOrigin) -> Bool {
        guard let createdAt, let openedAt = origin.openedAt else { return false }
        return createdAt < openedAt.advanced(by: Self.openingMargin)
    }

    private static func item(_ project: ProjectID, type: String, iid: Int64?) -> ItemReference? {
        guard let iid, iid > 0 else { return nil }
        switch type {
        case "MergeRequest": return ItemReference(project: project, kind: .mergeRequest, iid: iid)
        case "Issue", "WorkItem": return ItemReference(project: project, kind: .issue, iid: iid)
        default: return nil
        }
    }
}

extension FactRules {
    /// A row of the feed that concerns a watched item; nil when it says nothing.
    ///
    /// A comment is the same fact as its note, whatever the feed's own number. Anything else that happened before
    /// `coveredBefore` was read from the item's own lists.
    func candidate(
        _ event: EventRow,
        on watched: WatchedItem,
        _ origin: ItemOrigin,
        at moment: Moment,
        coveredBefore: WallTime
    ) -> Candidate? {
        if event.isComment {
            guard let comment = event.comment else { return nil }
            var candidate = candidate(comment.note, on: watched, at: moment)
            candidate?.fact.source = .event
            candidate?.fact.sourceID = event.id
            return candidate
        }
        guard let action = event.action(origin) else { return nil }
        let fact = Fact(
            key: .event(watched.item.project, event.id),
            action: action,
            actor: Actor(event.author),
            item: watched.item,
            itemTitle: watched.title,
            projectPath: watched.projectPath,
            webURL: watched.webURL,
            body: nil,
            occurredAt: event.createdAt ?? moment.now,
            source: .event,
            sourceID: event.id
        )
        var candidate = judged(Candidate(fact: fact), actor: event.author, isImported: event.isImported, at: moment)
        candidate.report = report(action, by: event.author, on: watched.item, source: .feed)
        if candidate.suppression == nil, fact.occurredAt < coveredBefore { candidate.suppression = .covered }
        return candidate
    }
}
