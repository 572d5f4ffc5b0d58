import Platform
import Scenarios

/// When what people were told is read, as their choices and GitLab's ledger tell.
struct Readings {
    private let record: RunRecord
    private struct Key: Hashable {
        var person: Username
        var text: String
    }

    /// Until when the person's to-do item stood in every list of pending ones, by the keys of what it tells of; one that is not here did to the end.
    private var resolvedAt: [Key: Duration] = [:]
    /// When an item was deleted, and its to-do items with it (GitLab facts §6.2).
    private var deletedAt: [ItemReference: Duration] = [:]
    /// When people were kept out of projects: GitLab does not list their to-do items of these any more, and deletes them (GitLab facts §6.2).
    private var noAccess: [Username: [(project: ProjectPath, span: Span)]] = [:]
    /// When a device told, or tried to, that it was opened.
    private var openedAt: [String: Duration] = [:]
    /// When the notifier had answered to the first of those.
    private var openingHeardAt: [String: Duration] = [:]
    /// When GitLab's ledger says that a to-do item was done which had been pending all the time, by its key, and by whom as a place in the
    /// truth. Empty where the notifier may have learned it at any time, or never.
    private var doneAt: [Key: (instant: Duration, place: Int)] = [:]
    private let asks: AskTruth
    private let clock: NotifierClock

    init(_ record: RunRecord, _ truth: GroundTruth) {
        self.record = record
        asks = AskTruth(record, truth: truth)
        let (resolutions, faults) = (TodoResolutions(record), FaultSpans(record))
        clock = NotifierClock(record, faults: faults)
        let orderly = Self.orderly(record, faults)
        for pair in truth.pairs where !pair.keys.own.isEmpty {
            let (activity, person) = (record.activities[pair.activity], truth.people[pair.person])
            if orderly.contains(person), resolutions.sleep(of: activity, for: person) == nil {
                for todo in activity.todos where todo.person == person && todo.firstRestoredAt == nil {
                    guard let done = todo.resolvedAt else { continue }
                    doneAt[Key(person: person, text: "todo/\(todo.id)")] = (done, pair.person)
                }
            }
            // One that came back had been off the list at some time before.
            let isBack = resolutions.restoration(of: activity, for: person) != nil
            let ends = [
                resolutions.resolution(of: activity, for: person), resolutions.sleep(of: activity, for: person),
                faults.hidden(activity.readableFrom),
            ]
            guard let end = isBack ? activity.at : ends.compactMap({ $0 }).min() else { continue }
            for key in pair.keys.own { resolvedAt[Key(person: person, text: key)] = end }
        }
        for activity in record.activities where activity.kind == .deleted {
            if let item = activity.item { deletedAt[item] = activity.at }
        }
        for registration in record.registrations {
            noAccess[registration.person, default: []] += registration.noAccess
        }
        let keepsAll = Self.keepsAll(record)
        for receipt in record.receipts where receipt.kind == .opened {
            let id = receipt.notificationID
            openedAt[id] = min(openedAt[id] ?? receipt.at, receipt.at)
            guard receipt.isAcknowledged, keepsAll else { continue }
            openingHeardAt[id] = min(openingHeardAt[id] ?? receipt.at, receipt.at)
        }
    }

    /// Whether what the notifier has learned stays so: its disk was sound, and no clock said that something older came later.
    static func keepsAll(_ record: RunRecord) -> Bool {
        !record.faults.contains { $0.kind.keepsFromStoring || [.database, .clock].contains($0.kind.place) }
    }

    /// A list of pending to-do items of more than one page may seem to be as it was when a later page has changed.
    private static let onePage = 90

    /// People whose lists of pending to-do items were short and read all the time.
    private static func orderly(_ record: RunRecord, _ faults: FaultSpans) -> Set<Username> {
        let hasOwnPace = record.resolved.scenario.notifier["requestsPerHour"] != nil
        guard keepsAll(record), faults.rateLimited.isEmpty, !hasOwnPace else { return [] }
        var counts: [Username: Int] = [:]
        for todo in record.activities.flatMap(\.todos) { counts[todo.person, default: 0] += 1 }
        let own = Dictionary(grouping: record.registrations, by: \.person)
        let orderly = own.filter { person, registrations in
            registrations.count == 1 && registrations[0].unserved.isEmpty && registrations[0].noAccess.isEmpty
                && counts[person, default: 0] <= Self.onePage
        }
        return Set(orderly.keys)
    }

    /// So much longer than an ask that is over may be taken for open: no reminder looks for this.
    private static let patience = Duration.minutes(30)

    /// From when it may be read, and from when it is for certain: marked, opened, or dealt with in GitLab.
    func span(of content: PushContent, madeAt: Duration, by person: Username) -> (Duration?, Duration?) {
        // A device tries for a while to tell what was opened.
        var possible = openedAt[content.notificationID].map { _ in madeAt }
        var certain: Duration?
        func may(_ instant: Duration) { possible = min(possible ?? instant, instant) }
        func read(_ instant: Duration) { certain = min(certain ?? instant, instant) }
        if let heard = openingHeardAt[content.notificationID] { read(heard) }
        if let todo = content.soleTodo, let done = doneAt[Key(person: person, text: todo)] {
            read(asks.known(max(done.instant, madeAt), done.place) + Self.patience)
        }
        for key in content.factKeys { if let end = resolvedAt[Key(person: person, text: key)] { may(end) } }
        for (item, end) in deletedAt where content.target.map({ $0.names(item) }) ?? true { may(end) }
        for (project, span) in noAccess[person] ?? [] where madeAt < span.until {
            let path = content.target?.projectPath
            if path == nil || path == project.description { may(span.from) }
        }
        for preference in record.preferences where preference.person == person {
            guard let item = preference.choice.readItem, preference.answeredAt >= madeAt else { continue }
            guard let target = content.target else {
                may(preference.requestedAt)
                continue
            }
            guard target.names(item) else { continue }
            may(preference.requestedAt)
            // By a clock that is behind the person has read only what was made until then.
            let readAt = min(preference.requestedAt, preference.datedAt)
            guard case .read = preference.choice, madeAt + .seconds(30) <= readAt, reaches(preference, madeAt)
            else { continue }
            read(preference.answeredAt)
        }
        return (possible, certain)
    }

    /// So long may pass between when something is made and its line in the log.
    private static let making = Duration.minutes(2)
    /// What is dated so much later than the notifier's clock shows was made by one that was ahead, and is there for everybody to read.
    private static let clockLead = Duration.minutes(1)

    /// Whether somebody who says what they have read means what was made then also by the notifier's clock, which may have been set. Of what came to
    /// no device an app cannot say that it knows it, whatever the clocks say.
    private func reaches(_ reading: PreferenceRecord, _ madeAt: Duration) -> Bool {
        let making = clock.lead(from: madeAt - Self.making, until: madeAt)
        let hearing = clock.lead(from: reading.requestedAt, until: reading.answeredAt)
        let readAt = min(reading.requestedAt + hearing.least, reading.requestedAt, reading.datedAt)
        if madeAt + making.most <= readAt { return true }
        return reading.answeredAt + hearing.most + Self.clockLead < madeAt - Self.making + making.least
    }
}

extension PreferenceRecord.Choice {
    /// The item of which a person may read by it what they were told.
    var readItem: ItemReference? {
        switch self {
        case .read(let item), .settled(let item), .postponed(let item), .dismissed(let item): item
        case .unwatched, .undismissed, .muted, .unmuted, .denied, .allowed, .quietHours, .autoWatch, .reminders,
            .dueReminders, .dueLead, .kinds, .signalSettled, .programMuted, .programUnmuted, .programRevoked,
            .dutyMuted, .dutyUnmuted:
            nil
        }
    }
}
