import Scenarios
import Testing

/// Where the scenarios and fixtures of the package lie, found from this file's own place.
enum Places {
    static let package = ancestor(4)
    static let scenarios = package + "/scenarios"
    static let fixtures = package + "/Tests/ScenariosTests/Fixtures"

    private static func ancestor(_ levels: Int) -> String {
        #filePath.split(separator: "/").dropLast(levels).reduce("") { $0 + "/" + $1 }
    }
}

/// The shipped scenarios, by path below `scenarios`.
let library = [
    "access-lost",
    "account-blocked",
    "answer-lost",
    "apns-outage",
    "apns-refusals",
    "apns-silence",
    "app-deleted",
    "apple-clock",
    "auto-watch-off",
    "bad-way-to-apns",
    "busy-week",
    "clock-skew",
    "crash-at-each-step",
    "crash-storm",
    "device-held",
    "disk-full",
    "drafts",
    "ee-approvals",
    "every-activity",
    "fifty-people",
    "flaky-network",
    "hooks-disabled",
    "issue-tracker",
    "large-ids",
    "late-commit",
    "long-thread",
    "maintenance-mode",
    "many-items",
    "merge-day",
    "merge-train",
    "mute-and-dismiss",
    "newcomer",
    "noisy-bot",
    "notes-limiter",
    "oauth-recovers",
    "oauth-refresh-lost",
    "old-gitlab",
    "one-device-refused",
    "outage",
    "outage-guises",
    "phone-offline",
    "phone-replaced",
    "quiet-hours",
    "quiet-hours-around-the-world",
    "quiet-month",
    "rate-limit",
    "replica-lag",
    "restart",
    "review-burst",
    "second-device",
    "silent-approvals",
    "slow-gitlab",
    "small-budget",
    "sweep-vs-per-item",
    "team-of-twelve",
    "throttled-touch",
    "todo-tidy",
    "token-expires",
    "token-rotates",
    "tuned-by-the-operator",
    "two-environments",
    "upgrade-day",
    "weak-signal",
    "webhook-lost",
    "bench/reference-day",
]

/// A small sound scenario as text, in which a test replaces only what matters to it.
func makeScenarioText(
    duration: String = "\"4h\"",
    people: String = "",
    mergeRequests: String = "{\"iid\": 1, \"title\": \"First\", \"author\": \"@ben\"}",
    timeline: String = "",
    expect: String = "",
    extra: String = ""
) -> String {
    """
    {"name": "made", "description": "Made by a test.", "duration": \(duration), "start": "2026-03-02T08:00:00Z",
     "world": {
       "people": [
         {"username": "@maria", "name": "Maria", "notified": {"devices": [{"name": "phone"}], "watches": ["team/backend!1"]}},
         {"username": "@ben", "name": "Ben"}, {"username": "@lea", "name": "Lea"},
         {"username": "@robot", "name": "Robot", "bot": true}\(people)],
       "projects": [{"path": "team/backend",
         "members": [{"username": "@maria", "role": "developer"}, {"username": "@ben", "role": "developer"},
                     {"username": "@lea", "role": "maintainer"}, {"username": "@robot", "role": "developer"}],
         "mergeRequests": [\(mergeRequests)], "issues": [{"iid": 2, "title": "Second", "author": "@ben"}]}]},
     "timeline": [\(timeline)], "expect": [\(expect)]\(extra)}
    """
}

func makeScenario(
    duration: String = "\"4h\"",
    mergeRequests: String = "{\"iid\": 1, \"title\": \"First\", \"author\": \"@ben\"}",
    timeline: String = "",
    expect: String = "",
    extra: String = ""
) throws -> Scenario {
    let text = makeScenarioText(
        duration: duration,
        mergeRequests: mergeRequests,
        timeline: timeline,
        expect: expect,
        extra: extra
    )
    return try ScenarioReader.read(Array(text.utf8), file: "made.json")
}

/// What is wrong with a scenario text; empty when it is sound.
func problems(in text: String) -> [Problem] {
    do throws(InvalidScenario) {
        _ = try ScenarioReader.read(Array(text.utf8), file: "made.json")
        return []
    } catch {
        return error.problems
    }
}
