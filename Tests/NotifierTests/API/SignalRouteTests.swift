import Configuration
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// What programs say to people, over the whole server.
struct SignalRouteTests {
    private let bench: ServerBench
    private let session: String
    private let token: String
    private let tokenID: String

    init() throws {
        bench = try ServerBench()
        session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        (token, tokenID) = try Self.makeToken(bench, session)
    }

    private static func makeToken(_ bench: ServerBench, _ session: String, _ name: String = "agent") throws -> (
        token: String, id: String
    ) {
        let made = try bench.call(.post, "/signals/tokens", #"{"name": "\#(name)"}"#, session: session)
        #expect(made.status == 201)
        return (try #require(made.text("token")), try #require(made.text("tokenId")))
    }

    private static let approval =
        #"{"id": "deploy-1", "kind": "approval_needed", "project": "my-repo", "title": "Fix the login", "run": "r1", "url": "https://ci.example.com/1"}"#

    private func signal(_ body: String = approval, with other: String? = nil, on server: ServerBench? = nil) throws
        -> HTTPResponse
    {
        try (server ?? bench).call(.post, "/signals", body, session: other ?? token)
    }

    private func said(_ kind: String, _ id: String = "deploy-1") throws -> HTTPResponse {
        try signal(#"{"id": "\#(id)", "kind": "\#(kind)", "title": "Fix the login", "project": "my-repo"}"#)
    }

    private func titles(_ server: ServerBench? = nil) -> [String] {
        (server ?? bench).apns.requests.compactMap { request in
            var reader = JSONReader(bytes: request.body)
            guard case .string(let title)? = (try? reader.read().value)?["aps"]?["alert"]?["title"] else { return nil }
            return title
        }
    }

    private func asks(_ session: String? = nil) throws -> [JSONValue] {
        let answer = try bench.call(.get, "/asks", session: session ?? self.session)
        guard case .array(let asks)? = ContractBench.json(answer)?["asks"] else { return [] }
        return asks
    }

    private func askID(_ ask: JSONValue?) throws -> String {
        guard case .string(let id)? = ask?["askId"] else { throw ContractBench.Missing() }
        return id
    }

    // MARK: Telling

    @Test func `an approval is asked for with buttons, is unread, and is named in the history`() throws {
        let answer = try signal()
        #expect(answer.status == 201 && answer.bodyText == #"{"repeated":false}"#)
        bench.run(for: .seconds(10))
        let push = try #require(bench.apns.requests.first)
        let payload = try #require(ContractBench.json(HTTPResponse(status: 200, body: push.body)))
        #expect(payload["aps"]?["alert"]?["title"] == "Approval needed")
        #expect(payload["aps"]?["alert"]?["subtitle"] == "agent")
        #expect(payload["aps"]?["alert"]?["body"] == "my-repo: Fix the login")
        #expect(payload["aps"]?["badge"] == 1 && payload["aps"]?["category"] == "GITLAB_ASK")
        #expect(payload["aps"]?["interruption-level"] == "time-sensitive")
        #expect(payload["data"]?["type"] == "signal" && payload["data"]?["actionType"] == "approval_needed")
        #expect(payload["data"]?["signalId"] == "deploy-1" && payload["data"]?["runId"] == "r1")
        #expect(payload["data"]?["program"] == "agent" && payload["data"]?["actor"] == nil)
        #expect(payload["data"]?["projectPath"] == nil, "no project of GitLab's")
        let ask = try #require(try asks().first)
        #expect(payload["data"]?["askId"] == ask["askId"] && ask["kind"] == "approval_needed")
        #expect(ask["itemTitle"] == "my-repo: Fix the login" && ask["webUrl"] == "https://ci.example.com/1")
        let history = try bench.call(.get, "/notifications", session: session).bodyText
        #expect(history.contains(#""type":"signal""#) && history.contains(#""source":"signal""#))
        #expect(try bench.call(.get, "/notifications/unread", session: session).text("count") == nil)
        #expect(try bench.call(.get, "/notifications/unread", session: session).bodyText.contains(#""count":1"#))
    }

    @Test(arguments: [("run_completed", "Run completed"), ("run_failed", "Run failed")])
    func `how a run ended is told, asks for nothing and leaves the badge alone`(kind: String, title: String) throws {
        #expect(try said(kind).status == 201)
        bench.run(for: .seconds(10))
        #expect(titles() == [title])
        let push = String(decoding: bench.apns.requests[0].body, as: UTF8.self)
        #expect(!push.contains("badge") && !push.contains("askId") && push.contains("GITLAB_ACTIVITY"))
        #expect(try asks().isEmpty)
        #expect(try bench.call(.get, "/notifications/unread", session: session).bodyText.contains(#""count":0"#))
    }

    @Test func `what is said again is told once, also after a restart`() throws {
        #expect(try signal().status == 201)
        for _ in 0..<3 {
            let again = try signal()
            #expect(again.status == 200 && again.bodyText == #"{"repeated":true}"#)
        }
        #expect(try said("run_failed").status == 201, "the same id, and something else said of it")
        bench.run(for: .seconds(10))
        bench.world.crash()
        let second = try ServerBench(continuing: bench, secrets: bench.secrets)
        #expect(try signal(on: second).status == 200)
        second.run(for: .minutes(1))
        #expect(titles(second).isEmpty)
        #expect(titles() == ["Approval needed", "Run failed"])
    }

    @Test func `an approval is reminded of twice, however GitLab is`() throws {
        #expect(try signal().status == 201)
        bench.gitlab.trouble { _ in .response(HTTPResponse(status: 502)) }
        bench.run(for: .minutes(14))
        #expect(titles() == ["Approval needed"])
        bench.world.advance(by: .minutes(2))
        #expect(
            titles().filter { !$0.hasPrefix("Notification service") } == [
                "Approval needed", "Still waiting: Approval needed",
            ]
        )
        bench.world.advance(by: .hours(3))
        #expect(titles().filter { $0.hasSuffix("Approval needed") }.count == 3)
        #expect(try asks().count == 1, "nobody has said that it is over")
    }

    // MARK: Settling

    @Test func `the program says that nobody waits any more`() throws {
        #expect(try signal().status == 201)
        bench.run(for: .minutes(10))
        #expect(try said("settled").status == 201)
        #expect(try said("settled").status == 200)
        #expect(try asks().isEmpty)
        #expect(try bench.call(.get, "/notifications/unread", session: session).bodyText.contains(#""count":0"#))
        bench.world.advance(by: .hours(2))
        #expect(titles() == ["Approval needed"])
        #expect(try signal().status == 200, "an old request comes late")
        #expect(try asks().isEmpty)
    }

    @Test(arguments: ["run_completed", "run_failed"])
    func `the end of a run settles what was asked in it, and nothing else`(kind: String) throws {
        func ask(_ id: String, run: String?, with other: String? = nil) throws {
            let member = run.map { #", "run": "\#($0)""# } ?? ""
            let body = #"{"id": "\#(id)", "kind": "approval_needed", "title": "Go on"\#(member)}"#
            #expect(try signal(body, with: other).status == 201)
        }
        try ask("first", run: "run-7")
        try ask("second", run: "run-7")
        try ask("elsewhere", run: "run-8")
        try ask("alone", run: nil)
        let end = #"{"id": "end", "kind": "\#(kind)", "title": "Deploy", "run": "run-7"}"#
        #expect(try signal(end).status == 201)
        #expect(try asks().count == 2)
        try ask("again", run: "run-7")
        #expect(try signal(end).status == 200, "it was said before")
        #expect(try asks().count == 3, "what is asked after the end is asked")
        #expect(try signal(#"{"id": "run", "kind": "\#(kind)", "title": "Without a run"}"#).status == 201)
        #expect(try asks().count == 3)
    }

    @Test func `the person says so`() throws {
        #expect(try signal().status == 201)
        bench.run(for: .minutes(10))
        let ask = try askID(try asks().first)
        #expect(try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "done"}"#, session: session).status == 200)
        bench.world.advance(by: .hours(2))
        #expect(titles() == ["Approval needed"])
        #expect(try said("settled").status == 201, "the program learns it late, and is taken at its word")
    }

    @Test func `what is settled before it was asked is not asked any more`() throws {
        #expect(try said("settled").status == 201)
        #expect(try signal().status == 201)
        #expect(try signal().status == 200)
        bench.run(for: .minutes(30))
        #expect(titles().isEmpty)
        #expect(try asks().isEmpty)
    }

    @Test func `one id ends nothing else`() throws {
        #expect(try said("approval_needed", "one").status == 201)
        #expect(try said("approval_needed", "two").status == 201)
        #expect(try said("settled", "one").status == 201)
        #expect(try asks().count == 1)
    }

    // MARK: Rules

    @Test func `in quiet hours it waits for the digest, urgent as it may be`() throws {
        let quiet = #"{"quietHours": [{"from": "08:00", "until": "10:00"}], "urgentBypass": true}"#
        #expect(try bench.call(.put, "/settings", quiet, session: session).status == 200)
        #expect(try signal().status == 201)
        #expect(try said("run_completed").status == 201)
        bench.run(for: .minutes(59))
        #expect(titles().isEmpty)
        bench.world.advance(by: .minutes(2))
        #expect(titles() == ["2 updates on 2 items in your quiet hours"])
        let push = String(decoding: bench.apns.requests[0].body, as: UTF8.self)
        #expect(
            push.contains(#"my-repo: Fix the login: approval needed\nmy-repo: Fix the login: run completed"#),
            "\(push)"
        )
        bench.world.advance(by: .minutes(16))
        #expect(titles().last == "Still waiting: Approval needed")
    }

    @Test func `what was settled in quiet hours is told by no digest, and what was not is`() throws {
        let quiet = #"{"quietHours": [{"from": "08:00", "until": "10:00"}]}"#
        #expect(try bench.call(.put, "/settings", quiet, session: session).status == 200)
        for (kind, id) in [("approval_needed", "one"), ("approval_needed", "two"), ("settled", "two")] {
            #expect(try said(kind, id).status == 201)
        }
        bench.run(for: .minutes(61))
        #expect(titles() == ["1 update on 1 item in your quiet hours"])
    }

    @Test func `a muted program is not heard, nor is it afterwards, and what it asked is over`() throws {
        #expect(try signal().status == 201)
        let muted = try bench.call(.post, "/signals/tokens/\(tokenID)/mute", #"{"minutes": 60}"#, session: session)
        #expect(muted.text("mutedUntil") == "2026-03-02T10:00:00.000Z")
        #expect(try asks().isEmpty)
        #expect(try said("approval_needed", "two").status == 201)
        let (other, _) = try Self.makeToken(bench, session, "ci")
        #expect(try signal(#"{"id": "x", "kind": "run_failed", "title": "nightly"}"#, with: other).status == 201)
        bench.run(for: .minutes(61))
        #expect(titles() == ["Run failed"], "what it asked had not gone out yet")
        #expect(try said("approval_needed", "two").status == 200)
        #expect(try said("approval_needed", "three").status == 201)
        bench.world.advance(by: .seconds(10))
        #expect(titles().count == 2)
        #expect(
            try bench.call(.post, "/signals/tokens/\(tokenID)/mute", #"{"minutes": 60}"#, session: session).status
                == 200
        )
        let unmuted = try bench.call(.delete, "/signals/tokens/\(tokenID)/mute", session: session)
        #expect(unmuted.bodyText == "{}")
        #expect(try said("run_completed", "four").status == 201)
        bench.world.advance(by: .seconds(10))
        #expect(titles().count == 3)
    }

    @Test func `a token that is taken back is refused, and what was asked with it is over, held or not`() throws {
        #expect(try signal().status == 201)
        bench.run(for: .minutes(1))
        let quiet = #"{"quietHours": [{"from": "08:00", "until": "10:00"}]}"#
        #expect(try bench.call(.put, "/settings", quiet, session: session).status == 200)
        #expect(try said("run_failed").status == 201)
        #expect(try bench.call(.delete, "/signals/tokens/\(tokenID)", session: session).status == 204)
        expectError(try signal(), 401, "signal_token_invalid")
        expectError(
            try bench.call(.delete, "/signals/tokens/\(tokenID)", session: session),
            404,
            "signal_token_not_found"
        )
        #expect(try bench.call(.get, "/signals/tokens", session: session).bodyText == #"{"tokens":[]}"#)
        #expect(try asks().isEmpty)
        bench.world.advance(by: .hours(3))
        #expect(titles() == ["Approval needed"])
    }

    @Test func `where nobody is reminded it is told without an ask`() throws {
        var configuration = ServerBench.unhurried
        configuration.remindersEnabled = false
        let bench = try ServerBench(configuration)
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        let (token, _) = try Self.makeToken(bench, session)
        #expect(try signal(with: token, on: bench).status == 201)
        #expect(try signal(with: token, on: bench).status == 200)
        bench.run(for: .hours(2))
        let push = String(decoding: try #require(bench.apns.requests.first).body, as: UTF8.self)
        #expect(bench.apns.requests.count == 1 && !push.contains("askId") && push.contains("GITLAB_ACTIVITY"))
    }

    // MARK: Bounds

    @Test func `a program that says too much has to wait, and no other has`() throws {
        for number in 0..<30 { #expect(try said("run_completed", "run-\(number)").status == 201) }
        let refused = try said("run_completed", "run-30")
        expectError(refused, 429, "too_many_signals")
        #expect(refused.fields["Retry-After"] == "2")
        let (other, _) = try Self.makeToken(bench, session, "ci")
        #expect(try signal(with: other).status == 201)
        bench.run(for: .seconds(2))
        #expect(try said("run_completed", "run-30").status == 201)
    }

    @Test func `so much may be asked at a time, and a repetition is no more of it`() throws {
        var configuration = ServerBench.unhurried
        configuration.signalsPerMinute = 10_000
        let bench = try ServerBench(configuration)
        let session = try bench.register()
        let (token, _) = try Self.makeToken(bench, session)
        func ask(_ id: String) throws -> HTTPResponse {
            try signal(#"{"id": "\#(id)", "kind": "approval_needed", "title": "x"}"#, with: token, on: bench)
        }
        for number in 0..<100 { #expect(try ask("\(number)").status == 201) }
        expectError(try ask("100"), 409, "signal_ask_limit")
        #expect(try ask("99").status == 200)
        let before = try bench.dump()
        expectError(try ask("101"), 409, "signal_ask_limit")
        #expect(try bench.dump() == before, "a refusal leaves nothing behind")
        #expect(try signal(#"{"id": "5", "kind": "settled"}"#, with: token, on: bench).status == 201)
        #expect(try ask("100").status == 201)
    }

    @Test func `a person has twenty programs at most`() throws {
        for number in 1..<20 { _ = try Self.makeToken(bench, session, "agent \(number)") }
        let more = try bench.call(.post, "/signals/tokens", #"{"name": "one more"}"#, session: session)
        expectError(more, 409, "signal_token_limit")
        #expect(try bench.call(.delete, "/signals/tokens/\(tokenID)", session: session).status == 204)
        #expect(try bench.call(.post, "/signals/tokens", #"{"name": "one more"}"#, session: session).status == 201)
    }

    @Test(arguments: [
        #"{"id": "", "kind": "run_failed", "title": "x"}"#, #"{"id": "a b", "kind": "run_failed", "title": "x"}"#,
        #"{"id": "a,b", "kind": "run_failed", "title": "x"}"#, #"{"id": 7, "kind": "run_failed", "title": "x"}"#,
        #"{"kind": "run_failed", "title": "x"}"#, #"{"id": "a", "title": "x"}"#,
        #"{"id": "a", "kind": "approval_required", "title": "x"}"#, #"{"id": "a", "kind": "run_failed"}"#,
        #"{"id": "a", "kind": "run_failed", "title": ""}"#, #"{"id": "a", "kind": "run_failed", "title": "x\ny"}"#,
        #"{"id": "a", "kind": "run_failed", "title": "x", "url": "javascript:alert(1)"}"#,
        #"{"id": "a", "kind": "run_failed", "title": "x", "body": "\u0000"}"#,
        #"{"id": "a", "kind": "run_failed", "title": "x", "project": ""}"#,
        #"{"id": "a", "kind": "run_failed", "title": "x", "run": "../x y"}"#, "[]", "{", "",
    ])
    func `what cannot be taken is refused and changes nothing`(body: String) throws {
        let before = try bench.dump()
        #expect(try signal(body).status == 400)
        #expect(try bench.dump() == before)
    }

    // MARK: Whose it is

    @Test func `a token does nothing else, and a session does not do it`() throws {
        for route in RESTAPI.routes where route.access == .account || route.access == .device {
            let answer = try bench.call(route.method, route.path.description, "{}", session: token)
            expectError(answer, 401, "session_invalid")
        }
        expectError(try signal(with: session), 401, "signal_token_invalid")
        expectError(try bench.call(.post, "/signals", Self.approval), 401, "signal_token_missing")
        for wrong in ["", "x", String(token.dropLast()), token + "x", tokenID, String(repeating: "a", count: 9_000)] {
            let answer = try bench.call(.post, "/signals", Self.approval, session: wrong)
            expectError(answer, 401, wrong.isEmpty ? "signal_token_missing" : "signal_token_invalid")
            #expect(answer.fields["WWW-Authenticate"] == "Bearer")
        }
    }

    @Test func `nobody hears, sees or changes another person's programs, and none ends what another asked`() throws {
        let bert = try bench.register("glpat-bert")
        let (berts, _) = try Self.makeToken(bench, bert, "agent")
        #expect(try signal().status == 201)
        #expect(try signal(with: berts).status == 201, "an id is the program's own")
        #expect(try signal(#"{"id": "deploy-1", "kind": "settled"}"#, with: berts).status == 201)
        #expect(try asks().count == 1)
        #expect(try asks(bert).isEmpty)
        let (annasOther, _) = try Self.makeToken(bench, session, "ci")
        #expect(try signal(#"{"id": "deploy-1", "kind": "settled"}"#, with: annasOther).status == 201)
        #expect(try asks().count == 1, "nor does another program of the same person")
        let ask = try askID(try asks().first)
        expectError(
            try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "done"}"#, session: bert),
            404,
            "ask_not_found"
        )
        for (method, path) in [(HTTPMethod.delete, ""), (.post, "/mute"), (.delete, "/mute")] {
            let target = "/signals/tokens/\(tokenID)\(path)"
            let answer = try bench.call(method, target, #"{"minutes": 5}"#, session: bert)
            expectError(answer, 404, "signal_token_not_found")
        }
        #expect(try !bench.call(.get, "/signals/tokens", session: bert).bodyText.contains(tokenID))
        #expect(try signal().status == 200, "the token still is")
    }

    @Test func `nothing keeps or tells the token itself`() throws {
        #expect(try signal().status == 201)
        bench.run(for: .seconds(10))
        let secret = token.dropFirst(4)
        #expect(try !bench.dump().contains(secret))
        #expect(!bench.log.texts.contains { $0.contains(secret) })
        #expect(try !bench.call(.get, "/signals/tokens", session: session).bodyText.contains(secret))
        #expect(try bench.call(.get, "/signals/tokens", session: session).bodyText.contains("lastUsedAt"))
    }

    @Test func `who leaves takes their programs along`() throws {
        #expect(try bench.call(.delete, "/account", session: session).status == 204)
        expectError(try signal(), 401, "signal_token_invalid")
    }
}
