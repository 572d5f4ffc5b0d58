import Platform

/// Keeps the one provider token of the process, and in the database across restarts: a crash loop must not mint one each time.
actor ProviderTokenSource {
    private let signer: ProviderTokenSigner
    private let store: StoreActor
    private let sealer: SecretSealer
    private let time: any TimeSource
    private let log: Log
    private var token: ProviderToken?
    /// When this process made the token; nil for one that was found in the database.
    private var mintedAt: MonotonicInstant?

    init(
        signer: ProviderTokenSigner,
        store: StoreActor,
        sealer: SecretSealer,
        time: any TimeSource,
        log: Log
    ) {
        self.signer = signer
        self.store = store
        self.sealer = sealer
        self.time = time
        self.log = log
    }

    /// Takes up the token that an earlier process left, if it is still good.
    ///
    /// - Throws: `SQLiteError`. A token that cannot be opened any more counts as none.
    func load() async throws {
        let (keyID, teamID) = (signer.keyID, signer.teamID)
        guard let stored = try await store.read({ try $0.providerToken(keyID: keyID, teamID: teamID) }) else { return }
        guard let jwt = try? sealer.open(stored.sealed, for: context) else { return }
        token = ProviderToken(issuedAt: stored.issuedAt, jwt: jwt)
        guard ProviderTokenPolicy.decide(age: age, isRefused: false) == .use else { return }
        log.write(.tokenReused, [("token.age_ms", .milliseconds(age ?? .zero))])
    }

    /// The token to send with, a new one when it is time; nil when APNs refused the current one and it is too early for another.
    ///
    /// A new one is stored before it is first used. `refused` is the token that APNs refused, if any, and only matters while it
    /// is still in use.
    func current(refused: ProviderToken? = nil) async throws -> ProviderToken? {
        let isRefused = token != nil && refused == token
        switch ProviderTokenPolicy.decide(age: age, isRefused: isRefused) {
        case .use: return token
        case .wait: return nil
        case .mint: return try await mint()
        }
    }

    /// The token there is, whatever APNs thinks of it.
    var inUse: ProviderToken? { token }

    private func mint() async throws -> ProviderToken {
        let minted = try signer.sign(at: time.wallNow)
        let sealed = try sealer.seal(minted.jwt, for: context)
        let (keyID, teamID) = (signer.keyID, signer.teamID)
        try await store.transaction {
            try $0.setProviderToken(sealed, issuedAt: minted.issuedAt, keyID: keyID, teamID: teamID)
        }
        token = minted
        mintedAt = time.monotonicNow
        log.write(.tokenRenewed)
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

    private var context: String { "provider-token/\(signer.teamID)/\(signer.keyID)" }
}
