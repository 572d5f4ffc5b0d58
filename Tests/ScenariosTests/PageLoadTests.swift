import JSON
import Testing

@testable import Scenarios

struct PageLoadTests {
    @Test func `what recurs counts with all of its rows, what happens once does not`() {
        let timeline: [JSONValue] = [
            ["rate": "26/h", "until": "2h", "action": "publish-review", "count": 50],
            ["rate": "3/h", "until": "2h", "action": "comment"],
            ["at": "1h", "action": "publish-review", "count": 120],
        ]
        #expect(PageLoad(timeline).rowsAnHour == 1_303)
        #expect(PageLoad([]).rowsAnHour == 0)
    }

    @Test func `pages are too short when they would have to be read faster than a person may ask`() {
        let load = PageLoad([["rate": "40/h", "action": "publish-review", "count": 50]])
        #expect(load.exceeds(perPage: 1))
        #expect(load.exceeds(perPage: 9))
        #expect(!load.exceeds(perPage: 10))
    }

    @Test func `old comments count as often as they are read from end to end`() {
        let load = PageLoad([["rate": "3/h", "action": "comment"]], oldNotes: 1_200)
        #expect(load.rowsAnHour == 4_803)
        #expect(load.leastPerPage == 25)
        #expect(load.exceeds(perPage: 24))
        #expect(!load.exceeds(perPage: 25))
        #expect(PageLoad([]).leastPerPage == 1)
    }

    @Test func `short pages are drawn where they can be read, and only there`() throws {
        var short = 0
        for seed in UInt64(1)...300 {
            let world = try WorldGenerator.world(seed: seed)
            var reader = JSONReader(bytes: Array(world.text.utf8))
            let file = try reader.read().value
            guard case .number(let rows)? = file["notifier"]?["perPage"] else { continue }
            guard case .array(let timeline)? = file["timeline"] else { continue }
            let oldNotes = world.scenario.world.projects.flatMap(\.items).reduce(0) { $0 + Int64($1.oldNotes) }
            #expect(!PageLoad(timeline, oldNotes: oldNotes).exceeds(perPage: Int64(rows) ?? 0))
            short += rows == "1" ? 1 : 0
        }
        #expect(short > 0)
    }
}
