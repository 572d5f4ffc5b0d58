import HTTP
import Synchronization

/// A GitLab with one person and one merge request, in which nothing happens but what a script says. APNs takes everything.
final class ScriptedGitLab: HTTPClient {
    private let script: @Sendable (HTTPRequest) -> HTTPResponse?
    private let hasBegun = Mutex(false)

    init(_ script: @escaping @Sendable (HTTPRequest) -> HTTPResponse?) {
        self.script = script
    }

    func beginScript() { hasBegun.withLock { $0 = true } }

    func send(_ request: HTTPRequest, options: HTTPSendOptions) async -> HTTPOutcome {
        if hasBegun.withLock({ $0 }), let response = script(request) {
            // A transport never gives more.
            guard response.body.count <= options.responseLimitBytes else { return .unknown(.responseTooLarge) }
            return .response(response)
        }
        guard request.origin == FuzzedNotifier.origin else { return .response(HTTPResponse(status: 200)) }
        let body = Self.objects.first { request.path == $0.key }?.value ?? "[]"
        return .response(
            HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
        )
    }

    private static let objects = [
        "/api/v4/user": #"{"id":7,"username":"anna","name":"Anna"}"#,
        "/api/v4/personal_access_tokens/self": #"{"scopes":["api"],"active":true,"expires_at":"2027-01-01"}"#,
        "/api/v4/metadata": #"{"version":"17.11.2"}"#,
        "/api/v4/projects/42/merge_requests/847": """
        {"iid":847,"project_id":42,"title":"Auth refactor","state":"opened",\
        "web_url":"https://gitlab.example.com/team/backend/-/merge_requests/847",\
        "references":{"full":"team/backend!847"}}
        """,
    ]
}
