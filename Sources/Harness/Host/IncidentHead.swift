import Configuration
import JSON
import Notifier
import Platform

/// The first line of a simulated notifier's incident report: of what stands there on a server, that which a simulated one has.
struct IncidentHead: Encodable {
    private struct Settings: Encodable {
        var notifier: ReportedConfiguration
    }

    private var kind = "incident"
    private var version = NotifierVersion.current
    private var at: Int64
    private var settings: Settings

    init(_ configuration: NotifierConfiguration, at now: WallTime) {
        at = now.microseconds
        settings = Settings(notifier: ReportedConfiguration(configuration))
    }

    var json: String {
        get throws {
            try DeterministicJSON.line(self)
        }
    }
}
