import Configuration
import Crypto
import Platform

/// What an app is given when it signs in, pairs or refreshes.
struct IssuedSession: Equatable, Sendable {
    /// The access token, a JWT.
    var token: String
    /// `drt_` and 256 bits, random or derived from random ones by a key.
    var refreshToken: String
    /// When the access token ends.
    var expiresAt: WallTime
}

/// Opens sessions and gives them tokens. Only digests of refresh tokens are kept, keyed so that who reads the database cannot
/// even check a guess.
struct SessionIssuer: Sendable {
    /// Sessions of an account that belong to no device; the oldest give way. A lost answer leaves one behind.
    private static let looseSessionLimit = 20
    private static let prefix = "drt_"

    let tokens: SessionTokens
    private let digestKey: Secret
    private let successorKey: Secret
    private let refreshLifetime: Duration
    private let entropy: any EntropySource

    init(key: Secret, tokenLifetime: Duration, refreshLifetime: Duration, entropy: any EntropySource) {
        tokens = SessionTokens(key: key, lifetime: tokenLifetime)
        // A key of its own: what signs must not digest as well.
        digestKey = Secret(HMACSHA256.code(for: Array("refresh tokens and pairing codes".utf8), key: key))
        successorKey = Secret(HMACSHA256.code(for: Array("successors of refresh tokens".utf8), key: key))
        self.refreshLifetime = refreshLifetime
        self.entropy = entropy
    }

    /// With the lifetimes of the configuration.
    init(_ configuration: NotifierConfiguration, key: Secret, entropy: any EntropySource) {
        self.init(
            key: key,
            tokenLifetime: configuration.tokenLifetime,
            refreshLifetime: configuration.refreshTokenLifetime,
            entropy: entropy
        )
    }

    /// Opens a session for an account, on a device when it is known. Call it in a transaction.
    func open(for account: Account, on device: Session.Device? = nil, in store: Store, at now: WallTime) throws
        -> IssuedSession
    {
        try store.purgeLooseSessions(of: account.id, kept: Self.looseSessionLimit - 1)
        let refreshToken = makeRefreshToken()
        let session = try store.insertSession(
            publicID: entropy.uuidString(),
            of: account.id,
            device: device,
            refreshToken: digest(refreshToken),
            expiresAt: now.advanced(by: refreshLifetime),
            at: now
        )
        return try issue(session, of: account, refreshToken, at: now)
    }

    /// Gives a session the pair of tokens of `rotation`, in the place of `shown`. Call it in a transaction.
    ///
    /// The new refresh token is derived from the one that was shown, with a key that nobody else has: who shows it again can be given
    /// the same one, also after a restart, and no token is stored.
    func rotate(
        _ session: Session,
        to rotation: Int64,
        from shown: String,
        of account: Account,
        in store: Store,
        at now: WallTime
    ) throws -> IssuedSession {
        let refreshToken = successor(of: shown, in: session)
        try store.rotate(
            session.id,
            to: rotation,
            refreshToken: digest(refreshToken),
            expiresAt: now.advanced(by: refreshLifetime),
            at: now
        )
        var session = session
        session.rotation = rotation
        return try issue(session, of: account, refreshToken, at: now)
    }

    /// Gives the pair that followed `shown` once more: the same one as long as ``RefreshPolicy/repetition`` lasts, and later with an access
    /// token that lives from now on. Nil when that pair did not come from `shown`. Call it in a transaction.
    func repeated(
        _ session: Session,
        from shown: String,
        givenAt: WallTime,
        of account: Account,
        in store: Store,
        at now: WallTime
    ) throws -> IssuedSession? {
        let refreshToken = successor(of: shown, in: session)
        guard try store.isNewest(digest(refreshToken), of: session) else { return nil }
        guard givenAt.duration(to: now) > RefreshPolicy.repetition else {
            return try issue(session, of: account, refreshToken, at: givenAt)
        }
        let end = now.advanced(by: refreshLifetime)
        try store.prolong(session.id, refreshToken: digest(refreshToken), expiresAt: end, at: now)
        return try issue(session, of: account, refreshToken, at: now)
    }

    private func successor(of shown: String, in session: Session) -> String {
        let code = HMACSHA256.code(for: Array("\(session.publicID) \(shown)".utf8), key: successorKey)
        return Self.prefix + Base64URL.encode(code)
    }

    /// An access token for the session as it is now.
    func accessToken(for session: Session, of account: Account, at now: WallTime) throws
        -> (token: String, expiresAt: WallTime)
    {
        let claims = SessionClaims(
            account: account.publicID,
            session: session.publicID,
            device: session.device?.publicID,
            generation: session.generation,
            rotation: session.rotation
        )
        return try tokens.issue(claims, at: now)
    }

    /// The keyed digest of a refresh token or a pairing code.
    func digest(_ text: String) -> [UInt8] {
        HMACSHA256.code(for: Array(text.utf8), key: digestKey)
    }

    private func issue(_ session: Session, of account: Account, _ refreshToken: String, at now: WallTime) throws
        -> IssuedSession
    {
        let (token, expiresAt) = try accessToken(for: session, of: account, at: now)
        return IssuedSession(token: token, refreshToken: refreshToken, expiresAt: expiresAt)
    }

    private func makeRefreshToken() -> String {
        Self.prefix + Base64URL.encode(entropy.bytes(count: 32))
    }
}
