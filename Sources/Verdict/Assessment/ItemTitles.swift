import Platform
import Scenarios

/// What items were called, and how long what one was called before may still be told.
///
/// A notifier that reads rows knows a new title as soon as it polls. What happened later than ten minutes after the change has to be told by it,
/// unless something stood in the way meanwhile: a fault of whatever kind, a downtime, a wait, a token that was refused.
struct ItemTitles {
    /// One that an item has had.
    private struct Title {
        var text: String
        /// From when on GitLab showed another one; nil while it is the last.
        var changedAt: Duration?
    }

    private let record: RunRecord
    private let truth: GroundTruth
    /// Nil where a notifier need not have read any row in time.
    private let patience: Duration?
    private var titles: [ItemReference: [Title]] = [:]

    init(_ record: RunRecord, _ truth: GroundTruth) {
        (self.record, self.truth) = (record, truth)
        patience = Self.patience(record.resolved.scenario.notifier)
        for project in record.resolved.scenario.world.projects {
            for item in project.items {
                titles[ItemReference(project: project.path, kind: item.kind, iid: item.iid)] = [
                    Title(text: item.title)
                ]
            }
        }
        for activity in record.activities { add(activity) }
    }

    private mutating func add(_ activity: ActivityRecord) {
        guard let item = activity.item, !activity.itemTitle.isEmpty else { return }
        var known = titles[item] ?? []
        guard known.last?.text != activity.itemTitle else { return }
        if !known.isEmpty { known[known.count - 1].changedAt = max(activity.at, activity.readableFrom) }
        known.append(Title(text: activity.itemTitle))
        titles[item] = known
    }

    /// What a new title is granted where rows are read as often as they may be.
    private static func patience(_ notifier: NotifierOverrides) -> Duration? {
        // A small budget makes rounds of any length.
        guard notifier.readsRows, notifier["requestsPerHour"] == nil else { return nil }
        let cadence = PollCadence(overrides: notifier)
        let intervals = [1, 30, 100].map { cadence.interval(watchedItems: $0) }
        let slowest = max(intervals.max() ?? .zero, notifier.duration("sweepInterval") ?? .zero)
        return max(.minutes(10), slowest * 4)
    }

    /// All that the item may be called where that person is told of the activity; empty where nothing is known of it.
    func titles(of item: ItemReference, telling activity: ActivityRecord, to person: Username) -> [String] {
        (titles[item] ?? []).filter { mayBeTold($0, of: item, telling: activity, to: person) }.map(\.text)
    }

    private func mayBeTold(
        _ title: Title,
        of item: ItemReference,
        telling activity: ActivityRecord,
        to person: Username
    ) -> Bool {
        guard let changedAt = title.changedAt, let patience, changedAt + patience <= activity.at else { return true }
        let registrations = record.registrations.filter { $0.person == person }
        let watches = record.watches.filter { $0.person == person && $0.item == item }
        let begins = registrations.map(\.activeFrom) + watches.map(\.activeFrom)
        let start = max(changedAt, begins.filter { $0 <= activity.at }.max() ?? .zero)
        guard truth.pollDeadline(from: start, grace: patience, for: person) <= activity.at else { return true }
        let hidden = registrations.flatMap(\.noAccess).map(\.span)
        let spans = record.downtimes + hidden + record.faults.map(\.span)
        return spans.contains { $0.from <= activity.at && start <= $0.until }
            || record.faults.contains { $0.kind.place == .clock && $0.span.from <= activity.at }
            || isKeptSecret(item, from: start, until: activity.at)
    }

    /// Whether it was hidden from some, or shown again, meanwhile.
    private func isKeptSecret(_ item: ItemReference, from start: Duration, until end: Duration) -> Bool {
        record.activities.contains { activity in
            activity.kind == .confidentialityChanged && activity.item == item && start <= activity.at
                && activity.at <= end
        }
    }
}
