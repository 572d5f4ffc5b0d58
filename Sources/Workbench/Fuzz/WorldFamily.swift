import JSON
import Platform
import Scenarios
import Verdict

/// A world with the twins it is held against, and what their runs came to so far.
struct WorldFamily {
    /// A scenario of the family.
    struct Member {
        /// In which way it is a twin; nil for the world itself.
        var relation: WorldRelation?
        var scenario: ScenarioSource
    }

    /// What is known once all have run.
    struct Findings {
        var flaws: [Flaw]
        /// Probes that the world itself reached.
        var probes: [String]
        /// Facts that were compared under each relation that applies.
        var compared: [WorldRelation: Int] = [:]
        /// How often the power went in the runs of all members.
        var powerLosses = 0
        /// Of the runs of all members and of what they did, as `SeedResult` has them; empty after a crash.
        var digest = ""
        var behaviour = ""
    }

    let world: DrawnWorld
    /// The world, then its twins in the order of the relations.
    let members: [Member]
    private var outcomes: [Int: FuzzOutcome] = [:]

    /// A world with a twin for each of the relations that applies to it.
    init(_ world: DrawnWorld, relations: [WorldRelation]) {
        self.world = world
        let twins = relations.compactMap { relation in
            relation.twin(of: world.scenario).map { twin in
                let text = ScenarioEncoder.scenario(twin).text(indented: true) + "\n"
                return Member(relation: relation, scenario: ScenarioSource(file: "\(twin.name).json", text: text))
            }
        }
        members = [Member(scenario: ScenarioSource(file: "fuzz-\(world.seed).json", text: world.text))] + twins
    }

    /// Takes in what became of one member; gives the findings with the last.
    mutating func add(_ outcome: FuzzOutcome, of member: Int) -> Findings? {
        outcomes[member] = outcome
        guard outcomes.count == members.count, let own = outcomes[0] else { return nil }
        var findings = Findings(flaws: own.flaws, probes: own.probes)
        let all = members.indices.compactMap { outcomes[$0] }
        findings.powerLosses = all.reduce(0) { $0 + $1.powerLosses }
        findings.digest = Self.digest(over: all.map(\.digest))
        findings.behaviour = Self.digest(over: all.map(\.behaviour))
        for (number, member) in members.enumerated() {
            guard let relation = member.relation, let twin = outcomes[number] else { continue }
            findings.flaws += twin.flaws.filter { !own.flaws.contains($0) }.map {
                Flaw(.twin, "\(relation.rawValue): \($0.signature)")
            }
            guard let told = own.told, let toldByTwin = twin.told else { continue }
            let comparison = ToldComparison(told, toldByTwin, under: relation)
            findings.flaws += comparison.flaws
            findings.compared[relation] = comparison.compared
        }
        return findings
    }

    /// One alone stands for itself; where one is missing, there is none.
    private static func digest(over digests: [String]) -> String {
        if digests.contains("") { return "" }
        if digests.count == 1 { return digests[0] }
        var digest = RunningDigest()
        for part in digests { digest.fold(part) }
        return digest.text
    }
}

/// What the run of one scenario came to.
struct FuzzOutcome {
    var flaws: [Flaw]
    /// Probes that it reached.
    var probes: [String] = []
    var powerLosses = 0
    /// Of the run and of what it did; empty after a crash.
    var digest = ""
    var behaviour = ""
    /// Nil where nobody asked, and after a crash.
    var told: ToldFacts?

    init(_ outcome: WorkerPool.Outcome) {
        switch outcome {
        case .crash(let crash): flaws = [Flaw(.crash, crash.cause)]
        case .answer(let line):
            do throws(ProgramError) {
                guard case .judged(let result) = try WorkerResponse(line: line) else { throw WorkerResponse.unexpected }
                (flaws, probes, told) = (result.flaws + result.lateness, result.reachedProbes, result.told)
                (powerLosses, digest, behaviour) = (result.powerLosses, result.digest, result.behaviour)
            } catch {
                flaws = [Flaw(.internalError, error.message)]
            }
        }
    }
}
