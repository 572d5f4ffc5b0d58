package import Crypto

/// A key registered with the fake, as a developer team registers one with Apple (APNs facts §7).
package struct ProviderKey: Sendable {
    /// Ten characters; the `kid` of the tokens it signs.
    var keyID: String
    /// Ten characters; the `iss` of the tokens it signs.
    var teamID: String
    var publicKey: ES256PublicKey
    /// The bundle ids it may push to; nil for every one of the team's.
    var topics: Set<String>?
    /// The environments it is bound to; older keys are valid in both.
    var environments: Set<APNsEnvironment>

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
