import Platform
import Testing

@testable import Notifier

/// How long something has waited, whatever becomes of the clock on the wall.
struct PatientWaitTests {
    @Test func `what is heard of first counts by the clock on the wall, and by one that nobody sets from then on`() {
        var waits = PatientWait<Int>()
        let (start, wall) = (MonotonicInstant(nanoseconds: 1_000_000_000), FactFixtures.now)
        func wait(
            _ thing: Int,
            since: Duration,
            after passed: Duration,
            clockAhead step: Duration = .zero
        ) -> Duration {
            waits.wait(
                of: thing,
                since: wall.advanced(by: since),
                at: start.advanced(by: passed),
                wallNow: wall.advanced(by: passed + step)
            )
        }
        let early = wait(1, since: .minutes(-5), after: .zero)
        let later = wait(1, since: .minutes(-5), after: .minutes(2), clockAhead: .hours(3))
        #expect(early == .minutes(5) && later == .minutes(7))
        // It seems yet to come, by a clock that was set back.
        let ahead = wait(2, since: .hours(3), after: .zero)
        let behind = wait(2, since: .hours(3), after: .minutes(20))
        #expect(ahead == .zero && behind == .minutes(20))
        waits.forgetAll()
        let anew = wait(1, since: .minutes(-5), after: .minutes(20))
        #expect(anew == .minutes(25))
    }
}
