import Scenarios

/// When a person's to-do items left the pending list: as GitLab's ledger says, or because they cleared it or let it sleep (GitLab facts §6.2).
struct TodoResolutions {
    /// Instants at which a person cleared or snoozed those of one item, rising.
    private var onItem: [PersonItem: [Duration]] = [:]
    /// Instants at which a person cleared or snoozed the whole list.
    private var onAll: [Username: [Duration]] = [:]
    /// What a person let sleep, and when; nil for the whole list.
    private var sleeps: [(person: Username, item: ItemReference?, at: Duration)] = []

    init(_ record: RunRecord) {
        for step in record.resolved.steps {
            guard case .todo(let action, let person) = step.action else { continue }
            switch action {
            case .done(let item): add(step.offset, item: item, person: person)
            case .snooze(let item, _):
                add(step.offset, item: item, person: person)
                sleeps.append((person, item, step.offset))
            case .undo: continue
            }
        }
        for key in onItem.keys { onItem[key]?.sort() }
    }

    private mutating func add(_ instant: Duration, item: ItemReference?, person: Username) {
        if let item {
            onItem[PersonItem(person: person, item: item), default: []].append(instant)
        } else {
            onAll[person, default: []].append(instant)
        }
    }

    /// The first moment at which no to-do item of `activity` for `person` was pending any more; nil when one stayed.
    func resolution(of activity: ActivityRecord, for person: Username) -> Duration? {
        var last: Duration?
        for todo in activity.todos where todo.person == person {
            let resolved = todo.resolvedAt ?? derived(activity, person, after: todo.restoredAt ?? activity.at)
            guard let resolved else { return nil }
            last = max(last ?? resolved, resolved)
        }
        return last
    }

    /// Whether the person may have let a to-do item of `activity` sleep: then it comes back by itself, at an instant that no deed tells.
    func mayHaveSlept(_ activity: ActivityRecord, for person: Username) -> Bool {
        sleep(of: activity, for: person) != nil
    }

    /// When the person may first have let a to-do item of `activity` sleep; nil when they did not.
    func sleep(of activity: ActivityRecord, for person: Username) -> Duration? {
        sleeps.first {
            $0.person == person && $0.at >= activity.at && ($0.item ?? activity.item) == activity.item
        }?.at
    }

    /// When a to-do item of `activity` for `person` came back to the pending list last; nil when none did.
    func restoration(of activity: ActivityRecord, for person: Username) -> Duration? {
        activity.todos.lazy.filter { $0.person == person }.compactMap(\.restoredAt).max()
    }

    /// When the first of them came back for the first time.
    func firstRestoration(of activity: ActivityRecord, for person: Username) -> Duration? {
        activity.todos.lazy.filter { $0.person == person }.compactMap(\.firstRestoredAt).min()
    }

    private func derived(_ activity: ActivityRecord, _ person: Username, after instant: Duration) -> Duration? {
        let own = activity.item.flatMap { onItem[PersonItem(person: person, item: $0)]?.first { $0 > instant } }
        let all = onAll[person]?.first { $0 > instant }
        return [own, all].compactMap { $0 }.min()
    }
}
