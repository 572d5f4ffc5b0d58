import Platform
import Scenarios

/// The tz database of the simulated world: the same rules on every machine, whatever it has installed.
struct SimulatedZones: TimeZoneSource {
    func zoneFile(_ identifier: String) -> [UInt8]? {
        QuietHours.Zone(rawValue: identifier).map { Self.file(rule: Self.rule(of: $0)) }
    }

    /// How POSIX writes the zone's rules.
    private static func rule(of zone: QuietHours.Zone) -> String {
        switch zone {
        case .utc: "UTC0"
        case .london: "GMT0BST,M3.5.0/1,M10.5.0"
        case .berlin: "CET-1CEST,M3.5.0,M10.5.0/3"
        case .newYork: "EST5EDT,M3.2.0,M11.1.0"
        case .kolkata: "IST-5:30"
        case .sydney: "AEST-10AEDT,M10.1.0,M4.1.0/3"
        }
    }

    /// A TZif file of version 2 without a single transition, so that the rule at its end holds for all times (RFC 9636).
    private static func file(rule: String) -> [UInt8] {
        var header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        for count: UInt8 in [0, 0, 0, 0, 1, 1] { header += [0, 0, 0, count] }
        let type = [UInt8](repeating: 0, count: 6)
        let block = header + type + [0]
        return block + block + Array("\n\(rule)\n".utf8)
    }
}
