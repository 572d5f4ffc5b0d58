import JSON
import Platform
import Testing

@testable import Harness
@testable import Scenarios
@testable import Workbench

@Suite struct ServedLedgersTests {
    private static let scenario = """
        {
          "name": "paged", "description": "Two comments reach a phone and a Mac.", "seed": 3, "duration": "20m",
          "start": "2026-03-02T08:00:00Z",
          "world": {
            "people": [
              {
                "username": "@maria", "name": "Maria",
                "notified": {
                  "devices": [{ "name": "phone", "platform": "ios" }, { "name": "mac", "platform": "macos" }],
                  "watches": ["team/app!1"]
                }
              },
              { "username": "@ben", "name": "Ben" }
            ],
            "projects": [
              {
                "path": "team/app",
                "members": [{ "username": "@maria", "role": "developer" }, { "username": "@ben", "role": "developer" }],
                "mergeRequests": [{ "iid": 1, "title": "One", "author": "@maria" }]
              }
            ]
          },
          "timeline": [
            { "at": "5m", "action": "comment", "by": "@ben", "on": "team/app!1", "body": "First" },
            { "at": "10m", "action": "comment", "by": "@ben", "on": "team/app!1", "body": "Second" }
          ],
          "expect": [{ "unexpected": "<= 0" }]
        }
        """

    @Test(arguments: [1, 2, 1_000])
    func `whoever reads page after page from the beginning sees everything once`(pageLimit: Int) throws {
        let world = try SimulatedWorld(
            try ScenarioReader.read(Array(Self.scenario.utf8), file: "t").plan(seed: 1),
            RunOptions()
        )
        try world.play()
        let activities = Self.read("sequence") { ServedLedgers.activities(of: world, after: $0, limit: pageLimit) }
        let pushes = Self.read("push") { ServedLedgers.pushes(of: world, after: $0, limit: pageLimit) }
        let events = Self.read("sequence") { ServedLedgers.events(of: world, after: $0, limit: pageLimit) }
        #expect(activities == Array(1...2))
        #expect(pushes == Array(1...4))
        // Each push is accepted and displayed, at least.
        #expect(events.count >= 8)
        #expect(events == events.indices.map { Int64($0 + 1) })
    }

    /// The numbers of all entries, read as a client of the control API does.
    private static func read(_ number: String, _ page: (Int64) -> [JSONValue]) -> [Int64] {
        var numbers: [Int64] = []
        while true {
            let entries = page(numbers.last ?? 0)
            guard !entries.isEmpty, numbers.count < 1_000 else { return numbers }
            numbers += entries.compactMap { entry in
                guard case .object(let members) = entry,
                    case .number(let digits)? = members.first(where: { $0.key == number })?.value
                else { return nil }
                return Int64(digits)
            }
        }
    }
}
