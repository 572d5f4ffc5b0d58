import Platform
import Scenarios

/// Whether apps said of choices what was true of them, and sent those that their devices had kept.
struct ChoiceChecks {
    /// The system lets an app refresh every quarter of an hour while something waits: three times, and a minute for what is asked then.
    private static let patience = Duration.minutes(46)

    private let record: RunRecord
    /// When the last thing was over that may keep a server from answering anybody.
    private let troubleUntil: Duration

    init(_ record: RunRecord) {
        self.record = record
        let ends = record.faults.map(\.span.until) + record.downtimes.map(\.until)
        troubleUntil = ends.max() ?? .zero
    }

    func violations() -> [ViolationRecord] { mistold() + stuck() }

    private func mistold() -> [ViolationRecord] {
        record.refusedChoices.filter(\.wasKept).map { choice in
            let who = "\(choice.device) of \(choice.person)"
            return ViolationRecord(
                invariant: .choiceMistold,
                at: choice.at,
                detail: "\(who) said of a choice about \(choice.what) that it cannot be kept, and had kept it."
            )
        }
    }

    /// Where GitLab limits requests for the whole run, watches may have to wait for it.
    private func stuck() -> [ViolationRecord] {
        guard record.resolved.scenario.world.gitlab.authenticatedLimit == nil else { return [] }
        return record.unansweredChoices.compactMap { choice in
            let since = max(choice.chosenAt, choice.reachableSince, troubleUntil, tokenTroubleUntil(of: choice.person))
            guard since + Self.patience <= record.simulated else { return nil }
            let who = "\(choice.device) of \(choice.person)"
            return ViolationRecord(
                invariant: .choiceStuck,
                at: since + Self.patience,
                detail: "\(who) keeps a choice \(choice.what), and never had it answered."
            )
        }
    }

    /// When GitLab last began to take the person's token again; never while it does not.
    private func tokenTroubleUntil(of person: Username) -> Duration {
        let registrations = record.registrations.filter { $0.person == person }
        return registrations.flatMap(\.unserved).map(\.until).max() ?? .zero
    }
}
