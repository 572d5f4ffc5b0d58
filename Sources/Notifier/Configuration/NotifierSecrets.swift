package import Crypto
package import HTTP

/// What the notifier must know and nobody else may. Never part of the configuration file, never logged.
package struct NotifierSecrets: Sendable {
    /// A key that seals secrets in the database, with the version stored beside what it sealed.
    package struct EncryptionKey: Sendable {
        /// 1…; never given to another key.
        package var version: Int64
        /// 32 bytes, for AES-256-GCM.
        package var key: Secret

        /// A key of 32 bytes under its version.
        package init(version: Int64, key: Secret) {
            self.version = version
            self.key = key
        }
    }

    /// This server as it is registered with one GitLab, so that people can sign in there (GitLab facts §14).
    package struct OAuthApplication: Sendable {
        /// The instance.
        package var origin: HTTPOrigin
        package var clientID: String
        /// Nil for a public client.
        package var clientSecret: Secret?
        /// Exactly as it is registered; where the app is sent back to.
        package var redirectURI: String
        /// What is asked for, separated by spaces: `read_api`, or `api` where the server is to write.
        package var scope: String

        package init(
            origin: HTTPOrigin,
            clientID: String,
            clientSecret: Secret?,
            redirectURI: String,
            scope: String = "read_api"
        ) {
            self.origin = origin
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.redirectURI = redirectURI
            self.scope = scope
        }
    }

    /// The key file from Apple's developer portal, PEM with a PKCS #8 P-256 key (APNs facts §7).
    package var apnsKeyPEM: Secret
    /// The key's id, 10 characters; the token header's `kid`.
    package var apnsKeyID: String
    /// The team's id, 10 characters; the token's `iss`.
    package var apnsTeamID: String
    /// At least one. The first seals, all open.
    package var encryptionKeys: [EncryptionKey]
    /// Signs the tokens of the REST API, at least 32 bytes.
    package var sessionKey: Secret

    /// What GitLab's webhooks carry as `X-Gitlab-Token`, at least 16 bytes; nil when none are taken.
    package var webhookSecret: Secret?
    /// At most one for each GitLab; people of other instances sign in with a token of their own.
    package var oauthApplications: [OAuthApplication]

    /// All secrets at once; checked by ``validate()``.
    package init(
        apnsKeyPEM: Secret,
        apnsKeyID: String,
        apnsTeamID: String,
        encryptionKeys: [EncryptionKey],
        sessionKey: Secret,
        webhookSecret: Secret? = nil,
        oauthApplications: [OAuthApplication] = []
    ) {
        self.apnsKeyPEM = apnsKeyPEM
        self.apnsKeyID = apnsKeyID
        self.apnsTeamID = apnsTeamID
        self.encryptionKeys = encryptionKeys
        self.sessionKey = sessionKey
        self.webhookSecret = webhookSecret
        self.oauthApplications = oauthApplications
    }

    /// - Throws: `ConfigurationError.badSecret` for a key of the wrong length, a missing one, or a version used twice.
    package func validate() throws {
        guard !encryptionKeys.isEmpty, encryptionKeys.allSatisfy({ $0.key.count == AES256GCM.keyBytes }) else {
            throw ConfigurationError.badSecret(name: "encryption key", expected: "one or more keys of 32 bytes")
        }
        guard Set(encryptionKeys.map(\.version)).count == encryptionKeys.count else {
            throw ConfigurationError.badSecret(name: "encryption key", expected: "a version of its own for each key")
        }
        guard sessionKey.count >= 32 else {
            throw ConfigurationError.badSecret(name: "session key", expected: "at least 32 bytes")
        }
        guard Set(oauthApplications.map(\.origin)).count == oauthApplications.count,
            oauthApplications.allSatisfy({ !$0.clientID.isEmpty && !$0.redirectURI.isEmpty && !$0.scope.isEmpty })
        else {
            throw ConfigurationError.badSecret(
                name: "OAuth application",
                expected: "one for each GitLab, with client id, redirect address and scope"
            )
        }
        if let webhookSecret, webhookSecret.count < 16 {
            throw ConfigurationError.badSecret(name: "webhook secret", expected: "at least 16 bytes")
        }
        for (name, value) in [("APNs key id", apnsKeyID), ("APNs team id", apnsTeamID)]
        where value.utf8.count != 10 {
            throw ConfigurationError.badSecret(name: name, expected: "10 characters")
        }
    }
}
