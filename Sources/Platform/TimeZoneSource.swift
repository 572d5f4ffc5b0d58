/// Where a program learns the rules of time zones: a system's tz database, or a simulation's own.
package protocol TimeZoneSource: Sendable {
    /// The rules of the zone that the tz database calls `identifier`, such as `Europe/Berlin`, as a TZif file of any version
    /// (RFC 9636); nil for a name that is not known.
    func zoneFile(_ identifier: String) -> [UInt8]?
}

/// Knows no zone but those that need no rules.
struct NoTimeZones: TimeZoneSource {
    func zoneFile(_ identifier: String) -> [UInt8]? { nil }
}
