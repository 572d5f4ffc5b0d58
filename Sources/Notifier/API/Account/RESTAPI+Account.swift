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
        let teller = dutyTeller
        let (grant, told) = try await context.store.transaction { store in
            let grant = try store.grant(of: account.id)
            var told: DutyTeller.Told = []
            for outcome in try teller.book.leaveAll(account.id, at: now, in: store) {
                told += try teller.tell(outcome, by: account.id, at: now, in: store)
            }
            try store.remove(account.id, at: now)
            return (grant, told)
        }
        report(told, at: now)
        context.polling.accountRemoved(account.id)
        context.digestSignal.send()
        context.metrics.forget(account.id)
        context.log.write(.accountRemoved, [("account.id", .number(account.id.rawValue))])
        // All is forgotten, whatever GitLab says to it.
        if let grant { await context.grants.revoke(grant, of: account) }
        return HTTPResponse(status: 204)
    }
}

extension RouteDescription {
    fileprivate static let removeAccount = RouteDescription(
        "removeAccount",
        "Disconnects from GitLab: polling ends, and the server forgets the person with their GitLab token, sessions, devices, watch"
            + " list, choices and history. What the person had granted through GitLab's sign-in is revoked there, if GitLab answers within"
            + " ten seconds; a personal access token stays valid until it is revoked in GitLab.",
        answers: [.empty("All is forgotten.")],
        examples: [Example("leave", "A person disconnects.", status: 204)]
    )
}
