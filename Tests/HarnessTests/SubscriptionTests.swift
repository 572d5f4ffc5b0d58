import HTTP
import Platform
import Testing

@testable import FakeGitLab

/// `POST /watch/import` and `POST /watch/{id}/sync` over the fake GitLab (GitLab facts §13).
struct SubscriptionTests {
    private struct Import: Decodable {
        struct Item: Decodable {
            var itemIid: Int64
            var itemType: String
        }

        var imported: Int
        var skipped: Int
        var complete: Bool
        var nextCursor: String?
        var items: [Item]
    }

    private struct Sync: Decodable, Equatable {
        var watching: Bool
        var gitlabSubscribed: Bool
        var changed: Bool
    }

    private let issue = ItemReference(project: "team/backend", kind: .issue, iid: 1)

    private func makeBench(_ scopes: [TokenScope] = [.api]) throws -> GitLabBench {
        let bench = try GitLabBench(scopes: scopes)
        try bench.open(.issue, 1, by: "omar", assignees: ["maria"])
        return bench
    }

    private func runImport(
        _ bench: GitLabBench,
        _ session: String,
        after cursor: String? = nil
    ) async throws -> Import {
        let query = cursor.map { "?cursor=\($0)" } ?? ""
        return try await bench.call(.post, "/watch/import\(query)", session: session).value(Import.self)
    }

    private func sync(_ bench: GitLabBench, _ id: String, _ direction: String, _ session: String) async throws -> Sync {
        let body = #"{"direction": "\#(direction)"}"#
        return try await bench.call(.post, "/watch/\(id)/sync", body, session: session).value(Sync.self)
    }

    private func subscribe(_ bench: GitLabBench, _ item: ItemReference, _ verb: String) throws {
        let folder = item.kind == .issue ? "issues" : "merge_requests"
        let id = try bench.gitlab.id(ofProject: item.project)
        let reply = bench.gitlab.respond(
            to: HTTPRequest(
                method: .post,
                origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
                target: "/api/v4/projects/\(id)/\(folder)/\(item.iid)/\(verb)",
                fields: ["PRIVATE-TOKEN": "maria-token", "Content-Type": "application/json"],
                body: Array("{}".utf8)
            ),
            from: HTTPPeer(address: "10.0.0.1", connection: 1)
        )
        try #require(reply.response.status == 201, "\(reply.response.status) \(reply.response.bodyText)")
    }

    @Test func `an import takes what the person is subscribed to, and counts the rest`() async throws {
        let bench = try makeBench()
        let muted = try bench.open(.mergeRequest, 2, by: "maria")
        try bench.open(.mergeRequest, 3, by: "omar", reviewers: ["maria"])
        try subscribe(bench, muted, "unsubscribe")
        let session = try await bench.register()
        _ = try await bench.watch(issue, session: session)
        let first = try await runImport(bench, session)
        #expect(first.items.map(\.itemIid) == [3] && first.imported == 1 && first.skipped == 2 && first.complete)
        let again = try await runImport(bench, session)
        #expect(again.imported == 0 && again.skipped == 3 && again.complete)
        let watched = try await bench.items(session: session).items.filter(\.watched)
        #expect(watched.map(\.text) == ["!3", "#1"])
    }

    @Test func `an import needs no more than reading rights`() async throws {
        let bench = try makeBench([.readAPI])
        let session = try await bench.register()
        #expect(try await runImport(bench, session).imported == 1)
    }

    @Test func `an import is bounded and goes on where it ended`() async throws {
        let bench = try makeBench()
        for iid in 2...70 { try bench.open(.issue, Int64(iid), by: "maria") }
        let session = try await bench.register()
        _ = bench.takeTargets()
        let first = try await runImport(bench, session)
        #expect(first.imported == 50 && !first.complete)
        #expect(bench.takeTargets().count <= 9 + 50 * 3)
        // Whether it is said where that is, or found.
        let second = try await runImport(bench, session)
        #expect(second.imported == 20 && second.complete)
        let none = try await runImport(bench, session, after: first.nextCursor)
        #expect(none.imported == 0 && none.skipped == 20 && none.complete && none.nextCursor == nil)
    }

    @Test func `items to which nobody is subscribed are in nobody's way`() async throws {
        let bench = try makeBench()
        for iid in 2...70 {
            let item = try bench.open(.issue, Int64(iid), by: "maria")
            if iid > 10 { try subscribe(bench, item, "unsubscribe") }
        }
        let session = try await bench.register()
        var (imported, cursor): (Int, String?) = (0, nil)
        for _ in 0..<3 {
            let part = try await runImport(bench, session, after: cursor)
            (imported, cursor) = (imported + part.imported, part.nextCursor)
            if part.complete { break }
        }
        #expect(imported == 10 && cursor == nil)
    }

    @Test func `an import that GitLab ends keeps what it has`() async throws {
        let bench = try makeBench()
        for iid in 2...5 { try bench.open(.issue, Int64(iid), by: "maria") }
        let session = try await bench.register()
        bench.gitlab.setRequestLimit(FakeGitLab.RequestLimit(requests: 14, period: .hours(1)))
        let first = try await runImport(bench, session)
        #expect(first.imported >= 1 && first.imported < 5 && !first.complete)
        let nothing = await bench.call(.post, "/watch/import", session: session)
        #expect(nothing.status == 503 && nothing.bodyText.contains("gitlab_rate_limited"), "\(nothing.bodyText)")
        bench.gitlab.setRequestLimit(nil)
        #expect(try await runImport(bench, session).imported == 5 - first.imported)
    }

    @Test func `push subscribes in GitLab, and a second push changes nothing (304)`() async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        let id = try await bench.watch(issue, session: session)
        try subscribe(bench, issue, "unsubscribe")
        #expect(
            try await sync(bench, id, "push", session) == Sync(watching: true, gitlabSubscribed: true, changed: true)
        )
        #expect(
            try await sync(bench, id, "push", session) == Sync(watching: true, gitlabSubscribed: true, changed: false)
        )
    }

    @Test func `push with a token that may only read says which scope is missing`() async throws {
        let bench = try makeBench([.readAPI])
        let session = try await bench.register()
        let id = try await bench.watch(issue, session: session)
        let answer = await bench.call(.post, "/watch/\(id)/sync", #"{"direction": "push"}"#, session: session)
        #expect(answer.status == 422 && answer.bodyText.contains("gitlab_write_scope_missing"), "\(answer.bodyText)")
        #expect(answer.bodyText.contains("scope api"))
    }

    @Test func `pull keeps a subscribed item and lets an unsubscribed one go`() async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        let id = try await bench.watch(issue, session: session)
        #expect(
            try await sync(bench, id, "pull", session) == Sync(watching: true, gitlabSubscribed: true, changed: false)
        )
        try subscribe(bench, issue, "unsubscribe")
        #expect(
            try await sync(bench, id, "pull", session) == Sync(watching: false, gitlabSubscribed: false, changed: true)
        )
        #expect(try await bench.items(session: session).items.filter(\.watched).isEmpty)
    }

    @Test func `what another device chooses while GitLab is asked stands`() async throws {
        let bench = try makeBench()
        let (session, other) = (try await bench.register(), try await bench.register())
        let id = try await bench.watch(issue, session: session)
        try subscribe(bench, issue, "unsubscribe")
        bench.advance(by: .seconds(1))
        bench.meanwhile { [issue] in
            bench.advance(by: .seconds(1))
            _ = await bench.call(.delete, "/watch/\(id)", session: other)
            bench.advance(by: .seconds(1))
            _ = try? await bench.watch(issue, session: other)
        }
        let unchanged = Sync(watching: true, gitlabSubscribed: false, changed: false)
        #expect(try await sync(bench, id, "pull", session) == unchanged)
        #expect(try await bench.items(session: session).items.filter(\.watched).map(\.text) == ["#1"])
    }

    private func isSubscribed(_ bench: GitLabBench, _ item: ItemReference) throws -> Bool {
        struct Item: Decodable { var subscribed: Bool }
        let reply = bench.gitlab.respond(
            to: HTTPRequest(
                method: .get,
                origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
                target: "/api/v4/projects/\(try bench.gitlab.id(ofProject: item.project))/issues/\(item.iid)",
                fields: ["PRIVATE-TOKEN": "maria-token"]
            ),
            from: HTTPPeer(address: "10.0.0.1", connection: 1)
        )
        return try reply.response.value(Item.self).subscribed
    }

    @Test func `with mirroring on, GitLab follows the watch list, otherwise it does not`() async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        try subscribe(bench, issue, "unsubscribe")
        var id = try await bench.watch(issue, session: session)
        #expect(try !isSubscribed(bench, issue), "mirroring is off until the person wants it")
        #expect(await bench.call(.delete, "/watch/\(id)", session: session).status == 204)
        bench.advance(by: .seconds(1))
        let on = await bench.call(.put, "/settings", #"{"mirrorSubscriptions": true}"#, session: session)
        #expect(on.status == 200, "\(on.bodyText)")
        id = try await bench.watch(issue, session: session)
        #expect(try isSubscribed(bench, issue))
        bench.advance(by: .seconds(1))
        #expect(await bench.call(.delete, "/watch/\(id)", session: session).status == 204)
        #expect(try !isSubscribed(bench, issue))
    }

    @Test func `a token that may only read mirrors nothing and costs no watch`() async throws {
        let bench = try makeBench([.readAPI])
        let session = try await bench.register()
        _ = await bench.call(.put, "/settings", #"{"mirrorSubscriptions": true}"#, session: session)
        let id = try await bench.watch(issue, session: session)
        bench.advance(by: .seconds(1))
        #expect(await bench.call(.delete, "/watch/\(id)", session: session).status == 204)
    }

    @Test func `another person's entry cannot be synced`() async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        let id = try await bench.watch(issue, session: session)
        let omar = try await bench.register("omar")
        for direction in ["push", "pull"] {
            let body = #"{"direction": "\#(direction)"}"#
            let answer = await bench.call(.post, "/watch/\(id)/sync", body, session: omar)
            #expect(answer.status == 404 && answer.bodyText.contains("watch_not_found"))
        }
    }

    @Test(arguments: ["", "{}", #"{"direction": "sideways"}"#, #"{"direction": 4}"#])
    func `a sync without a direction is refused`(_ body: String) async throws {
        let bench = try makeBench()
        let session = try await bench.register()
        let id = try await bench.watch(issue, session: session)
        #expect(await bench.call(.post, "/watch/\(id)/sync", body, session: session).status == 400)
    }
}
