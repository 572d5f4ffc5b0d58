import Platform
import Scenarios

/// Names the one cause of a miss, from the last place where the notification was seen backwards to GitLab.
struct CauseFinder {
    let record: RunRecord
    let truth: GroundTruth
    let log: NotifierLog
    let observations: Observations
    let cadence: PollCadence
    private let watches: WatchHistory
    let faults: FaultSpans
    let devices: DeviceFates
    let forgotten: ForgottenNotifications
    let ends: DeliveryEnds
    private let itemsOfKeys: ItemsOfKeys

    init(_ finder: OutcomeFinder, _ ends: DeliveryEnds) {
        self.ends = ends
        record = finder.record
        truth = finder.truth
        log = finder.log
        observations = finder.observations
        forgotten = finder.forgotten
        cadence = PollCadence(overrides: record.resolved.scenario.notifier)
        watches = WatchHistory(record.watches)
        faults = FaultSpans(record)
        devices = DeviceFates(record)
        itemsOfKeys = ItemsOfKeys(record, truth)
    }

    /// What excuses one device excuses no other.
    func cause(of outcome: Outcome) -> MissCause {
        let cause = causeOnLastDevice(outcome)
        return cause.isExcused ? causeOnGoodDevice(outcome) ?? cause : cause
    }

    private func causeOnLastDevice(_ outcome: Outcome) -> MissCause {
        if let cause = afterAcceptance(outcome) { return cause }
        if let cause = afterAttempt(outcome) { return cause }
        if let enqueue = outcome.trail.enqueues.last { return afterEnqueue(log.enqueues[enqueue], outcome) }
        return beforeDetection(outcome)
    }

    // MARK: accepted by APNs

    private func afterAcceptance(_ outcome: Outcome) -> MissCause? {
        let accepted = outcome.trail.pushes.filter { record.pushes[$0].status == 200 }
        guard let last = accepted.last else { return nil }
        if let event = outcome.trail.events.last { return mailboxCause(record.deviceEvents[event], outcome) }
        if record.pushes[last].answerLost { return .answerLostNotDisplayed }
        let at = record.pushes[last].at
        let isLate = at + faults.deliveryDelay(at: at) >= record.simulated
        return isLate || isInFlight(at) ? .stillInFlight : .acceptedNotDisplayed
    }

    func mailboxCause(_ event: DeviceEventRecord, _ outcome: Outcome) -> MissCause {
        guard event.kind == .discarded else { return .deviceAway }
        switch event.cause ?? "" {
        case "overwrittenBySilentPush": return .overwrittenBySilentPush
        case "overwritten", "overwrittenUnacknowledged", "heldReplaced": return .overwrittenInMailbox
        case "expired", "expiredWhileStored", "expiredOnArrival", "storedTooLong", "notStored":
            return .expiredInMailbox
        case "notificationsDisabled", "notificationsOff": return .notificationsOff
        case "appRemoved", "appForceQuit": return .appRemoved
        case "tokenReplaced": return isOwedAgain(event, outcome) ? .acceptedNotDisplayed : .deadToken
        case "deviceReplaced": return .deadToken
        case "lostByFault": return .lostInAPNs(id: fault(of: event))
        default: return .acceptedNotDisplayed
        }
    }

    private func fault(of event: DeviceEventRecord) -> String {
        let pushes = observations.attempts[event.apnsID.lowercased()] ?? []
        return pushes.lazy.compactMap { record.pushes[$0].faultID }.last ?? "of the device's network"
    }

    // MARK: tried and not accepted

    private func afterAttempt(_ outcome: Outcome) -> MissCause? {
        guard let last = outcome.trail.pushes.last else { return nil }
        let cause = refusal(record.pushes[last], truth.people[outcome.pair.person])
        return cause == .deadToken ? causeOfDeadToken(record.pushes[last], outcome) : cause
    }

    /// The cause of what was not accepted, with that last push; by one device of the person alone, or by any that could get it again.
    func refusal(_ push: PushRecord, _ person: Username, on device: DeviceName? = nil) -> MissCause {
        // What is to be tried again waits no longer for a device that has gone.
        let due = truth.sendingDeadline(from: push.at, for: person) + Self.retryPause
        let canRepeat = devices.hasUsable(for: person, on: device, from: push.at, until: due)
        if let fault = push.faultID { return byFault(fault, push, canRepeat: canRepeat) }
        if push.status == 410 { return .deadToken }
        // APNs says 403 of the provider's token, and nothing of the push.
        if push.status == 403 || push.status == 429 || push.status >= 500, !canRepeat { return .noActiveDevice }
        if isInFlight(push.at) { return .stillInFlight }
        return .rejected(reason: push.reason.isEmpty ? "status \(push.status)" : push.reason)
    }

    /// A fault that only takes answers away leaves what APNs has said of the device.
    private func byFault(_ id: String, _ push: PushRecord, canRepeat: Bool) -> MissCause {
        if case .apnsReason(let reason, _, _) = faults.effect(of: id), reason.isFinal {
            return .refusedByFault(id: id, reason: reason.rawValue)
        }
        if push.status == 410 { return .deadToken }
        return canRepeat ? .lostByFault(id: id) : .noActiveDevice
    }

    /// Apple asks for so long a pause after an error of its own (APNs facts §6), and some time passes besides.
    static let retryPause = Duration.minutes(20)

    // MARK: in the outbox only

    private func afterEnqueue(_ enqueue: NotifierLog.Enqueue, _ outcome: Outcome) -> MissCause {
        let person = truth.people[outcome.pair.person]
        let due = truth.sendingDeadline(from: enqueue.at, for: person)
        let isOwed = devices.hasUsable(for: person, from: enqueue.at, until: due) || isOwedUntried(enqueue, outcome)
        guard isOwed else { return .noActiveDevice }
        return record.idleSince == nil ? .stillInFlight : .neverAttempted
    }

    /// A run that was drained has nothing on its way.
    func isInFlight(_ since: Duration) -> Bool { record.idleSince.map { since > $0 } ?? true }

    // MARK: never named

    private func beforeDetection(_ outcome: Outcome) -> MissCause {
        let pair = outcome.pair
        let activity = record.activities[pair.activity]
        let end = record.simulated.wholeNanoseconds
        if wasCut(activity, pair) { return .notNamedInBatch }
        if let reason = silence(of: pair) { return .silenced(reason: reason) }
        let obstacles = truth.obstacles[pair.person]
        let person = truth.people[pair.person]
        // The list of to-do items is read whole each time, so it shows a late one at once.
        let hasTodo = activity.todos.contains { $0.person == person }
        var grace = cadence.grace(
            watchedItems: watches.count(for: person, at: activity.at),
            lateness: hasTodo ? .zero : activity.readableFrom - activity.at
        )
        if activity.isOnlyListed { grace += cadence.approvals }
        let due = obstacles.deadline(from: .nanoseconds(pair.readableAt), grace: grace).wholeNanoseconds
        guard due > end else { return .notDetected }
        // What stood in the way in the end did so before there was time enough for a poll.
        switch obstacles.reading.owner(at: end - 1) {
        case .token: return .tokenDead
        case .outage, .downtime, .rateLimit: return .neverReadable
        default: return pair.readableAt < end ? .notPolledBeforeEnd : .neverReadable
        }
    }

    /// What the log says of the first key of it that was kept silent for the person.
    private func silence(of pair: TruthPair) -> String? {
        let person = truth.people[pair.person]
        return log.silences.first { silence in
            silence.person == person && silence.factKeys.contains { pair.keys.own.contains($0) }
        }?.reason
    }

    /// Whether a cut notification on the same item was made once the activity could be read. It is no proof that the
    /// person learned of it: a cut notification names what it tells, and the rest is in the feed.
    private func wasCut(_ activity: ActivityRecord, _ pair: TruthPair) -> Bool {
        guard let item = activity.item else { return false }
        return (observations.truncated[pair.person] ?? []).contains { index in
            let push = record.pushes[index]
            guard let content = push.content, push.at >= activity.readableFrom else { return false }
            return content.factKeys.contains { itemsOfKeys.item(of: $0, person: pair.person) == item }
        }
    }
}
