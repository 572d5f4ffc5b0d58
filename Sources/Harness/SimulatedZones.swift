import Platform
import Scenarios

/// The tz database of the simulated world: the same rules on every machine, whatever it has installed.
struct SimulatedZones: TimeZoneSource {
    func zoneFile(_ identifier: String) -> [UInt8]? {
        QuietHours.Zone(rawValue: identifier).map { Self.file(rule: Self.rule(of: $0), Self.changes(of: $0)) }
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
        case .lordHowe: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"
        case .cairo: "EET-2EEST,M4.5.5/0,M10.5.4/24"
        case .casablanca: "<+01>-1"
        case .chatham: "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"
        case .kiritimati: "<+14>-14"
        case .nuuk: "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"
        case .troll: "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3"
        }
    }

    /// Changes of the clocks of which no rule tells, in seconds since 1970: to UTC and, by the next one, back to an hour ahead of it.
    private static func changes(of zone: QuietHours.Zone) -> [Int64] {
        guard zone == .casablanca else { return [] }
        return [
            1_710_036_000, 1_713_060_000, 1_740_276_000, 1_743_904_800, 1_771_120_800, 1_774_144_800, 1_801_965_600,
            1_804_989_600, 1_832_205_600, 1_835_834_400,
        ]
    }

    /// A TZif file of version 2 (RFC 9636), whose rule holds from the last of `changes` on: for all times where there are none.
    private static func file(rule: String, _ changes: [Int64]) -> [UInt8] {
        func header(_ times: Int) -> [UInt8] {
            var header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
            for count: UInt8 in [0, 0, 0, UInt8(times), 2, 1] { header += [0, 0, 0, count] }
            return header
        }
        // An hour ahead, 3,600 s, is the first of the two types, and what holds before the first change.
        let types: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0, 0, 0, 0, 0, 0, 0]
        let names: [UInt8] = [0]
        var bytes = header(0) + types + names + header(changes.count)
        for change in changes {
            for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: change >> Int64(56 - 8 * byte))) }
        }
        bytes += changes.indices.map { UInt8(1 - $0 % 2) }
        return bytes + types + names + Array("\n\(rule)\n".utf8)
    }
}
