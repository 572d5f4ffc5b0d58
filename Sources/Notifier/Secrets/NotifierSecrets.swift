import Configuration
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

        /// A key under a version that follows from it, so that nobody has to number keys: 62 bits of a digest, from which the key
        /// cannot be found.
        package init(_ key: Secret) {
            let digest = SHA256.digest(Array("notifier encryption key version\0".utf8) + key.exposedBytes)
            let bits = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            self.init(version: Int64(bits >> 2) + 1, key: key)
        }

        /// The keys that the environment variables `ENCRYPTION_KEY_CURRENT` and `ENCRYPTION_KEYS_OLD` hold: one key that seals, and
        /// any number, with commas between them, that only open. Each is 32 bytes in 64 hexadecimal digits.
        ///
        /// To change the key, move the current one to the old ones and set a new one; once `secrets_under_old_keys` is 0 the old one
        /// can go.
        ///
        /// - Throws: `ConfigurationError.badSecret`, which does not repeat what it read.
        package static func list(current: Secret, old: Secret?) throws -> [EncryptionKey] {
            let currentKey = try key(current.exposedBytes[...], of: "ENCRYPTION_KEY_CURRENT")
            let comma = UInt8(ascii: ",")
            let others = try (old?.exposedBytes ?? []).split(separator: comma).map { bytes in
                try key(bytes, of: "ENCRYPTION_KEYS_OLD")
            }
            var known: Set<Int64> = [currentKey.version]
            // A key that was left among the old ones when it came back is one key.
            return [currentKey] + others.filter { known.insert($0.version).inserted }
        }

        private static func key(_ text: ArraySlice<UInt8>, of name: String) throws -> EncryptionKey {
            let digits = text.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
            let nibbles = digits.compactMap(nibble)
            guard digits.count == 2 * AES256GCM.keyBytes, nibbles.count == digits.count else {
                throw ConfigurationError.badSecret(name: name, expected: "keys of 64 hexadecimal digits")
            }
            let bytes = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
            return EncryptionKey(Secret(bytes))
        }

        private static func nibble(_ digit: UInt8) -> UInt8? {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            default: nil
            }
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

    /// What proves to APNs who sends.
    package struct APNsKey: Sendable, Equatable {
        /// The key file from Apple's developer portal, PEM with a PKCS #8 P-256 key (APNs facts §7).
        package var pem: Secret
        /// The key's id, 10 characters; the token header's `kid`.
        package var keyID: String
        /// The team's id, 10 characters; the token's `iss`.
        package var teamID: String

        package init(pem: Secret, keyID: String, teamID: String) {
            self.pem = pem
            self.keyID = keyID
            self.teamID = teamID
        }

        /// - Throws: `ConfigurationError.badSecret` for a key that cannot sign, or an id of the wrong length.
        package func validate() throws {
            guard (try? ES256PrivateKey(pem: pem.exposedText)) != nil else {
                throw ConfigurationError.badSecret(name: "APNs key", expected: "the .p8 file as Apple gave it")
            }
            for (name, value) in [("APNs key id", keyID), ("APNs team id", teamID)] where value.utf8.count != 10 {
                throw ConfigurationError.badSecret(name: name, expected: "10 characters")
            }
        }
    }

    /// Nil for a server that pushes nothing: notifications are made, kept and told of in the log.
    package var apnsKey: APNsKey?
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
        apnsKey: APNsKey?,
        encryptionKeys: [EncryptionKey],
        sessionKey: Secret,
        webhookSecret: Secret? = nil,
        oauthApplications: [OAuthApplication] = []
    ) {
        self.apnsKey = apnsKey
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
        try apnsKey?.validate()
    }
}
