import Testing

@testable import Duties

/// On which days and at which instants duties are due.
struct RecurrenceTests {
    @Test(arguments: ["1970-01-01", "1999-12-31", "2000-02-29", "2026-03-29", "2100-02-28", "2400-02-29", "9999-12-31"])
    func `a day is read as it is written`(text: String) throws {
        #expect(try #require(CivilDay(text)).description == text)
    }

    @Test(arguments: [
        "", "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "1969-12-31", "2026-3-29",
    ])
    func `what is no day is not read`(text: String) {
        #expect(CivilDay(text) == nil)
    }

    @Test func `days have numbers in order and weekdays in turn`() throws {
        #expect(try #require(CivilDay("1970-01-01")).number == 0)
        #expect(try #require(CivilDay("2026-03-02")).number == 20_514)
        #expect(try #require(CivilDay("2026-03-02")).weekday == 1)
        #expect(try #require(CivilDay("2026-03-01")).weekday == 7)
        for number in 0..<80_000 {
            let day = CivilDay(number: number)
            #expect(CivilDay(day.description) == day)
        }
    }

    @Test func `every so many days`() {
        let days = (0..<4).map { Recurrence.everyDays(14).day($0, from: makeDay("2026-02-20")).description }
        #expect(days == ["2026-02-20", "2026-03-06", "2026-03-20", "2026-04-03"])
    }

    @Test func `days of every other week, the first one cut by the start`() {
        // The start is a Wednesday.
        let recurrence = Recurrence.weekly(on: [1, 3, 5], everyWeeks: 2)
        let days = (0..<6).map { recurrence.day($0, from: makeDay("2026-03-04")).description }
        #expect(days == ["2026-03-04", "2026-03-06", "2026-03-16", "2026-03-18", "2026-03-20", "2026-03-30"])
    }

    @Test func `a start behind all days of its week`() {
        let days = (0..<2).map {
            Recurrence.weekly(on: [1], everyWeeks: 3).day($0, from: makeDay("2026-03-08")).description
        }
        #expect(days == ["2026-03-23", "2026-04-13"])
    }

    @Test(arguments: [
        Recurrence.everyDays(0), .everyDays(367), .weekly(on: [], everyWeeks: 1), .weekly(on: [0], everyWeeks: 1),
        .weekly(on: [8], everyWeeks: 1), .weekly(on: [2, 1], everyWeeks: 1), .weekly(on: [1, 1], everyWeeks: 1),
        .weekly(on: [1], everyWeeks: 0), .weekly(on: [1], everyWeeks: 53),
    ])
    func `what is no recurrence is named`(recurrence: Recurrence) {
        #expect(recurrence.flaw != nil)
        #expect(Recurrence.weekly(on: [1, 2, 3, 4, 5, 6, 7], everyWeeks: 52).flaw == nil)
        #expect(Recurrence.everyDays(366).flaw == nil)
    }

    @Test(arguments: [
        // Nine in the morning before and after the change to summer time, and after the one back.
        (ListedZone.berlin, "2026-03-28", 540, 1_774_684_800), (.berlin, "2026-03-29", 540, 1_774_767_600),
        (.berlin, "2026-10-26", 540, 1_793_001_600),
        // Half past two is left out: half past three. It comes twice: the first.
        (.berlin, "2026-03-29", 150, 1_774_747_800), (.berlin, "2026-10-25", 150, 1_792_888_200),
        (.newYork, "2026-03-08", 135, 1_772_954_100), (.newYork, "2026-11-01", 75, 1_793_510_100),
        // Half an hour is left out, and comes twice.
        (.lordHowe, "2026-10-04", 135, 1_791_042_300), (.lordHowe, "2026-04-05", 105, 1_775_313_900),
        (.utc, "2026-03-29", 150, 1_774_751_400),
    ])
    func `a time of day is an instant, also where clocks change`(
        zone: ListedZone,
        day: String,
        minute: Int,
        instant: Int
    ) {
        #expect(zone.instant(of: makeDay(day), minute: minute) == Int64(instant))
    }
}
