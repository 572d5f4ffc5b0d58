import Platform

/// A client that was registered with the instance (GitLab facts §14).
package struct OAuthApplication: Sendable, Hashable {
    var clientID: String
    /// Nil for a public client, which proves itself by PKCE alone.
    var secret: String?
    var redirectURI: String
    /// What it may ask for.
    var scopes: [TokenScope]

    package init(clientID: String, secret: String?, redirectURI: String, scopes: [TokenScope] = [.api, .readAPI]) {
        self.clientID = clientID
        self.secret = secret
        self.redirectURI = redirectURI
        self.scopes = scopes
    }
}

/// An access token that the fake has issued.
package struct IssuedToken: Sendable, Hashable {
    package let secret: String
    /// The refresh token that came with it.
    let refresh: String
    /// Whose it is, by username.
    package let person: String
}

/// What the OAuth server remembers.
struct OAuthState: Sendable {
    /// What a person agreed to.
    struct Consent: Sendable {
        let person: Int
        let clientID: String
        let redirectURI: String
        let scopes: [TokenScope]
    }

    /// A code on its way through the browser.
    struct Code: Sendable {
        let consent: Consent
        /// Base64url of the verifier's SHA-256; nil when none was given.
        let challenge: String?
        let expiresAt: WallTime
        /// The refresh token it was exchanged for: a second use takes that away.
        var usedFor: String?
    }

    struct Refresh: Sendable {
        let consent: Consent
        /// The access token that came with it.
        let access: String
        var isRevoked = false
    }

    /// A device that waits for its person.
    struct Device: Sendable {
        enum Decision: Sendable { case pending, refused, agreed(person: Int) }

        let clientID: String
        let scopes: [TokenScope]
        let userCode: String
        let expiresAt: WallTime
        var answer = Decision.pending
        var askedAt: WallTime?
    }

    var codes: [String: Code] = [:]
    var refreshes: [String: Refresh] = [:]
    /// By device code.
    var devices: [String: Device] = [:]
    /// Access token → the refresh token that is revoked when it is used first (§21.11).
    var replaced: [String: String] = [:]
    var issued: [IssuedToken] = []
    /// Usernames, in order.
    var refused: [String] = []
}
