import Configuration
import Platform
import SQLite

/// Looks once a day at how long the account's token lives, and warns the person in time.
extension AccountPoller {
    /// After a failure it is asked again this much later.
    private static let retryInterval = Duration.minutes(10)

    /// Asks GitLab for the token's last day when that is due. A failure is no trouble of polling: it is asked again later.
    func checkToken() async throws {
        let now = context.time.monotonicNow
        // Access tokens are renewed by themselves.
        guard polled?.grantedAt == nil else { return }
        guard polled?.tokenCheckNotBefore.map({ now >= $0 }) ?? true, let expiry = polled?.tokenExpiry else { return }
        let daysAhead = context.configuration.tokenWarningDays
        let wallNow = context.time.wallNow
        do {
            if expiry.isReadDue(daysAhead: daysAhead, at: wallNow) {
                var asked = expiry
                if let token = try await readToken() {
                    asked.read(token.expiresOn, at: context.time.wallNow)
                } else {
                    asked.keep(at: context.time.wallNow)
                }
                try await settleToken(asked)
            } else if expiry.warning(daysAhead: daysAhead, at: wallNow) != nil {
                try await settleToken(expiry)
            }
        } catch let error as GitLabError {
            polled?.tokenCheckNotBefore = context.time.monotonicNow.advanced(by: Self.retryInterval)
            try Task.checkCancellation()
            context.log.write(.authCheckFailed, [accountField, ("error", .text(error.code))])
        } catch let error as SQLiteError {
            // GitLab need not be asked with every cycle for what cannot be kept.
            polled?.tokenCheckNotBefore = context.time.monotonicNow.advanced(by: Self.storeRetry)
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        }
    }

    /// Nil for one that cannot be asked: GitLab before 15.5, other kinds of token (GitLab facts §5.3), something before GitLab that
    /// knows no such address.
    private func readToken() async throws(GitLabError) -> PersonalAccessToken? {
        guard let client = polled?.reader.client else { return nil }
        try await gate.admit()
        do throws(GitLabError) {
            let token = try await client.personalAccessTokenSelf()
            gate.noteSuccess()
            return token
        } catch .notFound, .rejected {
            gate.noteSuccess()
            return nil
        } catch {
            gate.noteFailure(error)
            throw error
        }
    }

    /// Records what GitLab said and, in the same transaction, of what the person is notified.
    private func settleToken(_ read: TokenExpiry) async throws {
        guard let tokenBefore = polled?.account.token else { return }
        let now = context.time.wallNow
        let warning = read.warning(daysAhead: context.configuration.tokenWarningDays, at: now)
        var updated = read
        if let warning { updated.recordNotified(warning) }
        let expiry = updated
        let isStored = try await context.store.transaction { [id, outbox = context.outbox] store in
            // A new token may have come during the question: then the answer is about the old one.
            guard try store.account(id)?.token == tokenBefore else { return false }
            try store.setTokenExpiry(expiry, of: id)
            guard warning != nil, let date = expiry.expiresOn else { return true }
            try outbox.enqueue(NotificationDraft(account: id, subject: .tokenExpiring(on: date)), at: now, in: store)
            return true
        }
        guard isStored else { return }
        polled?.tokenExpiry = expiry
        polled?.account.tokenExpiresOn = expiry.expiresOn
        guard warning != nil else { return }
        context.outboxSignal.send()
        context.log.write(.authExpiring, [accountField, ("auth.expires_on", .text(expiry.expiresOn ?? ""))])
    }
}
