import Platform
import Testing

@testable import Notifier
@testable import Scenarios

struct WallClockTests {
    /// The ground truth tells the time by laws written out, the notifier by the rules in the zone's file: they share no code.
    @Test(arguments: Scenarios::QuietHours.Zone.allCases)
    func `truth and notifier read the same clock, hour by hour for five years`(zone: Scenarios::QuietHours.Zone) throws
    {
        let clock = WallClock(zone: zone)
        let other = try #require(Notifier::TimeZone(zone.rawValue, from: SimulatedZones()))
        let start = CivilDate(year: 2024, month: 1, day: 1).wallTime()
        var differing = 0
        for hour in 0..<5 * 8_766 {
            let time = start.advanced(by: .hours(hour))
            if clock.offsetMinutes(at: time) * 60 != other.offset(at: time) { differing += 1 }
        }
        #expect(differing == 0)
    }

    @Test func `clocks change as they did`() throws {
        let berlin = WallClock(zone: .berlin)
        let change = CivilDate(year: 2026, month: 3, day: 29, hour: 1).wallTime()
        #expect(berlin.offsetMinutes(at: change.advanced(by: .milliseconds(-1))) == 60)
        #expect(berlin.offsetMinutes(at: change) == 120)
        let newYork = CivilDate(year: 2026, month: 11, day: 1, hour: 6).wallTime()
        #expect(WallClock(zone: .newYork).offsetMinutes(at: newYork.advanced(by: .milliseconds(-1))) == -240)
        #expect(WallClock(zone: .newYork).offsetMinutes(at: newYork) == -300)
    }
}
