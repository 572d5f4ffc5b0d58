import FoundationEssentials
import Platform
import Testing

@testable import Notifier

/// What a pending to-do item shows of why nobody waits behind it any more (GitLab facts §6.2).
struct TodoReadingTests {
    private let alice: Int64 = 7

    private func ending(_ action: String, on target: String) throws -> TodoEnding? {
        let head = #""id":21,"action_name":"\#(action)","author":null,"created_at":"2026-03-02T08:10:00Z""#
        let place = #""project":{"id":1},"target_type":"MergeRequest","target":{"iid":3,\#(target)}"#
        return try JSONDecoder().decode(TodoRow.self, from: Data("{\(head),\(place)}".utf8)).ending(for: alice)
    }

    private func instant(_ text: String) throws -> WallTime { try #require(ISO8601.wallTime(text)) }

    @Test(arguments: [("merged", "merged_at"), ("closed", "closed_at")])
    func `what was merged or closed has ended then`(state: String, key: String) throws {
        let at = "2026-03-02T08:15:00Z"
        let shown = try ending("approval_required", on: #""state":"\#(state)","\#(key)":"\#(at)""#)
        #expect(shown == TodoEnding(itemEndedAt: try instant(at)))
        #expect(try ending("approval_required", on: #""state":"opened","\#(key)":"\#(at)""#) == nil)
        #expect(try ending("approval_required", on: #""state":"\#(state)""#) == nil, "nobody knows when")
    }

    @Test func `a review is asked no more of who is no reviewer, where GitLab says who is`() throws {
        let time = #""state":"opened","updated_at":"2026-03-02T08:15:00Z""#
        let withdrawn = TodoEnding(withdrawnAt: try instant("2026-03-02T08:15:00Z"))
        #expect(try ending("review_requested", on: #"\#(time),"reviewers":[{"id":8}]"#) == withdrawn)
        #expect(try ending("review_requested", on: #"\#(time),"reviewers":[]"#) == withdrawn)
        #expect(try ending("review_requested", on: #"\#(time),"reviewers":[{"id":8},{"id":7}]"#) == nil)
        #expect(try ending("review_requested", on: time) == nil)
        #expect(try ending("review_requested", on: #"\#(time),"reviewers":[7]"#) == nil, "of another type")
        #expect(try ending("directly_addressed", on: #"\#(time),"reviewers":[]"#) == nil)
    }

    @Test func `rows that are known are asked about, too, on every page that is shown`() {
        let ending = TodoEnding(itemEndedAt: WallTime(microseconds: 1))
        var scan = TodosScan(ending: { $0.id == 9 ? nil : ending })
        let first = Page(number: 1, rows: [makeTodo(9), makeTodo(8)], head: PageHead(nextPage: 2))
        _ = scan.take(first, known: IDSet([8, 9]))
        var next = scan.goingOn(at: 2, known: IDSet([8, 9]))
        _ = next.take(Page(number: 2, rows: [makeTodo(3)], head: PageHead()), known: IDSet([8, 9]))
        #expect(next.endings == [8: ending, 3: ending])
    }
}
