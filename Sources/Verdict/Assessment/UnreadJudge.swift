import Platform
import Scenarios

/// What was found wrong with numbers of unread notifications.
struct UnreadFindings {
    /// A number that cannot have been right.
    struct Wrong {
        var at: Duration
        var person: Username
        var why: String
    }

    /// How many numbers were judged, and when and for whom.
    var judged: [(at: Duration, person: Username)] = []
    var wrong: [Wrong] = []
}

/// Judges every number of unread notifications that a device showed, against what the notifier had made for its person until then and what
/// was read of it: as many as were unread for certain, and no more than may have been.
struct UnreadJudge {
    /// A notification, with the instants between which it counts.
    private struct Countable {
        var id: String
        var madeAt: Duration
        /// Before it nobody can have read it, and from then on somebody may; nil where nothing tells of a reading.
        var mayBeReadFrom: Duration?
        /// From then on it is read for certain.
        var readFrom: Duration?
        /// What counts in no number, or of which it is not known whether it does.
        var isDoubtful: Bool
    }

    /// Between a change at the server and its answer to an app some time passes, and clocks of services differ.
    private static let tolerance = Duration.seconds(30)
    /// So long after a reading a push that was under way may still arrive.
    private static let underWay = Duration.minutes(2)

    private let record: RunRecord
    private let log: NotifierLog
    private let observations: Observations
    private let retention: Duration
    private var countables: [Username: [Countable]] = [:]
    /// Whether the notifier knows for certain what was read.
    private let keepsAll: Bool

    init(
        _ record: RunRecord,
        truth: GroundTruth,
        log: NotifierLog,
        observations: Observations,
        forgotten: ForgottenNotifications
    ) {
        (self.record, self.log, self.observations) = (record, log, observations)
        retention = record.resolved.scenario.notifier.retention
        keepsAll = Readings.keepsAll(record)
        let contents = Self.contents(of: record, observations)
        let readings = Readings(record, truth)
        for enqueue in log.enqueues {
            let content = contents[enqueue.notificationID]
            guard let person = enqueue.person, !(content?.countsNowhere ?? false) else { continue }
            var countable = Countable(
                id: enqueue.notificationID,
                madeAt: enqueue.at,
                isDoubtful: content.map { !$0.isCounted } ?? true
            )
            if let content {
                (countable.mayBeReadFrom, countable.readFrom) = readings.span(
                    of: content,
                    madeAt: enqueue.at,
                    by: person
                )
            }
            if forgotten.contains(enqueue.notificationID) {
                // It counts until the notifier goes back to its backup.
                let end = record.faults.first { $0.kind == .restoreBackup && $0.span.until > enqueue.at }?.span.until
                countable.mayBeReadFrom = enqueue.at
                countable.readFrom = end
            }
            countables[person, default: []].append(countable)
        }
        addUnlogged(contents)
    }

    /// Of what a process committed that died before the entry of its log, and of what is no news of GitLab, only pushes and apps tell.
    private mutating func addUnlogged(_ contents: [String: PushContent]) {
        var known = Set(log.enqueues.map(\.notificationID))
        for turn in log.turns where contents[turn.notificationID] == nil && known.insert(turn.notificationID).inserted {
            guard let person = turn.person else { continue }
            countables[person, default: []].append(
                Countable(id: turn.notificationID, madeAt: turn.at, isDoubtful: true)
            )
        }
        let pushed = record.pushes.map { ($0.person, $0.content?.notificationID) }
        let shown = record.deviceEvents.map { (Username?($0.person), $0.content?.notificationID) }
        for case (let person?, let id?) in pushed + shown where known.insert(id).inserted {
            guard !(contents[id]?.countsNowhere ?? false) else { continue }
            countables[person, default: []].append(Countable(id: id, madeAt: .zero, isDoubtful: true))
        }
    }

    func findings() -> UnreadFindings {
        var findings = UnreadFindings()
        for badge in record.badges { judge(badge, asOf: badge.at, including: nil, &findings) }
        for push in record.pushes {
            guard let person = push.person, let device = push.device, let content = push.content,
                let count = content.badge, let madeAt = observations.enqueuedAt[content.notificationID]
            else { continue }
            let badge = BadgeRecord(at: push.at, person: person, device: device, count: count)
            judge(badge, asOf: madeAt, including: content.notificationID, &findings)
            judgeReading(of: content, push, &findings)
        }
        return findings
    }

    /// What was read long before is news no more: nobody is alerted of it, with a number that counts it.
    private func judgeReading(of content: PushContent, _ push: PushRecord, _ findings: inout UnreadFindings) {
        guard keepsAll, push.status == 200, let person = push.person, let device = push.device,
            let type = content.label?.type, type == "activity" || type == "digest",
            let own = countables[person]?.first(where: { $0.id == content.notificationID }),
            let readFrom = own.readFrom, readFrom + Self.underWay < push.at
        else { return }
        let why = "\(device) was told of what had been read \(DurationNotation.text(push.at - readFrom)) before."
        findings.wrong.append(UnreadFindings.Wrong(at: push.at, person: person, why: why))
    }

    private func judge(
        _ badge: BadgeRecord,
        asOf instant: Duration,
        including own: String?,
        _ findings: inout UnreadFindings
    ) {
        var (least, most) = (0, 0)
        for countable in countables[badge.person] ?? [] where countable.madeAt <= instant + Self.tolerance {
            if countable.readFrom.map({ $0 + Self.tolerance <= instant }) ?? false { continue }
            most += 1
            let mayBeRead = countable.mayBeReadFrom.map { $0 - Self.tolerance <= instant } ?? false
            let mayBeGone = countable.madeAt + retention <= instant + Self.tolerance
            let isThere = countable.madeAt <= instant - Self.tolerance || countable.id == own
            if isThere, !mayBeRead, !mayBeGone, !countable.isDoubtful { least += 1 }
        }
        findings.judged.append((badge.at, badge.person))
        let range = least == most ? "\(least)" : "\(least) to \(most)"
        var why: String?
        if badge.count < least || badge.count > most {
            why = "\(badge.device) was told that \(badge.count) are unread; \(range) were."
        } else if let listed = badge.listed, listed > most {
            // It lists so many at most, and may list fewer.
            why = "\(badge.device) lists \(listed) as unread; \(range) were."
        }
        guard let why else { return }
        findings.wrong.append(UnreadFindings.Wrong(at: badge.at, person: badge.person, why: why))
    }

    /// What each notification says, by whichever way it came to a device.
    private static func contents(of record: RunRecord, _ observations: Observations) -> [String: PushContent] {
        var contents: [String: PushContent] = [:]
        for push in record.pushes {
            guard let content = push.content else { continue }
            contents[content.notificationID] = contents[content.notificationID] ?? content
        }
        for event in record.deviceEvents {
            guard let content = observations.content(of: event, in: record) else { continue }
            contents[content.notificationID] = contents[content.notificationID] ?? content
        }
        return contents
    }
}

extension PushContent {
    /// Whether it is news about activity and certain to count: reminders, the service's own news and how a run ended do not.
    fileprivate var isCounted: Bool {
        self.type == nil && self.reminder == nil && self.due == nil
            && !factKeys.contains { $0.hasPrefix("signal/") }
    }

    /// Whether it is certain to count in no number: what reminds, and what the service says of itself.
    fileprivate var countsNowhere: Bool {
        self.reminder != nil || self.due != nil || self.type.map(Self.servicesOwn.contains) ?? false
    }

    /// News about the service itself: what is about no fact.
    static let servicesOwn: Set<String> = [
        "auth_expired", "token_expiring", "service_trouble", "service_recovered", "test", "announcement",
        "watch_list_full",
    ]

    /// The key of the to-do item that is all it tells of, by a push; nil for every other. What quiet hours kept back may tell of others,
    /// too.
    fileprivate var soleTodo: String? {
        guard self.label?.type == "activity", factKeys.count == 1, !isTruncated, factKeys[0].hasPrefix("todo/") else {
            return nil
        }
        return factKeys[0]
    }
}

/// When what people were told is read, as their choices and GitLab's ledger tell.
private struct Readings {
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

    init(_ record: RunRecord, _ truth: GroundTruth) {
        self.record = record
        asks = AskTruth(record, truth: truth)
        let (resolutions, faults) = (TodoResolutions(record), FaultSpans(record))
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
            guard case .read = preference.choice, madeAt + .seconds(30) <= readAt else { continue }
            read(preference.answeredAt)
        }
        return (possible, certain)
    }
}

extension PreferenceRecord.Choice {
    /// The item of which a person may read by it what they were told.
    var readItem: ItemReference? {
        switch self {
        case .read(let item), .settled(let item), .postponed(let item), .dismissed(let item): item
        case .unwatched, .undismissed, .muted, .unmuted, .denied, .allowed, .quietHours, .autoWatch, .reminders,
            .signalSettled, .programMuted, .programUnmuted, .programRevoked, .dutyMuted, .dutyUnmuted:
            nil
        }
    }
}
