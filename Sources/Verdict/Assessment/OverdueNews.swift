import Platform
import Scenarios

/// An expected notification that APNs took only when more than its grace had passed in which nothing stood in the way.
struct OverdueNews: Codable, Sendable, Equatable {
    /// The activity's number in the ledger.
    var activity: Int
    var person: String
    /// Beyond the grace.
    var milliseconds: Int64
}

/// Finds what came late by the notifier's own fault, so that two runs of one scenario can be held against each other. Lenient: it says
/// nothing of news that APNs never took (who wants no push sees it when the app is opened), of people without a device for a while,
/// near faults other than deaths of the process (their backoff is luck), and where a clock is set.
struct OverdueFinder {
    private let judged: JudgedRun
    private let record: RunRecord
    private let cadence: PollCadence
    /// The longest time between two looks at everything, whatever has changed.
    private let looks: Duration
    private let disturbances: [Span]

    /// Deaths of the process are taken out as downtimes.
    private static let deaths: Set<FaultKind> = [.crash, .crashAtStep, .powerLoss, .restart]
    /// How long after a fault the notifier may still be waiting.
    private static let aftermath = Duration.minutes(15)
    /// No grace is shorter, so that most need no other look.
    private static let leastGrace = Duration.minutes(2).wholeNanoseconds

    init(_ judged: JudgedRun) {
        self.judged = judged
        record = judged.record
        cadence = judged.truth.cadence
        let settings = record.resolved.scenario.notifier
        let sweep = settings.duration("sweepInterval") ?? .seconds(30)
        looks = sweep + (settings.duration("patrolInterval") ?? .minutes(4))
        disturbances = record.faults.filter { !Self.deaths.contains($0.kind) }.map(\.span)
    }

    /// In the order of the activities.
    func overdue() -> [OverdueNews] {
        guard !record.faults.contains(where: { $0.kind.place == .clock }) else { return [] }
        let late = judged.outcomes.compactMap { lateness(of: $0) }
        guard !late.isEmpty else { return [] }
        let devices = DeviceFates(record)
        return late.filter { devices.hasUsable(for: $0.person, from: $0.span.from, until: $0.span.until) }
            .map { OverdueNews(activity: $0.activity, person: $0.person.text, milliseconds: $0.milliseconds) }
    }

    private struct Lateness {
        var activity: Int
        var person: Username
        /// From when it could be told until it was.
        var span: Span
        var milliseconds: Int64
    }

    private func lateness(of outcome: Outcome) -> Lateness? {
        guard outcome.isExpected, let accepted = outcome.acceptedAt else { return nil }
        let pair = outcome.pair
        let end = [accepted, outcome.displayedAt, outcome.caughtUpAt].compactMap(\.self).min() ?? accepted
        let start = max(pair.readableAt, pair.heldUntil ?? 0, pair.restoredAt ?? 0)
        guard end - start > Self.leastGrace else { return nil }
        let obstacles = judged.truth.obstacles[pair.person]
        let enqueued = min(max(outcome.enqueuedAt ?? end, start), end)
        var split = LatencySplit()
        obstacles.reading.add(from: start, to: enqueued, rest: .poll, into: &split)
        obstacles.sending.add(from: enqueued, to: end, rest: .queue, into: &split)
        let person = judged.truth.people[pair.person]
        let activity = record.activities[pair.activity]
        let late = split.excess - grace(for: activity, person).wholeNanoseconds
        let span = Span(from: .nanoseconds(start), until: .nanoseconds(end))
        guard late > 0, !isDisturbed(span) else { return nil }
        return Lateness(activity: activity.number, person: person, span: span, milliseconds: late / 1_000_000)
    }

    private func grace(for activity: ActivityRecord, _ person: Username) -> Duration {
        let grace = cadence.grace(
            watchedItems: judged.truth.watches.count(for: person, at: activity.at),
            lateness: activity.readableFrom - activity.at
        )
        return grace + looks + (activity.isOnlyListed ? cadence.approvals : .zero)
    }

    private func isDisturbed(_ span: Span) -> Bool {
        disturbances.contains { $0.from < span.until && span.from < $0.until + Self.aftermath }
    }
}
