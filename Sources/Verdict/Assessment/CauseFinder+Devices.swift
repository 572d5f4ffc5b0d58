import Platform
import Scenarios

/// What became of a miss on the devices that could have shown it.
extension CauseFinder {
    /// Why it did not come by a device of the person that could be pushed to all the time, if that excuses nobody. A device of which this is
    /// unclear says nothing.
    func causeOnGoodDevice(_ outcome: Outcome) -> MissCause? {
        let person = truth.people[outcome.pair.person]
        let firstTry = outcome.trail.pushes.first.map { record.pushes[$0].at }
        guard let start = outcome.enqueuedAt.map({ Duration.nanoseconds($0) }) ?? firstTry else { return nil }
        let end = truth.sendingDeadline(from: start, for: person) + Self.retryPause
        guard end < record.simulated else { return nil }
        for device in devices.names(of: person)
        where devices.isPlainlyUsable(device, of: person, from: start, until: end) {
            if let cause = cause(of: outcome, on: device, of: person), !cause.isExcused { return cause }
        }
        return nil
    }

    private func cause(of outcome: Outcome, on device: DeviceName, of person: Username) -> MissCause? {
        let pushes = outcome.trail.pushes.map { record.pushes[$0] }.filter { $0.device == device }
        guard let last = pushes.last else {
            return wasNeverTried(outcome, on: device, of: person) ? .neverAttempted : nil
        }
        guard !isInFlight(last.at) else { return nil }
        guard let accepted = pushes.last(where: { $0.status == 200 }) else {
            return refusal(last, person, on: device)
        }
        let events = outcome.trail.events.map { record.deviceEvents[$0] }
        if let event = events.last(where: { $0.device == device }) { return mailboxCause(event, outcome) }
        return accepted.answerLost ? .answerLostNotDisplayed : .acceptedNotDisplayed
    }

    /// Whether a whole log tells of no end of what no push to a device was tried for. By a clock that is set it is due later, and what was
    /// forgotten with a backup is due no more.
    private func wasNeverTried(_ outcome: Outcome, on device: DeviceName, of person: Username) -> Bool {
        guard let last = outcome.trail.enqueues.last, record.log.count < RunLimits.logEntries, !log.hasUnknownEnd,
            !record.faults.contains(where: { $0.kind.place == .clock || $0.kind == .restoreBackup })
        else { return false }
        let enqueue = log.enqueues[last]
        return enqueue.deliveries != nil && !isInFlight(enqueue.at) && !forgotten.contains(enqueue.notificationID)
            && !ends.hasEnded(enqueue.notificationID, on: device, of: person)
    }
}
