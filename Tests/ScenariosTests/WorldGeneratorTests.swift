import JSON
import Platform
import Testing

@testable import Scenarios

struct WorldGeneratorTests {
    @Test func `every entry of the tables is drawn within 2,000 seeds`() throws {
        var missing = Set(WorldVocabulary.all)
        var seed: UInt64 = 0
        while !missing.isEmpty && seed < 2_000 {
            seed += 1
            missing.subtract(try WorldGenerator.world(seed: seed).vocabulary)
        }
        #expect(missing.sorted() == [])
    }

    @Test func `a drawn world is a valid file, which says the same when it is drawn again`() throws {
        for seed in UInt64(1)...40 {
            let world = try WorldGenerator.world(seed: seed)
            #expect(try ScenarioReader.read(Array(world.text.utf8), file: "world") == world.scenario)
            #expect(try WorldGenerator.world(seed: seed).text == world.text)
            #expect(!world.scenario.timeline.isEmpty)
        }
        #expect(try WorldGenerator.world(seed: 1).text != WorldGenerator.world(seed: 2).text)
    }

    @Test func `what rests on what was left out is left out in a later round`() {
        var parts = DrawnParts(settings: [], timeline: (1...40).map { JSONValue.integer(Int64($0)) })
        func problem(at pointer: String) -> Problem {
            Problem(code: .impossibleAction, file: "drawn", pointer: pointer, message: "It is not possible then.")
        }
        let redrawn = (1...18).map { _ in parts.leaveOut([problem(at: "/timeline/0")]) }
        #expect(redrawn == [Int?](repeating: 1, count: 6) + [Int?](repeating: 0, count: 12))
        #expect(parts.refused == 18 && parts.timeline.count == 22)
        let more = parts.leaveOut([problem(at: "/timeline/0")])
        #expect(more == nil, "it has no end")
        var others = DrawnParts(settings: [], timeline: [])
        let elsewhere = others.leaveOut([problem(at: "/world")])
        #expect(elsewhere == nil && others.refused == 0)
    }

    @Test func `every fault ends, and the world rests for hours`() throws {
        let rest = Duration.seconds(6 * 3_600)
        for seed in UInt64(1)...40 {
            let scenario = try WorldGenerator.world(seed: seed).scenario
            for entry in scenario.timeline {
                guard case .fault(let fault) = entry.event, case .at(let instant) = entry.occurrence else { continue }
                #expect(instant + fault.length + rest <= scenario.duration)
            }
        }
    }

    @Test func `what APNs holds back has come before the world is over`() throws {
        var delays: Set<Duration> = []
        for seed in UInt64(1)...600 {
            for entry in try WorldGenerator.world(seed: seed).scenario.timeline {
                guard case .fault(let fault) = entry.event else { continue }
                switch fault.effect {
                case .apnsDeliveryDelay(let delay, _), .apnsReordering(let delay, _): delays.insert(delay)
                default: continue
                }
            }
        }
        #expect(!delays.isEmpty && delays.allSatisfy { $0 <= .seconds(5_400) })
    }

    @Test func `several kinds of activity are chosen, seldom all and never none`() throws {
        var sizes: Set<Int> = []
        for seed in UInt64(1)...200 {
            for entry in try WorldGenerator.world(seed: seed).scenario.timeline {
                guard case .action(let template) = entry.event, template.kind == .chooseKinds else { continue }
                sizes.insert(template.kinds.count)
            }
        }
        #expect(sizes.count > 2 && !sizes.contains(0))
    }

    @Test func `worlds begin on many days, and people live everywhere`() throws {
        var starts: Set<WallTime> = []
        var zones: Set<QuietHours.Zone> = []
        for seed in UInt64(1)...400 {
            let scenario = try WorldGenerator.world(seed: seed).scenario
            starts.insert(scenario.start)
            zones.formUnion(scenario.world.duties.map(\.zone))
            for entry in scenario.timeline {
                if case .action(let action) = entry.event, let hours = action.quietHours { zones.insert(hours.zone) }
            }
        }
        #expect(starts.count > 50)
        #expect(starts.contains(CivilDate(year: 2026, month: 3, day: 2, hour: 7).wallTime()))
        #expect(zones == Set(QuietHours.Zone.allCases))
    }

    @Test func `a clock that jumps jumps back`() throws {
        var steps = 0
        for seed in UInt64(1)...200 {
            var offsets: [ClockNode: Duration] = [:]
            for entry in try WorldGenerator.world(seed: seed).scenario.timeline {
                guard case .fault(let fault) = entry.event, case .clockStep(let node, let jump) = fault.effect else {
                    continue
                }
                offsets[node, default: .zero] += jump
                steps += 1
            }
            #expect(offsets.values.allSatisfy { $0 == .zero })
        }
        #expect(steps > 0)
    }

    @Test func `a clock may gain or lose no more than a tenth, as the simulated clocks allow`() throws {
        let world = try WorldGenerator.world(seed: 1)
        func file(drift: Int) -> [UInt8] {
            let entry =
                #"{"at": "1h", "fault": "clock-drift", "node": "gitlab", "partsPerMillion": \#(drift), "for": "1m"}"#
            let key = "\"timeline\": ["
            let parts = world.text.split(separator: key, maxSplits: 1)
            return Array(parts.joined(separator: "\(key)\(entry),").utf8)
        }
        for drift in [-100_000, 100_000] {
            #expect(throws: Never.self) { try ScenarioReader.read(file(drift: drift), file: "world") }
        }
        for drift in [-100_001, 100_001] {
            #expect(throws: InvalidScenario.self) { try ScenarioReader.read(file(drift: drift), file: "world") }
        }
    }
}
