import Scenarios

/// What people watched for certain, as far as they alone make entries of their watch lists, in their apps.
struct CertainWatches {
    private let watches: [PersonItem: [WatchRecord]]
    /// Items that somebody may have asked to watch, also where the answer never came.
    private var asked: Set<PersonItem> = []
    /// Whose watch list changes by itself, or not as their choices say.
    private var unclear: Set<Username> = []
    /// A backup brings others back, and who watched an item that moved watches the one that it became.
    private let isOrderly: Bool

    init(_ record: RunRecord) {
        watches = Dictionary(grouping: record.watches) { PersonItem(person: $0.person, item: $0.item) }
        isOrderly =
            !record.faults.contains { [.clock, .database, .disk].contains($0.kind.place) }
            && !record.activities.contains { $0.successor != nil }
        for (person, registrations) in Dictionary(grouping: record.registrations, by: \.person)
        where registrations.count > 1 {
            unclear.insert(person)
        }
        for person in record.resolved.scenario.world.people {
            for item in person.notified?.watches ?? [] {
                asked.insert(PersonItem(person: person.username, item: item))
            }
        }
        for step in record.resolved.steps {
            switch step.action {
            case .watch(let item, let person), .app(.tapWatch(let item), let person):
                asked.insert(PersonItem(person: person, item: item))
            case .app(.autoWatch, let person), .app(.mirroring, let person), .app(.importWatches, let person),
                .app(.pullSubscription, let person), .app(.pushSubscription, let person):
                unclear.insert(person)
            default: continue
            }
        }
    }

    /// Whether the person watched the item all the time; nil where that is not certain, as where they did for a part of it.
    func isWatched(_ item: ItemReference, by person: Username, from start: Duration, until end: Duration) -> Bool? {
        guard isOrderly, !unclear.contains(person) else { return nil }
        let key = PersonItem(person: person, item: item)
        guard let own = watches[key] else { return asked.contains(key) ? nil : false }
        let isAllTheTime = own.contains { watch in
            watch.activeFrom < start && (watch.endRequestedAt.map { end < $0 } ?? true)
        }
        return isAllTheTime ? true : nil
    }
}

/// Whether a push of a tag says rightly whether its reader watches the item: the app offers to watch it, or to dismiss it, by that.
extension PushTextChecks {
    private static let tags: Set<String> = ["mentioned", "assigned", "review_requested"]

    /// What is wrong with what a push of a single fact says of its reader's watch list; nil when nothing is.
    func tagFault(_ push: PushRecord, _ label: PushLabel, _ facts: [[Told]], _ watches: CertainWatches) -> String? {
        guard label.type == "activity", Self.tags.contains(label.actionType), facts.count == 1, label.count == 1,
            let told = facts[0].first, let item = told.activity.item,
            facts[0].allSatisfy({ $0.activity.number == told.activity.number }),
            let isWatched = watches.isWatched(item, by: told.person, from: told.activity.at, until: push.at),
            isWatched == label.isNewMention
        else { return nil }
        return isWatched ? "says that its reader does not watch the item" : "says that its reader watches the item"
    }
}
