import Platform

/// Which facts go into one notification: those on one item in one cycle, oldest first (docs/notification-rules.md).
enum Batching {
    /// So many keys fit into a push beside its text; more facts make more notifications.
    static let factsPerNotification = 50

    /// Groups in the order of their oldest facts, none of them empty or over the limit.
    static func batches(_ facts: [Fact], limit: Int = factsPerNotification) -> [[Fact]] {
        var groups: [[Fact]] = []
        var places: [Subject: Int] = [:]
        for fact in ordered(facts) {
            let subject = Subject(fact)
            if let place = places[subject], groups[place].count < limit {
                groups[place].append(fact)
            } else {
                places[subject] = groups.count
                groups.append([fact])
            }
        }
        return groups
    }

    /// What a notification is about: an item, or the address of what is none.
    private enum Subject: Hashable {
        case item(ItemReference)
        case address(Substring)
        case duty(String)
        case fact(FactKey)

        init(_ fact: Fact) {
            if let item = fact.item {
                self = .item(item)
            } else if let duty = fact.duty {
                self = .duty(duty.duty)
            } else if let address = fact.webURL?.split(separator: "#", maxSplits: 1).first {
                self = .address(address)
            } else {
                self = .fact(fact.key)
            }
        }
    }

    private static func ordered(_ facts: [Fact]) -> [Fact] {
        facts.sorted {
            ($0.occurredAt.microseconds, $0.sourceID, $0.source.rawValue)
                < ($1.occurredAt.microseconds, $1.sourceID, $1.source.rawValue)
        }
    }
}
