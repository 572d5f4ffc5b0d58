import JSON
import Platform

/// Why a scenario cannot be planned.
package struct PlanError: Error, Sendable, Equatable {
    /// A plan has at most so many steps.
    static let limit = 2_000_000

    /// Index of the timeline entry at which the limit was passed.
    var entry: Int
}

extension Scenario {
    /// Makes every choice the file leaves open. The same scenario and seed give the same plan; each entry draws from a
    /// stream of its own, so that a change to one does not shift the others. Throws when there would be too many steps.
    package func plan(seed: UInt64) throws(PlanError) -> ResolvedScenario {
        var planner = try Planner(scenario: self, seed: seed)
        let steps = planner.plan()
        return ResolvedScenario(
            scenario: self,
            seed: seed,
            steps: steps,
            skippedOccurrences: planner.skippedOccurrences
        )
    }
}

/// Walks through all occurrences in the order of time and turns each into a step.
struct Planner {
    /// A step that the file demands at a certain instant and that is not possible then.
    struct ImpossibleStep: Equatable {
        var entry: Int
        var offset: Duration
        var reason: String
    }

    private struct Arrival {
        var offset: Int64
        var entry: Int
        /// From 1 within the entry.
        var occurrence: Int
    }

    private let scenario: Scenario
    private let arrivals: [Arrival]
    /// The number from which the streams of an entry's occurrences are seeded.
    private let bases: [UInt64]
    private var planned: PlannedWorld
    private(set) var impossible: [ImpossibleStep] = []
    private(set) var skippedOccurrences = 0
    /// Until when everything that the notifier learns is lost: it goes back to a backup then.
    private var forgottenUntil = Duration.zero
    /// When the last backup is brought back.
    private var restoredUntil = Duration.zero

    init(scenario: Scenario, seed: UInt64) throws(PlanError) {
        self.scenario = scenario
        planned = PlannedWorld(scenario: scenario)
        var arrivals: [Arrival] = []
        var bases: [UInt64] = []
        var streams = StreamNames()
        let calculator = Arrivals(scenario: scenario)
        for (index, entry) in scenario.timeline.enumerated() {
            var random = RandomStream(seed: seed, stream: streams.name(of: entry))
            bases.append(random.next())
            let limit = PlanError.limit - arrivals.count
            guard let offsets = calculator.offsets(of: entry.occurrence, random: &random, limit: limit) else {
                throw PlanError(entry: index)
            }
            for (number, offset) in offsets.enumerated() {
                arrivals.append(Arrival(offset: offset, entry: index, occurrence: number + 1))
            }
        }
        self.bases = bases
        self.arrivals = arrivals.sorted {
            ($0.offset, $0.entry, $0.occurrence) < ($1.offset, $1.entry, $1.occurrence)
        }
    }

    /// All steps; a fault that would outlast the story is left out. What turned out not to be possible is counted in `skippedOccurrences`.
    mutating func plan() -> [Step] {
        var steps: [Step] = []
        steps.reserveCapacity(arrivals.count)
        for arrival in arrivals {
            guard let event = event(of: arrival) else { continue }
            steps.append(Step(sequence: steps.count, offset: .milliseconds(arrival.offset), event: event))
        }
        return steps
    }

    private mutating func event(of arrival: Arrival) -> Step.Event? {
        let entry = scenario.timeline[arrival.entry]
        if case .fault(let fault) = entry.event {
            guard .milliseconds(arrival.offset) + fault.length <= scenario.duration else {
                skippedOccurrences += 1
                return nil
            }
            if let reason = restore(fault, at: .milliseconds(arrival.offset)) { return skip(arrival, reason) }
            return .fault(named(fault, entry, arrival))
        }
        do throws(ActionChooser.Impossible) {
            let action = try action(of: entry, arrival)
            if .milliseconds(arrival.offset) < forgottenUntil, let reason = planned.forgets(action.action) {
                return skip(arrival, reason)
            }
            planned.apply(action)
            return .action(action)
        } catch {
            return skip(arrival, error.reason)
        }
    }

    private mutating func skip(_ arrival: Arrival, _ reason: String) -> Step.Event? {
        skippedOccurrences += 1
        if case .at(let offset) = scenario.timeline[arrival.entry].occurrence,
            impossible.count < InvalidScenario.maximumCount
        {
            impossible.append(ImpossibleStep(entry: arrival.entry, offset: offset, reason: reason))
        }
        return nil
    }

    /// Why a backup cannot be made and brought back then; nil when it can, and for every other fault.
    private mutating func restore(_ fault: Fault, at offset: Duration) -> String? {
        guard fault.effect == .restoreBackup || fault.effect == .blockDamage else { return nil }
        guard Fault.backupAges.contains(fault.length) else {
            return "a backup is brought back when it is between a minute and twelve hours old"
        }
        guard offset >= restoredUntil else { return "another backup is about to be brought back" }
        restoredUntil = offset + fault.length
        // The notifier is down from the moment of the backup on, and has nothing to forget.
        if fault.effect == .restoreBackup { forgottenUntil = restoredUntil }
        return nil
    }

    /// The chooser's copy of the world is gone when this returns, so that applying the action copies nothing.
    private func action(of entry: TimelineEntry, _ arrival: Arrival) throws(ActionChooser.Impossible) -> ResolvedAction
    {
        let random = RandomStream(seed: bases[arrival.entry] &+ UInt64(arrival.occurrence))
        var chooser = ActionChooser(planned: planned, random: random)
        switch entry.event {
        case .action(let template): return try chooser.choose(template)
        case .mix(let mix): return try chooser.choose(mix)
        case .fault: throw ActionChooser.Impossible(reason: "a fault is not an action")
        }
    }

    private func named(_ fault: Fault, _ entry: TimelineEntry, _ arrival: Arrival) -> Fault {
        var fault = fault
        fault.id = entry.id ?? fault.id
        switch entry.occurrence {
        case .at, .once: break
        case .every, .rate: fault.id = fault.id.occurrence(arrival.occurrence)
        }
        return fault
    }
}

/// Names the stream of each entry by its id, or by what it says: so that neither its place in the file nor another entry
/// matters to what it draws.
struct StreamNames {
    private var counts: [String: Int] = [:]

    mutating func name(of entry: TimelineEntry) -> String {
        let text = entry.id?.text ?? ScenarioEncoder.entry(entry).text(indented: false)
        let count = counts[text, default: 0]
        counts[text] = count + 1
        return count == 0 ? text : "\(text)#\(count)"
    }
}
