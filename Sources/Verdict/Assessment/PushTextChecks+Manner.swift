/// Whether a push comes to its reader's notice as docs/notification-rules.md has it: how much it may disturb, with which buttons, beside what.
extension PushTextChecks {
    /// What asks the person to do something, by its `actionType`; such a push may break through a focus.
    private static let urgent: Set<String> = [
        "mentioned", "assigned", "review_requested", "approval_required", "approval_needed", "duty_due",
    ]

    /// What is wrong with how a push of these facts comes; nil when nothing is.
    func mannerFault(_ content: PushContent, _ label: PushLabel, _ facts: [[Told]]) -> String? {
        guard let manner = content.manner else { return nil }
        guard levels(content, label, facts).contains(manner.level) else {
            return "disturbs wrongly (\(manner.level))"
        }
        guard manner.isAudible == (manner.level != "passive") else {
            return manner.isAudible ? "makes a sound though it is passive" : "makes no sound"
        }
        guard manner.category == Self.category(of: label) else { return "has the buttons of \(manner.category)" }
        guard Self.isFiled(content, label, under: manner.thread) else { return "is filed under \(manner.thread)" }
        return nil
    }

    /// How much a push may disturb: one level, or two where it may tell of what is urgent, or not.
    private func levels(_ content: PushContent, _ label: PushLabel, _ facts: [[Told]]) -> Set<String> {
        switch label.type {
        case "reminder", "auth_expired": return ["time-sensitive"]
        case "service_recovered": return ["passive"]
        case "activity", "signal", "duty": break
        default: return ["active"]
        }
        if Self.urgent.contains(label.actionType) { return ["time-sensitive"] }
        guard label.count > 1 else { return ["active"] }
        let names = facts.map(Self.names(of:))
        if names.contains(where: { !$0.isEmpty && $0.isSubset(of: Self.urgent) }) { return ["time-sensitive"] }
        let isCalm = names.allSatisfy { !$0.isEmpty && $0.isDisjoint(with: Self.urgent) }
        return isCalm && !content.isTruncated && !names.isEmpty ? ["active"] : ["active", "time-sensitive"]
    }

    /// Done and Later for what can be settled, Watch and Dismiss for a tag on what is not watched.
    private static func category(of label: PushLabel) -> String {
        if label.hasAsk || label.type == "reminder" { return "GITLAB_ASK" }
        return label.isNewMention ? "GITLAB_NEW_MENTION" : "GITLAB_ACTIVITY"
    }

    /// Whether it stands with what else is about its item, or its program's run, its duty, its project. A name that is too long is cut.
    private static func isFiled(_ content: PushContent, _ label: PushLabel, under thread: String) -> Bool {
        if label.type == digest || PushContent.servicesOwn.contains(label.type) {
            return thread == (label.type == digest ? digest : "service")
        }
        if let target = content.target {
            return label.projectID.map { thread == "\($0)/\(target.itemType)/\(target.itemNumber)" } ?? false
        }
        if let duty = label.duty { return thread == "duty/\(duty)" }
        let key = (content.factKeys.last ?? "").split(separator: "/", omittingEmptySubsequences: false)
        switch String(key[0]) {
        case "duty": return thread.hasPrefix("duty/")
        case "signal" where key.count > 1:
            let program = "signal/\(key[1])"
            // A reminder does not say of which run it is.
            guard let run = label.run else {
                return thread == program || content.reminder != nil && thread.hasPrefix(program + "/")
            }
            let beginning = thread.hasSuffix("…") ? thread.dropLast() : thread[...]
            return beginning.hasPrefix(program) && "\(program)/\(run)".hasPrefix(beginning)
        default: return thread.hasPrefix("project/") || thread.hasPrefix("address/")
        }
    }
}
