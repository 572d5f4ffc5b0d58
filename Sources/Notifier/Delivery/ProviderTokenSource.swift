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
    private var token: ProviderToken?
    /// When the token was made, on the clock that cannot step; nil for one that was found in the database and has no usable age.
    private var mintedAt: MonotonicInstant?

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
    /// - Throws: `SQLiteError`. A token that cannot be opened any more counts as none.
    func load() async throws {
        guard let signer else { return }
        let (keyID, teamID) = (signer.keyID, signer.teamID)
        guard let stored = try await store.read({ try $0.providerToken(keyID: keyID, teamID: teamID) }) else { return }
        guard let jwt = try? sealer.open(stored.sealed, for: Self.context(signer)) else { return }
        token = ProviderToken(issuedAt: stored.issuedAt, jwt: jwt)
        guard let age, ProviderTokenPolicy.decide(age: age, isRefused: false) == .use else { return }
        // From here on a step of the wall clock makes it neither older nor younger.
        if stored.issuedAt <= time.wallNow { mintedAt = time.monotonicNow.advanced(by: .zero - age) }
        log.write(.tokenReused, [("token.age_ms", .milliseconds(age))])
    }

    /// Signs from now on with another key, whose first token is made when it is needed; with nil, with none.
    func use(_ signer: ProviderTokenSigner?) {
        self.signer = signer
        generation += 1
        token = nil
        mintedAt = nil
    }

    /// The token to send with, a new one when it is time; nil when APNs refused the current one and it is too early for another,
    /// or when there is no key.
    ///
    /// A new one is stored before it is first used. `refused` is the token that APNs refused, if any, and only matters while it
    /// is still in use.
    func current(refused: ProviderToken? = nil) async throws -> ProviderToken? {
        guard let signer else { return nil }
        let isRefused = token != nil && refused == token
        switch ProviderTokenPolicy.decide(age: age, isRefused: isRefused) {
        case .use: return token
        case .wait: return nil
        case .mint: return try await mint(signer)
        }
    }

    /// The token there is, whatever APNs thinks of it.
    var inUse: ProviderToken? { token }

    private func mint(_ signer: ProviderTokenSigner) async throws -> ProviderToken {
        let generation = generation
        let minted = try signer.sign(at: time.wallNow)
        let sealed = try sealer.seal(minted.jwt, for: Self.context(signer))
        let (keyID, teamID) = (signer.keyID, signer.teamID)
        try await store.transaction {
            try $0.setProviderToken(sealed, issuedAt: minted.issuedAt, keyID: keyID, teamID: teamID)
        }
        log.write(.tokenRenewed)
        guard generation == self.generation else { return minted }
        token = minted
        mintedAt = time.monotonicNow
        return minted
    }

    /// Measured on the clock that cannot step where possible. A stored token from the future has no usable age: it is kept
    /// until APNs complains and may then be replaced.
    private var age: Duration? {
        guard let token else { return nil }
        if let mintedAt { return mintedAt.duration(to: time.monotonicNow) }
        let age = token.issuedAt.duration(to: time.wallNow)
        return age < .zero ? ProviderTokenPolicy.leastSpacing : age
    }

    private static func context(_ signer: ProviderTokenSigner) -> String {
        "provider-token/\(signer.teamID)/\(signer.keyID)"
    }
}
