import Platform
import Scenarios

/// A record with everything the verdict found in it.
struct JudgedRun {
    let record: RunRecord
    let log: NotifierLog
    let truth: GroundTruth
    let observations: Observations
    /// One for each of `truth.pairs`; what was read before it could be pushed is optional here.
    let outcomes: [Outcome]
    /// Positions of device events that showed a notification nobody was to get.
    let unexpected: [Int]
    let reminders: ReminderFindings
    let unread: UnreadFindings
    let forgotten: ForgottenNotifications
    /// The ends of deliveries that are believed.
    let ends: DeliveryEnds
    private let readings: [Username: ReadingRecord]

    init(_ record: RunRecord) {
        self.record = record
        log = NotifierLog(record)
        truth = GroundTruth(record, log: log)
        observations = Observations(record, truth: truth, log: log)
        forgotten = ForgottenNotifications(record, log)
        ends = DeliveryEnds(record, truth: truth, log: log, observations: observations)
        let finder = OutcomeFinder(
            record: record,
            truth: truth,
            log: log,
            observations: observations,
            installations: Installations(record),
            forgotten: forgotten
        )
        var outcomes = truth.pairs.map(finder.outcome)
        let readFirst = EarlierReadings(record, truth: truth)
        for index in outcomes.indices where readFirst.explain(outcomes[index]) {
            let isSignal = record.activities[outcomes[index].pair.activity].signal != nil
            outcomes[index].pair.standing = .optional(isSignal ? .settledMeanwhile : .readFirst)
        }
        let missed = outcomes.indices.filter { outcomes[$0].isMissed }
        if !missed.isEmpty {
            let causes = CauseFinder(finder, ends)
            for index in missed { outcomes[index].cause = causes.cause(of: outcomes[index]) }
        }
        self.outcomes = outcomes
        unexpected = Self.unexpected(record, observations)
        reminders = Self.reminders(record, truth, outcomes, log, observations)
        unread = UnreadJudge(record, truth: truth, log: log, observations: observations, forgotten: forgotten)
            .findings()
        readings = Dictionary(record.readings.map { ($0.person, $0) }) { first, _ in first }
    }

    private static func reminders(
        _ record: RunRecord,
        _ truth: GroundTruth,
        _ outcomes: [Outcome],
        _ log: NotifierLog,
        _ observations: Observations
    ) -> ReminderFindings {
        // Gone back to a backup, the notifier has forgotten when it told what.
        guard !record.faults.contains(where: { $0.kind == .restoreBackup }) else { return ReminderFindings() }
        let duties = DutyNoteJudge(record, truth: truth, log: log)
        let asks = ReminderJudge(
            record,
            truth: truth,
            outcomes: outcomes,
            others: duties.asks(),
            log: log,
            observations: observations
        )
        return asks.findings() + DueDateJudge(record, truth: truth, log: log).findings()
            + duties.findings()
    }

    /// When the notifier first knew of what it keeps for the end of quiet hours; nil when it kept nothing.
    func heldAt(_ outcome: Outcome) -> Int64? { outcome.trail.holds.first.map { log.holds[$0].at.wholeNanoseconds } }

    /// When GitLab was asked for the last time before the notifier knew of it: the reading that found it, as seen from outside. Nil when
    /// it never knew, or when that is not recorded.
    func polledAt(_ outcome: Outcome) -> Int64? {
        let pushed = outcome.trail.pushes.first.map { record.pushes[$0].at.wholeNanoseconds }
        guard let known = [heldAt(outcome), outcome.enqueuedAt, pushed].compactMap({ $0 }).min(),
            let reading = readings[truth.people[outcome.pair.person]]?.last(until: .nanoseconds(known)),
            reading >= record.activities[outcome.pair.activity].at
        else { return nil }
        return reading.wholeNanoseconds
    }

    /// The first showing, on each device, of a notification that covers something its person may not be notified of, or nothing at all.
    /// News about the service itself is not judged here.
    private static func unexpected(_ record: RunRecord, _ observations: Observations) -> [Int] {
        struct Shown: Hashable {
            var person: Username
            var device: DeviceName
            var notification: String
        }
        var seen: Set<Shown> = []
        return record.deviceEvents.indices.filter { index in
            let event = record.deviceEvents[index]
            guard event.isShown, let content = observations.content(of: event, in: record), content.type == nil else {
                return false
            }
            // What is told of duties is judged by ``DutyNoteJudge``.
            let keys = content.factKeys.filter { !DutyNote.isAbout($0) }
            guard content.factKeys.isEmpty || keys.contains(where: { !observations.isAllowed($0, for: event.person) })
            else {
                return false
            }
            let shown = Shown(person: event.person, device: event.device, notification: content.notificationID)
            return seen.insert(shown).inserted || event.kind == .displayed
        }
    }
}
