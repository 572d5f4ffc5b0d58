import FoundationEssentials
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios

struct LibraryTests {
    private func read(_ name: String) throws -> Scenario {
        try ScenarioReader.read(path: "\(Places.scenarios)/\(name).json")
    }

    @Test func `every scenario on disk is in the list`() throws {
        let files = FileManager.default
        let top = try files.contentsOfDirectory(atPath: Places.scenarios).filter { $0.hasSuffix(".json") }
        let bench = try files.contentsOfDirectory(atPath: Places.scenarios + "/bench").map { "bench/" + $0 }
        let names = (top + bench).filter { !$0.hasSuffix(".schema.json") }.map { String($0.dropLast(5)) }
        #expect(Set(names) == Set(library))
    }

    @Test(arguments: library)
    func `a shipped scenario is sound, named like its file, and says what it must have reached`(name: String) throws {
        let scenario = try read(name)
        #expect(name.hasSuffix(scenario.name))
        #expect(scenario.description.count { $0 == "." } >= 2)
        #expect(!scenario.probes.isEmpty)
        for metric in [Metric.missed, .duplicates, .unexpected] {
            #expect(
                scenario.expectations.contains { $0.metric == metric && $0.comparison == Comparison(.equal, .count(0)) }
            )
        }
    }

    @Test(arguments: library)
    func `a shipped scenario resolves into a scenario with the same plan`(name: String) throws {
        let plan = try read(name).plan(seed: 4)
        let resolved = try ScenarioReader.read(Array(plan.json.utf8), file: name)
        #expect(try resolved.plan(seed: 5).steps == plan.steps)
        #expect(resolved.world == plan.scenario.world)
        #expect(resolved.expectations == plan.scenario.expectations)
    }

    /// A claim of more than 99 % at 95 % confidence needs 299 notifications without a miss (statistics §1).
    @Test(arguments: library)
    func `a shipped scenario is possible under any seed, and enough happens for what its gates claim`(name: String)
        throws
    {
        let scenario = try read(name)
        let floors = scenario.expectations.compactMap { gate -> Int64? in
            guard gate.metric == .expected, case .count(let count) = gate.comparison.bound else { return nil }
            return count
        }
        let isClaim = scenario.expectations.contains { $0.confidence != nil }
        let floor = max(floors.max() ?? 1, isClaim ? 299 : 1)
        for seed in UInt64(1)...4 {
            var planner = try Planner(scenario: scenario, seed: seed)
            let plan = ResolvedScenario(scenario: scenario, seed: seed, steps: planner.plan())
            #expect(planner.impossible.isEmpty, "seed \(seed)")
            #expect(certainNotifications(plan) >= floor, "seed \(seed)")
        }
    }

    @Test func `the reference day has two hundred activities and twenty watched items`() throws {
        let scenario = try read("bench/reference-day")
        #expect(scenario.registeredFromStart.map { $0.notified?.watches.count } == [20])
        for seed in UInt64(1)...4 { #expect(try scenario.plan(seed: seed).steps.count == 200) }
    }

    @Test func `the faults of a scenario end before its last traffic`() throws {
        for name in library {
            let plan = try read(name).plan(seed: 1)
            var lastFault = Duration.zero
            var lastAction = Duration.zero
            for step in plan.steps {
                switch step.event {
                case .action: lastAction = max(lastAction, step.offset)
                case .fault(let fault): lastFault = max(lastFault, step.offset + fault.length)
                }
            }
            #expect(lastFault < lastAction, "\(name)")
            #expect(lastAction <= plan.scenario.duration - .minutes(10), "\(name)")
        }
    }

    /// Comments, pushes, approvals and changes of state on items somebody else watches, and reviews that are asked of somebody: what
    /// everyone would count.
    private func certainNotifications(_ plan: ResolvedScenario) -> Int {
        let people = plan.scenario.registeredFromStart.map { ($0.username, Set($0.notified?.watches ?? [])) }
        return plan.steps.reduce(0) { total, step in
            guard case .onItem(let action, let item, let actor) = step.action else { return total }
            if case .requestReview(let user) = action, user != actor, people.contains(where: { $0.0 == user }) {
                return total + 1
            }
            return total + weight(of: action) * people.count { $0.0 != actor && $0.1.contains(item) }
        }
    }

    private func weight(of action: ItemAction) -> Int {
        switch action {
        case .comment, .reply, .diffComment, .approve, .unapprove, .push, .merge, .close, .reopen: 1
        case .publishReview(let count): count
        default: 0
        }
    }
}
