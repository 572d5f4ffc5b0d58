import Platform
import Scenarios

/// What APNs says of a token excuses nothing where the notifier had another of the device, or has one since.
extension CauseFinder {
    /// How new news must be for a device that has another token to get it, ten minutes less (docs/operations.md).
    private static let catchUp = Duration.hours(24) - .minutes(10)
    /// Of more than fifty a device need not get the oldest; some are no news of activities.
    private static let mostCaughtUp = 40

    /// What APNs took for a former token so short a time ago goes to the next one, five minutes less (docs/operations.md).
    private static let sentAgain = Duration.minutes(55)
    /// So much of it at most.
    private static let mostSentAgain = 20

    /// What was sent before a token was taken arrives no later.
    private static let underWay = Duration.seconds(30)

    /// The cause of what APNs refused for a token that it called dead: that does not count where the notifier had taken another token of the device
    /// before, or has since, in time for the news to go there, and nothing can have kept it from going.
    func causeOfDeadToken(_ push: PushRecord, _ outcome: Outcome) -> MissCause {
        let renewals = record.pushTokenChanges.filter {
            $0.person == push.person && $0.device == push.device && $0.at > push.at
        }
        let isExcused = !isOutdated(push, outcome) && !renewals.contains { isOwed(push, outcome, after: $0.at) }
        guard !isExcused else { return .deadToken }
        return .rejected(reason: push.reason.isEmpty ? "status \(push.status)" : push.reason)
    }

    /// Whether the push went to a former token although beyond doubt the news was made for the one that the notifier had taken before, which APNs has
    /// never called dead.
    private func isOutdated(_ push: PushRecord, _ outcome: Outcome) -> Bool {
        guard let person = push.person, let device = push.device, let id = push.content?.notificationID,
            let madeAt = observations.enqueuedAt[id], let newerAt = push.newerTokenAt,
            newerAt + Self.underWay < madeAt, push.faultID == nil, !push.answerLost, isOrderly
        else { return false }
        let deadline = truth.sendingDeadline(from: madeAt, for: person) + Self.retryPause
        var current = record
        current.pushes.removeAll { former in former.newerTokenAt.map { $0 + Self.underWay < former.at } ?? false }
        return !isInFlight(deadline) && !isDisturbed(from: madeAt, until: deadline)
            && DeviceFates(current).isPlainlyUsable(device, of: person, from: madeAt, until: deadline)
            && !mayBeNeedless(id, outcome, person, until: deadline)
    }

    /// Whether beyond doubt what no push was tried of, as APNs had ended all tokens, had to go to one that the notifier took afterwards, and that was
    /// of use.
    func isOwedUntried(_ enqueue: NotifierLog.Enqueue, _ outcome: Outcome) -> Bool {
        let person = truth.people[outcome.pair.person]
        return record.pushTokenChanges.contains { change in
            guard change.person == person, change.at > enqueue.at else { return false }
            let isTaken = record.pushes.contains {
                $0.person == person && $0.device == change.device && $0.status == 200 && $0.at > change.at
            }
            return isTaken && isOwed(enqueue.notificationID, outcome, person, change.device, after: change.at)
        }
    }

    /// Whether beyond doubt refused news had to go to a token that the notifier took at that instant, as one that nobody had got.
    private func isOwed(_ push: PushRecord, _ outcome: Outcome, after renewal: Duration) -> Bool {
        guard let person = push.person, let device = push.device, let id = push.content?.notificationID,
            push.faultID == nil, !push.answerLost
        else { return false }
        return isOwed(id, outcome, person, device, after: renewal)
    }

    private func isOwed(
        _ id: String,
        _ outcome: Outcome,
        _ person: Username,
        _ device: DeviceName,
        after renewal: Duration
    ) -> Bool {
        guard let madeAt = observations.enqueuedAt[id], renewal < madeAt + Self.catchUp else { return false }
        let start = renewal - .hours(24)
        let news = log.enqueues.count(where: { start <= $0.at && $0.at <= renewal })
        return news <= Self.mostCaughtUp && isNews(id, outcome, person, device, at: renewal)
    }

    /// Whether beyond doubt it was of use when the notifier took a token then: new enough and read by nobody, and everything in order from then on
    /// until it had to be sent.
    private func isNews(
        _ id: String,
        _ outcome: Outcome,
        _ person: Username,
        _ device: DeviceName,
        at renewal: Duration
    ) -> Bool {
        guard let madeAt = observations.enqueuedAt[id] else { return false }
        let useful = record.resolved.scenario.notifier.expiration - .minutes(10)
        let deadline = deadline(of: renewal, for: person)
        return renewal < madeAt + useful && !isInFlight(deadline) && isOrderly
            && !isDisturbed(from: renewal, until: deadline)
            && devices.isPlainlyUsable(device, of: person, from: renewal, until: deadline)
            && !mayBeNeedless(id, outcome, person, until: deadline)
    }

    /// When what a new token makes the notifier send must have been sent.
    private func deadline(of renewal: Duration, for person: Username) -> Duration {
        truth.sendingDeadline(from: renewal, for: person) + Self.retryPause
    }

    /// Whether beyond doubt what APNs had taken for a token that was of use no more had to go to the one that the notifier has taken since, and
    /// did not: so lately, to the same row, in no quiet hours, and with no reminder in its place.
    func isOwedAgain(_ event: DeviceEventRecord, _ outcome: Outcome) -> Bool {
        let (person, device) = (event.person, event.device)
        let attempts = observations.attempts[event.apnsID.lowercased()] ?? []
        guard let push = attempts.last.map({ record.pushes[$0] }), push.status == 200, push.newerTokenAt == nil,
            push.person == person, push.device == device, let id = push.content?.notificationID,
            let madeAt = observations.enqueuedAt[id]
        else { return false }
        let renewals = record.pushTokenChanges.filter {
            $0.person == person && $0.device == device && $0.at > push.at
        }
        let takenAt = (push.answeredAt ?? push.at) + Self.underWay
        guard let renewal = renewals.first, !renewal.isOfNewSession, takenAt < renewal.at,
            renewal.at < push.at + Self.sentAgain, push.faultID == nil, !push.answerLost,
            isNews(id, outcome, person, device, at: renewal.at)
        else { return false }
        let deadline = deadline(of: renewal.at, for: person)
        let start = renewal.at - .hours(1) - Self.underWay
        let taken = record.pushes.count { other in
            other.person == person && other.device == device && other.status == 200
                && start <= other.at && other.at <= renewal.at
        }
        guard taken <= Self.mostSentAgain, renewals.dropFirst().allSatisfy({ deadline < $0.at }),
            !isInItsPlace(push, from: madeAt, until: deadline),
            case .none = truth.preferences.saidToBeQuiet(person, from: push.at, until: deadline),
            devices.isPlainlyUsable(device, of: person, from: push.at, until: deadline)
        else { return false }
        return !isOutOfReach(outcome, person) && !record.receipts.contains { $0.notificationID == id }
    }

    /// Whether a reminder may have taken the place of a notification, made between two instants: of one that nobody has seen it cannot be said
    /// whose it is.
    private func isInItsPlace(_ push: PushRecord, from start: Duration, until end: Duration) -> Bool {
        let keys = Set(push.content?.factKeys ?? [])
        let others = record.pushes.filter { keys.isDisjoint(with: $0.content?.factKeys ?? []) }
            .compactMap { $0.content?.notificationID }
        let known = Set(others)
        return log.reminders.contains { start <= $0.value && $0.value <= end && !known.contains($0.key) }
    }

    /// Whether a to-do item of theirs may have left the list of pending ones, perhaps for a while: what was told of it counts as read from then on,
    /// also when it comes back.
    private func mayHaveLeftList(_ activity: ActivityRecord, _ person: Username) -> Bool {
        let own = activity.todos.filter { $0.person == person }
        guard !own.isEmpty else { return false }
        return own.contains { $0.resolvedAt != nil || $0.firstRestoredAt != nil }
            || faults.hidden(activity.readableFrom) != nil
            || record.registrations.contains { $0.person == person && !$0.noAccess.isEmpty }
            || TodoResolutions(record).mayHaveSlept(activity, for: person)
    }

    /// Whether the item was deleted, or GitLab kept it or everything from the person at any time: what was told of it may count as read.
    private func isOutOfReach(_ outcome: Outcome, _ person: Username) -> Bool {
        let item = record.activities[outcome.pair.activity].item
        return item.map { item in record.activities.contains { $0.kind == .deleted && $0.item == item } } ?? true
            || record.registrations.contains {
                $0.person == person && !($0.unserved.isEmpty && $0.noAccess.isEmpty)
            }
    }

    /// Whether a fault of the way to APNs, of APNs or of the process may have kept pushes back, though not all of them.
    private func isDisturbed(from start: Duration, until end: Duration) -> Bool {
        let faults = record.faults.filter { ![.gitlab, .webhooks, .device].contains($0.kind.place) }
        return (faults.map(\.span) + record.downtimes).contains {
            $0.from <= end && start < $0.until + Self.retryPause
        }
    }

    /// Nothing was forgotten or kept back by the notifier's own machine.
    private var isOrderly: Bool {
        !log.hasUnknownEnd && record.log.count < RunLimits.logEntries
            && !record.faults.contains { fault in
                [.clock, .database, .disk].contains(fault.kind.place) || fault.kind.keepsFromStoring
                    || fault.kind == .restoreBackup
            }
    }

    /// Whether somebody may have read the news, chosen to hear nothing of it, or lost sight of it, or the log says that it was needless.
    private func mayBeNeedless(_ id: String, _ outcome: Outcome, _ person: Username, until deadline: Duration) -> Bool {
        let activity = record.activities[outcome.pair.activity]
        let isOver = activity.signal != nil || activity.goneAt != nil || mayHaveLeftList(activity, person)
        let isAnother =
            record.registrations.count(where: { $0.person == person }) != 1
            || record.devicesEnds.contains { $0.person == person }
        guard !isOver, !isAnother, !forgotten.contains(id) else { return true }
        if log.ends.contains(where: { $0.notificationID == id && $0.kind != .dead }) { return true }
        let isUnknown =
            record.unansweredChoices.contains { $0.person == person }
            || record.refusedChoices.contains { $0.person == person }
        return isUnknown
            || record.preferences.contains {
                $0.person == person && $0.requestedAt <= deadline && activity.at <= $0.answeredAt
            }
    }
}
