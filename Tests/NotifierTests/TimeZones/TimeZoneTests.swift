import Platform
import Testing

@testable import Notifier

struct TimeZoneTests {
    private func makeInstant(_ text: String) throws -> WallTime { try #require(ISO8601.wallTime(text)) }

    private func makeZone(_ name: String) throws -> TimeZone { try #require(TimeZone(name, from: FixedZones())) }

    @Test(arguments: [
        ("Europe/Berlin", "2026-01-15T12:00:00Z", 3_600), ("Europe/Berlin", "2026-07-15T12:00:00Z", 7_200),
        ("Europe/Berlin", "2026-03-29T00:59:59Z", 3_600), ("Europe/Berlin", "2026-03-29T01:00:00Z", 7_200),
        ("Europe/Berlin", "2026-10-25T00:59:59Z", 7_200), ("Europe/Berlin", "2026-10-25T01:00:00Z", 3_600),
        ("America/New_York", "2026-03-08T06:59:59Z", -18_000), ("America/New_York", "2026-03-08T07:00:00Z", -14_400),
        ("America/New_York", "2026-11-01T05:59:59Z", -14_400), ("America/New_York", "2026-11-01T06:00:00Z", -18_000),
        ("Asia/Kolkata", "2026-07-15T12:00:00Z", 19_800), ("UTC", "2026-07-15T12:00:00Z", 0),
    ])
    func `clocks change at the instant the rule names`(name: String, instant: String, offset: Int) throws {
        #expect(try makeZone(name).offset(at: makeInstant(instant)) == offset)
    }

    @Test(arguments: [
        ("Europe/Berlin", CivilDate(year: 2026, month: 3, day: 28, hour: 9), "2026-03-28T08:00:00Z"),
        ("Europe/Berlin", CivilDate(year: 2026, month: 3, day: 29), "2026-03-28T23:00:00Z"),
        ("Europe/Berlin", CivilDate(year: 2026, month: 3, day: 29, hour: 9), "2026-03-29T07:00:00Z"),
        // Left out: half past two becomes half past three.
        ("Europe/Berlin", CivilDate(year: 2026, month: 3, day: 29, hour: 2, minute: 30), "2026-03-29T01:30:00Z"),
        // Comes twice: the first.
        ("Europe/Berlin", CivilDate(year: 2026, month: 10, day: 25, hour: 2, minute: 30), "2026-10-25T00:30:00Z"),
        ("Europe/Berlin", CivilDate(year: 2026, month: 10, day: 25, hour: 3), "2026-10-25T02:00:00Z"),
        ("America/New_York", CivilDate(year: 2026, month: 3, day: 8, hour: 2, minute: 15), "2026-03-08T07:15:00Z"),
        ("America/New_York", CivilDate(year: 2026, month: 11, day: 1, hour: 1, minute: 15), "2026-11-01T05:15:00Z"),
        ("Asia/Kolkata", CivilDate(year: 2026, month: 3, day: 29, hour: 9), "2026-03-29T03:30:00Z"),
        ("UTC", CivilDate(year: 2026, month: 3, day: 29, hour: 9), "2026-03-29T09:00:00Z"),
    ])
    func `what a clock shows is an instant, also where clocks change`(name: String, date: CivilDate, instant: String)
        throws
    {
        #expect(try makeZone(name).instant(of: date) == makeInstant(instant))
    }

    @Test func `summer lies around the turn of the year in the south`() throws {
        let rule = try #require(ZoneRule("AEST-10AEDT,M10.1.0,M4.1.0/3"))
        #expect(rule.offset(at: try makeInstant("2026-01-01T00:00:00Z").secondsSinceEpoch) == 39_600)
        #expect(rule.offset(at: try makeInstant("2026-04-04T15:59:59Z").secondsSinceEpoch) == 39_600)
        #expect(rule.offset(at: try makeInstant("2026-04-04T16:00:00Z").secondsSinceEpoch) == 36_000)
        #expect(rule.offset(at: try makeInstant("2026-10-03T16:00:00Z").secondsSinceEpoch) == 39_600)
    }

    @Test func `days are counted with and without the leap day`() throws {
        let julian = try #require(ZoneRule("AAA0BBB,J60/0,J61/0"))
        let ordinal = try #require(ZoneRule("AAA0BBB,59/0,60/0"))
        // The first of March is day 60 without a leap day, and in a leap year position 60, counted from 0.
        let march = try makeInstant("2028-03-01T12:00:00Z").secondsSinceEpoch
        #expect(julian.offset(at: march) == 3_600)
        #expect(ordinal.offset(at: march) == 0)
        #expect(ordinal.offset(at: try makeInstant("2028-02-29T12:00:00Z").secondsSinceEpoch) == 3_600)
    }

    @Test func `names in brackets and odd offsets are read`() throws {
        let rule = try #require(ZoneRule("<-02>2<-01>,M3.5.0/-1,M10.5.0/0"))
        #expect(rule.standardOffset == -7_200)
        #expect(rule.summer?.offset == -3_600)
        #expect(rule.summer?.start.second == -3_600)
        #expect(ZoneRule("LMT+0:53:28")?.standardOffset == -3_208)
    }

    @Test(arguments: [
        "", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0", "CET-999", "CET-1CEST,M3.5.0,M10.5.0x", "<CET-1", "CET-1CEST,J0,J1",
        "CET-1CEST,366,1",
    ])
    func `a text that is no rule is refused`(text: String) {
        #expect(ZoneRule(text) == nil)
    }

    @Test func `transitions hold until the last one, and the rule behind it`() throws {
        let bytes = makeZoneFile(
            transitions: [(1_000, 1), (2_000, 0)],
            offsets: [600, 1_200],
            rule: "XXX-1"
        )
        let source = OneZone(bytes: bytes)
        let zone = try #require(TimeZone("Test/Zone", from: source))
        let offsets = [0, 999, 1_000, 1_999, 2_000].map { zone.offset(at: WallTime(secondsSinceEpoch: $0)) }
        #expect(offsets == [600, 600, 1_200, 1_200, 3_600])
    }

    @Test func `without a rule the last transition's offset stays`() throws {
        let source = OneZone(bytes: makeZoneFile(transitions: [(1_000, 1)], offsets: [600, 1_200]))
        let zone = try #require(TimeZone("Test/Zone", from: source))
        #expect(zone.offset(at: WallTime(secondsSinceEpoch: 5_000_000_000)) == 1_200)
    }

    @Test func `a file cut anywhere is refused and harms nothing`() {
        let whole = makeZoneFile(transitions: [(1_000, 1)], offsets: [600, 1_200], rule: "CET-1CEST,M3.5.0,M10.5.0/3")
        #expect(ZoneFile(whole) != nil)
        for length in whole.indices { #expect(ZoneFile(Array(whole[..<length])) == nil) }
        for index in whole.indices {
            var broken = whole
            broken[index] = 0xFF
            _ = ZoneFile(broken)
        }
    }

    @Test(arguments: [
        "", "../etc/passwd", "/etc/passwd", "Europe//Berlin", "Europe/..", ".hidden", "Europe/Berlin\0", "Nowhere/Land",
        String(repeating: "a", count: 65),
    ])
    func `a name that is none is refused`(name: String) {
        #expect(TimeZone(name, from: FixedZones()) == nil)
    }

    private struct OneZone: TimeZoneSource {
        var bytes: [UInt8]
        func zoneFile(_ identifier: String) -> [UInt8]? { bytes }
    }
}
