import Testing

@testable import Notifier

struct CycleTallyTests {
    private let passed = RequestGate.Count(requests: 1, waits: 0, rateLimit: nil, isGivenUp: false)

    @Test(arguments: [
        (GitLabError.crowded, PollPolicy.Outcome.failed), (.unavailable(status: 502), .failed),
        (.undecodable(.outOfBounds), .failed), (.listTooLong, .answered), (.forbidden(.scope), .refused),
        (.forbidden(.permission), .failed), (.notFound(isRoute: false), .answered),
    ])
    func `a cycle of nothing but this came to that, and one answer is an answer`(
        error: GitLabError,
        outcome: PollPolicy.Outcome
    ) {
        var tally = CycleTally()
        tally.count(error)
        #expect(tally.outcome(passed) == outcome)
        tally.countRead()
        #expect(tally.outcome(passed) == .answered)
    }
}
