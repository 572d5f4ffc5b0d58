/// What the rules made of new facts. Every one of them is in exactly one of the lists or counts.
struct RuleOutcome: Sendable {
    private(set) var notified: [Fact] = []
    private(set) var held: [Fact] = []
    private(set) var suppressed: [Candidate.SuppressionReason: [FactKey]] = [:]
    /// Items to be watched from now on.
    private(set) var tagged: [ItemReference] = []

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
            if rules.wantsWatch(fact), let item = fact.item, !tagged.contains(item) { tagged.append(item) }
        }
    }
}
