import Platform
import Testing

@testable import Notifier

struct QuietHoursTests {
    private static let everyDay = Array(1...7)

    private func makeHours(
        _ from: Int,
        _ until: Int,
        on days: [Int] = QuietHoursTests.everyDay,
        zone: String = "Europe/Berlin"
    ) throws -> QuietHours {
        let zone = try #require(TimeZone(zone, from: FixedZones()))
        return QuietHours(
            zone: zone,
            windows: days.map { QuietHours.Window(weekday: $0, from: from, until: until) }
        )
    }

    private func end(_ hours: QuietHours, at text: String) throws -> String? {
        hours.end(at: try #require(ISO8601.wallTime(text))).map(ISO8601.text)
    }

    @Test func `a window over midnight ends in the morning`() throws {
        let night = try makeHours(22 * 60, 7 * 60)
        #expect(try end(night, at: "2026-01-15T20:59:59Z") == nil)
        #expect(try end(night, at: "2026-01-15T21:00:00Z") == "2026-01-16T06:00:00.000Z")
        #expect(try end(night, at: "2026-01-16T05:59:59Z") == "2026-01-16T06:00:00.000Z")
        #expect(try end(night, at: "2026-01-16T06:00:00Z") == nil)
    }

    @Test func `a night belongs to the day on which it begins, also from Sunday to Monday`() throws {
        let sunday = try makeHours(22 * 60, 7 * 60, on: [7], zone: "UTC")
        #expect(try end(sunday, at: "2026-01-18T23:00:00Z") == "2026-01-19T07:00:00.000Z")
        #expect(try end(sunday, at: "2026-01-19T06:00:00Z") == "2026-01-19T07:00:00.000Z")
        #expect(try end(sunday, at: "2026-01-19T23:00:00Z") == nil)
        #expect(try end(sunday, at: "2026-01-18T06:00:00Z") == nil)
    }

    @Test func `windows that touch end together`() throws {
        var hours = try makeHours(18 * 60, 1_440, on: [5], zone: "UTC")
        hours.windows += [
            QuietHours.Window(weekday: 6, from: 0, until: 1_440), QuietHours.Window(weekday: 7, from: 0, until: 1_440),
        ]
        #expect(try end(hours, at: "2026-01-16T19:00:00Z") == "2026-01-19T00:00:00.000Z")
    }

    @Test func `on the night of the change to summer time it ends an hour earlier by UTC`() throws {
        let night = try makeHours(22 * 60, 7 * 60)
        #expect(try end(night, at: "2026-03-28T21:00:00Z") == "2026-03-29T05:00:00.000Z")
        #expect(try end(night, at: "2026-10-24T20:00:00Z") == "2026-10-25T06:00:00.000Z")
    }

    @Test func `a window in the hour that is left out does not take place that night`() throws {
        let window = try makeHours(2 * 60 + 15, 2 * 60 + 45)
        #expect(try end(window, at: "2026-03-28T01:20:00Z") == "2026-03-28T01:45:00.000Z")
        for minute in 0..<240 {
            let time = try #require(ISO8601.wallTime("2026-03-28T23:00:00Z")).advanced(by: .minutes(minute))
            #expect(!window.isQuiet(at: time))
        }
    }

    @Test func `a window that ends in the hour that is left out ends at the change`() throws {
        let night = try makeHours(22 * 60, 2 * 60 + 30)
        #expect(try end(night, at: "2026-03-28T22:00:00Z") == "2026-03-29T01:00:00.000Z")
    }

    @Test func `a window in the hour that comes twice takes place twice`() throws {
        let window = try makeHours(2 * 60 + 15, 2 * 60 + 45)
        #expect(try end(window, at: "2026-10-25T00:20:00Z") == "2026-10-25T00:45:00.000Z")
        #expect(try end(window, at: "2026-10-25T00:50:00Z") == nil)
        #expect(try end(window, at: "2026-10-25T01:20:00Z") == "2026-10-25T01:45:00.000Z")
    }

    @Test func `windows that fill the week are always quiet, and end looks no farther than a week`() throws {
        let always = try makeHours(0, 1_440, zone: "UTC")
        #expect(always.isAlways)
        #expect(try !makeHours(1, 1_440, zone: "UTC").isAlways)
        #expect(try makeHours(12 * 60, 12 * 60 - 1, zone: "UTC").isAlways == false)
        #expect(try end(always, at: "2026-01-15T00:00:00Z") == "2026-01-22T00:00:00.000Z")
    }

    @Test func `the end agrees with looking at every minute`() throws {
        var random = RandomStream(seed: 20_260_329)
        let start = try #require(ISO8601.wallTime("2026-03-25T00:00:00Z"))
        for _ in 0..<200 {
            let from = Int(random.next(below: 1_440))
            let until = 1 + Int(random.next(below: 1_440))
            guard from != until else { continue }
            let days = Self.everyDay.filter { _ in random.chance(1, in: 2) }
            let zone = random.chance(1, in: 2) ? "Europe/Berlin" : "America/New_York"
            let hours = try makeHours(from, until, on: days, zone: zone)
            guard !hours.isAlways else { continue }
            let now = start.advanced(by: .seconds(Int64(random.next(below: 8 * 86_400))))
            #expect(hours.end(at: now) == naiveEnd(hours, now), "\(zone) \(days) \(from)-\(until) \(ISO8601.text(now))")
        }
    }

    /// The first minute that is not quiet, by looking at all of them.
    private func naiveEnd(_ hours: QuietHours, _ now: WallTime) -> WallTime? {
        func isQuiet(_ time: WallTime) -> Bool {
            let date = hours.zone.date(at: time)
            let minute = date.hour * 60 + date.minute
            return hours.windows.contains { window in
                let isToday = window.weekday == date.isoWeekday
                let wasYesterday = window.weekday % 7 + 1 == date.isoWeekday
                if window.from < window.until { return isToday && window.from <= minute && minute < window.until }
                return isToday && window.from <= minute || wasYesterday && minute < window.until
            }
        }
        guard isQuiet(now) else { return nil }
        var time = WallTime(secondsSinceEpoch: now.secondsSinceEpoch / 60 * 60)
        while isQuiet(time) { time = time.advanced(by: .seconds(60)) }
        return time
    }
}
