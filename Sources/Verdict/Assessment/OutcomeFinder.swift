import Platform

/// Matches one activity and person with what was observed.
struct OutcomeFinder {
    let record: RunRecord
    let truth: GroundTruth
    let log: NotifierLog
    let observations: Observations
    let installations: Installations
    let forgotten: ForgottenNotifications

    func outcome(of pair: TruthPair) -> Outcome {
        var outcome = Outcome(pair: pair)
        guard !pair.standing.isNotForThem else { return outcome }
        let activity = record.activities[pair.activity]
        let own = observations.trail(person: pair.person, keys: pair.keys.own)
        outcome.trail = own
        outcome.trail.merge(sharedTrail(pair, activity))
        outcome.trail.events.removeAll { record.deviceEvents[$0].at < activity.at }
        outcome.enqueuedAt = outcome.trail.enqueues.first.map { log.enqueues[$0].at.wholeNanoseconds }
        outcome.acceptedAt = outcome.trail.pushes.first { record.pushes[$0].status == 200 }
            .map { record.pushes[$0].at.wholeNanoseconds }
        outcome.caughtUpAt = outcome.trail.catchUps.first.map { record.catchUps[$0].at.wholeNanoseconds }
        // A reminder takes the place of a notification that still waits for the device.
        outcome.display =
            outcome.trail.events.first { record.deviceEvents[$0].isShown }
            ?? own.reminders.first { record.deviceEvents[$0].isShown && record.deviceEvents[$0].at >= activity.at }
        outcome.displayedAt = outcome.display.map { record.deviceEvents[$0].at.wholeNanoseconds }
        outcome.duplicates = duplicates(own.events.filter { record.deviceEvents[$0].at >= activity.at })
        outcome.split = outcome.display.map { split(activity, pair, shownBy: record.deviceEvents[$0]) }
        return outcome
    }

    /// What names an older fact tells of this activity only when it was made afterwards.
    private func sharedTrail(_ pair: TruthPair, _ activity: ActivityRecord) -> Observations.Trail {
        guard !pair.keys.shared.isEmpty else { return Observations.Trail() }
        func isLater(_ content: PushContent?) -> Bool {
            content.flatMap { observations.firstSeen[$0.notificationID] }.map { $0 >= activity.readableFrom } ?? false
        }
        var trail = observations.trail(person: pair.person, keys: pair.keys.shared)
        trail.pushes.removeAll { !isLater(record.pushes[$0].content) }
        trail.events.removeAll { !isLater(observations.content(of: record.deviceEvents[$0], in: record)) }
        trail.catchUps.removeAll { record.catchUps[$0].at < activity.readableFrom }
        trail.enqueues.removeAll { log.enqueues[$0].at < activity.readableFrom }
        return trail
    }

    /// Events that show, as something new, what the same device had shown before.
    private func duplicates(_ events: [Int]) -> [Int] {
        var shown: [DeviceEventRecord] = []
        return events.filter { index in
            let event = record.deviceEvents[index]
            guard event.isShown else { return false }
            defer { shown.append(event) }
            return event.kind == .displayed && shown.contains { isRepetition(event, of: $0) }
        }
    }

    private func isRepetition(_ event: DeviceEventRecord, of earlier: DeviceEventRecord) -> Bool {
        earlier.device == event.device
            && !forgotten.contains(
                observations.content(of: earlier, in: record),
                and: observations.content(of: event, in: record)
            )
            && installations.isRepetition(
                earlier.apnsID,
                on: earlier.installation,
                then: event.installation,
                of: event.device,
                event.person
            )
    }
}

extension OutcomeFinder {
    /// Splits the time from the activity to its first display among those who owned it.
    private func split(_ activity: ActivityRecord, _ pair: TruthPair, shownBy event: DeviceEventRecord) -> LatencySplit
    {
        let obstacles = truth.obstacles[pair.person]
        let shown = event.at.wholeNanoseconds
        // A to-do item that its owner had taken off the list and brought back is news from then on.
        let restored = pair.restoredAt.flatMap { $0 <= shown ? $0 : nil } ?? activity.at.wholeNanoseconds
        let start = min(max(activity.at.wholeNanoseconds, restored), shown)
        let attempts = attempts(of: event)
        let firstAttempt = attempts.first?.at ?? event.at
        let notification = observations.content(of: event, in: record)?.notificationID ?? ""
        let logged = observations.enqueuedAt[notification] ?? firstAttempt
        let enqueued = min(max(min(logged, firstAttempt).wholeNanoseconds, start), shown)
        let visible = min(max(activity.readableFrom.wholeNanoseconds, start), enqueued)

        var split = LatencySplit()
        split[.visibility] = visible - start
        let held = min(max(pair.heldUntil ?? visible, visible), enqueued)
        split[.quiet] = held - visible
        obstacles.reading.add(from: held, to: enqueued, rest: .poll, into: &split)
        var position = enqueued
        var rest = LatencyOwner.queue
        var renewal: Int64?
        for attempt in attempts {
            let next = min(max(attempt.at.wholeNanoseconds, position), shown)
            let renewed = min(max(renewal ?? next, position), next)
            obstacles.sending.add(from: position, to: renewed, rest: rest, into: &split)
            obstacles.sending.add(from: renewed, to: next, rest: .queue, into: &split)
            position = next
            renewal = self.renewal(after: attempt)
            rest = attempt.status == 0 || attempt.answerLost ? .apns : renewal == nil ? .backoff : .device
        }
        // What APNs has taken it delivers when it likes: the notifier can do nothing about that.
        let late = lateness(of: notification, attempts, shownBy: event, from: position)
        split[.outage] += late
        split[.device] += shown - position - late
        return split
    }

    /// When the notifier had another token of a device whose former one APNs has ended by that answer: until then there was nothing to push to. Nil
    /// for any other answer, and where no other token came.
    private func renewal(after attempt: PushRecord) -> Int64? {
        guard attempt.status == 410, !attempt.answerLost else { return nil }
        let changes = record.pushTokenChanges.filter { $0.person == attempt.person && $0.device == attempt.device }
        return changes.map(\.at).filter { $0 > attempt.at }.min()?.wholeNanoseconds
    }

    /// How long at most a fault kept what APNs had taken, after the instant `position`: what came before it was taken is the notifier's.
    private func lateness(
        of notification: String,
        _ attempts: [PushRecord],
        shownBy event: DeviceEventRecord,
        from position: Int64
    ) -> Int64 {
        guard truth.hasDeliveryDelays, let taken = takenAt(notification, attempts, shownBy: event) else { return 0 }
        let rest = event.at.wholeNanoseconds - max(position, taken.wholeNanoseconds)
        return min(max(rest, 0), truth.deliveryDelay(at: taken).wholeNanoseconds)
    }

    /// When APNs had taken it; of what an app showed by itself, when it first took a push of that to the device.
    private func takenAt(
        _ notification: String,
        _ attempts: [PushRecord],
        shownBy event: DeviceEventRecord
    ) -> Duration? {
        if let last = attempts.last, last.status == 200 { return last.at }
        guard event.isByApp else { return nil }
        return record.pushes.filter {
            $0.status == 200 && $0.at <= event.at && $0.device == event.device && $0.person == event.person
                && $0.content?.notificationID == notification
        }
        .map(\.at).min()
    }

    /// The attempts that led to a device event, up to the one that was accepted.
    private func attempts(of event: DeviceEventRecord) -> [PushRecord] {
        let all = (observations.attempts[event.apnsID.lowercased()] ?? []).map { record.pushes[$0] }
        let before = all.filter { $0.at <= event.at }
        guard let accepted = before.firstIndex(where: { $0.status == 200 }) else { return before }
        return Array(before[...accepted])
    }
}

extension DeviceEventRecord {
    /// Whether the person saw something.
    var isShown: Bool { kind == .displayed || kind == .replaced }
}
