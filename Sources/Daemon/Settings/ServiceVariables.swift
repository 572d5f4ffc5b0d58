import Crypto
package import Notifier

/// What comes by the environment: the secrets, so that no file of settings holds one, and what belongs to Apple's key.
package struct ServiceVariables: Sendable {
    /// What is read, in the order in which a missing one is reported.
    package static let names = [
        "APNS_KEY_PATH", "APNS_KEY_ID", "APNS_TEAM_ID", "APNS_BUNDLE_ID", "ENCRYPTION_KEY_CURRENT",
        "ENCRYPTION_KEYS_OLD", "SESSION_KEY",
    ]

    private let values: [String: String]

    /// Takes the variables over; empty ones count as missing.
    package init(_ environment: [String: String]) {
        values = environment.filter { Self.names.contains($0.key) && !$0.value.isEmpty }
    }

    /// The app's bundle id, where it is set here and not in the settings.
    package var bundleID: String? { values["APNS_BUNDLE_ID"] }

    /// The notifier's secrets; `read` gives the bytes of the file at a path.
    ///
    /// - Throws: `DaemonError.secretMissing`, `secretInvalid`; neither repeats a value.
    package func secrets(readingFilesBy read: (String) throws -> [UInt8]) throws -> NotifierSecrets {
        let path = try required("APNS_KEY_PATH", "the path of the .p8 file from Apple's developer portal")
        let keyID = try required("APNS_KEY_ID", "the key's id, 10 characters")
        let teamID = try required("APNS_TEAM_ID", "the team's id, 10 characters")
        let current = try required("ENCRYPTION_KEY_CURRENT", "64 hexadecimal digits: openssl rand -hex 32")
        let session = try required("SESSION_KEY", "at least 32 characters: openssl rand -hex 32")
        do {
            let secrets = NotifierSecrets(
                apnsKeyPEM: Secret(try read(path)),
                apnsKeyID: keyID,
                apnsTeamID: teamID,
                encryptionKeys: try NotifierSecrets.EncryptionKey.list(
                    current: Secret(current),
                    old: values["ENCRYPTION_KEYS_OLD"].map { Secret($0) }
                ),
                sessionKey: Secret(session)
            )
            try secrets.validate()
            return secrets
        } catch let error as ConfigurationError {
            throw DaemonError(.secretInvalid, "\(error)", hint: "docs/deploy.md says how to make each")
        }
    }

    private func required(_ name: String, _ what: String) throws -> String {
        guard let value = values[name] else {
            throw DaemonError(.secretMissing, "the environment variable \(name) is not set", hint: "it holds \(what)")
        }
        return value
    }
}
