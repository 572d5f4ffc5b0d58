import Configuration
import Notifier

/// Settings as a report may show them: no path, no address, no topic, no id of an application.
struct IncidentSettings: Encodable {
    var listensOnLoopback: Bool
    var servesTLS: Bool
    var makesBackups: Bool
    var hasSecretsFile: Bool
    var gitlabs: Int
    var oauthApplications: Int
    var hasAuthorities: Bool
    var logLevel: String
    var notifier: ReportedConfiguration

    init(_ settings: DaemonSettings) {
        listensOnLoopback = settings.listen.address == "::1" || settings.listen.address.hasPrefix("127.")
        servesTLS = settings.listen.certificate != nil
        makesBackups = settings.backups != nil
        hasSecretsFile = settings.secrets != nil
        gitlabs = settings.gitlabs.count
        oauthApplications = settings.oauth.count
        hasAuthorities = settings.authorities != nil
        logLevel = DaemonSettings.levels.first { $0.level == settings.logLevel }?.name ?? ""
        notifier = ReportedConfiguration(settings.notifier)
    }
}
