import Configuration
import HTTP
import Notifier
import Platform

/// Everything about the running server that is no secret: one JSON file, in which every key may be left out. ``SettingsKey`` holds
/// the keys and what they mean.
package struct DaemonSettings: Sendable, Equatable {
    /// Where the REST API is served.
    struct Listening: Sendable, Equatable {
        /// An address of this machine. Others than loopback belong behind TLS.
        var address = "127.0.0.1"
        var port: UInt16 = 8080
        /// Paths of PEM files with the certificate chain and its key; both or none.
        var certificate: String?
        var key: String?
        /// Whether a proxy in front, and nobody else, can reach this, and names its clients in `X-Forwarded-For`.
        var trustsForwardedFor = false
    }

    /// This server as it is registered with one GitLab, but for the secret.
    package struct OAuthApplication: Sendable, Equatable {
        var origin: HTTPOrigin
        var clientID: String
        var redirectURI: String
        var scope = "read_api"
        /// The variable that holds the secret; nil for a public application.
        var secretVariable: String?
    }

    var listen = Listening()
    /// Path of the database; its folder must exist.
    var database = "notifier.db"
    /// Folder for daily backups of the database, made when it is missing; nil for none.
    var backups: String?
    /// A file that holds variables beside those of the environment.
    var secrets: String?
    /// The GitLabs that people may use the server with, in normal form; without any the server serves nobody's.
    var gitlabs: [HTTPOrigin] = []
    var oauth: [OAuthApplication] = []
    /// A PEM file with the authorities that GitLab's certificate may come from, instead of the system's.
    var authorities: String?
    var logLevel = LogLevel.info
    var notifier = NotifierConfiguration()
}
