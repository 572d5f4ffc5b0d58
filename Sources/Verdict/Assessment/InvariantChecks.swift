import Platform
import Scenarios

/// Invariants that only a look at the whole record can break; the others are seen while the run lasts.
struct InvariantChecks {
    private let judged: JudgedRun
    private let record: RunRecord
    private let pull: PullChecks
    private var forgotten: ForgottenNotifications { judged.forgotten }

    init(judged: JudgedRun) {
        self.judged = judged
        record = judged.record
        pull = PullChecks(judged.record, judged.observations)
    }

    func violations() -> [ViolationRecord] {
        let leftOut = isConclusive ? LeftOutDeviceChecks(judged: judged, pull: pull).violations() : []
        let own =
            lostNotifications() + lostDeliveries() + unkeptPushes() + pushedAgain() + leftOut + notifiedInQuietHours()
            + ExpirationChecks(judged: judged).violations()
            + unknownRoutes() + wrongReminders() + pull.shownTwice() + pull.shownBeside(except: forgotten)
        return own + PushContentChecks(judged: judged).violations() + PushTextChecks(judged: judged).violations()
            + ListedTextChecks(record).violations()
            + SecretChecks(judged: judged).violations() + ServiceNewsChecks(judged: judged).violations()
            + ExpiryNewsChecks(judged: judged).violations()
            + DutyChecks(record).violations() + ChoiceChecks(record).violations()
            + ScreenChecks(judged: judged).violations() + SettingsChecks(record).violations()
            + AnnouncementChecks(judged: judged).violations()
            + TestChecks(judged: judged).violations() + ReadinessChecks(record).violations()
    }

    // MARK: outbox-row-lost

    /// True when the record can prove that nothing is on its way any more: the run was drained, and the log is whole and
    /// names every delivery that ended.
    private var isConclusive: Bool {
        record.idleSince != nil && record.log.count < RunLimits.logEntries && !judged.log.hasUnknownEnd
    }

    /// Notifications that were committed, have an end nowhere, and for which no push was ever tried.
    private func lostNotifications() -> [ViolationRecord] {
        guard isConclusive, let idleSince = record.idleSince else { return [] }
        let pushed = Set(record.pushes.compactMap { $0.content?.notificationID }).union(pull.notifications)
        let devices = DeviceFates(record)
        return judged.log.enqueues.compactMap { enqueue in
            guard enqueue.at <= idleSince, enqueue.deliveries != 0, !pushed.contains(enqueue.notificationID),
                !judged.ends.hasEnded(enqueue.notificationID),
                !forgotten.contains(enqueue.notificationID),
                let person = enqueue.person,
                devices.hasUsable(
                    for: person,
                    from: enqueue.at,
                    until: judged.truth.sendingDeadline(from: enqueue.at, for: person)
                )
            else { return nil }
            return ViolationRecord(
                invariant: .outboxLost,
                at: enqueue.at,
                detail: "Notification \(enqueue.notificationID) for \(person) was committed and no push was ever tried."
            )
        }
    }

    /// Deliveries that APNs refused for the time being and that were neither repeated, given up nor expired.
    private func lostDeliveries() -> [ViolationRecord] {
        guard isConclusive, let idleSince = record.idleSince else { return [] }
        let devices = DeviceFates(record)
        return judged.observations.attempts.sorted { ($0.value[0], $0.key) < ($1.value[0], $1.key) }
            .compactMap { id, attempts in
                let pushes = attempts.map { record.pushes[$0] }
                guard let last = pushes.last, last.at <= idleSince, !pushes.contains(where: \.isFinal),
                    !judged.ends.hasEnded(delivery: id),
                    !forgotten.contains(last.content?.notificationID ?? ""),
                    let person = last.person, let device = last.device,
                    !judged.ends.hasEnded(last.content?.notificationID ?? "", on: device, of: person),
                    !pull.hasShown(last.content?.notificationID ?? "", person, device),
                    !devices.wasLost(device, of: person, answeredAt: last.at)
                else { return nil }
                return ViolationRecord(
                    invariant: .outboxLost,
                    at: last.at,
                    detail:
                        "Push \(id) to \(person) \(device) was refused for now (status \(last.status)) and never ended."
                )
            }
    }

    /// How long APNs has to keep a push for a device that is away at least, unless its news is of use no longer, where the log need not say when it was
    /// made.
    private static let keeping = Duration.hours(1)
    /// Between the making of a notification and the entry of the log that tells of it a disk may be slow.
    private static let makingGrace = Duration.minutes(10)

    /// Pushes that APNs was not told to keep for as long as their news is of use: who is on the underground never hears of them.
    private func unkeptPushes() -> [ViolationRecord] {
        let start = record.resolved.scenario.start.secondsSinceEpoch
        let useful = record.resolved.scenario.notifier.expiration
        let hasOwnClock = record.faults.contains { $0.kind.place == .clock }
        let isLoggedLate = record.faults.contains { $0.kind.keepsFromStoring }
        return record.pushes.compactMap { push in
            guard let person = push.person, let expiration = push.expiration, let id = push.content?.notificationID
            else { return nil }
            if expiration > 0 {
                guard !hasOwnClock, let madeAt = judged.observations.enqueuedAt[id] ?? judged.log.reminders[id] else {
                    return nil
                }
                let end = Duration.seconds(expiration - start)
                let ownEnd = madeAt + useful - Self.makingGrace
                guard end < (isLoggedLate ? min(push.at + Self.keeping, ownEnd) : ownEnd) else { return nil }
            }
            return ViolationRecord(
                invariant: .outboxLost,
                at: push.at,
                detail:
                    "Push \(push.apnsID) to \(person) is not to be kept for as long as it is of use (\(expiration))."
            )
        }
    }

    // MARK: notified-in-quiet-hours

    /// What quiet hours keep back and a device showed before they were over.
    private func notifiedInQuietHours() -> [ViolationRecord] {
        // By a clock that is set they may be over, or not have begun.
        let clocks = ClockReach(record, without: [.gitlab, .apns])
        let urgentFrom = urgentEdits()
        return judged.outcomes.compactMap { outcome in
            guard let end = outcome.pair.heldUntil, let shown = outcome.displayedAt, shown < end,
                clocks.spares(until: .nanoseconds(shown))
            else { return nil }
            let edits = outcome.pair.keys.own.compactMap { urgentFrom["\(outcome.pair.person) \($0)"] }
            guard !edits.contains(where: { $0 <= shown }) else { return nil }
            let person = judged.truth.people[outcome.pair.person]
            return ViolationRecord(
                invariant: .notifiedInQuietHours,
                at: .nanoseconds(shown),
                detail: "Activity \(record.activities[outcome.pair.activity].number) was shown to \(person) "
                    + "\(DurationNotation.text(.nanoseconds(end - shown))) before the quiet hours were over."
            )
        }
    }

    /// Since when an edit of a note had to be told at once, by person and key: a comment that is read only after it tells of both.
    private func urgentEdits() -> [String: Int64] {
        var from: [String: Int64] = [:]
        for outcome in judged.outcomes where outcome.isExpected && outcome.pair.heldUntil == nil {
            for key in outcome.pair.keys.shared {
                let name = "\(outcome.pair.person) \(key)"
                from[name] = min(from[name] ?? .max, outcome.pair.readableAt)
            }
        }
        return from
    }

    // MARK: pushed-twice-after-display

    /// Facts that went again, under another apns-id, to a device that had shown them and whose answer had arrived.
    private func pushedAgain() -> [ViolationRecord] {
        struct Shown: Hashable {
            var person: Username
            var device: DeviceName
            var key: String
        }
        struct First {
            var id: String
            var at: Duration
            var installation: Int
            var content: PushContent
        }
        let installations = Installations(record)
        var shownAt: [String: Duration] = [:]
        var shown: [Shown: First] = [:]
        var found: [ViolationRecord] = []
        for event in record.deviceEvents where event.isShown {
            shownAt[event.apnsID.lowercased()] = min(shownAt[event.apnsID.lowercased()] ?? event.at, event.at)
        }
        for push in record.pushes {
            guard let person = push.person, let device = push.device, let content = push.content, content.type == nil
            else { continue }
            let id = push.apnsID.lowercased()
            for text in content.factKeys {
                let key = Shown(person: person, device: device, key: text)
                if let first = shown[key], first.id != id, first.at <= push.at,
                    !forgotten.contains(first.content, and: content),
                    installations.isRepetition(
                        first.id,
                        on: first.installation,
                        then: push.installation,
                        of: device,
                        person
                    )
                {
                    found.append(Self.repetition(text, push, person, device, first.id))
                } else if push.status == 200, !push.answerLost, let at = shownAt[id],
                    shown[key].map({ $0.installation < push.installation }) ?? true
                {
                    shown[key] = First(id: id, at: at, installation: push.installation, content: content)
                }
            }
        }
        return found
    }

    private static func repetition(
        _ key: String,
        _ push: PushRecord,
        _ person: Username,
        _ device: DeviceName,
        _ first: String
    ) -> ViolationRecord {
        ViolationRecord(
            invariant: .pushedTwice,
            at: push.at,
            detail: "\(key) was pushed again to \(person) \(device) as \(push.apnsID), "
                + "after \(first) had been accepted and shown."
        )
    }

    // MARK: reminded-too-often, reminded-after-end

    private func wrongReminders() -> [ViolationRecord] {
        judged.reminders.wrong.compactMap { wrong in
            wrong.invariant.map { ViolationRecord(invariant: $0, at: wrong.at, detail: wrong.why) }
        }
    }

    // MARK: unknown-route

    private func unknownRoutes() -> [ViolationRecord] {
        guard !record.violations.contains(where: { $0.invariant == .unknownRoute }) else { return [] }
        return record.unknownRoutes.map {
            ViolationRecord(invariant: .unknownRoute, at: .zero, detail: "GitLab has no such route: \($0)")
        }
    }
}
