import Configuration
import Platform

/// Keeps the one provider token of the process, and in the database across restarts: a crash loop must not mint one each time.
actor ProviderTokenSource {
    /// False when nothing is to be pushed before ``use(_:)``.
    nonisolated let hasKeyAtStart: Bool
    /// Nil while nothing is to be pushed.
    private var signer: ProviderTokenSigner?
    /// Counts the keys, so that a token under way while the key changes is not kept.
    private var generation = 0
    private let store: StoreActor
    private let sealer: SecretSealer
    private let time: any TimeSource
    private let log: Log
    private var newest: Minted?
    /// What each service was shown last.
    private var shown: [PushEnvironment: Shown] = [:]

    private struct Minted {
        var token: ProviderToken
        /// When it was made, on the clock that cannot step; nil for one that was found in the database and has no usable age.
        var at: MonotonicInstant?
    }

    private struct Shown {
        var minted: Minted
        var since: MonotonicInstant
        /// It took the place of another.
        var isChange = false
    }

    init(
        signer: ProviderTokenSigner?,
        store: StoreActor,
        sealer: SecretSealer,
        time: any TimeSource,
        log: Log
    ) {
        self.signer = signer
        hasKeyAtStart = signer != nil
        self.store = store
        self.sealer = sealer
        self.time = time
        self.log = log
    }

    /// Takes up the token that an earlier process left, if it is still good.
    ///
    /// One that lies ahead of our clock is good where APNs has taken it, whichever clock was wrong. One that it has not taken is refused as soon as
    /// it is shown, and shown it would count as a change, after which there is no other for twenty minutes.
    ///
    /// - Throws: `SQLiteError`. A token that cannot be opened any more counts as none.
    func load() async throws {
        guard let signer else { return }
        let (keyID, teamID) = (signer.keyID, signer.teamID)
        guard let stored = try await store.read({ try $0.providerToken(keyID: keyID, teamID: teamID) }) else { return }
        guard let jwt = try? sealer.open(stored.sealed, for: Self.context(signer)) else { return }
        let issuedAt = stored.issuedAt
        if issuedAt > time.wallNow {
            let wasTaken = try await store.read { try $0.hasAcceptance(since: issuedAt) }
            guard wasTaken else { return }
        }
        var found = Minted(token: ProviderToken(issuedAt: issuedAt, jwt: jwt))
        let (age, now) = (age(of: found), time.monotonicNow)
        // From here on a step of the wall clock makes it neither older nor younger.
        let isGood = age < ProviderTokenPolicy.refreshAge
        if isGood, issuedAt <= time.wallNow { found.at = now.advanced(by: .zero - age) }
        newest = found
        guard isGood else { return }
        // Whether each service has seen it, and how lately, nobody knows any more.
        for environment in PushEnvironment.allCases { shown[environment] = Shown(minted: found, since: now) }
        log.write(.tokenReused, [("token.age_ms", .milliseconds(age))])
    }

    /// Signs from now on with another key, whose first token is made when it is needed; with nil, with none.
    func use(_ signer: ProviderTokenSigner?) {
        self.signer = signer
        generation += 1
        newest = nil
        shown = [:]
    }

    /// The token to send with to a service, a new one when it is time; nil when APNs refused the current one and it is too early for another,
    /// or when there is no key.
    ///
    /// A new one is stored before it is first used. `refused` is the token that APNs refused, if any, and only matters while it
    /// is still in use.
    func current(for environment: PushEnvironment, refused: ProviderToken? = nil) async throws -> ProviderToken? {
        guard let signer else { return nil }
        let isRefused = newest != nil && refused == newest?.token
        let age = newest.map(age)
        switch ProviderTokenPolicy.decide(age: age, isRefused: isRefused, shown: circumstances(environment, refused)) {
        case .use: return show(newest, to: environment)
        case .keep: return shown[environment]?.minted.token
        case .wait: return nil
        case .mint: return try await mint(signer, for: environment)
        }
    }

    /// The token that a service was shown last, whatever it thinks of it.
    func inUse(for environment: PushEnvironment) -> ProviderToken? { shown[environment]?.minted.token ?? newest?.token }

    private func show(_ minted: Minted?, to environment: PushEnvironment) -> ProviderToken? {
        guard let minted else { return nil }
        if shown[environment]?.minted.token != minted.token {
            let isChange = shown[environment] != nil
            shown[environment] = Shown(minted: minted, since: time.monotonicNow, isChange: isChange)
        }
        return minted.token
    }

    private func mint(_ signer: ProviderTokenSigner, for environment: PushEnvironment) async throws -> ProviderToken? {
        let generation = generation
        let token = try signer.sign(at: time.wallNow)
        let sealed = try sealer.seal(token.jwt, for: Self.context(signer))
        let (keyID, teamID) = (signer.keyID, signer.teamID)
        try await store.transaction {
            try $0.setProviderToken(sealed, issuedAt: token.issuedAt, keyID: keyID, teamID: teamID)
        }
        log.write(.tokenRenewed)
        guard generation == self.generation else { return token }
        newest = Minted(token: token, at: time.monotonicNow)
        return show(newest, to: environment)
    }

    /// When a service may be shown another token than one that it refuses, the newest if it has not seen that; nil when it may be at once.
    func changeAt(for environment: PushEnvironment) -> MonotonicInstant? {
        guard let newest else { return nil }
        let (now, last) = (time.monotonicNow, shown[environment])
        let isOlder = last.map { $0.minted.token != newest.token } ?? false
        var wait = isOlder ? .zero : ProviderTokenPolicy.leastSpacing - age(of: newest)
        if let last, last.isChange {
            wait = max(wait, ProviderTokenPolicy.leastSpacing - last.since.duration(to: now))
        }
        return wait > .zero ? now.advanced(by: wait) : nil
    }

    private func circumstances(
        _ environment: PushEnvironment,
        _ refused: ProviderToken?
    ) -> ProviderTokenPolicy.Shown? {
        shown[environment].map { last in
            ProviderTokenPolicy.Shown(
                isNewest: last.minted.token == newest?.token,
                age: age(of: last.minted),
                since: last.since.duration(to: time.monotonicNow),
                isRefused: last.minted.token == refused,
                isChange: last.isChange
            )
        }
    }

    /// Measured on the clock that cannot step where possible. A stored token from the future has no usable age: it is kept
    /// until APNs complains and may then be replaced.
    private func age(of minted: Minted) -> Duration {
        if let at = minted.at { return at.duration(to: time.monotonicNow) }
        let age = minted.token.issuedAt.duration(to: time.wallNow)
        return age < .zero ? ProviderTokenPolicy.leastSpacing : age
    }

    private static func context(_ signer: ProviderTokenSigner) -> String {
        "provider-token/\(signer.teamID)/\(signer.keyID)"
    }
}
