import Platform
import Scenarios

/// A record with everything the verdict found in it.
struct JudgedRun {
    let record: RunRecord
    let log: NotifierLog
    let truth: GroundTruth
    let observations: Observations
    /// One for each of `truth.pairs`.
    let outcomes: [Outcome]
    /// Positions of device events that showed a notification nobody was to get.
    let unexpected: [Int]

    init(_ record: RunRecord) {
        self.record = record
        log = NotifierLog(record)
        truth = GroundTruth(record, log: log)
        observations = Observations(record, truth: truth, log: log)
        let finder = OutcomeFinder(
            record: record,
            truth: truth,
            log: log,
            observations: observations,
            installations: Installations(record)
        )
        var outcomes = truth.pairs.map(finder.outcome)
        let missed = outcomes.indices.filter { outcomes[$0].isMissed }
        if !missed.isEmpty {
            let causes = CauseFinder(finder)
            for index in missed { outcomes[index].cause = causes.cause(of: outcomes[index]) }
        }
        self.outcomes = outcomes
        unexpected = Self.unexpected(record, observations)
    }

    /// The first showing, on each device, of a notification that covers nothing its person may be notified of. News about
    /// the service itself is not judged here.
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
            guard !content.factKeys.contains(where: { observations.isAllowed($0, for: event.person) }) else {
                return false
            }
            let shown = Shown(person: event.person, device: event.device, notification: content.notificationID)
            return seen.insert(shown).inserted || event.kind == .displayed
        }
    }
}
