import Crypto
import HTTP
import Platform
import Testing

@testable import Notifier

/// `POST /webhooks/gitlab`, and what it sets in motion.
struct WebhookRouteTests {
    private let bench: ServerBench

    init() throws { bench = try ServerBench() }

    private func makeHook(
        _ event: String = "Note Hook",
        _ body: String = Self.note,
        token: String? = "the-secret-of-the-webhook",
        instance: String? = "https://gitlab.example.com"
    ) -> HTTPRequest {
        var request = HTTPRequest(
            method: .post,
            origin: HTTPOrigin(scheme: "https", host: "notifier.example.com"),
            target: "/webhooks/gitlab",
            fields: ["Content-Type": "application/json", "X-Gitlab-Event": event],
            body: Array(body.utf8)
        )
        if let token { request.fields["X-Gitlab-Token"] = token }
        if let instance { request.fields["X-Gitlab-Instance"] = instance }
        return request
    }

    private static let note = """
        {"object_kind":"note","project":{"id":42,"web_url":"https://gitlab.example.com/team/backend"},\
        "object_attributes":{"id":9,"noteable_type":"MergeRequest"},"merge_request":{"iid":847}}
        """

    private func watch() throws {
        let session = try bench.register()
        _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
    }

    @Test func `without a configured secret there is no such route`() throws {
        let bench = try ServerBench(webhookSecret: nil)
        let response = try bench.send(makeHook())
        #expect(response.status == 404)
        #expect(response.text("code") == "not_found")
    }

    @Test(arguments: [nil, "", "the-secret-of-the-webhoo", "the-secret-of-the-webhooK"] as [String?])
    func `a hook without the secret is refused`(_ token: String?) throws {
        let response = try bench.send(makeHook(token: token))
        #expect(response.status == 401)
        #expect(response.text("code") == "webhook_secret_wrong")
        #expect(!response.bodyText.contains("the-secret"))
        #expect(!bench.log.texts.contains { $0.contains("the-secret") })
    }

    @Test(arguments: ["Push Hook", "Pipeline Hook", "System Hook", "Deployment Hook", ""])
    func `other kinds are taken and ignored`(_ event: String) throws {
        let response = try bench.send(makeHook(event, "no JSON"))
        #expect(response.status == 202)
        #expect(response.text("status") == "ignored")
    }

    @Test(arguments: [
        "", "{", "[]", "null", #"{"object_kind":"note"}"#, #"{"project":{"id":"42"},"object_attributes":{}}"#,
        #"{"project":{"id":42},"object_attributes":{},"merge_request":{"iid":-1}}"#,
        #"{"project":{"id":42},"object_attributes":{},"merge_request":{}}"#,
        #"{"project":{"id":0},"object_attributes":{},"merge_request":{"iid":1}}"#,
    ])
    func `a body that is no hook is refused`(_ body: String) throws {
        #expect(try bench.send(makeHook("Note Hook", body)).status == 400)
    }

    @Test func `a note on a commit names no item`() throws {
        let body = #"{"project":{"id":42},"object_attributes":{"noteable_type":"Commit"},"commit":{"id":"abc"}}"#
        #expect(try bench.send(makeHook("Note Hook", body)).text("status") == "ignored")
    }

    @Test func `an item that somebody watches is polled, one that nobody watches is not`() throws {
        try watch()
        #expect(try bench.send(makeHook()).text("status") == "polling")
        let other = Self.note.replacing("847", with: "848")
        #expect(try bench.send(makeHook("Note Hook", other)).text("status") == "ignored")
        #expect(try bench.send(makeHook(instance: "https://other.example.com")).text("status") == "ignored")
    }

    @Test func `the instance is taken from the project's address when the header is missing`() throws {
        try watch()
        #expect(try bench.send(makeHook(instance: nil)).text("status") == "polling")
        let homeless = Self.note.replacing("https://gitlab.example.com/team/backend", with: "team/backend")
        #expect(try bench.send(makeHook("Note Hook", homeless, instance: nil)).status == 400)
    }

    @Test(arguments: [
        ("Merge Request Hook", ItemKind.mergeRequest), ("Issue Hook", .issue), ("Confidential Issue Hook", .issue),
    ])
    func `hooks of items name them`(_ event: String, _ kind: ItemKind) throws {
        let body =
            #"{"project":{"id":42,"web_url":"https://gitlab.example.com:8443/a/b"},"object_attributes":{"iid":5}}"#
        let hint = try WebhookDecoder.hint(in: makeHook(event, body, instance: nil))
        #expect(hint?.item == ItemReference(project: ProjectID(rawValue: 42), kind: kind, iid: 5))
        #expect(hint?.origin == HTTPOrigin(scheme: "https", host: "gitlab.example.com", port: 8443))
    }
}
