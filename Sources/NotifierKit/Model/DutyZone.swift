public import Duties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A zone as the system knows it, for computing duties without a network.
///
/// On Linux the small Foundation knows UTC alone; who needs more brings another ``ZoneClock``.
public struct SystemZone: ZoneClock, Sendable {
    private let zone: TimeZone

    /// Nil for a name that this system does not know.
    public init?(_ name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    /// See ``ZoneClock``.
    public func offsetSeconds(at second: Int64) -> Int {
        zone.secondsFromGMT(for: .init(timeIntervalSince1970: TimeInterval(second)))
    }
}
