import Platform

/// What the rules made of new facts. Every one of them is in exactly one of the lists or counts.
struct RuleOutcome: Sendable {
    private(set) var notified: [Fact] = []
    private(set) var held: [Fact] = []
    private(set) var suppressed: [Candidate.SuppressionReason: [FactKey]] = [:]
    /// Items to be watched.
    private(set) var tagged: [Tag] = []

    /// `rules` is asked only when there is a fact.
    init(_ facts: [Fact], by rules: ([Fact]) throws -> NotificationRules) rethrows {
        guard !facts.isEmpty else { return }
        let rules = try rules(facts)
        for fact in facts {
            switch rules.verdict(on: fact) {
            case .notify: notified.append(fact)
            case .hold: held.append(fact)
            case .suppression(let reason):
                suppressed[reason, default: []].append(fact.key)
                continue
            }
            if rules.wantsWatch(fact), let item = fact.item { tag(item, at: fact.occurredAt) }
        }
    }

    /// The first of several tags on one item counts.
    private mutating func tag(_ item: ItemReference, at instant: WallTime) {
        if let place = tagged.firstIndex(where: { $0.item == item }) {
            tagged[place].at = min(tagged[place].at, instant)
        } else {
            tagged.append(Tag(item: item, at: instant))
        }
    }
}
