import Crypto
import HTTP
import Platform

/// Gives out what requests to GitLab show to be let in, and renews access tokens in time: one account's one at a time, and the new
/// pair is stored before anybody uses it.
///
/// When the answer to a renewal is lost, or the process dies before the pair is stored, the old refresh token is tried again. As
/// long as nobody has used the new pair GitLab may still take it; otherwise the grant is over and the person must agree again
/// (GitLab facts §14, §21.11). Nothing else of the account is lost with it.
actor GrantKeeper {
    /// What an account has to show.
    enum Access: Sendable {
        case usable(GitLabCredential)
        /// Nothing now; GitLab did not answer the renewal.
        case unavailable(GitLabError)
        /// GitLab has ended the grant.
        case ended
        /// There is no such account.
        case unknown
    }

    private let store: StoreActor
    private let sealer: SecretSealer
    private let servers: OAuthServers
    private let time: any TimeSource
    private let log: Log

    /// Pairs that GitLab has given and the database did not take: the former pair may be worth nothing any more.
    private var unkept: [AccountID: (tokens: OAuthTokens, endsAt: WallTime, grant: OAuthGrant)] = [:]
    private var renewals: [AccountID: OAuthRenewal] = [:]
    /// Why the last renewal brought nothing.
    private var failures: [AccountID: GitLabError] = [:]
    /// Who waits for a renewal under way; unsafe because a simulated crash drops the waiting tasks where they stand.
    private var waiting: [AccountID: [UnsafeContinuation<Void, Never>]] = [:]

    init(
        store: StoreActor,
        sealer: SecretSealer,
        servers: OAuthServers,
        time: any TimeSource,
        log: Log
    ) {
        self.store = store
        self.sealer = sealer
        self.servers = servers
        self.time = time
        self.log = log
    }

    /// What the account has to show now. `rejected` is what GitLab has just refused.
    ///
    /// - Throws: what the store throws, or the opening of a sealed token.
    func access(of account: AccountID, rejected: GitLabCredential? = nil) async throws -> Access {
        await enter(account)
        defer { leave(account) }
        let stored = try await store.read { store in
            (account: try store.account(account), grant: try store.grant(of: account))
        }
        guard let known = stored.account else { return .unknown }
        let token = try sealer.open(known.token, for: known.publicID)
        guard let grant = stored.grant else { return .usable(.personalAccessToken(token)) }
        if let found = try await keepAgain(known, grant) { return found }
        let credential = GitLabCredential.accessToken(token)
        let renewal = renewals[account] ?? OAuthRenewal()
        let decision = renewal.decide(
            grant,
            isRejected: rejected == credential,
            at: time.monotonicNow,
            wallNow: time.wallNow
        )
        switch decision {
        case .use, .useMeanwhile: return .usable(credential)
        case .giveUp: return .ended
        case .wait: return .unavailable(failures[account] ?? .notAsked)
        case .renew:
            let isRefused = rejected == credential || grant.refusedAt != nil
            return try await renew(known, grant, current: isRefused ? nil : credential)
        }
    }

    /// Asks for another pair. When that fails, `current` does as long as it lives.
    private func renew(_ account: Account, _ grant: OAuthGrant, current: GitLabCredential?) async throws -> Access {
        guard let client = servers.client(for: account.origin) else {
            log.write(.grantRefused, [field(account), ("error", .text("no_application"))])
            return .unavailable(.notAsked)
        }
        guard store.watch?.takesWrites != false else {
            // A pair that cannot be stored would be lost with the process, and the former one with it.
            if let current, time.wallNow < grant.accessEndsAt { return .usable(current) }
            return .unavailable(.notAsked)
        }
        let refresh = try sealer.open(grant.refresh, for: account.publicID)
        let tokens: OAuthTokens
        do throws(OAuthError) {
            tokens = try await client.tokens(refresh: refresh)
        } catch .invalidGrant {
            return try await end(account, grant)
        } catch {
            return postpone(account, grant, current, error)
        }
        renewals[account.id] = nil
        failures[account.id] = nil
        let endsAt = time.wallNow.advanced(by: tokens.lifetime)
        unkept[account.id] = (tokens, endsAt, grant)
        return try await keep(tokens, endsAt, of: account, grant)
    }

    /// Stores a pair that the database did not take before; nil when there is none, or the person has signed in again since.
    private func keepAgain(_ account: Account, _ grant: OAuthGrant) async throws -> Access? {
        guard let (tokens, endsAt, former) = unkept[account.id] else { return nil }
        guard former.grantedAt == grant.grantedAt else {
            unkept[account.id] = nil
            await revoke(tokens.refresh, of: account)
            return nil
        }
        return try await keep(tokens, endsAt, of: account, grant)
    }

    /// Stores the new pair; only what is stored is used.
    private func keep(
        _ tokens: OAuthTokens,
        _ endsAt: WallTime,
        of account: Account,
        _ grant: OAuthGrant
    ) async throws -> Access {
        let access = try sealer.seal(tokens.access, for: account.publicID)
        var renewed = grant
        renewed.refresh = try sealer.seal(tokens.refresh, for: account.publicID)
        renewed.accessEndsAt = endsAt
        renewed.refusedAt = nil
        let (id, new) = (account.id, renewed)
        let isKept = try await store.transaction { store in
            // The person may have signed in again during the question: then theirs is the newer pair.
            guard try store.grant(of: id)?.grantedAt == new.grantedAt else { return false }
            try store.setAccessToken(access, of: id)
            try store.setGrant(new, of: id)
            return true
        }
        unkept[account.id] = nil
        guard isKept else {
            // Whoever left or signed in again during the question leaves nothing of the former grant at GitLab either.
            await revoke(tokens.refresh, of: account)
            return try await store.read({ try $0.account(id) }) == nil ? .unknown : .unavailable(.notAsked)
        }
        log.write(.grantRenewed, [field(account)])
        return .usable(.accessToken(tokens.access))
    }

    /// Ends at GitLab what a person had granted who has been forgotten here, by one request of ten seconds at most. When it fails the grant
    /// stays until the person ends it in GitLab, or until it is over: nothing is left here to try again with.
    func revoke(_ grant: OAuthGrant, of account: Account) async {
        // A pair that the database did not take is the one that counts.
        let waiting = unkept.removeValue(forKey: account.id)?.tokens.refresh
        (renewals[account.id], failures[account.id]) = (nil, nil)
        guard let refresh = waiting ?? (try? sealer.open(grant.refresh, for: account.publicID)) else { return }
        await revoke(refresh, of: account)
    }

    /// Ends at GitLab what a person had granted before they signed in again, as ``revoke(_:of:)`` does; `tokens` are what they granted now, nil
    /// for a token of their own.
    func revoke(_ former: OAuthGrant, of account: Account, replacedBy tokens: OAuthTokens?) async {
        // A GitLab that gives the same pair again means the grant that stands.
        if let tokens, (try? sealer.open(former.refresh, for: account.publicID)) == tokens.refresh { return }
        await revoke(former, of: account)
    }

    private func revoke(_ refresh: Secret, of account: Account) async {
        guard let client = servers.client(for: account.origin) else {
            log.write(.grantNotRevoked, [field(account), ("error", .text("no_application"))])
            return
        }
        await revoke(refresh, by: client, [field(account)])
    }

    /// Ends at GitLab what it has just granted and nobody here keeps, as ``revoke(_:of:)`` does.
    func revoke(unkept tokens: OAuthTokens, by client: OAuthClient) async {
        await revoke(tokens.refresh, by: client, [])
    }

    private func revoke(_ refresh: Secret, by client: OAuthClient, _ whose: [Log.Field]) async {
        do throws(OAuthError) {
            try await client.revoke(refresh: refresh)
            log.write(.grantRevoked, whose)
        } catch {
            log.write(.grantNotRevoked, whose + [("error", .text(error.code))])
        }
    }

    private func end(_ account: Account, _ grant: OAuthGrant) async throws -> Access {
        (renewals[account.id], failures[account.id]) = (nil, nil)
        let (id, now) = (account.id, time.wallNow)
        let isEnded = try await store.transaction { store in
            guard var known = try store.grant(of: id), known.grantedAt == grant.grantedAt else { return false }
            known.refusedAt = now
            try store.setGrant(known, of: id)
            return true
        }
        if grant.refusedAt == nil { log.write(.grantEnded, [field(account)]) }
        return isEnded ? .ended : .unavailable(.notAsked)
    }

    private func postpone(
        _ account: Account,
        _ grant: OAuthGrant,
        _ current: GitLabCredential?,
        _ error: OAuthError
    ) -> Access {
        // A refusal of this server's application says nothing about the person: it passes when somebody corrects it.
        var failure = GitLabError.undecodable(.unexpectedShape)
        var isOutage = false
        if case .notAnswered(let answer) = error { (failure, isOutage) = (answer, true) }
        failures[account.id] = failure
        var retryAfter: Duration?
        if case .rateLimited(let pause) = failure { (retryAfter, isOutage) = (pause, false) }
        renewals[account.id, default: OAuthRenewal()]
            .fail(retryAfter: retryAfter, isOutage: isOutage, at: time.monotonicNow)
        log.write(.grantRefused, [field(account), ("error", .text(error.code))])
        if let current, time.wallNow < grant.accessEndsAt { return .usable(current) }
        return .unavailable(failure)
    }

    private func enter(_ account: AccountID) async {
        while waiting[account] != nil {
            await withUnsafeContinuation { waiting[account, default: []].append($0) }
        }
        waiting[account] = []
    }

    private func leave(_ account: AccountID) {
        let others = waiting.removeValue(forKey: account) ?? []
        for other in others { other.resume() }
    }

    private func field(_ account: Account) -> Log.Field { ("account.id", .number(account.id.rawValue)) }
}

extension OAuthError {
    /// A stable word for log fields.
    var code: String {
        switch self {
        case .invalidGrant: "invalid_grant"
        case .pending: "authorization_pending"
        case .denied: "access_denied"
        case .expired: "expired_token"
        case .refused(let code): code
        case .notAnswered(let error): error.code
        }
    }
}
