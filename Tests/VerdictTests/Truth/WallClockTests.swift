import Platform
import Testing

@testable import Scenarios
@testable import Verdict

struct WallClockTests {
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
