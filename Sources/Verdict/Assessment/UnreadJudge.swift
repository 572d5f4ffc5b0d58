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
        for badge in record.badges { judge(badge, from: badge.at, including: nil, &findings) }
        for push in record.pushes {
            guard let person = push.person, let device = push.device, let content = push.content,
                let count = content.badge, let madeAt = observations.enqueuedAt[content.notificationID]
            else { continue }
            let badge = BadgeRecord(at: push.at, person: person, device: device, count: count)
            judge(badge, from: min(madeAt, push.at), including: content.notificationID, &findings)
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

    /// Whether it can have been right at an instant between `start` and when it was seen: a push brings the number of when it left.
    private func judge(
        _ badge: BadgeRecord,
        from start: Duration,
        including own: String?,
        _ findings: inout UnreadFindings
    ) {
        let end = badge.at
        var (least, most) = (0, 0)
        for countable in countables[badge.person] ?? [] where countable.madeAt <= end + Self.tolerance {
            if countable.readFrom.map({ $0 + Self.tolerance <= start }) ?? false { continue }
            most += 1
            let mayBeRead = countable.mayBeReadFrom.map { $0 - Self.tolerance <= end } ?? false
            let mayBeGone = countable.madeAt + retention <= end + Self.tolerance
            let isThere = countable.madeAt <= start - Self.tolerance || countable.id == own
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
    static func contents(of record: RunRecord, _ observations: Observations) -> [String: PushContent] {
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
    var isCounted: Bool {
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
    var soleTodo: String? {
        guard self.label?.type == "activity", factKeys.count == 1, !isTruncated, factKeys[0].hasPrefix("todo/") else {
            return nil
        }
        return factKeys[0]
    }
}
