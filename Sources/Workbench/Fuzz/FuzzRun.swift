import Live
import Platform
import Scenarios
import Verdict

/// Runs worlds and their twins on a pool of workers.
struct FuzzRun {
    var environment: InheritedEnvironment
    var jobs: Int?
    var signals: LiveSignals

    /// Which family, and which member of it.
    private struct Place {
        var family: Int
        var member: Int
    }

    /// Hands over each family with its findings as soon as all of its members have run.
    ///
    /// - Throws: `ProgramError` when something cannot be run, or it was interrupted.
    func run(
        _ all: [WorldFamily],
        finished: (WorldFamily, WorldFamily.Findings) throws(ProgramError) -> Void
    ) throws(ProgramError) {
        var families = all
        let places = families.indices.flatMap { family in
            families[family].members.indices.map { Place(family: family, member: $0) }
        }
        var pool = WorkerPool(
            count: jobs ?? LiveEnvironment.coreCount,
            preamble: places.enumerated().map { number, place in
                .load(scenario: number, source: families[place.family].members[place.member].scenario)
            },
            timeLimit: RunArguments.defaultTimeLimit,
            signals: signals,
            launch: { [environment] _ in .worker(environment) }
        )
        let orders = places.enumerated().map { number, place in
            let family = families[place.family]
            let tellsFacts = family.members.count > 1
            return WorkerRequest.judge(RunOrder(scenario: number, seed: family.world.seed, tellsFacts: tellsFacts))
        }
        try pool.run(orders) { (request, outcome) throws(ProgramError) in
            guard case .judge(let order) = request else { return [] }
            let place = places[order.scenario]
            if let findings = families[place.family].add(FuzzOutcome(outcome), of: place.member) {
                try finished(families[place.family], findings)
            }
            return []
        }
    }
}
