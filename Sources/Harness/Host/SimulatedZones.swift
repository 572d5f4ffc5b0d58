import Platform
import Scenarios

/// The tz database of the simulated world: the same rules on every machine, whatever it has installed. Zones are written in the different ways in
/// which real ones are: by a rule alone, by the changes of some decades and a rule behind them, by one offset for good.
struct SimulatedZones: TimeZoneSource {
    func zoneFile(_ identifier: String) -> [UInt8]? {
        QuietHours.Zone(rawValue: identifier).map { Self.file(of: $0) }
    }

    private static func file(of zone: QuietHours.Zone) -> [UInt8] {
        switch zone {
        case .utc: file(rule: "")
        case .london: file(rule: "GMT0BST,M3.5.0/1,M10.5.0")
        case .berlin: file(rule: "CET-1CEST,M3.5.0,M10.5.0/3", changes: europeanChanges, offsets: [3_600, 7_200])
        case .newYork: file(rule: "EST+5EDT+4:00,M3.2.0/2:00:00,M11.1.0")
        case .kolkata: header(version: 0, types: 1) + clock(19_800) + [0]
        case .sydney: file(rule: "<+10>-10<+11>-11,M10.1.0,M4.1.0/3")
        case .lordHowe: file(rule: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")
        case .cairo: file(rule: "EET-2EEST,M4.5.5/0,M10.5.4/24")
        case .casablanca: file(rule: "<+01>-1", changes: moroccanChanges, offsets: [3_600, 0])
        case .chatham: file(rule: "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45")
        case .kiritimati: file(rule: "<+14>-14")
        case .nuuk: file(rule: "<-02>2<-01>,M3.5.0/-1,M10.5.0/0")
        case .troll: file(rule: "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3")
        }
    }

    /// To summer time and back, from 1970 until the last year that 32 bits tell whole.
    private static let europeanChanges: [WallTime] = (1_970...2_037).flatMap { year in
        [3, 10].map { month in
            let last = CivilDate(year: year, month: month, day: 31)
            return CivilDate(year: year, month: month, day: 31 - last.isoWeekday % 7, hour: 1).wallTime()
        }
    }

    /// Changes of the clocks of which no rule tells: to UTC for Ramadan and back, from 2024 to 2028.
    private static let moroccanChanges = [
        1_710_036_000, 1_713_060_000, 1_740_276_000, 1_743_904_800, 1_771_120_800, 1_774_144_800, 1_801_965_600,
        1_804_989_600, 1_832_205_600, 1_835_834_400,
    ].map { WallTime(secondsSinceEpoch: $0) }

    /// A TZif file of version 2 (RFC 9636). Each change goes to the next of `offsets`, and after the last one to the first; the rule holds after all
    /// changes. The block for readers of 32 bits has none.
    private static func file(rule: String, changes: [WallTime] = [], offsets: [Int] = [0]) -> [UInt8] {
        let short = header(version: 0x32, types: 1) + clock(0) + [0]
        let times = changes.flatMap { bytes(of: $0.secondsSinceEpoch, count: 8) }
        let indices = changes.indices.map { UInt8(($0 + 1) % offsets.count) }
        let long = header(version: 0x32, changes: changes.count, types: offsets.count)
        return short + long + times + indices + offsets.flatMap(clock) + [0] + Array("\n\(rule)\n".utf8)
    }

    private static func header(version: UInt8, changes: Int = 0, types: Int) -> [UInt8] {
        let counts = [0, 0, 0, changes, types, 1].flatMap { bytes(of: Int64($0), count: 4) }
        return Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15) + counts
    }

    /// An offset, which is no summer time and has the first name.
    private static func clock(_ offset: Int) -> [UInt8] { bytes(of: Int64(offset), count: 4) + [0, 0] }

    /// The highest first.
    private static func bytes(of number: Int64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
    }
}
