import HTTP
import Platform
import Synchronization

/// Stands before every request of an account: keeps the budget, holds everything back after a 429, and gives a cycle up when
/// nothing is answered any more.
final class RequestGate: Sendable {
    private struct State {
        var budget: RequestBudget
        var quota = RateQuota()
        var isPaused = false
        var retryAfter: Duration?
        /// Service failures since the last answer.
        var failuresInARow = 0
        /// More than this many end the cycle.
        var patience = 0
        /// True once the token is in doubt.
        var isClosed = false
        var requests = 0
        var answers = 0
        var waits = 0

        /// As if the cycle ended now.
        func quotaWait(at now: MonotonicInstant) -> Duration {
            var quota = quota
            quota.takeCycle(of: requests)
            return quota.wait(at: now)
        }
    }

    /// What passed the gate during a cycle.
    struct Count: Hashable, Sendable {
        var requests: Int
        /// How many of them had to wait for the budget.
        var waits: Int
        /// Nil when GitLab did not say 429; otherwise how long it asked to wait, if it said so.
        var rateLimit: Duration??
        /// True when the cycle was given up.
        var isGivenUp: Bool
        /// How long what GitLab still answers must last before as many may follow; zero where it does not say.
        var quotaWait = Duration.zero
        /// How many requests were answered, and not refused.
        var answers = 0
    }

    private let time: any TimeSource
    private let state: Mutex<State>

    init(budget: RequestBudget, time: any TimeSource) {
        self.time = time
        state = Mutex(State(budget: budget))
    }

    /// How long one request takes to earn.
    var requestInterval: Duration { state.withLock { $0.budget.interval } }

    /// Begins a cycle that is given up after more than `patience` failures in a row.
    func openCycle(patience: Int) {
        state.withLock { state in
            state.quota.takeCycle(of: state.requests)
            state.isPaused = false
            state.retryAfter = nil
            state.failuresInARow = 0
            state.patience = patience
            state.isClosed = false
            state.requests = 0
            state.answers = 0
            state.waits = 0
        }
    }

    /// What has passed since the cycle began.
    var count: Count {
        let now = time.monotonicNow
        return state.withLock { state in
            Count(
                requests: state.requests,
                waits: state.waits,
                rateLimit: state.isPaused ? .some(state.retryAfter) : nil,
                isGivenUp: state.failuresInARow > state.patience,
                quotaWait: state.quotaWait(at: now),
                answers: state.answers
            )
        }
    }

    /// Lets one request pass, as soon as the budget allows it.
    ///
    /// - Throws: `rateLimited` or `notAsked` when the rest of the cycle is held back, `unreachable(cancelled)` when the task is.
    func admit() async throws(GitLabError) {
        let now = time.monotonicNow
        let start = try state.withLock { state throws(GitLabError) in
            try Self.check(&state)
            let start = state.budget.take(at: now)
            state.requests += 1
            if start > now { state.waits += 1 }
            return start
        }
        guard start > now else { return }
        do { try await time.sleep(until: start) } catch { throw .unreachable(.cancelled) }
        try state.withLock { state throws(GitLabError) in try Self.check(&state) }
    }

    /// Looks whether a request that was let pass may still be sent, whatever the cycle has decided since.
    ///
    /// - Throws: `rateLimited` when GitLab has said 429 meanwhile.
    func recheck() throws(GitLabError) {
        try state.withLock { state throws(GitLabError) in
            if state.isPaused { throw .rateLimited(retryAfter: state.retryAfter) }
        }
    }

    /// How many requests the budget would bear at once.
    var requestsLeft: Int {
        let now = time.monotonicNow
        return state.withLock { $0.budget.requestsLeft(at: now) }
    }

    /// Takes nothing; looks whether `count` requests could be sent until `deadline`.
    ///
    /// - Throws: `budgetSpent` when not, with the time after which they could.
    func check(_ count: Int, by deadline: MonotonicInstant) throws(GitLabError) {
        let now = time.monotonicNow
        let last = state.withLock { $0.budget.nextStart(at: now, after: count - 1) }
        guard last <= deadline else { throw .budgetSpent(retryAfter: deadline.duration(to: last)) }
    }

    /// Takes one request out of the budget that does not belong to a cycle, and says when it may be sent.
    ///
    /// - Throws: `budgetSpent` when that is after `deadline`; nothing is taken then.
    func reserve(by deadline: MonotonicInstant) throws(GitLabError) -> MonotonicInstant {
        let now = time.monotonicNow
        return try state.withLock { state throws(GitLabError) in
            let start = state.budget.nextStart(at: now)
            guard start <= deadline else { throw .budgetSpent(retryAfter: now.duration(to: start)) }
            return state.budget.take(at: now)
        }
    }

    /// Holds back what is left of the cycle.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Takes requests out of the budget that did not pass here.
    func charge(_ requests: Int) {
        let now = time.monotonicNow
        state.withLock { $0.budget.charge(requests, at: now) }
    }

    /// GitLab said how much it still answers.
    func note(_ announcement: RateQuota.Announcement) {
        let now = time.monotonicNow
        state.withLock { $0.quota.take(announcement, at: now) }
    }

    func noteSuccess() {
        state.withLock { state in
            state.failuresInARow = 0
            state.answers += 1
        }
    }

    func noteFailure(_ error: GitLabError) {
        state.withLock { state in
            if error == .spared {
                state.requests -= 1
                return state.budget.giveBack()
            }
            if case .rateLimited(let retryAfter) = error {
                state.isPaused = true
                state.retryAfter = Self.longer(state.retryAfter, retryAfter)
            }
            state.failuresInARow = error.isServiceFailure ? state.failuresInARow + 1 : 0
        }
    }

    private static func check(_ state: inout State) throws(GitLabError) {
        if state.isPaused { throw .rateLimited(retryAfter: state.retryAfter) }
        if state.isClosed || state.failuresInARow > state.patience { throw .notAsked }
    }

    private static func longer(_ left: Duration?, _ right: Duration?) -> Duration? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }
}
