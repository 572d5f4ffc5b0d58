package import Crypto

/// A key registered with the fake, as a developer team registers one with Apple (APNs facts §7).
package struct ProviderKey: Sendable {
    /// Ten characters; the `kid` of the tokens it signs.
    package var keyID: String
    /// Ten characters; the `iss` of the tokens it signs.
    package var teamID: String
    package var publicKey: ES256PublicKey
    /// The bundle ids it may push to; nil for every one of the team's.
    package var topics: Set<String>?
    /// The environments it is bound to; older keys are valid in both.
    package var environments: Set<APNsEnvironment>

    package init(
        keyID: String,
        teamID: String,
        publicKey: ES256PublicKey,
        topics: Set<String>? = nil,
        environments: Set<APNsEnvironment> = Set(APNsEnvironment.allCases)
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.publicKey = publicKey
        self.topics = topics
        self.environments = environments
    }
}
