import Platform

/// Decides for each new fact whether it is told now, at the end of the quiet hours, or not at all.
///
/// Looks at the settings as they are when the fact is recorded, not when it happened: after an outage of GitLab the person
/// is told what they want to know now. Nothing but own and backdated actions, which ``FactRules`` knows, is decided elsewhere.
struct NotificationRules: Sendable {
    enum Verdict: Hashable, Sendable {
        case notify
        /// Told with others at the end of the quiet hours.
        case hold
        case suppression(Candidate.SuppressionReason)
    }

    var settings: PersonSettings
    /// Of all items that the facts are about.
    var items: [ItemReference: ItemStanding]
    /// GitLab's numbers of people who are not heard.
    var deniedActors: Set<Int64>
    /// When it stops being quiet; nil when it is not quiet now.
    var quietUntil: WallTime?
    var now: WallTime
    /// Programs that are not heard for a while, as ``Actor/id`` numbers them.
    var mutedPrograms: Set<Int64> = []
    /// The ids of duties that are not heard for a while.
    var mutedDuties: Set<String> = []

    func verdict(on fact: Fact) -> Verdict {
        if let suppression = suppression(item: fact.item, actor: fact.actor.id, duty: fact.duty?.duty) {
            return .suppression(suppression)
        }
        guard quietUntil != nil, !(settings.isUrgentBypassOn && fact.action.isUrgent) else { return .notify }
        return .hold
    }

    /// Whether the fact makes its item one to be watched: the person is newly tagged there and wants that.
    func wantsWatch(_ fact: Fact) -> Bool {
        guard settings.isAutoWatchOn, fact.action.isTagging, let item = fact.item else { return false }
        // Whoever was tagged before they unwatched it has chosen since, however late the tag is found.
        if let unwatchedAt = items[item]?.unwatchedAt, fact.occurredAt < unwatchedAt { return false }
        return items[item]?.isWatched != true
    }

    /// Why nothing of that item, person or duty is notified; also asked of held facts before they are notified after all.
    func suppression(item: ItemReference?, actor: Int64, duty: String?) -> Candidate.SuppressionReason? {
        if deniedActors.contains(actor) { return .deniedActor }
        if mutedPrograms.contains(actor) { return .muted }
        if let duty, mutedDuties.contains(duty) { return .mutedDuty }
        guard let standing = item.flatMap({ items[$0] }) else { return nil }
        if standing.isDismissed { return .dismissed }
        if let end = standing.mutedUntil, now < end { return .muted }
        return nil
    }
}

extension Action {
    /// True for what may break quiet hours: somebody waits for this very person. A program can wait until they are awake.
    var isUrgent: Bool {
        switch self {
        case .mentioned, .reviewRequested: true
        default: false
        }
    }

    /// True for what makes an item concern the person that did not before.
    var isTagging: Bool {
        switch self {
        case .mentioned, .assigned, .reviewRequested: true
        default: false
        }
    }
}
