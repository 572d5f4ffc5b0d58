import Configuration
import JSON
import Platform
import ScenarioFixtures
import Testing

@testable import Scenarios

struct WorldRelationTests {
    private static let worlds = try? (UInt64(1)...160).map { try WorldGenerator.world(seed: $0) }

    private static func twins(_ relation: WorldRelation) throws -> [(world: Scenario, twin: Scenario)] {
        try #require(worlds).map(\.scenario).compactMap { world in relation.twin(of: world).map { (world, $0) } }
    }

    private static func actions(_ scenario: Scenario) throws -> [Step.Event] {
        try scenario.plan(seed: scenario.seed).steps.filter { $0.action != nil }.map(\.event)
    }

    @Test(arguments: WorldRelation.allCases)
    func `a twin is a valid file, and people do the same in it at the same time`(relation: WorldRelation) throws {
        let twins = try Self.twins(relation)
        #expect(twins.count >= 32, "\(relation) applies to \(twins.count) of 160")
        for (world, twin) in twins {
            let text = ScenarioEncoder.scenario(twin).text(indented: true)
            #expect(try ScenarioReader.read(Array(text.utf8), file: "twin") == twin)
            #expect(try Self.actions(twin) == Self.actions(world))
            #expect(twin.world == world.world && twin != world && twin.duration == world.duration)
        }
    }

    @Test func `detection is the other of the two, and nothing else is set`() throws {
        for (world, twin) in try Self.twins(.detection) {
            let (one, other) = try (world.notifier.configuration(), twin.notifier.configuration())
            #expect(one.changeDetection != other.changeDetection)
            #expect(twin.timeline == world.timeline)
            #expect(
                twin.notifier.values.filter { $0.key != "changeDetection" }
                    == world.notifier.values.filter { $0.key != "changeDetection" }
            )
        }
    }

    @Test func `pages are much shorter, or much longer`() throws {
        for (world, twin) in try Self.twins(.pageSize) {
            let (one, other) = try (world.notifier.configuration().perPage, twin.notifier.configuration().perPage)
            #expect(max(one, other) >= 2 * min(one, other))
            #expect(twin.timeline == world.timeline)
            // What was there before has to be read in them, too.
            let oldNotes = world.world.projects.flatMap(\.items).reduce(0) { $0 + Int64($1.oldNotes) }
            let isRead = !PageLoad([], oldNotes: oldNotes).exceeds(perPage: Int64(other))
            #expect(isRead || other == 25)
        }
    }

    @Test func `without faults nothing goes wrong, but GitLab is upgraded all the same`() throws {
        for (world, twin) in try Self.twins(.withoutFaults) {
            #expect(Set(twin.faultCounts.keys).isSubset(of: [.gitlabUpgrade]))
            #expect(twin.faultCounts[.gitlabUpgrade] == world.faultCounts[.gitlabUpgrade])
            #expect(twin.notifier == world.notifier)
        }
        let calm = try makeScenario(
            timeline: #"{ "at": "10m", "action": "comment", "by": "@ben", "on": "team/backend!1" }"#
        )
        #expect(WorldRelation.withoutFaults.twin(of: calm) == nil)
    }

    @Test func `the power goes in the middle of commits, in every way, and what else happens stays`() throws {
        var kept: Set<KeptWrites> = []
        for (world, twin) in try Self.twins(.powerLosses) {
            #expect(twin.timeline.count == world.timeline.count + PowerLossDraw.count)
            #expect(Array(twin.timeline.prefix(world.timeline.count)) == world.timeline)
            for entry in twin.timeline.suffix(PowerLossDraw.count) {
                guard case .fault(let fault) = entry.event,
                    case .crashAtStep(let step, _, afterRestarts: 0, let keeps) = fault.effect
                else {
                    Issue.record("\(entry) takes no power away")
                    continue
                }
                #expect(step == .beforeDiskWrite || step == .beforeDiskSync)
                kept.insert(keeps)
            }
            #expect(WorldRelation.powerLosses.twin(of: world) == twin)
        }
        #expect(kept == [.nothing, .some, .torn, .garbage])
    }

    @Test func `a quiet restart is one fault more, and nothing is near it`() throws {
        for (world, twin) in try Self.twins(.quietRestart) {
            #expect(Array(twin.timeline.dropLast()) == world.timeline)
            let plan = try world.plan(seed: world.seed)
            let moment = try #require(plan.quietMoment)
            for step in plan.steps {
                let length: Duration = if case .fault(let fault) = step.event { fault.length } else { .zero }
                let isBefore = step.offset + length <= moment - .seconds(840)
                #expect(isBefore || step.offset >= moment + .seconds(60))
            }
        }
    }
}
