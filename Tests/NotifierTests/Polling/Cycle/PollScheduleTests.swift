import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)

private func makeReport(
    _ outcome: PollPolicy.Outcome,
    _ action: PollPolicy.Action = .cycle,
    budgetInterval: Duration = .zero
) -> PollPolicy.Report {
    PollPolicy.Report(
        outcome: outcome,
        action: action,
        startedAt: start,
        endedAt: start,
        items: 3,
        budgetInterval: budgetInterval
    )
}

struct PollScheduleTests {
    private func makeSchedule() -> PollSchedule { PollSchedule(pace: PollPolicy.Pace(), firstAt: start) }

    @Test func `a cycle given up right after an answered probe is followed by one that is carried through`() {
        var schedule = makeSchedule()
        _ = schedule.take(makeReport(.failed), isGivenUp: true, draw: 0)
        #expect(schedule.patience == 5)
        _ = schedule.take(makeReport(.answered, .probe), isGivenUp: false, draw: 0)
        _ = schedule.take(makeReport(.failed), isGivenUp: true, draw: 0)
        #expect(schedule.patience == .max)
        _ = schedule.take(makeReport(.answered), isGivenUp: false, draw: 0)
        #expect(schedule.patience == 5)
    }

    @Test func `GitLab has come back with the first answer after a failure`() {
        var schedule = makeSchedule()
        let reports = [makeReport(.answered), makeReport(.failed), makeReport(.answered, .probe)]
        let states = reports.map { report in
            let isBack = schedule.take(report, isGivenUp: false, draw: 0)
            return "\(isBack) \(schedule.consecutiveFailures)"
        }
        #expect(states == ["false 0", "false 1", "true 0"])
        #expect(schedule.plan == PollPolicy.Plan(action: .cycle, at: start))
    }

    @Test func `every other probe asks for an item, one after the other`() {
        var schedule = makeSchedule()
        let places = (0..<6).map { _ in
            schedule.countProbe()
            return schedule.probedItem(of: 2)
        }
        #expect(places == [nil, 1, nil, 0, nil, 1])
        #expect(schedule.probedItem(of: 0) == nil)
    }

    @Test func `a cycle is brought forward, but not to right after the last, nor beyond the budget`() {
        func planned(_ report: PollPolicy.Report, _ wanted: Duration) -> Duration {
            var schedule = makeSchedule()
            _ = schedule.take(report, isGivenUp: false, draw: 0)
            schedule.bringForward(to: start.advanced(by: wanted))
            return start.duration(to: schedule.plan.at)
        }
        let usual = planned(makeReport(.answered), .hours(1))
        #expect(usual > .seconds(50))
        #expect(planned(makeReport(.answered), .seconds(20)) == .seconds(20))
        #expect(planned(makeReport(.answered), .seconds(2)) == PollSchedule.spacing)
        #expect(planned(makeReport(.answered, budgetInterval: .seconds(40)), .seconds(20)) == .seconds(40))
    }

    @Test func `a cycle that was brought forward leaves the planned one where it was`() {
        var schedule = makeSchedule()
        _ = schedule.take(makeReport(.answered), isGivenUp: false, draw: 0)
        let planned = schedule.plan.at
        schedule.bringForward(to: start.advanced(by: .seconds(30)))
        schedule.bringForward(to: start.advanced(by: .seconds(25)))
        var report = makeReport(.answered)
        report.startedAt = start.advanced(by: .seconds(25))
        report.endedAt = start.advanced(by: .seconds(26))
        _ = schedule.take(report, isGivenUp: false, draw: 0)
        #expect(schedule.plan.at == planned)
        report.startedAt = planned
        report.endedAt = planned
        _ = schedule.take(report, isGivenUp: false, draw: 0)
        #expect(schedule.plan.at > planned.advanced(by: .seconds(50)))
    }

    @Test func `nothing is brought forward while GitLab limits the rate or does not answer`() {
        for outcome in [PollPolicy.Outcome.rateLimited(retryAfter: .seconds(50)), .failed, .refused] {
            var schedule = makeSchedule()
            _ = schedule.take(makeReport(outcome), isGivenUp: false, draw: 0)
            let plan = schedule.plan
            schedule.bringForward(to: start.advanced(by: .seconds(1)))
            #expect(schedule.plan == plan)
        }
    }

    @Test func `a pace is new once`() {
        var schedule = makeSchedule()
        #expect(schedule.newPace(items: 3, sweeps: nil) == .seconds(60))
        #expect(schedule.newPace(items: 20, sweeps: nil) == nil)
        #expect(schedule.newPace(items: 21, sweeps: nil) == .seconds(90))
    }
}
