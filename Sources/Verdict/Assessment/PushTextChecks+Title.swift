import Scenarios

/// Whether the title of a push of one fact says what happened, in words that are the verdict's own (docs/notification-rules.md).
extension PushTextChecks {
    /// What people are reminded of on an item.
    private static let asks: Set<String> = ["mentioned", "review_requested", "approval_required"]

    /// What is wrong with a title that tells of one fact on an item; nil when nothing is, or when it was cut.
    func titleFault(_ content: PushContent, _ label: PushLabel, _ fact: [Told]) -> String? {
        var types: Set<String> = [label.actionType]
        if content.reminder != nil {
            types = Self.names(of: fact)
            guard types.isSubset(of: Self.asks) else { return nil }
        }
        guard !content.isTruncated, !content.title.hasSuffix("…"), let item = fact[0].activity.item,
            fact.allSatisfy({ $0.activity.item == item })
        else { return nil }
        let endings = types.compactMap { Self.ending($0, of: Self.name(of: item)) }
        // What is called in a way that the verdict does not know may be said in any words.
        guard !endings.isEmpty, endings.count == types.count,
            !endings.contains(where: { content.title == $0 || content.title.hasSuffix(" " + $0) })
        else { return nil }
        return "does not say that it was \(types.sorted().joined(separator: " or "))"
    }

    /// How a title ends that says of an item that this happened there.
    private static func ending(_ type: String, of item: String) -> String? {
        switch type {
        case "commented": "commented on \(item)"
        case "mentioned": "mentioned you on \(item)"
        case "assigned": "assigned you to \(item)"
        case "review_requested": "requested your review on \(item)"
        case "approved": "approved \(item)"
        case "unapproved": "withdrew their approval of \(item)"
        case "merged": "merged \(item)"
        case "closed": "closed \(item)"
        case "reopened": "reopened \(item)"
        case "pushed": "pushed to \(item)"
        case "approval_required": "\(item) needs your approval"
        case "unmergeable": "\(item) cannot be merged"
        case "assignees_changed": "changed the assignees of \(item)"
        case "reviewers_changed": "changed the reviewers of \(item)"
        case "labels_changed": "changed the labels of \(item)"
        case "milestone_changed": "changed the milestone of \(item)"
        case "pipeline_succeeded": "The pipeline of \(item) succeeded"
        case "pipeline_failed", "build_failed": "The pipeline of \(item) failed"
        default: nil
        }
    }
}
