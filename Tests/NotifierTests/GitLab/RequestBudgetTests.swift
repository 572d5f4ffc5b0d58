import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)

struct RequestBudgetTests {
    @Test func `in no hour more requests pass than the limit`() {
        var budget = RequestBudget(limitPerHour: 6_000, now: start)
        var now = start
        var sent: [MonotonicInstant] = []
        for _ in 0..<20_000 {
            now = max(now, budget.take(at: now))
            sent.append(now)
        }
        // The request 6,000 places later goes at least an hour later; a rate much below the limit would be a waste.
        let spans = zip(sent, sent.dropFirst(6_000)).map { $0.duration(to: $1) }
        #expect(spans.allSatisfy { $0 >= .hours(1) })
        #expect(spans.allSatisfy { $0 < .minutes(62) })
    }

    @Test func `a burst passes at once, and what was spent elsewhere counts`() {
        var budget = RequestBudget(limitPerHour: 6_000, burst: 10, now: start)
        budget.charge(4, at: start)
        let starts = (0..<7).map { _ in budget.take(at: start) }
        #expect(starts.prefix(6).allSatisfy { $0 == start })
        #expect(starts.last == start.advanced(by: budget.interval))
    }

    @Test func `how many may go at once is as many as do`() {
        for spent in [0, 3, 10, 12] {
            var budget = RequestBudget(limitPerHour: 6_000, burst: 10, now: start)
            budget.charge(spent, at: start)
            let left = budget.requestsLeft(at: start)
            #expect(left == max(10 - spent, 0))
            let starts = (0...left).map { _ in budget.take(at: start) }
            #expect(starts.dropLast().allSatisfy { $0 == start } && starts.last! > start)
        }
    }

    @Test func `what is reserved in time is taken, and what comes too late is not`() throws {
        let time = ManualTime()
        let start = time.monotonicNow
        let gate = RequestGate(
            budget: RequestBudget(limitPerHour: 3_601, burst: 1, now: start),
            time: time
        )
        let limit = start.advanced(by: .seconds(2))
        #expect(try gate.reserve(by: limit) == start)
        #expect(try gate.reserve(by: limit) == start.advanced(by: .seconds(1)))
        #expect(try gate.reserve(by: limit) == start.advanced(by: .seconds(2)))
        for _ in 0..<2 {
            #expect(throws: GitLabError.budgetSpent(retryAfter: .seconds(3))) { try gate.reserve(by: limit) }
        }
    }

    @Test func `an idle bucket holds no more than a burst`() {
        var budget = RequestBudget(limitPerHour: 6_000, burst: 10, now: start)
        let later = start.advanced(by: .hours(5))
        let starts = (0..<11).map { _ in budget.take(at: later) }
        #expect(starts.prefix(10).allSatisfy { $0 == later })
        #expect(starts.last == later.advanced(by: budget.interval))
    }
}
