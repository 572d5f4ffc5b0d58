import Platform
import Scenarios
import Testing

@testable import Workbench

/// Duties, there and back: a week in which two people take turns.
@Suite(.timeLimit(.minutes(5))) struct RotaRoundTripTests {
    private static let story = """
        {
          "name": "triage-week", "description": "Two people take turns at triage.", "duration": "6d",
          "start": "2026-03-02T06:00:00Z",
          "world": {
            "people": [
              { "username": "@maria", "name": "Maria", "notified": { "devices": [{ "name": "phone" }], "watches": ["a/b!1"] } },
              { "username": "@ben", "name": "Ben", "notified": { "devices": [{ "name": "phone" }], "watches": ["a/b!1"] } }
            ],
            "projects": [{
              "path": "a/b",
              "members": [{ "username": "@maria", "role": "maintainer" }, { "username": "@ben", "role": "maintainer" }],
              "mergeRequests": [{ "iid": 1, "title": "Retry uploads", "author": "@ben" }]
            }],
            "duties": [
              { "name": "triage", "members": ["@maria", "@ben"], "everyDays": 1, "time": "12:00", "zone": "ZONE",
                "leadHours": 2, "escalates": true },
              { "name": "release", "members": ["@ben", "@maria"], "weekdays": "tue,fri", "time": "16:00", "mode": "fixed",
                "leadHours": 3 }
            ]
          },
          "notifier": { "intervalSmall": "20m", "sweepInterval": "10m", "patrolInterval": "1h" },
          "timeline": [
            { "every": "6h", "from": "5m", "until": "5d22h", "action": "open-app", "by": "@maria", "for": "5m" },
            { "every": "6h", "from": "6m", "until": "5d22h", "action": "open-app", "by": "@ben", "for": "5m" },
            { "at": "7h", "action": "complete-duty", "by": "@maria", "duty": "triage" },
            { "at": "1d1h", "action": "give-duty", "by": "@ben", "user": "@maria", "duty": "triage" },
            { "at": "1d7h", "action": "complete-duty", "by": "@maria", "duty": "triage" },
            { "at": "2d7h", "action": "skip-duty", "by": "@ben", "duty": "triage" },
            { "at": "3d1h", "action": "mute-duty", "by": "@maria", "duty": "triage", "for": "30h" },
            { "at": "3d7h", "action": "complete-duty", "by": "@ben", "duty": "triage" },
            { "at": "4d11h", "action": "complete-duty", "by": "@ben", "duty": "release" },
            { "every": "9h", "from": "1h", "until": "5d12h", "action": "comment", "by": "@ben", "on": "a/b!1" }
          ],
          "expect": [{ "missed": "= 0" }, { "unexpected": "= 0" }]
        }
        """

    @Test(arguments: ["UTC", "Europe/Berlin", "Asia/Kolkata"])
    func `whose turn it was, and what they were told, comes back`(zone: String) throws {
        let text = Self.story.replacing("ZONE", with: zone)
        let trip = try RoundTrip(ScenarioReader.read(Array(text.utf8), file: "triage-week.json"))
        #expect(trip.original.turns.contains { $0.contains("duty") && $0.contains("reminder") })
        #expect(trip.imported.turns == trip.original.turns)
        #expect(trip.imported.missed == trip.original.missed && trip.imported.unexpected == trip.original.unexpected)
        #expect(trip.text.contains(#""zone": "\#(zone)""#))
    }
}
