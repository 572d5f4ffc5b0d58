import HTTP
import ScenarioFixtures
import Scenarios
import Testing
import Verdict

@testable import Harness

/// For which items GitLab is asked that it had not named.
struct ItemRequestObserverTests {
    private func ask(
        _ observer: inout ItemRequestObserver,
        for iid: Int,
        of person: Username = RecordBuilder.maria,
        at seconds: Int,
        isForApp: Bool = false
    ) {
        let target = "/api/v4/projects/7/issues/\(iid)/notes"
        let request = HTTPRequest(method: .get, origin: WorldBuilder.gitlabOrigin, target: target)
        let reply = SentResponse(HTTPResponse(status: 200))
        observer.note(request, reply, of: person, at: .seconds(seconds), isForApp: isForApp)
    }

    @Test func `what an app waits for is no request of the notifier's own, and names the item to that person`() {
        var observer = ItemRequestObserver()
        observer.projects[7] = RecordBuilder.backend
        ask(&observer, for: 234, at: 10, isForApp: true)
        ask(&observer, for: 234, at: 20)
        #expect(observer.requests.isEmpty)
        ask(&observer, for: 235, at: 30)
        ask(&observer, for: 234, of: RecordBuilder.jonas, at: 40)
        let other = ItemReference(project: RecordBuilder.backend, kind: .issue, iid: 235)
        #expect(
            observer.requests == [
                ItemRequestRecord(person: RecordBuilder.maria, item: other, at: .seconds(30)),
                ItemRequestRecord(person: RecordBuilder.jonas, item: RecordBuilder.issue, at: .seconds(40)),
            ]
        )
    }
}
