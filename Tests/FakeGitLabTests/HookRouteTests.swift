import FakeGitLab
import HTTP
import Platform
import Testing

@Suite("Supplement §1.5 hooks")
struct HookRouteTests {
    private static let instance = Webhook(
        origin: HTTPOrigin(scheme: "https", host: "hooks.example.com"),
        target: "/webhooks/gitlab",
        secret: "hush"
    )

    private func path(_ fixture: Fixture) throws -> String { "/projects/\(try fixture.id())/hooks" }

    @Test func `maintainers add hooks, whose secret is never told`() throws {
        let fixture = try Fixture()
        let body = #"{"url":"http://127.0.0.1:9/in?x=1","token":"hush","note_events":true,"push_events":false}"#
        #expect(fixture.send(.post, try path(fixture), json: body).response.status == 403)
        let created = fixture.send(.post, try path(fixture), as: "omar", json: body).response
        #expect(created.status == 201)
        #expect(!created.text.contains("hush"))
        let switches = [
            "push_events", "tag_push_events", "merge_requests_events", "repository_update_events", "issues_events",
            "confidential_issues_events", "note_events", "confidential_note_events", "pipeline_events",
            "wiki_page_events", "deployment_events", "feature_flag_events", "job_events", "releases_events",
            "emoji_events", "resource_access_token_events",
        ]
        let hook = try created.json()
        expectFields(
            hook,
            [
                "id": "int", "url": "string", "name": "null", "description": "null", "created_at": "time",
                "enable_ssl_verification": "bool", "alert_status": "string", "disabled_until": "null",
                "url_variables": "array", "project_id": "int",
            ].merging(switches.map { ($0, "bool") }) { $1 }
        )
        #expect(hook["alert_status"]?.string == "executable")
        #expect(hook["note_events"]?.bool == true)
        #expect(hook["push_events"]?.bool == false)
        #expect(try fixture.get(path(fixture), as: "omar").array == [hook])
    }

    @Test(arguments: [
        ("{}", 400, #"{"error":"url is missing"}"#), (#"{"url":"ftp://x/"}"#, 422, #"{"error":"Invalid url given"}"#),
    ])
    func `a hook needs an address`(body: String, status: Int, answer: String) throws {
        let fixture = try Fixture()
        let reply = fixture.send(.post, try path(fixture), as: "omar", json: body).response
        #expect(reply.status == status)
        #expect(reply.text == answer)
    }

    @Test func `an added hook gets what it asked for, at its address, with its secret`() throws {
        let fixture = try Fixture()
        let body = #"{"url":"http://127.0.0.1:9/in?x=1","token":"hush","note_events":true}"#
        let id = try #require(
            try fixture.send(.post, try path(fixture), as: "omar", json: body).response.json()["id"]?.integer
        )
        try fixture.gitLab.comment(by: "maria", on: fixture.mergeRequest, body: "Hello")
        try fixture.gitLab.close(by: "maria", on: fixture.issue)
        try fixture.gitLab.setConfidential(by: "omar", on: fixture.issue, true)
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "Hello")
        let hooks = fixture.gitLab.hooks(after: 0)
        #expect(hooks.map(\.event) == ["Note Hook"])
        let hook = try #require(hooks.first)
        #expect(hook.hook == id)
        #expect(hook.request.origin == HTTPOrigin(scheme: "http", host: "127.0.0.1", port: 9))
        #expect(hook.request.target == "/in?x=1")
        #expect(hook.request.fields["X-Gitlab-Token"] == "hush")
        let one = try path(fixture) + "/\(id)"
        fixture.send(.put, one, as: "omar", json: #"{"confidential_note_events":true,"issues_events":true}"#)
        #expect(fixture.gitLab.hooks(after: 0).map(\.event) == ["Note Hook", "Confidential Note Hook"])
        #expect(fixture.send(.delete, one, as: "omar").response.status == 204)
        #expect(fixture.gitLab.hooks(after: 0).isEmpty)
        #expect(fixture.send(.get, one, as: "omar").response.status == 404)
    }

    @Test func `a hook hears of its own project only`() throws {
        let fixture = try Fixture()
        let other = "/projects/\(try fixture.id("team/other"))/hooks"
        let added = fixture.send(.post, other, as: "omar", json: #"{"url":"http://[::1]:9","note_events":true}"#)
        #expect(added.response.status == 201)
        try fixture.gitLab.comment(by: "maria", on: fixture.mergeRequest, body: "Hello")
        #expect(fixture.gitLab.hooks(after: 0).isEmpty)
    }

    @Test func `the instance's own hook stands in every project and tells how it is`() throws {
        let fixture = try Fixture { configuration in
            configuration.webhook = Self.instance
            configuration.webhook?.disablesItself = true
        }
        let hook = try fixture.get(path(fixture), as: "omar").row(0)
        #expect(hook["url"]?.string == "https://hooks.example.com/webhooks/gitlab")
        for name in ["note_events", "confidential_note_events", "issues_events", "merge_requests_events"] {
            #expect(hook[name]?.bool == true, "\(name)")
        }
        for _ in 0..<4 { fixture.gitLab.hookAnswered(.unknown(.timedOut)) }
        let paused = try fixture.get(path(fixture), as: "omar").row(0)
        #expect(paused["alert_status"]?.string == "temporarily_disabled")
        #expect(paused["disabled_until"]?.string == "2026-03-02T09:01:00.225Z")
        for _ in 0..<36 { fixture.gitLab.hookAnswered(.unknown(.timedOut)) }
        #expect(try fixture.get(path(fixture), as: "omar").row(0)["alert_status"]?.string == "disabled")
    }

    @Test func `each added hook is paused by its own failures`() throws {
        let fixture = try Fixture { configuration in
            configuration.webhook = Self.instance
            configuration.webhook?.disablesItself = true
        }
        let body = #"{"url":"http://127.0.0.1:9/","note_events":true}"#
        let id = try fixture.send(.post, path(fixture), as: "omar", json: body).response.json()["id"]?.integer
        for _ in 0..<4 { fixture.gitLab.hookAnswered(.response(HTTPResponse(status: 500)), of: id) }
        try fixture.gitLab.comment(by: "maria", on: fixture.mergeRequest, body: "Hello")
        #expect(fixture.gitLab.hooks(after: 0).map(\.hook) == [nil])
        fixture.gitLab.hookAnswered(.response(HTTPResponse(status: 200)), of: id)
        #expect(fixture.gitLab.hooks(after: 0).map(\.hook) == [nil, id])
    }
}
