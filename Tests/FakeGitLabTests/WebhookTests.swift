import FoundationEssentials
import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §15 webhooks")
struct WebhookTests {
    private static let hook = Webhook(
        origin: HTTPOrigin(scheme: "https", host: "hooks.example.com"),
        target: "/webhooks/gitlab",
        secret: "hush"
    )

    private func makeFixture(
        version: GitLabVersion = GitLabVersion(17, 11),
        disablesItself: Bool = false
    ) throws -> Fixture {
        try Fixture(version: version) { configuration in
            configuration.webhook = Self.hook
            configuration.webhook?.disablesItself = disablesItself
        }
    }

    private struct Body: Decodable {
        struct Part: Decodable {
            var id: Int64?
            var iid: Int64?
            var action: String?
            var created_at: String?
            var username: String?
        }

        var object_kind: String
        var user: Part
        var project: Part
        var object_attributes: Part
        var merge_request: Part?
        var issue: Part?
    }

    private func body(_ hook: HookDelivery) throws -> Body {
        try JSONDecoder().decode(Body.self, from: Data(hook.request.body))
    }

    @Test func `without a configured hook nothing is sent`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Hello")
        #expect(fixture.gitLab.hooks(after: 0).isEmpty)
    }

    @Test func `a comment sends a note hook that names the note, its item and its author`() throws {
        let fixture = try makeFixture()
        let activity = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Hello")
        let hooks = fixture.gitLab.hooks(after: 0)
        let hook = try #require(hooks.first)
        #expect(hooks.count == 1)
        let body = try body(hook)
        #expect(body.object_kind == "note")
        #expect(body.object_attributes.id == activity.noteIDs.first)
        #expect(body.object_attributes.action == "create")
        #expect(body.object_attributes.created_at == "2026-03-02 09:00:00 UTC")
        #expect(body.merge_request?.iid == 7)
        #expect(body.project.id == (try fixture.id()))
        #expect(body.user.username == "omar")
    }

    @Test func `the header fields are those of the release`() throws {
        for (version, names) in [
            (GitLabVersion(17, 11), ["X-Gitlab-Webhook-UUID", "Idempotency-Key"]),
            (GitLabVersion(16, 11), ["X-Gitlab-Webhook-UUID"]),
            (GitLabVersion(15, 5), []),
        ] {
            let fixture = try makeFixture(version: version)
            try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Hello")
            let request = try #require(fixture.gitLab.hooks(after: 0).first?.request)
            #expect(request.fields["X-Gitlab-Event"] == "Note Hook")
            #expect(request.fields["X-Gitlab-Token"] == "hush")
            #expect(request.fields["X-Gitlab-Instance"] == "https://gitlab.example.com")
            for name in ["X-Gitlab-Webhook-UUID", "Idempotency-Key"] {
                #expect((request.fields[name] != nil) == names.contains(name), "\(name) in \(version)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `the UUID is the hook's, or by a switch the attempt's (supplement §5)`(isPerAttempt: Bool) throws {
        let fixture = try Fixture { configuration in
            configuration.webhook = Self.hook
            configuration.webhookUUIDPerAttempt = isPerAttempt
        }
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Hello")
        let first = try #require(fixture.gitLab.hooks(after: 0).first?.request)
        let second = try #require(fixture.gitLab.hooks(after: 0).first?.request)
        let name = "X-Gitlab-Webhook-UUID"
        #expect(first.fields[name]?.utf8.count == 36)
        #expect((first.fields[name] != second.fields[name]) == isPerAttempt)
        #expect(first.fields["X-Gitlab-Event-UUID"] != second.fields["X-Gitlab-Event-UUID"])
    }

    @Test func `a payload has the fields of the release's builder (supplement §5)`() throws {
        let fixture = try makeFixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Hello")
        try fixture.gitLab.setDueDate(
            by: "omar",
            on: fixture.issue,
            to: CivilDate(year: 2026, month: 3, day: 9)
        )
        let before = try fixture.get(fixture.path(fixture.mergeRequest))["sha"]
        fixture.clock.advance(.seconds(1))
        try fixture.gitLab.push(by: "maria", to: fixture.mergeRequest, commits: ["Fix typo"])
        let hooks = fixture.gitLab.hooks(after: 0)
        let payloads = try hooks.map { try JSONDecoder().decode(JSON.self, from: Data($0.request.body)) }
        try #require(payloads.count == 3)
        #expect(
            payloads[0]["object_attributes"]?.keys == [
                "attachment", "author_id", "change_position", "commit_id", "created_at", "discussion_id", "id",
                "line_code", "note", "noteable_id", "noteable_type", "original_position", "position", "project_id",
                "resolved_at", "resolved_by_id", "resolved_by_push", "st_diff", "system", "type", "updated_at",
                "updated_by_id", "description", "url", "action",
            ]
        )
        let issue = try #require(payloads[1]["object_attributes"])
        #expect(issue["due_date"]?.string == "2026-03-09")
        #expect(issue["state_id"]?.integer == 1)
        #expect(issue["oldrev"] == nil)
        let push = try #require(payloads[2]["object_attributes"])
        #expect(push["oldrev"] == before)
        #expect(push["last_commit"]?["title"]?.string == "Fix typo")
        #expect(
            push.keys.isSuperset(of: ["draft", "work_in_progress", "reviewer_ids", "source", "target", "merge_user_id"])
        )
    }

    @Test func `a review sends one hook for each note, a deletion none`() throws {
        let fixture = try makeFixture()
        let review = try fixture.gitLab.publishReview(by: "omar", on: fixture.mergeRequest, bodies: ["a", "b", "c"])
        #expect(fixture.gitLab.hooks(after: 0).count == 3)
        try fixture.gitLab.deleteNote(by: "omar", on: fixture.mergeRequest, note: review.noteIDs[0])
        #expect(fixture.gitLab.hooks(after: review.sequence).isEmpty)
    }

    @Test func `changes of an item send its hook, confidential ones by their own name`() throws {
        let fixture = try makeFixture()
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.close(by: "maria", on: fixture.issue)
        try fixture.gitLab.setConfidential(by: "omar", on: fixture.issue, true)
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "Hello")
        let hooks = fixture.gitLab.hooks(after: 0)
        // A hook shows the item as it is when it is made.
        #expect(
            hooks.map(\.event) == [
                "Merge Request Hook", "Confidential Issue Hook", "Confidential Issue Hook", "Confidential Note Hook",
            ]
        )
        #expect(try hooks.map { try body($0).object_attributes.action } == ["approval", "close", "update", "create"])
    }

    @Test func `a hook that fails is switched off only where that is switched on`() throws {
        for disablesItself in [false, true] {
            let fixture = try makeFixture(disablesItself: disablesItself)
            try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Hello")
            for _ in 0..<4 { fixture.gitLab.hookAnswered(.unknown(.timedOut)) }
            #expect(fixture.gitLab.hooks(after: 0).isEmpty == disablesItself)
            fixture.clock.advance(.minutes(1))
            #expect(fixture.gitLab.hooks(after: 0).count == 1)
            for _ in 0..<40 { fixture.gitLab.hookAnswered(.response(HTTPResponse(status: 500))) }
            fixture.clock.advance(.days(30))
            #expect(fixture.gitLab.hooks(after: 0).isEmpty == disablesItself)
            fixture.gitLab.hookAnswered(.response(HTTPResponse(status: 302)))
            #expect(fixture.gitLab.hooks(after: 0).count == 1)
        }
    }
}
