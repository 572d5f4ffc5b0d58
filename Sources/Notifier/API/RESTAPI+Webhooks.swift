import Crypto
import HTTP
import Platform

/// `POST /webhooks/gitlab`: GitLab says that something happened to an item.
extension RESTAPI {
    static let webhookRoutes = [
        APIRoute(.post, "/webhooks/gitlab", access: .open) { try await $0.takeWebhook($1) }
    ]

    /// What a hook came to.
    private struct Answer: Encodable {
        /// `polling` when somebody watches the item, `ignored` otherwise.
        var status: String
    }

    /// Polls the item soon for everybody of that GitLab who watches it. What the hook says of it beyond that is not used.
    ///
    /// Without a configured secret there is nothing at this path: GitLab's hooks cannot be told from anybody's.
    private func takeWebhook(_ call: APICall) async throws -> HTTPResponse {
        guard let secret = context.webhookSecret else { throw APIError.routeNotFound }
        // The comparison takes the same time wherever the two differ.
        guard let given = call.request.fields["X-Gitlab-Token"], Secret(given) == secret else {
            throw APIError.webhookSecretWrong
        }
        guard let hint = try WebhookReading.hint(in: call.request) else {
            return try .json(202, Answer(status: "ignored"))
        }
        let accounts = try await context.store.read { try $0.watchers(of: hint.item, at: hint.origin) }
        for account in accounts { context.polling.itemNamed(hint.item, of: account) }
        return try .json(202, Answer(status: accounts.isEmpty ? "ignored" : "polling"))
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
