import HTTP
import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)

private func makeReport(
    _ outcome: PollPolicy.Outcome,
    _ action: PollPolicy.Action = .cycle,
    took: Duration = .seconds(2),
    items: Int = 20,
    budget: Duration = .zero,
    quota: Duration = .zero
) -> PollPolicy.Report {
    PollPolicy.Report(
        outcome: outcome,
        action: action,
        startedAt: start,
        endedAt: start.advanced(by: took),
        items: items,
        budgetInterval: budget,
        quotaInterval: quota
    )
}

private func makePolicy(jitter: Int = 0) -> PollPolicy {
    var pace = PollPolicy.Pace()
    pace.jitterPercent = jitter
    return PollPolicy(pace: pace)
}

struct PollPolicyTests {
    @Test func `behind a limit what was asked a moment ago may wait, and nothing else`() {
        var policy = makePolicy()
        let (soon, late) = (start.advanced(by: .seconds(59)), start.advanced(by: .seconds(60)))
        #expect(!policy.maySkip(askedAt: start, at: soon, items: 20))
        _ = policy.next(after: makeReport(.rateLimited(retryAfter: .seconds(5))), draw: 0)
        #expect(policy.maySkip(askedAt: start, at: soon, items: 20))
        #expect(!policy.maySkip(askedAt: start, at: late, items: 20))
        _ = policy.next(after: makeReport(.answered), draw: 0)
        #expect(!policy.maySkip(askedAt: start, at: soon, items: 20))
    }

    @Test func `where a round is one request each list has a turn, and what they point to as many`() {
        var policy = makePolicy()
        var report = makeReport(.rateLimited(retryAfter: .seconds(60)), took: .zero)
        (report.sweeps, report.answers) = (1, 1)
        _ = policy.next(after: report, draw: 0)
        #expect(!policy.maySkip(askedAt: start, at: start.advanced(by: .seconds(61)), items: 20))
        _ = policy.next(after: report, draw: 0)
        // Four rounds of 61 seconds.
        #expect(policy.maySkip(askedAt: start, at: start.advanced(by: .seconds(243)), items: 20))
        #expect(!policy.maySkip(askedAt: start, at: start.advanced(by: .seconds(244)), items: 20))
        report.answers = 0
        _ = policy.next(after: report, draw: 0)
        #expect(!policy.maySkip(askedAt: start, at: start.advanced(by: .seconds(244)), items: 20))
        _ = policy.next(after: makeReport(.answered), draw: 0)
        _ = policy.next(after: report, draw: 0)
        #expect(!policy.maySkip(askedAt: start, at: start.advanced(by: .seconds(61)), items: 20))
    }

    @Test(arguments: [(0, 60), (20, 60), (21, 90), (50, 90), (51, 120), (1_000, 120)])
    func `the pace follows the length of the watch list`(items: Int, seconds: Int64) {
        var policy = makePolicy()
        let plan = policy.next(after: makeReport(.answered, items: items), draw: 0)
        #expect(plan == PollPolicy.Plan(action: .cycle, at: start.advanced(by: .seconds(seconds))))
    }

    @Test(arguments: [
        // Items, sweeps, budget per hour, seconds between two cycles.
        (20, 2, 6_000, 30), (5, 1, 6_000, 30), (0, 0, 6_000, 30),
        // 21 requests take 12.6 s to earn, and may take a third of the budget.
        (60, 20, 6_000, 37), (60, 60, 6_000, 109), (60, 200, 6_000, 120), (20, 20, 1_000, 60),
    ])
    func `sweeps leave two thirds of the budget to what they find, and never come less often than reading each item`(
        items: Int,
        sweeps: Int,
        requestsPerHour: Int,
        seconds: Int64
    ) {
        var pace = PollPolicy.Pace()
        pace.requestsPerHour = requestsPerHour
        #expect(pace.cycleInterval(items: items, sweeps: sweeps).wholeMilliseconds / 1_000 == seconds)
        #expect(pace.cycleInterval(items: items, sweeps: nil) == pace.interval(items: items))
    }

    @Test func `sweeps come half as often once nothing has happened for ten minutes, until something does`() {
        var policy = makePolicy()
        func interval(afterMinutes minutes: Int, hasNews: Bool = false, items: Int = 60) -> Duration {
            let now = start.advanced(by: .minutes(minutes))
            var report = makeReport(.answered, items: items)
            report.sweeps = 2
            report.hasNews = hasNews
            (report.startedAt, report.endedAt) = (now, now)
            return now.duration(to: policy.next(after: report, draw: 0).at)
        }
        #expect([0, 5, 9].map { interval(afterMinutes: $0) } == [30, 30, 30].map(Duration.seconds))
        #expect([10, 300].map { interval(afterMinutes: $0) } == [60, 60].map(Duration.seconds))
        #expect(interval(afterMinutes: 301, hasNews: true) == .seconds(30))
        #expect(interval(afterMinutes: 310) == .seconds(30))
        #expect(interval(afterMinutes: 311) == .seconds(60))
    }

    @Test func `an interval varies by the configured share`() {
        var policy = makePolicy(jitter: 10)
        #expect(policy.next(after: makeReport(.answered), draw: 0).at == start.advanced(by: .seconds(54)))
        let latest = policy.next(after: makeReport(.answered), draw: .max).at
        #expect(latest > start.advanced(by: .seconds(65)) && latest < start.advanced(by: .seconds(66)))
    }

    @Test func `a cycle longer than the interval is followed at once`() {
        var policy = makePolicy()
        let plan = policy.next(after: makeReport(.answered, took: .seconds(75)), draw: 0)
        #expect(plan.at == start.advanced(by: .seconds(75)))
    }

    @Test func `a short quota widens the interval, and an ample one does not`() {
        var policy = makePolicy()
        let short = policy.next(after: makeReport(.answered, budget: .seconds(90), quota: .seconds(150)), draw: 0)
        #expect(short.at == start.advanced(by: .seconds(150)))
        let ample = policy.next(after: makeReport(.answered, quota: .seconds(3)), draw: 0)
        #expect(ample.at == start.advanced(by: .seconds(60)))
    }

    @Test func `trap 26: a short budget widens the interval`() {
        var policy = makePolicy()
        let plan = policy.next(after: makeReport(.answered, budget: .seconds(150)), draw: 0)
        #expect(plan.at == start.advanced(by: .seconds(150)))
    }

    @Test func `trap 25: the pause GitLab names is honoured beyond every cap, and left with jitter`() {
        var policy = makePolicy()
        let pause = Duration.seconds(3_600)
        let first = policy.next(after: makeReport(.rateLimited(retryAfter: pause), took: .zero), draw: 0)
        #expect(first == PollPolicy.Plan(action: .cycle, at: start.advanced(by: pause + .seconds(1))))
        let last = policy.next(after: makeReport(.rateLimited(retryAfter: pause), took: .zero), draw: .max).at
        #expect(last > start.advanced(by: pause + .seconds(30)) && last < start.advanced(by: pause + .seconds(32)))
    }

    @Test func `a 429 that names no pause backs off to the cap`() {
        var policy = makePolicy()
        let pauses = (0..<6).map { _ in
            let plan = policy.next(after: makeReport(.rateLimited(retryAfter: nil), took: .zero), draw: 0)
            return start.duration(to: plan.at) - .seconds(1)
        }
        #expect(pauses == [60, 120, 240, 480, 600, 600].map(Duration.seconds))
        _ = policy.next(after: makeReport(.answered), draw: 0)
        let plan = policy.next(after: makeReport(.rateLimited(retryAfter: nil), took: .zero), draw: 0)
        #expect(plan.at == start.advanced(by: .seconds(61)))
    }

    @Test func `while nothing answers one request probes, and an answer brings a cycle at once`() {
        var policy = makePolicy()
        let waits = (0..<4).map { _ in
            let plan = policy.next(after: makeReport(.failed, .probe, took: .zero), draw: 0)
            #expect(plan.action == .probe)
            return start.duration(to: plan.at)
        }
        #expect(waits == [30, 60, 60, 60].map(Duration.seconds))
        #expect(policy.isProbing)
        let plan = policy.next(after: makeReport(.answered, .probe), draw: 0)
        #expect(plan == PollPolicy.Plan(action: .cycle, at: start.advanced(by: .seconds(2))))
        #expect(!policy.isProbing)
    }

    @Test func `a person who may read nothing is asked for up to every ten minutes`() {
        var policy = makePolicy()
        let waits = (0..<7).map { _ in
            start.duration(to: policy.next(after: makeReport(.refused, took: .zero), draw: 0).at)
        }
        #expect(waits == [30, 60, 120, 240, 480, 600, 600].map(Duration.seconds))
    }
}

struct AccountHealthTests {
    @Test func `trap 21: a 401 counts only when the person's own record is refused too`() {
        var health = AccountHealth()
        #expect(health.judge(nil, at: start) == .tokenWorks)
        #expect(health.judge(.unauthorized(.expired), at: start) == .tokenDead(.expired))
        #expect(health.judge(.unauthorized(.revoked), at: start) == .tokenDead(.revoked))
        #expect(health.judge(.unavailable(status: 502), at: start) == .undecided)
        #expect(health.judge(.forbidden(.accountState), at: start) == .undecided)
    }

    @Test func `an unexplained refusal must last a minute`() {
        var health = AccountHealth()
        let minute = start.advanced(by: .seconds(60))
        #expect(health.judge(.unauthorized(.unknown), at: start) == .askAgain(at: minute))
        #expect(health.judge(.unauthorized(.unknown), at: start.advanced(by: .seconds(59))) == .askAgain(at: minute))
        #expect(health.judge(.unauthorized(.unknown), at: minute) == .tokenDead(.unknown))
        #expect(health.judge(nil, at: minute) == .tokenWorks)
        #expect(health.judge(.unauthorized(.unknown), at: minute) == .askAgain(at: minute.advanced(by: .seconds(60))))
    }

    @Test func `what GitLab calls revoked is tried every hour, any other refusal every two minutes for an hour`() {
        func waits(after error: GitLabError?) -> [Duration] {
            var health = AccountHealth()
            var now = start
            return (1...33).map { _ in
                let at = health.nextRecheck(after: error, at: now)
                defer { now = at }
                return now.duration(to: at)
            }
        }
        #expect(waits(after: .unauthorized(.revoked)) == Array(repeating: .hours(1), count: 33))
        #expect(waits(after: .unauthorized(.expired)) == Array(repeating: .hours(1), count: 33))
        for error in [GitLabError.unauthorized(.unknown), .unauthorized(.other), .unavailable(status: 502), nil] {
            let quick = Array(repeating: Duration.minutes(2), count: 30)
            #expect(waits(after: error) == quick + Array(repeating: .hours(1), count: 3))
        }
    }

    @Test func `a refused token is not tried again before GitLab allows it`() {
        for (asked, wait) in [(nil, 120), (60, 120), (490, 495), (7_200, 7_205)] as [(Int?, Int)] {
            var health = AccountHealth()
            let error = GitLabError.rateLimited(retryAfter: asked.map { .seconds($0) })
            #expect(start.duration(to: health.nextRecheck(after: error, at: start)) == .seconds(wait))
        }
    }
}

struct ItemHealthTests {
    @Test func `broken connections never make an item wait`() {
        var health = ItemHealth(now: MonotonicInstant(nanoseconds: 0))
        for minute in 1...20 {
            let now = MonotonicInstant(nanoseconds: Int64(minute) * 60_000_000_000)
            _ = health.take(.interrupted, at: now, interval: .seconds(60))
            #expect(health.isDue(at: now))
        }
    }

    @Test func `an item that keeps failing is asked for at least every three minutes`() {
        var health = ItemHealth(now: MonotonicInstant(nanoseconds: 0))
        for minute in 1...20 {
            let now = MonotonicInstant(nanoseconds: Int64(minute) * 60_000_000_000)
            _ = health.take(.failed, at: now, interval: .seconds(60))
            #expect(health.isDue(at: now.advanced(by: .minutes(3))))
        }
    }

    @Test(arguments: HTTPFailure.allCases)
    func `only an answer that is late or too long counts against the item`(failure: HTTPFailure) {
        let counts = failure == .timedOut || failure == .responseTooLarge
        #expect(GitLabError.unreachable(failure).reading == (counts ? .failed : .interrupted))
    }

    private let interval = Duration.seconds(60)

    @Test func `trap 23: only misses in a row over time pause a watch, and it is asked for again`() {
        var health = ItemHealth(now: start)
        #expect(health.take(.missing, at: start, interval: interval) == .missing(count: 1))
        #expect(health.isDue(at: start))
        #expect(health.take(.missing, at: start.advanced(by: .minutes(1)), interval: interval) == .missing(count: 2))
        #expect(health.take(.missing, at: start.advanced(by: .minutes(2)), interval: interval) == .missing(count: 3))
        let later = start.advanced(by: .minutes(10))
        #expect(health.take(.missing, at: later, interval: interval) == .paused(count: 4))
        #expect(!health.isDue(at: later.advanced(by: .minutes(29))))
        #expect(health.isDue(at: later.advanced(by: .minutes(30))))
        #expect(health.take(.missing, at: later.advanced(by: .minutes(30)), interval: interval) == .none)
        #expect(health.take(.read, at: later, interval: interval) == .returned)
        #expect(health.isDue(at: later) && !health.isPaused)
    }

    @Test func `one reading ends a row of misses`() {
        var health = ItemHealth(now: start)
        _ = health.take(.missing, at: start, interval: interval)
        #expect(health.take(.read, at: start, interval: interval) == .returned)
        #expect(health.take(.missing, at: start.advanced(by: .hours(1)), interval: interval) == .missing(count: 1))
    }

    @Test func `a pause outlives a restart`() {
        let health = ItemHealth(missingCount: 5, missingFor: .hours(1), now: start)
        #expect(health.isPaused)
    }

    @Test func `an item that keeps failing is asked for less and less, until it is forgiven`() {
        var health = ItemHealth(now: start)
        var waits: [Duration] = []
        for _ in 0..<7 {
            _ = health.take(.failed, at: start, interval: interval)
            let wait = (0...1_000).first { health.isDue(at: start.advanced(by: .seconds($0))) } ?? -1
            waits.append(.seconds(wait))
        }
        #expect(waits == [0, 120, 180, 180, 180, 180, 180].map(Duration.seconds))
        health.forgive()
        #expect(health.isDue(at: start))
    }
}

struct ServiceTroubleTests {
    private let wall = WallTime(secondsSinceEpoch: 1_000)

    private func makeTrouble(since: WallTime? = nil, announced: Bool = false) -> ServiceTrouble {
        ServiceTrouble(troubleAfter: .minutes(15), since: since, isAnnounced: announced, wallNow: wall, now: start)
    }

    @Test func `trap 32: an upgrade's minutes of 502 alarm nobody`() {
        var trouble = makeTrouble()
        let began = trouble.change(failedAt: start, wallNow: wall)
        #expect(began == .began(wall))
        trouble.commit(began, at: start)
        for minute in 1..<15 {
            #expect(trouble.change(failedAt: start.advanced(by: .minutes(minute)), wallNow: wall) == .none)
        }
        #expect(trouble.changeAfterSuccess() == .ended)
        trouble.commit(.ended, at: start)
        #expect(trouble.changeAfterSuccess() == .none)
    }

    @Test func `lasting trouble is told once, and so is its end`() {
        var trouble = makeTrouble()
        trouble.commit(.began(wall), at: start)
        let later = start.advanced(by: .minutes(15))
        #expect(trouble.change(failedAt: later, wallNow: wall) == .announceTrouble(since: wall))
        // Not stored yet, so it is still to be told.
        #expect(trouble.change(failedAt: later, wallNow: wall) == .announceTrouble(since: wall))
        trouble.commit(.announceTrouble(since: wall), at: later)
        #expect(trouble.change(failedAt: later.advanced(by: .hours(1)), wallNow: wall) == .none)
        #expect(trouble.changeAfterSuccess() == .announceRecovery(since: wall))
        trouble.commit(.announceRecovery(since: wall), at: later)
        #expect(trouble.change(failedAt: later, wallNow: wall) == .began(wall))
    }

    @Test func `trouble outlives a restart, also when the clock was set back`() {
        let old = makeTrouble(since: wall.advanced(by: .seconds(-3_600)))
        #expect(
            old.change(failedAt: start, wallNow: wall) == .announceTrouble(since: wall.advanced(by: .seconds(-3_600)))
        )
        let future = makeTrouble(since: wall.advanced(by: .seconds(3_600)))
        #expect(future.change(failedAt: start, wallNow: wall) == .none)
        let notified = makeTrouble(since: wall.advanced(by: .seconds(-3_600)), announced: true)
        #expect(notified.change(failedAt: start, wallNow: wall) == .none)
    }
}
