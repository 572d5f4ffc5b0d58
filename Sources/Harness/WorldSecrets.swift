package import Crypto
package import Notifier
import Platform
import Scenarios

/// The secrets of one simulated installation. All are made up; each carries a marker by which a leak is recognised.
package struct WorldSecrets {
    /// Stands in every secret text of a simulated world, and nowhere else.
    static let marker = "s3cr3t"
    /// By which any secret is recognised, first of all that marker: also the notifier's own refresh tokens and those of programs, and access tokens
    /// by their first bytes. What has no marker is known once it was given (``IssuedSecrets``).
    static let markers = [marker, "drt_", "sgt_", "eyJhbGciOi"].map { Array($0.utf8) }
    package static let apnsKeyID = "SIMKEY0001"
    package static let apnsTeamID = "SIMTEAM001"
    /// What GitLab's webhooks carry.
    /// What this server proves itself with to GitLab's OAuth server.
    package static let oauthClient = "\(marker)-of-the-application"
    package static let oauthClientID = "notifier"
    package static let oauthRedirectURI = "com.example.gitlab-notifier:/oauth"
    package static let webhook = "\(marker)-of-the-webhook"

    package let apnsKey: ES256PrivateKey
    package let notifier: NotifierSecrets

    /// - Throws: `CryptoError` when the library cannot make a key.
    init(_ scenario: Scenario, seed: UInt64) throws {
        // The key differs in every process: signatures are opaque, and no byte of them is recorded.
        let key = try ES256PrivateKey.generate()
        var random = RandomStream(seed: seed, stream: "secrets")
        let encryption = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        apnsKey = key
        notifier = NotifierSecrets(
            apnsKey: NotifierSecrets.APNsKey(pem: try key.pem, keyID: Self.apnsKeyID, teamID: Self.apnsTeamID),
            encryptionKeys: [NotifierSecrets.EncryptionKey(version: 1, key: Secret(encryption))],
            sessionKey: Secret("\(Self.marker)-session-key-of-a-simulated-world"),
            webhookSecret: scenario.world.gitlab.sendsWebhooks ? Secret(Self.webhook) : nil,
            oauthApplications: [
                NotifierSecrets.OAuthApplication(
                    origin: WorldBuilder.gitlabOrigin,
                    clientID: Self.oauthClientID,
                    clientSecret: Secret(Self.oauthClient),
                    redirectURI: Self.oauthRedirectURI
                )
            ]
        )
    }

    /// The GitLab token of a person, the `generation`th they were given.
    static func gitlabToken(of person: Username, generation: Int) -> String {
        "glpat-\(marker)-\(person.text)-\(generation)"
    }
}
