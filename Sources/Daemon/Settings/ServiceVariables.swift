import Configuration
import Crypto
import Notifier
import Platform

/// What comes by the environment, or by a file in its place: the secrets, so that no settings hold one, and what belongs to Apple's
/// key.
struct ServiceVariables: Sendable {
    /// One variable and what it holds, for docs/settings.md and for who left it out.
    struct Description: Sendable, Equatable {
        var name: String
        var meaning: String
        var isNeeded = false
    }

    /// Every variable but those that settings name themselves.
    static let table = [
        Description(name: "GITLABS", meaning: "addresses of GitLabs with spaces between them; in place of `gitlabs`"),
        Description(name: "APNS_KEY_PATH", meaning: "the path of the .p8 file from Apple's developer portal"),
        Description(name: "APNS_KEY_ID", meaning: "the key's id, 10 characters"),
        Description(name: "APNS_TEAM_ID", meaning: "the team's id, 10 characters"),
        Description(name: "APNS_BUNDLE_ID", meaning: "the app's bundle id; in place of `notifier.apnsTopic`"),
        Description(
            name: "APNS_ENVIRONMENT",
            meaning:
                "`production` or `development`, also called `sandbox`, for devices that do not say; in place of `notifier.apnsEnvironment`"
        ),
        Description(
            name: "ENCRYPTION_KEY_CURRENT",
            meaning: "seals GitLab tokens in the database, 64 hexadecimal digits: `openssl rand -hex 32`",
            isNeeded: true
        ),
        Description(name: "ENCRYPTION_KEYS_OLD", meaning: "former keys, separated by commas"),
        Description(
            name: "SESSION_KEY",
            meaning: "signs the apps' sessions, at least 32 characters: `openssl rand -hex 32`",
            isNeeded: true
        ),
        Description(
            name: "WEBHOOK_SECRET",
            meaning: "what GitLab's webhooks carry, at least 16 characters; without it none are taken"
        ),
    ]

    /// How the variables begin that `oauth` in the settings names.
    static let oauthSecret = "OAUTH_SECRET"
    /// Names that begin like this are meant for this program.
    private static let prefixes = ["GITLABS", "APNS_", "ENCRYPTION_KEY", "SESSION_KEY", "WEBHOOK_SECRET", oauthSecret]

    private let values: [String: String]

    /// The variables of the environment and of a file; where both have one the environment's counts, and an empty one is missing.
    ///
    /// - Throws: `DaemonError.settingsInvalid` for a name that is none, with the one probably meant.
    init(
        _ environment: [String: String],
        file: [String: String] = [:],
        settings: DaemonSettings = DaemonSettings()
    ) throws(DaemonError) {
        let known = Self.table.map(\.name) + settings.oauth.compactMap(\.secretVariable)
        let ours = environment.filter { variable in Self.prefixes.contains { variable.key.hasPrefix($0) } }
        for name in Set(ours.keys).union(file.keys).sorted() where !known.contains(name) {
            let nearest = NearestName.find(name, in: known).map { "; did you mean \($0)?" } ?? ""
            throw DaemonError(
                .settingsInvalid,
                "there is no variable \(name)\(nearest)",
                hint: "docs/settings.md lists them; one for a secret of \"oauth\" must be named there"
            )
        }
        values = file.merging(ours) { $1.isEmpty ? $0 : $1 }.filter { !$0.value.isEmpty }
    }

    /// The names of those that are set, in order.
    var names: [String] { values.keys.sorted() }

    /// Puts what the environment says into the settings.
    ///
    /// - Throws: `DaemonError.settingsInvalid`.
    func apply(to settings: inout DaemonSettings) throws(DaemonError) {
        if let list = values["GITLABS"] {
            do throws(ConfigurationError) {
                var listed: [ListedGitLab] = []
                for text in list.split(separator: " ") { listed.append(try ListedGitLab(String(text))) }
                settings.gitlabs = try ListedGitLab.origins(listed)
            } catch {
                throw DaemonError(
                    .settingsInvalid,
                    "GITLABS: \(error)",
                    hint: "docs/settings.md says what may stand there"
                )
            }
        }
        if let bundleID = values["APNS_BUNDLE_ID"] { settings.notifier.apnsTopic = bundleID }
        guard let name = values["APNS_ENVIRONMENT"] else { return }
        guard let environment = PushEnvironment(name: name) else {
            throw DaemonError(
                .settingsInvalid,
                "APNS_ENVIRONMENT must be production or development",
                hint: "development, also called sandbox, is for apps that Xcode installed"
            )
        }
        settings.notifier.apnsEnvironment = environment
    }

    /// The notifier's secrets; `read` gives the bytes of the file at a path. Without anything of Apple's key there is none, and the
    /// server pushes nothing.
    ///
    /// - Throws: `DaemonError.secretMissing`, `secretInvalid`; neither repeats a value.
    func secrets(_ settings: DaemonSettings, readingFilesBy read: (String) throws -> [UInt8]) throws -> NotifierSecrets
    {
        let (current, session) = (try required("ENCRYPTION_KEY_CURRENT"), try required("SESSION_KEY"))
        do {
            let secrets = NotifierSecrets(
                apnsKey: try apnsKey(read),
                encryptionKeys: try NotifierSecrets.EncryptionKey.list(
                    current: Secret(current),
                    old: values["ENCRYPTION_KEYS_OLD"].map { Secret($0) }
                ),
                sessionKey: Secret(session),
                webhookSecret: values["WEBHOOK_SECRET"].map { Secret($0) },
                oauthApplications: try settings.oauth.map(application)
            )
            try secrets.validate()
            return secrets
        } catch let error as ConfigurationError {
            throw DaemonError(.secretInvalid, "\(error)", hint: "docs/settings.md says how to make each")
        }
    }

    /// All of the key or nothing of it: a part is a mistake, and must not lead to a server that silently pushes nothing.
    private func apnsKey(_ read: (String) throws -> [UInt8]) throws -> NotifierSecrets.APNsKey? {
        let names = ["APNS_KEY_PATH", "APNS_KEY_ID", "APNS_TEAM_ID"]
        guard names.contains(where: { values[$0] != nil }) else { return nil }
        let (path, keyID, teamID) = (try required(names[0]), try required(names[1]), try required(names[2]))
        return NotifierSecrets.APNsKey(pem: Secret(try read(path)), keyID: keyID, teamID: teamID)
    }

    private func application(_ settings: DaemonSettings.OAuthApplication) throws -> NotifierSecrets.OAuthApplication {
        NotifierSecrets.OAuthApplication(
            origin: settings.origin,
            clientID: settings.clientID,
            clientSecret: try settings.secretVariable.map { Secret(try required($0)) },
            redirectURI: settings.redirectURI,
            scope: settings.scope
        )
    }

    /// What is needed and not there.
    var missing: [DaemonError] {
        Self.table.filter { $0.isNeeded && values[$0.name] == nil }.map { Self.missing($0.name) }
    }

    private func required(_ name: String) throws -> String {
        guard let value = values[name] else { throw Self.missing(name) }
        return value
    }

    private static func missing(_ name: String) -> DaemonError {
        let meaning = table.first { $0.name == name }?.meaning ?? "a secret that \"oauth\" names"
        return DaemonError(.secretMissing, "the variable \(name) is not set", hint: "\(name): \(meaning)")
    }
}
