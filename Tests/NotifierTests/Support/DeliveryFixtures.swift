import Configuration
import Crypto
import HTTP
import Platform
import SQLite

@testable import Notifier

func makeSecrets() throws -> NotifierSecrets {
    NotifierSecrets(
        apnsKey: NotifierSecrets.APNsKey(
            pem: try ES256PrivateKey.generate().pem,
            keyID: "KEY1234567",
            teamID: "TEAM123456"
        ),
        encryptionKeys: [.init(version: 1, key: Secret([UInt8](repeating: 7, count: 32)))],
        sessionKey: Secret([UInt8](repeating: 9, count: 32))
    )
}

/// A vault under the first of ``makeSecrets()``'s keys.
func makeDeviceTokenVault() throws -> DeviceTokenVault {
    let sealer = try SecretSealer(makeSecrets().encryptionKeys, entropy: SeededEntropy())
    return DeviceTokenVault(sealer: sealer, digestKey: Secret([UInt8](repeating: 5, count: 32)))
}

func makeFact(
    _ action: Action = .commented,
    note: Int64 = 1,
    actor: String = "Maria",
    item: ItemReference? = ItemReference(project: ProjectID(rawValue: 42), kind: .mergeRequest, iid: 847),
    title: String = "Auth refactor",
    body: String? = "Can we use the existing token validator here instead?"
) -> Fact {
    Fact(
        key: .note(ProjectID(rawValue: 42), note),
        action: action,
        actor: Actor(id: 7, username: "maria", name: actor, avatarURL: nil),
        item: item,
        itemTitle: title,
        projectPath: "team/backend",
        webURL: "https://gitlab.example.com/team/backend/-/merge_requests/847#note_\(note)",
        body: body,
        occurredAt: deliveryStart,
        source: .note,
        sourceID: note
    )
}

extension Store {
    /// Claims what is due in production, with a lease of a minute.
    func claimDue(limit: Int = 10, at now: WallTime = deliveryStart) throws -> ClaimResult {
        try claim(
            .production,
            limit: limit,
            by: DeliveryPolicy(NotifierConfiguration()),
            at: now,
            leaseUntil: now.advanced(by: .seconds(60))
        )
    }

    /// An account with a token nobody can open.
    func makeAccount(_ name: String = "anna", user: Int64 = 1) throws -> AccountID {
        let registration = AccountRegistration(
            publicID: "account-\(name)",
            origin: HTTPOrigin(scheme: "https", host: "gitlab.example.com"),
            gitlabUserID: user,
            username: name,
            token: SealedSecret(ciphertext: [1], nonce: [UInt8](repeating: 0, count: 12), keyVersion: 1)
        )
        return try insert(registration, at: deliveryStart)
    }

    func makeDevice(
        of account: AccountID,
        token: String = "aa11",
        environment: PushEnvironment = .production,
        at now: WallTime = deliveryStart
    ) throws -> DeviceID {
        let device = DeviceRegistration(
            token: try makeDeviceTokenVault().seal(token),
            environment: environment,
            platform: "ios",
            appVersion: nil
        )
        return try register(device, of: account, newPublicID: "device-\(token)", at: now).id
    }

    /// State, counted attempts and last outcome of every delivery, by id.
    func deliveryStates() throws -> [String] {
        try database.rows("SELECT state, attempts, coalesce(last_outcome, '-') FROM deliveries ORDER BY id") {
            "\($0.text(0)) \($0.int(1)) \($0.text(2))"
        }
    }

    func deviceStates() throws -> [String] {
        try database.rows("SELECT state FROM devices ORDER BY id") { $0.text(0) }
    }
}
