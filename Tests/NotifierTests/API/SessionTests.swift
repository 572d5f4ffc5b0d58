import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

struct SessionTests {
    private let bench: ServerBench

    init() throws { bench = try ServerBench() }

    private struct Pair {
        var access: String
        var refresh: String

        init(_ response: HTTPResponse) throws {
            access = try #require(response.text("token"), "\(response.bodyText)")
            refresh = try #require(response.text("refreshToken"))
        }
    }

    private func signIn(_ token: String = "glpat-anna") throws -> Pair {
        let body = #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "\#(token)"}"#
        return try Pair(bench.call(.post, "/auth/register", body))
    }

    private func refresh(_ token: String) throws -> HTTPResponse {
        try bench.call(.post, "/auth/refresh", #"{"refreshToken": "\#(token)"}"#)
    }

    private func status(_ pair: Pair) throws -> Int {
        try bench.call(.get, "/watch", session: pair.access).status
    }

    @Test func `a refresh gives a new pair without asking GitLab`() throws {
        let first = try signIn()
        bench.gitlab.forgetExchanges()
        bench.world.stepWallClock(by: .days(8))
        #expect(try status(first) == 401)
        let second = try Pair(refresh(first.refresh))
        #expect(second.refresh != first.refresh)
        #expect(second.refresh.hasPrefix("drt_") && second.refresh.utf8.count == 47)
        #expect(try status(second) == 200)
        #expect(bench.gitlab.count == 0)
    }

    @Test func `a rotated token that comes again ends its session with every token of it`() throws {
        let first = try signIn()
        let second = try Pair(refresh(first.refresh))
        #expect(try status(second) == 200)
        bench.world.advance(by: .seconds(11))
        let reused = try refresh(first.refresh)
        #expect(reused.status == 401 && reused.text("code") == "refresh_token_reused")
        #expect(try status(second) == 401)
        #expect(try refresh(second.refresh).text("code") == "refresh_token_invalid")
        #expect(bench.log.count(.refreshTokenReused) == 1)
    }

    @Test func `a reuse ends that session only`() throws {
        let (other, first) = (try signIn(), try signIn())
        let second = try Pair(refresh(first.refresh))
        #expect(try status(second) == 200)
        bench.world.advance(by: .seconds(11))
        #expect(try refresh(first.refresh).status == 401)
        #expect(try status(other) == 200)
        #expect(try refresh(other.refresh).status == 200)
    }

    @Test func `a lost answer costs nothing, however often and long`() throws {
        let first = try signIn()
        for _ in 0..<3 {
            #expect(try refresh(first.refresh).status == 200)
            bench.world.stepWallClock(by: .days(10))
        }
        let kept = try Pair(refresh(first.refresh))
        #expect(try status(kept) == 200)
        #expect(try refresh(kept.refresh).status == 200)
    }

    @Test func `whoever else held the lost answer ends the session by using it later`() throws {
        let first = try signIn()
        let lost = try Pair(refresh(first.refresh))
        bench.world.advance(by: .minutes(1))
        let kept = try Pair(refresh(first.refresh))
        #expect(kept.refresh == lost.refresh)
        let next = try Pair(refresh(kept.refresh))
        #expect(try status(next) == 200)
        bench.world.advance(by: .seconds(11))
        #expect(try refresh(lost.refresh).text("code") == "refresh_token_reused")
        #expect(try status(next) == 401)
    }

    @Test func `an app that refreshes from forty places at once gets one pair, which lives`() throws {
        let first = try signIn()
        var answers: [Pair] = []
        for place in 0..<40 {
            answers.append(try Pair(refresh(first.refresh)))
            bench.world.advance(by: .milliseconds(200))
            // One of the answers is used before the other questions arrive.
            if place == 3 { #expect(try status(answers[0]) == 200) }
        }
        #expect(Set(answers.map(\.refresh)).count == 1 && Set(answers.map(\.access)).count == 1)
        #expect(try status(answers[39]) == 200)
        #expect(try refresh(answers[39].refresh).status == 200)
        #expect(bench.log.count(.refreshTokenReused) == 0)
    }

    @Test func `the same answer is given after a restart, too`() throws {
        let first = try signIn()
        let before = try Pair(refresh(first.refresh))
        #expect(try status(before) == 200)
        let again = try ServerBench(continuing: bench)
        let after = try Pair(again.call(.post, "/auth/refresh", #"{"refreshToken": "\#(first.refresh)"}"#))
        #expect(after.refresh == before.refresh && after.access == before.access)
    }

    @Test func `a lost answer that is asked for weeks later comes with tokens that live`() throws {
        let first = try signIn()
        let lost = try Pair(refresh(first.refresh))
        bench.world.stepWallClock(by: .days(50))
        let kept = try Pair(refresh(first.refresh))
        #expect(kept.refresh == lost.refresh && kept.access != lost.access)
        #expect(try status(kept) == 200)
        bench.world.stepWallClock(by: .days(50))
        #expect(try refresh(kept.refresh).status == 200)
    }

    @Test(arguments: [false, true])
    func `a pair that was made in another way is not given again`(wasUsed: Bool) throws {
        let first = try signIn()
        let second = try Pair(refresh(first.refresh))
        if wasUsed { #expect(try status(second) == 200) }
        // As a program before this one made it: not out of the token before.
        try bench.change("UPDATE refresh_tokens SET digest = zeroblob(32) WHERE rotation = 2")
        let answer = try refresh(first.refresh)
        guard !wasUsed else {
            #expect(answer.text("code") == "refresh_token_reused")
            return
        }
        let third = try Pair(answer)
        #expect(try status(third) == 200)
        #expect(try refresh(third.refresh).status == 200)
    }

    @Test func `a pair that was given while the former one was shown is not known to have arrived`() throws {
        let store = try makeDeliveryStore()
        let account = try store.makeAccount()
        let end = deliveryStart.advanced(by: .days(60))
        let read = try store.insertSession(
            publicID: "session",
            of: account,
            device: nil,
            refreshToken: Array(repeating: 1, count: 32),
            expiresAt: end,
            at: deliveryStart
        )
        // A refresh comes between the reading of the session and what is written about it.
        try store.rotate(
            read.id,
            to: 2,
            refreshToken: Array(repeating: 2, count: 32),
            expiresAt: end,
            at: deliveryStart
        )
        try store.confirm(read)
        let rotated = try #require(try store.session(read.id))
        #expect(rotated.rotation == 2 && !rotated.isConfirmed)
        try store.confirm(rotated)
        #expect(try store.session(read.id)?.isConfirmed == true)
    }

    @Test func `a session that is not refreshed in time is over`() throws {
        let pair = try signIn()
        bench.world.stepWallClock(by: .days(60))
        #expect(try refresh(pair.refresh).text("code") == "refresh_token_invalid")
    }

    @Test func `a clock that is far ahead for a while ends no session of who asks for nothing meanwhile`() throws {
        let pair = try signIn()
        bench.world.stepWallClock(by: .days(100))
        _ = try signIn("glpat-bert")
        bench.world.stepWallClock(by: .days(-100))
        #expect(try refresh(pair.refresh).status == 200)
    }

    @Test func `ending all sessions ends tokens, devices and pairing codes of that person alone`() throws {
        let (anna, mac, bert) = (try signIn(), try signIn(), try signIn("glpat-bert"))
        _ = try bench.registerDevice("aa11", anna.access)
        _ = try bench.registerDevice("bb22", bert.access)
        let code = try #require(try bench.call(.post, "/pair/start", session: mac.access).text("pairingCode"))
        #expect(try bench.call(.post, "/auth/revoke-all", session: mac.access).status == 204)
        for pair in [anna, mac] {
            #expect(try bench.call(.get, "/watch", session: pair.access).text("code") == "session_invalid")
            #expect(try refresh(pair.refresh).text("code") == "refresh_token_invalid")
        }
        let body = #"{"pairingCode": "\#(code)", "platform": "ios"}"#
        #expect(try bench.call(.post, "/pair/exchange", body).text("code") == "pairing_code_unknown")
        #expect(try status(bert) == 200)
        let again = try signIn()
        #expect(try bench.call(.get, "/devices", session: again.access).bodyText == #"{"devices":[]}"#)
        #expect(try bench.call(.get, "/devices", session: bert.access).bodyText.contains("\"active\""))
    }

    @Test func `the database holds no token in the clear`() throws {
        let pair = try signIn()
        let code = try #require(try bench.call(.post, "/pair/start", session: pair.access).text("pairingCode"))
        let text = try bench.dump()
        #expect(text.contains("refresh_tokens") && text.contains("pairing_codes"))
        for secret in [pair.refresh, pair.access, code, "glpat-anna"] {
            let digits = secret.utf8.map { String($0, radix: 16, uppercase: true) }.joined()
            #expect(!text.contains(secret) && !text.contains(digits))
        }
    }

    @Test func `sessions without a device are bounded, the oldest give way`() throws {
        let first = try signIn()
        for _ in 0..<20 { _ = try signIn() }
        #expect(try status(first) == 401)
    }

    @Test(arguments: [#"{"refreshToken": ""}"#, #"{"refreshToken": 7}"#, "{}", "[]"])
    func `a refresh that cannot be is refused`(body: String) throws {
        #expect(try bench.call(.post, "/auth/refresh", body).status == 400)
    }
}
