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
    /// - Throws: `DaemonError.settingsInvalid` with every key that is wrong, and the one probably meant.
    init(json bytes: [UInt8]) throws {
        let problems = SettingsProblems()
        self.init()
        if problems.look(at: bytes) {
            let decoder = JSONDecoder()
            if let key = SettingsProblems.key { decoder.userInfo[key] = problems }
            do {
                self = try decoder.decode(DaemonSettings.self, from: Data(bytes))
            } catch {
                problems.add(error)
            }
        }
        if let sentence = problems.sentence { throw Self.invalid(sentence) }
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
        try container.attempt {
            gitlabs = try ListedGitLab.origins(container.value("gitlabs", as: [ListedGitLab].self) ?? [])
        }
        try container.read("oauth", into: &oauth)
        try container.readPath("authorities", into: &authorities)
        try container.attempt {
            guard let name = try container.value("logLevel", as: String.self) else { return }
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
}

extension DaemonSettings.Listening: Decodable {
    init(from decoder: any Decoder) throws {
        self.init()
        let container = try SettingsContainer(decoder, keys: SettingsKey.listen)
        try container.attempt {
            guard let text = try container.value("address", as: String.self) else { return }
            guard IPAddress(text) != nil else {
                throw ConfigurationError.badValue(
                    key: "listen.address",
                    expected: "an address in numbers, such as \"127.0.0.1\" or \"::1\""
                )
            }
            address = text
        }
        try container.attempt {
            let number = try container.wholeNumber("port", within: 0...65_535, called: "listen.port")
            if let number { port = UInt16(number) }
        }
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
