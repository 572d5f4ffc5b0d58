import HTTP
import Platform
import Testing

@testable import FakeGitLab

/// `GET /items` over the fake GitLab (GitLab facts §6.1, §7.2).
struct ItemListTests {
    /// One item for each way to have to do with it, and one that is none of maria's business.
    private func makeBench(version: GitLabVersion = GitLabVersion(17, 11)) throws -> GitLabBench {
        let bench = try GitLabBench(version: version)
        try bench.open(.issue, 1, by: "omar", assignees: ["maria"])
        try bench.open(.mergeRequest, 2, by: "maria")
        try bench.open(.mergeRequest, 3, by: "omar", reviewers: ["maria"])
        let mentioned = try bench.open(.issue, 4, by: "omar")
        try bench.gitlab.comment(by: "omar", on: mentioned, body: "What does @maria think?")
        try bench.open(.issue, 5, by: "omar", assignees: ["ines"])
        try bench.open(.mergeRequest, 6, by: "maria", in: "team/other", assignees: ["maria"])
        return bench
    }

    @Test(arguments: [GitLabVersion(15, 0), GitLabVersion(16, 11), GitLabVersion(18, 5)])
    func `a person's items come from every way to be involved, newest activity first`(_ version: GitLabVersion)
        async throws
    {
        let bench = try makeBench(version: version)
        let session = try await bench.register()
        let answer = try await bench.items(session: session)
        #expect(answer.items.map(\.text) == ["!6", "#4", "!3", "!2", "#1"])
        #expect(
            answer.items.map(\.involvement) == [
                ["assigned", "authored"], ["mentioned"], ["reviewer"], ["authored"], ["assigned"],
            ]
        )
        #expect(answer.items.map(\.projectPath) == ["team/other"] + Array(repeating: "team/backend", count: 4))
        #expect(answer.nextCursor == nil)
        #expect(answer.items.allSatisfy { $0.state == "opened" && !$0.watched && !$0.title.isEmpty })
        #expect(answer.items.map(\.lastActivityAt) == answer.items.map(\.lastActivityAt).sorted(by: >))
    }

    @Test(arguments: [
        ("?involvement=assigned", ["!6", "#1"]), ("?involvement=authored", ["!6", "!2"]),
        ("?involvement=reviewer", ["!3"]), ("?involvement=mentioned", ["#4"]), ("?itemType=issue", ["#4", "#1"]),
        ("?itemType=merge_request&involvement=assigned", ["!6"]), ("?involvement=reviewer&itemType=issue", []),
        ("?state=closed", []),
    ])
    func `the list is filtered by involvement, kind and state`(_ query: String, _ expected: [String]) async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        #expect(try await bench.items(query, session: session).items.map(\.text) == expected)
    }

    @Test func `the list is filtered by project, to-dos included`() async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        let backend = try bench.gitlab.id(ofProject: "team/backend")
        let other = try bench.gitlab.id(ofProject: "team/other")
        #expect(try await bench.items("?projectId=\(other)", session: session).items.map(\.text) == ["!6"])
        let items = try await bench.items("?projectId=\(backend)", session: session).items
        #expect(items.map(\.text) == ["#4", "!3", "!2", "#1"])
    }

    @Test func `asking again shows what GitLab has by then`() async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        #expect(try await bench.items("?itemType=issue", session: session).items.map(\.text) == ["#4", "#1"])
        try bench.gitlab.close(by: "omar", on: ItemReference(project: "team/backend", kind: .issue, iid: 1))
        try bench.open(.issue, 7, by: "omar", assignees: ["maria"])
        #expect(try await bench.items("?itemType=issue", session: session).items.map(\.text) == ["#7", "#4"])
    }

    @Test func `closed and merged items are shown to those who ask`() async throws {
        let bench = try makeBench()
        try bench.gitlab.close(by: "omar", on: ItemReference(project: "team/backend", kind: .issue, iid: 1))
        try bench.gitlab.merge(by: "omar", on: ItemReference(project: "team/backend", kind: .mergeRequest, iid: 2))
        let session = try await bench.register()
        #expect(try await bench.items("?state=closed", session: session).items.map(\.text) == ["#1"])
        _ = bench.takeTargets()
        #expect(try await bench.items("?state=merged", session: session).items.map(\.text) == ["!2"])
        #expect(
            !bench.takeTargets().contains { $0.contains("/issues") },
            "issues have no such state: GitLab answers 400"
        )
        #expect(try await bench.items("?state=all", session: session).items.count == 5)
    }

    @Test func `an item in the watch list is marked with its entry`() async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        let id = try await bench.watch(ItemReference(project: "team/backend", kind: .issue, iid: 4), session: session)
        let watched = try await bench.items(session: session).items.filter(\.watched)
        #expect(watched.map(\.text) == ["#4"] && watched.map(\.watchedItemId) == [id])
    }

    @Test(arguments: [1, 2, 3, 7])
    func `pages hold every item once, also those of one instant`(_ limit: Int) async throws {
        let bench = try GitLabBench()
        for iid in 1...9 {
            try bench.open(
                iid.isMultiple(of: 2) ? .issue : .mergeRequest,
                Int64(iid),
                by: "maria",
                assignees: ["maria"]
            )
        }
        // Twelve updated within one millisecond, more than a page has room for.
        for iid in 20..<32 {
            try bench.gitlab.open(
                NewItem(project: "team/backend", kind: .issue, iid: Int64(iid), title: "Tie", author: "maria")
            )
        }
        let session = try await bench.register()
        var seen: [String] = []
        var cursor: String? = ""
        while let next = cursor {
            let query = "?limit=\(limit)" + (next.isEmpty ? "" : "&cursor=\(next)")
            let page = try await bench.items(query, session: session)
            #expect(page.items.count <= limit)
            seen += page.items.map(\.text)
            cursor = page.nextCursor
            try #require(seen.count <= 21)
        }
        #expect(seen.count == 21 && Set(seen).count == 21)
    }

    @Test func `what is updated between two pages moves to the front and hides nothing`() async throws {
        let bench = try GitLabBench()
        for iid in 1...6 { try bench.open(.issue, Int64(iid), by: "maria") }
        let session = try await bench.register()
        let first = try await bench.items("?limit=2", session: session)
        #expect(first.items.map(\.text) == ["#6", "#5"])
        bench.advance(by: .minutes(5))
        try bench.gitlab.changeTitle(
            by: "omar",
            on: ItemReference(project: "team/backend", kind: .issue, iid: 6),
            to: "Changed"
        )
        let cursor = try #require(first.nextCursor)
        let second = try await bench.items("?limit=10&cursor=\(cursor)", session: session)
        #expect(second.items.map(\.text) == ["#4", "#3", "#2", "#1"])
    }

    @Test func `a list costs a bounded number of requests`() async throws {
        let bench = try GitLabBench()
        for iid in 1...150 { try bench.open(.issue, Int64(iid), by: "maria", assignees: ["maria"]) }
        let session = try await bench.register()
        _ = bench.takeTargets()
        _ = try await bench.items("?limit=100", session: session)
        let asked = bench.takeTargets()
        #expect(asked.count <= 12, "\(asked)")
        #expect(asked.allSatisfy { $0.hasPrefix("GET ") && $0.contains("per_page=") })
    }

    @Test func `nobody sees the items of another`() async throws {
        let bench = try makeBench()
        let omar = try await bench.register("ines")
        #expect(try await bench.items(session: omar).items.map(\.text) == ["#5"])
    }

    @Test(arguments: [
        "involvement=watched", "itemType=epic", "state=locked", "limit=0", "limit=101", "projectId=x", "cursor=1-2-3",
        "cursor=", "cursor=zz-i-0",
    ])
    func `a query that makes no sense is refused`(_ query: String) async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        _ = bench.takeTargets()
        let answer = await bench.call(.get, "/items?\(query)", session: session)
        #expect(answer.status == 400 && answer.bodyText.contains("invalid_field"), "\(answer.bodyText)")
        #expect(bench.takeTargets().isEmpty)
    }

    @Test func `a project that is not there, and a dead token, are told apart`() async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        let missing = await bench.call(.get, "/items?projectId=99999&involvement=authored", session: session)
        #expect(missing.status == 404 && missing.bodyText.contains("project_not_found"), "\(missing.bodyText)")
        try bench.gitlab.setToken("maria-token", to: .revoked)
        let dead = await bench.call(.get, "/items", session: session)
        #expect(dead.status == 422 && dead.bodyText.contains("gitlab_token_refused"), "\(dead.bodyText)")
    }
}
