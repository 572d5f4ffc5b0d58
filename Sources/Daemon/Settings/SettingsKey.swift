import Notifier

/// One key of the settings file: what decoding knows, what a mistyped one is compared with, and what docs/settings.md lists.
struct SettingsKey: Sendable, Equatable {
    var name: String
    /// As it would stand in the file; nil for what is absent.
    var standard: String?
    /// For who runs a server.
    var meaning: String

    private init(_ name: String, _ standard: String?, _ meaning: String) {
        (self.name, self.standard, self.meaning) = (name, standard, meaning)
    }
}

extension SettingsKey {
    /// Keys at the top.
    static let top = [
        SettingsKey("listen", nil, "where the apps' API is served; its keys follow below"),
        SettingsKey("database", "\"notifier.db\"", "path; created with mode 0600, in a folder that must exist"),
        SettingsKey(
            "backups",
            nil,
            "a folder for daily backups, made with mode 0700 when it is missing; without it there are none"
        ),
        SettingsKey("secrets", nil, "a file with the variables above, readable for its owner and group alone"),
        SettingsKey(
            "gitlabs",
            "[]",
            "the GitLabs that people may use this server with, such as `[\"https://gitlab.example.com\"]`; any other is refused, and "
                + "without one nobody can sign in. One that is reached over plain `http` stands there as an object, whose keys follow below"
        ),
        SettingsKey("oauth", "[]", "GitLabs among them at which people can sign in; the keys of each follow below"),
        SettingsKey("authorities", nil, "a PEM file with the authorities to trust instead of the system's"),
        SettingsKey("logLevel", "\"info\"", "`debug`, `info`, `notice`, `warning` or `error`"),
        SettingsKey("notifier", "{}", "how the notifier works; its keys follow below"),
    ]

    /// Keys of `listen`.
    static let listen = [
        SettingsKey(
            "address",
            "\"127.0.0.1\"",
            "an address of this machine; for others than loopback a certificate must be given, or `trustsForwardedFor`"
        ),
        SettingsKey("port", "8080", "0 for any that is free, which the log then names"),
        SettingsKey("certificate", nil, "a PEM file with the certificate chain, to serve TLS without a proxy"),
        SettingsKey("key", nil, "a PEM file with its key; both or none"),
        SettingsKey(
            "trustsForwardedFor",
            "false",
            "true where nobody but a proxy reaches this: it may then be served beyond loopback without TLS, and clients are told apart "
                + "by the last address of `X-Forwarded-For`"
        ),
    ]

    /// Keys of an entry of `gitlabs` that is no text.
    static let gitlab = [
        SettingsKey("address", nil, "its address, such as `http://gitlab.lan`; needed"),
        SettingsKey(
            "allowsPlainHTTP",
            "false",
            "true to let tokens and everything else go there in the clear; loopback needs no permission"
        ),
    ]

    /// Keys of each entry of `oauth`.
    static let oauth = [
        SettingsKey("gitlab", nil, "its address, such as `https://gitlab.example.com`; needed"),
        SettingsKey("clientId", nil, "the application's id there; needed"),
        SettingsKey("redirectUri", nil, "exactly as it is registered there; needed"),
        SettingsKey("scope", "\"read_api\"", "what is asked for; `api` where the server is to write"),
        SettingsKey(
            "secretVariable",
            nil,
            "the variable with the application's secret: `OAUTH_SECRET`, or a name that begins with it; none for a public "
                + "application"
        ),
    ]
}
