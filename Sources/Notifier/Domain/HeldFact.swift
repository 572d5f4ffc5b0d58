import Platform

/// What a digest needs to know of a fact that waits for the end of the quiet hours.
struct HeldFact: Hashable, Sendable {
    /// The stored form of its key.
    var key: String
    var action: Action
    /// As ``Actor/id``.
    var actorID: Int64
    var actorName: String
    var item: ItemReference?
    var itemTitle: String
    var projectPath: String?
    var webURL: String?
    /// The id of the duty that it tells of; nil for anything else.
    var duty: String?
    var occurredAt: WallTime
}

extension HeldFact {
    init(_ fact: Fact) {
        self.init(
            key: fact.key.text,
            action: fact.action,
            actorID: fact.actor.id,
            actorName: fact.actor.name,
            item: fact.item,
            itemTitle: fact.itemTitle,
            projectPath: fact.projectPath,
            webURL: fact.webURL,
            duty: fact.duty?.duty,
            occurredAt: fact.occurredAt
        )
    }
}
