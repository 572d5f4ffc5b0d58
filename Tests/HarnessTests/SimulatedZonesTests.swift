import Platform
import Testing

@testable import Harness
@testable import Notifier
@testable import Scenarios
@testable import Verdict

struct SimulatedZonesTests {
    /// The ground truth tells the time by laws written out, the notifier by the rules in the zone's file: they share no code.
    /// In 2037 one zone's listed changes end, and its rule begins.
    @Test(arguments: Scenarios::QuietHours.Zone.allCases, [1_998, 2_024, 2_035])
    func `truth and notifier read the same clock, hour by hour for five years`(
        zone: Scenarios::QuietHours.Zone,
        year: Int
    ) throws {
        let clock = WallClock(zone: zone)
        let other = try #require(Notifier::TimeZone(zone.rawValue, from: SimulatedZones()))
        let start = CivilDate(year: year, month: 1, day: 1).wallTime()
        var differing = 0
        for hour in 0..<5 * 8_766 {
            let time = start.advanced(by: .hours(hour))
            if clock.offsetMinutes(at: time) * 60 != other.offset(at: time) { differing += 1 }
        }
        #expect(differing == 0)
    }
}
