import Testing

@testable import Harness

/// What the notifier may answer to an app that shows its refresh token.
@Suite struct RefreshWatchTests {
    private func body(_ token: String) -> [UInt8] { Array(#"{"refreshToken":"\#(token)"}"#.utf8) }

    @Test func `what is given for the first time says nothing`() {
        var watch = RefreshWatch()
        watch.sends(body("a"))
        #expect(watch.hears(200, body("b"), to: body("a")) == nil)
        watch.sends(body("b"))
        #expect(watch.hears(200, body("c"), to: body("b")) == nil)
    }

    @Test func `a token that was shown before its answer was lost is given the pair again`() {
        var watch = RefreshWatch()
        watch.sends(body("a"))
        watch.sends(body("a"))
        #expect(watch.hears(200, body("b"), to: body("a")) == .givenAgain)
    }

    @Test func `two pairs for one token, and an app that is called a thief, are wrong`() {
        var watch = RefreshWatch()
        watch.sends(body("a"))
        #expect(watch.hears(200, body("b"), to: body("a")) == nil)
        watch.sends(body("a"))
        #expect(watch.hears(200, body("b"), to: body("a")) == .givenAgain)
        guard case .complaint = watch.hears(200, body("c"), to: body("a")) else {
            Issue.record("two pairs were given")
            return
        }
        let refusal = Array(#"{"code":"refresh_token_reused","message":"Session expired."}"#.utf8)
        guard case .complaint = watch.hears(401, refusal, to: body("a")) else {
            Issue.record("the session was ended")
            return
        }
    }

    @Test func `a session that is over, and an answer that says nothing, are nobody's mistake`() {
        var watch = RefreshWatch()
        watch.sends(body("a"))
        #expect(watch.hears(401, Array(#"{"code":"refresh_token_invalid"}"#.utf8), to: body("a")) == nil)
        #expect(watch.hears(503, [], to: body("a")) == nil)
        #expect(watch.hears(200, body("b"), to: []) == nil)
    }
}
