import Platform
import Testing

@testable import Notifier

struct SweepScopeTests {
    private func makeItem(_ project: Int64, _ kind: ItemKind, _ iid: Int64) -> ItemReference {
        ItemReference(project: ProjectID(rawValue: project), kind: kind, iid: iid)
    }

    @Test func `items of a project and a kind share sweeps of at most a page`() {
        let items = [
            makeItem(2, .issue, 1), makeItem(1, .mergeRequest, 3), makeItem(1, .issue, 5),
            makeItem(1, .mergeRequest, 1),
            makeItem(1, .mergeRequest, 2),
        ]
        let scopes = SweepScope.covering(items, limit: 2)
        #expect(scopes.map(\.project.rawValue) == [1, 1, 1, 2])
        #expect(scopes.map(\.kind) == [.issue, .mergeRequest, .mergeRequest, .issue])
        #expect(scopes.map(\.iids) == [[5], [1, 2], [3], [1]])
        #expect(SweepScope.covering([], limit: 2) == [])
    }

    @Test func `the request names the items, the bound and the scope that shows all`() {
        let scope = SweepScope(project: ProjectID(rawValue: 7), kind: .mergeRequest, iids: [3, 12])
        let start = "/api/v4/projects/7/merge_requests?scope=all&order_by=updated_at&sort=desc&per_page=100"
        let numbers = "&iids%5B%5D=3&iids%5B%5D=12"
        #expect(ListSource.sweep(scope, since: nil).target(perPage: 100) == start + numbers)
        let bound = WallTime(microseconds: 1_772_438_400_123_456)
        let since = "&updated_after=2026-03-02T08:00:00.123Z"
        #expect(ListSource.sweep(scope, since: bound).target(perPage: 100) == start + since + numbers)
    }

    @Test func `a hundred large numbers fit into a request line`() {
        let scope = SweepScope(
            project: ProjectID(rawValue: .max),
            kind: .mergeRequest,
            iids: (0..<100).map { 10_000_000 + $0 }
        )
        let target = ListSource.sweep(scope, since: WallTime(microseconds: 0)).target(perPage: 100)
        // nginx and Puma refuse request lines beyond 8 KiB.
        #expect(target.utf8.count < 4_096)
    }
}
