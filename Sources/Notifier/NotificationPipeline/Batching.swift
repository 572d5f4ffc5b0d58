import Platform

/// Which facts go into one notification: those on one item in one cycle, oldest first (docs/notification-rules.md).
enum Batching {
    /// So many keys fit into a push beside its text; more facts make more notifications.
    static let factsPerNotification = 50

    /// Groups in the order of their oldest facts, none of them empty or over the limit.
    static func batches(_ facts: [Fact], limit: Int = factsPerNotification) -> [[Fact]] {
        var groups: [[Fact]] = []
        var places: [FactSubject: Int] = [:]
        for fact in ordered(facts) {
            let subject = fact.subject
            if let place = places[subject], groups[place].count < limit {
                groups[place].append(fact)
            } else {
                places[subject] = groups.count
                groups.append([fact])
            }
        }
        return groups
    }

    private static func ordered(_ facts: [Fact]) -> [Fact] {
        facts.sorted {
            ($0.occurredAt.microseconds, $0.sourceID, $0.source.rawValue)
                < ($1.occurredAt.microseconds, $1.sourceID, $1.source.rawValue)
        }
    }
}
