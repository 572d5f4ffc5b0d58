package import Scenarios

/// A small sound scenario as text, in which a test replaces only what matters to it.
package func makeScenarioText(
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

package func makeScenario(
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
package func problems(in text: String) -> [Problem] {
    do throws(InvalidScenario) {
        _ = try ScenarioReader.read(Array(text.utf8), file: "made.json")
        return []
    } catch {
        return error.problems
    }
}
