package import Configuration
package import HTTP
import Notifier
package import Platform

/// Everything about the running server that is no secret: one JSON file, in which every key may be left out. ``SettingsKey`` holds
/// the keys and what they mean.
package struct DaemonSettings: Sendable, Equatable {
    /// Where the REST API is served.
    package struct Listening: Sendable, Equatable {
        /// An address of this machine. Others than loopback belong behind TLS.
        package var address = "127.0.0.1"
        package var port: UInt16 = 8080
        /// Paths of PEM files with the certificate chain and its key; both or none.
        package var certificate: String?
        package var key: String?
        /// Whether a proxy in front, and nobody else, can reach this, and names its clients in `X-Forwarded-For`.
        package var trustsForwardedFor = false
    }

    /// This server as it is registered with one GitLab, but for the secret.
    package struct OAuthApplication: Sendable, Equatable {
        package var origin: HTTPOrigin
        package var clientID: String
        package var redirectURI: String
        package var scope = "read_api"
        /// The variable that holds the secret; nil for a public application.
        package var secretVariable: String?
    }

    package var listen = Listening()
    /// Path of the database; its folder must exist.
    package var database = "notifier.db"
    /// Folder for daily backups of the database, made when it is missing; nil for none.
    package var backups: String?
    /// A file that holds variables beside those of the environment.
    package var secrets: String?
    /// The GitLabs that people may use the server with, in normal form; without any the server serves nobody's.
    package var gitlabs: [HTTPOrigin] = []
    package var oauth: [OAuthApplication] = []
    /// A PEM file with the authorities that GitLab's certificate may come from, instead of the system's.
    package var authorities: String?
    package var logLevel = LogLevel.info
    package var notifier = NotifierConfiguration()

    /// The defaults.
    package init() {}
}
