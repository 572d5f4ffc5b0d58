import Platform
import ScenarioFixtures
import Scenarios
import Testing
import Verdict

@testable import Harness

/// What the notifier may answer to an app that shows its refresh token.
@Suite struct RefreshWatchTests {
    private func body(_ token: String) -> [UInt8] { Array(#"{"refreshToken":"\#(token)"}"#.utf8) }

    @Test func `what is given for the first time says nothing`() {
        var watch = RefreshWatch()
        watch.sends(body("a"), at: .seconds(10))
        #expect(watch.hears(200, body("b"), to: body("a"), at: .seconds(11)) == nil)
        watch.sends(body("b"), at: .seconds(10))
        #expect(watch.hears(200, body("c"), to: body("b"), at: .seconds(11)) == nil)
    }

    @Test func `a token that was shown before its answer was lost is given the pair again`() {
        var watch = RefreshWatch()
        watch.sends(body("a"), at: .seconds(10))
        watch.sends(body("a"), at: .seconds(10))
        #expect(watch.hears(200, body("b"), to: body("a"), at: .seconds(11)) == .givenAgain)
    }

    @Test func `two pairs for one token, and an app that is called a thief, are wrong`() {
        var watch = RefreshWatch()
        watch.sends(body("a"), at: .seconds(10))
        #expect(watch.hears(200, body("b"), to: body("a"), at: .seconds(11)) == nil)
        watch.sends(body("a"), at: .seconds(10))
        #expect(watch.hears(200, body("b"), to: body("a"), at: .seconds(11)) == .givenAgain)
        guard case .complaint = watch.hears(200, body("c"), to: body("a"), at: .seconds(11)) else {
            Issue.record("two pairs were given")
            return
        }
        let refusal = Array(#"{"code":"refresh_token_reused","message":"Session expired."}"#.utf8)
        guard case .complaint = watch.hears(401, refusal, to: body("a"), at: .seconds(11)) else {
            Issue.record("the session was ended")
            return
        }
    }

    @Test func `a session that is over, and an answer that says nothing, are nobody's mistake`() {
        var watch = RefreshWatch()
        watch.sends(body("a"), at: .seconds(10))
        let invalid = Array(#"{"code":"refresh_token_invalid"}"#.utf8)
        #expect(watch.hears(401, invalid, to: body("a"), at: .seconds(11)) == nil)
        #expect(watch.hears(503, [], to: body("a"), at: .seconds(11)) == nil)
        #expect(watch.hears(200, body("b"), to: [], at: .seconds(11)) == nil)
    }

    // MARK: Slow links

    private let refusal = Array(#"{"code":"refresh_token_reused"}"#.utf8)

    /// Which questions may have come late to a notifier that calls the app a thief.
    private func lateQuestions(_ watch: inout RefreshWatch, _ token: String, at seconds: Int64) -> [Duration]? {
        watch.sends(body(token), at: .seconds(seconds))
        let finding = watch.hears(401, refusal, to: body(token), at: .seconds(seconds + 1))
        if case .complaint(_, let late) = finding { return late }
        return nil
    }

    @Test func `of a session whose questions were all answered at once none came late`() {
        var watch = RefreshWatch()
        watch.sends(body("a"), at: .seconds(10))
        #expect(watch.hears(200, body("b"), to: body("a"), at: .seconds(13)) == nil)
        let late = lateQuestions(&watch, "b", at: 100)
        #expect(late == [])
    }

    @Test func `a question that took long, or had no answer, may have come late to its own session`() {
        var watch = RefreshWatch()
        watch.sends(body("a"), at: .seconds(10))
        watch.sends(body("a"), at: .seconds(50))
        #expect(watch.hears(200, body("b"), to: body("a"), at: .seconds(51)) == .givenAgain)
        let own = lateQuestions(&watch, "b", at: 100)
        #expect(own == [Duration.seconds(10), .seconds(50)])
        let other = lateQuestions(&watch, "z", at: 200)
        #expect(other == [], "another sign-in")
    }

    @Test func `only a slow link or a stall in which it was asked keeps a question back`() {
        func fault(_ kind: FaultKind) -> FaultRecord {
            FaultRecord(id: Fixture.entry("f"), kind: kind, span: Span(from: .seconds(100), until: .seconds(200)))
        }
        let times: [(Int64, Bool)] = [(39, false), (40, true), (150, true), (200, true), (201, false)]
        for (seconds, isLate) in times {
            for kind in [FaultKind.latency, .stall] {
                #expect(RefreshWatch.mayDelay([.seconds(seconds)], [fault(kind)]) == isLate, "\(seconds)")
            }
            #expect(!RefreshWatch.mayDelay([.seconds(seconds)], [fault(.refuse)]))
        }
        #expect(!RefreshWatch.mayDelay([], [fault(.latency)]))
    }
}
