import Configuration
import FoundationEssentials
import HTTP
import Notifier
import Platform

extension DaemonSettings: Decodable {
    /// The settings of the file at `path`, or the defaults without one.
    ///
    /// - Throws: `DaemonError.settingsUnreadable`, and what ``init(json:)`` throws.
    static func read(_ path: String?) throws -> DaemonSettings {
        try path.map { try DaemonSettings(json: LiveFile.read($0)) } ?? DaemonSettings()
    }

    /// Reads a settings file's bytes.
    ///
    /// - Throws: `DaemonError.settingsInvalid` with the key that is wrong, and the one probably meant.
    init(json bytes: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(DaemonSettings.self, from: Data(bytes))
        } catch let error as ConfigurationError {
            throw Self.invalid("\(error)")
        } catch let error as DecodingError {
            throw Self.invalid(Self.sentence(error))
        }
        guard (listen.certificate == nil) == (listen.key == nil) else {
            throw Self.invalid("\"listen\" names a certificate without a key, or a key without a certificate")
        }
        guard Set(oauth.map(\.origin)).count == oauth.count else {
            throw Self.invalid("\"oauth\" names a GitLab twice")
        }
    }

    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try SettingsContainer(decoder, keys: SettingsKey.top)
        try container.read("listen", into: &listen)
        try container.readPath("database", into: &database)
        try container.readPath("backups", into: &backups)
        try container.readPath("secrets", into: &secrets)
        gitlabs = try ListedGitLab.origins(container.value("gitlabs", as: [ListedGitLab].self) ?? [])
        try container.read("oauth", into: &oauth)
        try container.readPath("authorities", into: &authorities)
        if let name = try container.value("logLevel", as: String.self) {
            guard let level = Self.levels.first(where: { $0.name == name })?.level else {
                let names = Self.levels.map { "\"\($0.name)\"" }.joined(separator: ", ")
                throw ConfigurationError.badValue(key: "logLevel", expected: "one of \(names)")
            }
            logLevel = level
        }
        try container.read("notifier", into: &notifier)
    }

    static let levels: [(name: String, level: LogLevel)] = [
        ("debug", .debug), ("info", .info), ("notice", .notice), ("warning", .warning), ("error", .error),
    ]

    static func invalid(_ sentence: String) -> DaemonError {
        DaemonError(.settingsInvalid, sentence, hint: "docs/settings.md lists the keys and their ranges")
    }

    private static func sentence(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "the settings are no JSON object" : "\"\(path)\" has a value of another kind"
        case .dataCorrupted: return "the settings are no JSON"
        @unknown default: return "the settings cannot be read"
        }
    }
}

extension DaemonSettings.Listening: Decodable {
    init(from decoder: any Decoder) throws {
        self.init()
        let container = try SettingsContainer(decoder, keys: SettingsKey.listen)
        try container.read("address", into: &address)
        try container.read("port", into: &port)
        try container.readPath("certificate", into: &certificate)
        try container.readPath("key", into: &key)
        try container.read("trustsForwardedFor", into: &trustsForwardedFor)
    }
}

extension DaemonSettings.OAuthApplication: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try SettingsContainer(decoder, keys: SettingsKey.oauth)
        let address = try container.text("gitlab", "the address of a GitLab, such as \"https://gitlab.example.com\"")
        guard let origin = HTTPOrigin(address) else {
            throw ConfigurationError.badValue(
                key: "gitlab",
                expected: "an address such as \"https://gitlab.example.com\""
            )
        }
        self.origin = origin.normal
        clientID = try container.text("clientId", "the application's id")
        redirectURI = try container.text("redirectUri", "the address that the application is registered with")
        try container.readPath("scope", into: &scope)
        try container.readPath("secretVariable", into: &secretVariable)
        guard secretVariable?.hasPrefix(ServiceVariables.oauthSecret) != false else {
            throw ConfigurationError.badValue(
                key: "secretVariable",
                expected: "a name that begins with \"\(ServiceVariables.oauthSecret)\""
            )
        }
    }
}
