import Platform
import Scenarios

/// What APNs says of a token excuses nothing where the notifier had another of the device, or has one since.
extension CauseFinder {
    /// How new news must be for a device that has another token to get it, ten minutes less (docs/operations.md).
    private static let catchUp = Duration.hours(24) - .minutes(10)
    /// Of more than fifty a device need not get the oldest; some are no news of activities.
    private static let mostCaughtUp = 40

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

    /// Whether beyond doubt the news had to go to a token that the notifier took at that instant: new enough and read by nobody, and everything in
    /// order from then on until it had to be sent.
    private func isOwed(_ push: PushRecord, _ outcome: Outcome, after renewal: Duration) -> Bool {
        guard let person = push.person, let device = push.device, let id = push.content?.notificationID,
            let madeAt = observations.enqueuedAt[id], push.faultID == nil, !push.answerLost
        else { return false }
        let useful = record.resolved.scenario.notifier.expiration - .minutes(10)
        let deadline = truth.sendingDeadline(from: renewal, for: person) + Self.retryPause
        guard renewal < madeAt + min(Self.catchUp, useful), !isInFlight(deadline), isOrderly,
            !isDisturbed(from: renewal, until: deadline),
            devices.isPlainlyUsable(device, of: person, from: renewal, until: deadline)
        else { return false }
        let start = renewal - .hours(24)
        let news = log.enqueues.count(where: { start <= $0.at && $0.at <= renewal })
        return news <= Self.mostCaughtUp && !mayBeNeedless(id, outcome, person, until: deadline)
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
        let isOver =
            activity.signal != nil || activity.goneAt != nil
            || activity.todos.contains { $0.person == person && $0.resolvedAt != nil }
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
