import HTTP
import Platform

/// `DELETE /account`: how a person leaves.
extension RESTAPI {
    static let accountRoutes = [
        APIRoute(.delete, "/account", .removeAccount) { try await $0.removeAccount($1) }
    ]

    /// Forgets the person. A push under way may still arrive; nothing new is read or queued.
    private func removeAccount(_ call: APICall) async throws -> HTTPResponse {
        let account = try call.account
        let now = context.time.wallNow
        try await context.store.transaction { try $0.remove(account.id, at: now) }
        context.polling.accountChanged(account.id)
        context.digestSignal.send()
        context.metrics.forget(account.id)
        context.log.write(.accountRemoved, [("account.id", .number(account.id.rawValue))])
        return HTTPResponse(status: 204)
    }
}

extension RouteDescription {
    fileprivate static let removeAccount = RouteDescription(
        "removeAccount",
        "Disconnects from GitLab: polling ends, and the server forgets the person with their GitLab token, sessions, devices, watch"
            + " list, choices and history. The token itself stays valid until it is revoked in GitLab.",
        answers: [.empty("All is forgotten.")],
        examples: [Example("leave", "A person disconnects.", status: 204)]
    )
}
