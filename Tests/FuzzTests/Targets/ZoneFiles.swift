import Platform

@testable import Notifier

extension FuzzTarget {
    /// A TZif file, as a tz database may hold it.
    static let zoneFiles = FuzzTarget("zone-files") { bytes in
        struct OneFile: TimeZoneSource {
            let bytes: [UInt8]
            func zoneFile(_ identifier: String) -> [UInt8]? { bytes }
        }
        guard let zone = TimeZone("Fuzzed/Zone", from: OneFile(bytes: bytes)) else { return }
        // Every month of some centuries, and both ends of what a request may name.
        for month in Int64(-1_200)...1_200 {
            let time = WallTime(secondsSinceEpoch: VirtualWorld.start.secondsSinceEpoch + month * 2_629_746)
            promise(abs(zone.offset(at: time)) < 1_000_000, "clocks differ by days at most")
        }
        for text in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            guard let time = ISO8601.wallTime(text) else { continue }
            _ = zone.date(at: time)
        }
    }
}
