import Crypto
import HTTP
import JSON
import Platform

/// `POST /webhooks/gitlab`: GitLab says that something happened to an item.
extension RESTAPI {
    static let webhookRoutes = [
        APIRoute(.post, "/webhooks/gitlab", access: .open, .takeWebhook) { try await $0.takeWebhook($1) }
    ]

    /// What a hook came to.
    private struct Response: Encodable {
        var status: String

        static let polling = Response(status: "polling")
        static let ignored = Response(status: "ignored")
    }

    /// Polls the item soon for everybody of that GitLab who watches it. What the hook says of it beyond that is not used.
    ///
    /// Without a configured secret there is nothing at this path: GitLab's hooks could not be told from anybody's.
    private func takeWebhook(_ call: APICall) async throws -> HTTPResponse {
        guard let secret = context.webhookSecret else { throw APIError.routeNotFound }
        // The comparison takes the same time wherever the two differ.
        guard let given = call.request.fields["X-Gitlab-Token"], Secret(given) == secret else {
            throw APIError.webhookSecretWrong
        }
        guard let hint = try WebhookDecoder.hint(in: call.request) else { return try .json(202, Response.ignored) }
        let accounts = try await context.store.read { try $0.watchers(of: hint.item, at: hint.origin) }
        for account in accounts { context.polling.itemNamed(hint.item, of: account) }
        return try .json(202, accounts.isEmpty ? Response.ignored : Response.polling)
    }
}

extension APIError {
    static let webhookSecretWrong = APIError(
        401,
        "webhook_secret_wrong",
        "The webhook's secret is missing or wrong.",
        hint: "Give GitLab's webhook the secret token that this server is configured with."
    )
}

extension RouteDescription {
    fileprivate static let takeWebhook = RouteDescription(
        "takeWebhook",
        "Polls the item that a webhook of GitLab is about soon, for those who watch it. Used are `project.id`, the `iid` of "
            + "`object_attributes`, and of a comment's `merge_request` or `issue`.",
        parameters: [
            .header("X-Gitlab-Token", .text(), "The secret that the webhook was given."),
            .header(
                "X-Gitlab-Event",
                .text(),
                "What the webhook is about, such as `Note Hook`; unknown kinds are ignored."
            ),
        ],
        body: .anyObject,
        answers: [
            .json(
                202,
                "Taken.",
                .object([.required("status", .word(["polling", "ignored"]), "Whether somebody watches the item.")])
            )
        ],
        errors: [.webhookSecretWrong, .routeNotFound],
        examples: [
            Example(
                "comment",
                "Somebody commented on a merge request that nobody watches.",
                parameters: [
                    "X-Gitlab-Token": "the-secret-of-the-webhook", "X-Gitlab-Event": "Note Hook",
                ],
                body: [
                    "project": ["id": 42, "web_url": "https://gitlab.example.com/team/backend"],
                    "object_attributes": ["id": 9_001], "merge_request": ["iid": 847],
                ],
                status: 202,
                answer: ["status": "ignored"]
            )
        ]
    )
}
