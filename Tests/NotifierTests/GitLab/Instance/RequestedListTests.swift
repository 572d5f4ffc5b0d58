import HTTP
import Testing

@testable import Notifier

/// What the operator is told of requests.
struct RequestedListTests {
    @Test(arguments: [
        ("/api/v4/todos?state=pending&per_page=100", RequestedList.todos),
        ("/api/v4/projects/3/merge_requests?scope=all&iids[]=1", .rows),
        ("/api/v4/projects/3/issues?scope=all&iids[]=1", .rows),
        ("/api/v4/projects/3/merge_requests/7/notes?page=2", .notes),
        ("/api/v4/projects/3/issues/7/resource_state_events", .stateEvents),
        ("/api/v4/projects/3/merge_requests/7/approvals", .approvals),
        ("/api/v4/projects/3/merge_requests/7", .other),
        ("/api/v4/projects/3/merge_requests/7/pipelines", .other),
        ("/api/v4/user", .other),
        ("", .other),
    ]) func `a target tells what is asked for`(target: String, list: RequestedList) {
        #expect(RequestedList(target: target) == list)
    }

    @Test func `an answer is content, as it was, or none`() {
        #expect(RequestAnswer(.response(HTTPResponse(status: 200))) == .content)
        #expect(RequestAnswer(.response(HTTPResponse(status: 304))) == .unchanged)
        #expect(RequestAnswer(.response(HTTPResponse(status: 429))) == .failed)
        #expect(RequestAnswer(.unknown(.timedOut)) == .failed)
    }

    @Test func `every reason has a name of its own, and rounds give way`() {
        let reasons: [RequestReason] =
            [.app, .todosDue, .todosPointedTo, .changes, .everything, .account] + DueReason.allCases.map(\.ofRequests)
        #expect(Set(reasons.map(\.name)).count == reasons.count)
        #expect(RequestReason.everything.urgency == .rounds)
        #expect(DueReason.patrol.ofRequests.urgency == .rounds)
        #expect(DueReason.changed.ofRequests.urgency == .news)
        #expect(RequestReason.app.urgency == .person)
    }
}
