import Platform
import Scenarios
import Testing

@testable import Workbench

/// Programs, webhooks and what people are asked, there and back.
@Suite(.timeLimit(.minutes(5))) struct ProgramsRoundTripTests {
    private static let programs = """
        {
          "name": "agent-day", "description": "A program asks, is answered, muted and shut out.", "duration": "7h",
          "start": "2026-03-02T07:00:00Z",
          "world": {
            "people": [
              { "username": "@maria", "name": "Maria", "notified": { "devices": [{ "name": "phone" }], "watches": ["a/b!1"] } },
              { "username": "@ben", "name": "Ben", "notified": { "devices": [{ "name": "phone" }], "watches": ["a/b!1"] } }
            ],
            "projects": [{
              "path": "a/b",
              "members": [{ "username": "@maria", "role": "maintainer" }, { "username": "@ben", "role": "maintainer" }],
              "mergeRequests": [{ "iid": 1, "title": "Retry uploads", "author": "@ben" }]
            }]
          },
          "timeline": [
            { "at": "20m", "action": "signal", "by": "@maria", "says": "approval-needed", "name": "deploy" },
            { "at": "25m", "action": "signal", "by": "@ben", "says": "approval-needed", "name": "left-open" },
            { "at": "45m", "action": "signal", "by": "@maria", "says": "settled", "name": "deploy" },
            { "at": "1h", "action": "signal", "by": "@maria", "says": "approval-needed", "name": "done-in-the-app" },
            { "at": "1h20m", "action": "settle-signal", "by": "@maria", "name": "done-in-the-app" },
            { "at": "1h30m", "action": "signal", "by": "@maria", "says": "approval-needed", "name": "step", "run": "run-7" },
            { "at": "1h50m", "action": "signal", "by": "@maria", "says": "run-completed", "name": "end", "run": "run-7" },
            { "at": "2h", "action": "mute-program", "by": "@maria", "for": "1h" },
            { "at": "2h30m", "action": "signal", "by": "@maria", "says": "run-failed", "name": "while-muted" },
            { "at": "3h20m", "action": "signal", "by": "@maria", "says": "run-failed", "name": "after-the-mute" },
            { "at": "4h", "action": "signal", "by": "@maria", "says": "approval-needed", "name": "shut-out" },
            { "at": "4h10m", "action": "revoke-program", "by": "@maria" },
            { "at": "5h", "action": "signal", "by": "@maria", "says": "run-completed", "name": "let-in-again" },
            { "every": "30m", "from": "10m", "until": "6h", "action": "comment", "by": "@ben", "on": "a/b!1" }
          ],
          "expect": [{ "missed": "= 0" }, { "unexpected": "= 0" }]
        }
        """

    private static let hooks = """
        {
          "name": "hooks-lost", "description": "For an hour no webhook arrives.", "duration": "5h",
          "start": "2026-03-02T07:00:00Z",
          "world": {
            "gitlab": { "webhooks": true },
            "people": [
              { "username": "@maria", "name": "Maria", "notified": { "devices": [{ "name": "phone" }], "watches": ["a/b!1"] } },
              { "username": "@ben", "name": "Ben" }
            ],
            "projects": [{
              "path": "a/b",
              "members": [{ "username": "@maria", "role": "maintainer" }, { "username": "@ben", "role": "maintainer" }],
              "mergeRequests": [{ "iid": 1, "title": "Retry uploads", "author": "@ben" }]
            }]
          },
          "timeline": [
            { "every": "7m", "from": "10m", "until": "4h40m", "action": "comment", "by": "@ben", "on": "a/b!1" },
            { "at": "2h", "fault": "refuse", "link": "webhook", "for": "1h", "id": "lost" }
          ],
          "expect": [{ "missed": "= 0" }, { "unexpected": "= 0" }]
        }
        """

    private static let asks = """
        {
          "name": "asked-day", "description": "Reviews are asked for: one is left, one is done in the app, one in GitLab.", "duration": "4h",
          "start": "2026-03-02T07:00:00Z",
          "world": {
            "people": [
              { "username": "@maria", "name": "Maria",
                "notified": { "devices": [{ "name": "phone" }], "watches": ["a/b!1", "a/b!2", "a/b!3"] } },
              { "username": "@ben", "name": "Ben" }
            ],
            "projects": [{
              "path": "a/b",
              "members": [{ "username": "@maria", "role": "maintainer" }, { "username": "@ben", "role": "maintainer" }],
              "mergeRequests": [
                { "iid": 1, "title": "Retry uploads", "author": "@ben" }, { "iid": 2, "title": "Cache", "author": "@ben" },
                { "iid": 3, "title": "Logs", "author": "@ben" }
              ]
            }]
          },
          "timeline": [
            { "at": "20m", "action": "request-review", "by": "@ben", "on": "a/b!1", "user": "@maria" },
            { "at": "1h", "action": "request-review", "by": "@ben", "on": "a/b!2", "user": "@maria" },
            { "at": "1h12m", "action": "settle", "by": "@maria", "on": "a/b!2" },
            { "at": "2h", "action": "request-review", "by": "@ben", "on": "a/b!3", "user": "@maria" },
            { "at": "2h12m", "action": "todo-done", "by": "@maria", "on": "a/b!3" }
          ],
          "expect": [{ "missed": "= 0" }, { "unexpected": "= 0" }, { "reminders.missed": "= 0" }]
        }
        """

    @Test func `who asked, and who was answered, comes back, so that as many reminders come`() throws {
        let trip = try RoundTrip(ScenarioReader.read(Array(Self.asks.utf8), file: "asked-day.json"))
        #expect(trip.original.turns.contains { $0.contains("reminder 2") })
        #expect(trip.imported.turns == trip.original.turns)
        #expect(trip.imported.missed == trip.original.missed && trip.imported.unexpected == trip.original.unexpected)
    }

    @Test func `what programs said, and what people were reminded of, comes back`() throws {
        let trip = try RoundTrip(ScenarioReader.read(Array(Self.programs.utf8), file: "agent-day.json"))
        #expect(trip.original.turns.contains { $0.contains("reminder") })
        #expect(trip.imported.turns == trip.original.turns)
        #expect(trip.imported.missed == trip.original.missed && trip.imported.unexpected == trip.original.unexpected)
        #expect(trip.original.silenced == ["muted": 1] && trip.imported.silenced == trip.original.silenced)
    }

    @Test func `webhooks come back, and so does the hour without them`() throws {
        let trip = try RoundTrip(ScenarioReader.read(Array(Self.hooks.utf8), file: "hooks-lost.json"))
        #expect(trip.text.contains(#""webhooks": true"#) && trip.text.contains(#""link": "webhook""#))
        #expect(trip.imported.missed == trip.original.missed && trip.imported.unexpected == trip.original.unexpected)
        #expect(trip.imported.expected == trip.original.expected)
        // Half of what was told came by a webhook, and sooner than any poll.
        let soon = Duration.seconds(5).wholeNanoseconds
        #expect(trip.original.median < soon && trip.imported.median < soon)
    }
}
