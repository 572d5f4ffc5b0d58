import HTTP
import Platform

/// Stands before the requests that one call of an app makes in an account's name: the account's budget bears each as it is sent, whatever
/// becomes of the call, and none is sent that would have to wait for longer than somebody waits for an answer.
struct AppRequestGate: Sendable {
    /// How long one call may wait for the budget in all.
    static let patience = Duration.seconds(20)

    let gate: RequestGate
    let time: any TimeSource
    /// Nothing is sent after it.
    let deadline: MonotonicInstant

    /// Begins a call that takes `count` requests or some more.
    ///
    /// - Throws: `budgetSpent` when those cannot be sent in time: then a call that asked all the same would spend what the next one needs,
    ///   and none would ever come to its end.
    init(gate: RequestGate, time: any TimeSource, expecting count: Int) throws(GitLabError) {
        self.gate = gate
        self.time = time
        deadline = time.monotonicNow.advanced(by: Self.patience)
        try gate.check(count, by: deadline)
    }

    /// How many requests may be sent without waiting.
    var requestsLeft: Int { gate.requestsLeft }

    /// Lets one request pass, as soon as the budget allows it.
    ///
    /// - Throws: `budgetSpent` where that is too late, and then the budget bears nothing; `unreachable(cancelled)` when the task is.
    func admit() async throws(GitLabError) {
        let start = try gate.reserve(by: deadline)
        guard start > time.monotonicNow else { return }
        do { try await time.sleep(until: start) } catch { throw .unreachable(.cancelled) }
    }
}
