import Configuration
import FoundationEssentials
import Notifier
import Platform

/// The first line of a simulated notifier's report of a fault: of what stands there on a server, that which a simulated one has.
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
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
