import Crypto
import HTTP
import Platform
import SQLite
import SimulatedStorage
import Testing

@testable import Notifier

/// `POST /auth/oauth/start` and `/auth/oauth/finish`.
struct OAuthRouteTests {
    private let bench: ServerBench
    private let oauth = MiniOAuth()

    init() throws {
        bench = try ServerBench()
        answer(scope: "read_api")
    }

    private func answer(scope: String) {
        let objects = ServerBench.singleObjects()
        bench.gitlab.trouble { [oauth] in oauth.answer($0, scope: scope) ?? objects($0) }
    }

    private static let start = #"{"gitlabUrl": "https://gitlab.example.com"}"#

    private func begin() throws -> String {
        try #require(try bench.call(.post, "/auth/oauth/start", Self.start).text("state"))
    }

    private func finish(_ state: String, code: String = "the-code-s3cr3t") throws -> HTTPResponse {
        try bench.call(.post, "/auth/oauth/finish", #"{"state": "\#(state)", "code": "\#(code)"}"#)
    }

    @Test func `who disconnects takes back what GitLab had granted`() throws {
        let session = try #require(try finish(try begin()).text("token"))
        #expect(try bench.call(.delete, "/account", session: session).status == 204)
        let form = try #require(oauth.revocations.first)
        #expect(oauth.revocations.count == 1)
        #expect(form.contains("token=\(oauth.refresh)&token_type_hint=refresh_token&client_id=notifier"))
        #expect(bench.log.count(.grantRevoked) == 1)
        #expect(!bench.log.texts.contains { $0.contains("s3cr3t") })
    }

    @Test(arguments: [
        HTTPOutcome.unknown(.timedOut), .response(makeJSON(503, "{}")),
        .response(makeJSON(403, #"{"error":"unauthorized_client"}"#)),
    ])
    func `a GitLab that does not take a grant back keeps nobody here`(trouble: HTTPOutcome) throws {
        let session = try #require(try finish(try begin()).text("token"))
        oauth.trouble(trouble)
        #expect(try bench.call(.delete, "/account", session: session).status == 204)
        #expect(oauth.revocations.count == 1)
        #expect(bench.log.count(.grantNotRevoked) == 1)
        #expect(try !bench.dump().contains("oauth_grants\n1"))
        #expect(try bench.call(.get, "/watch", session: session).status == 401)
    }

    @Test func `the browser is sent to GitLab with a challenge and no secret`() throws {
        let response = try bench.call(.post, "/auth/oauth/start", Self.start)
        #expect(response.status == 201)
        let address = try #require(response.text("authorizationUrl"))
        #expect(address.hasPrefix("https://gitlab.example.com/oauth/authorize?client_id=notifier&"))
        #expect(address.contains("&code_challenge_method=S256"))
        #expect(address.contains("&redirect_uri=com.example.notifier%3A%2Foauth&"))
        #expect(address.contains("&scope=read_api&"))
        #expect(!response.bodyText.contains("the-secret"))
        #expect(response.text("state")?.utf8.count == 43)
        #expect(bench.gitlab.count == 0)
    }

    @Test func `GitLab facts §14: the challenge of the test vector`() {
        let verifier = Secret("ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf")
        #expect(OAuthClient.challenge(of: verifier) == "2i0WFA-0AerkjQm4X4oDEhqA17QIAKNjXpagHBXmO_U")
    }

    @Test func `a person who agreed is connected, and polled with the access token`() throws {
        let response = try finish(try begin())
        #expect(response.status == 201)
        let session = try #require(response.text("token"))
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: session).status == 201)
        #expect(!bench.log.texts.contains { $0.contains("s3cr3t") })
        #expect(!response.bodyText.contains("s3cr3t"))
    }

    @Test func `a state is used once, whatever comes of it`() throws {
        let state = try begin()
        let refused = try finish(state, code: "wrong")
        #expect(refused.status == 422)
        #expect(refused.text("code") == "oauth_code_refused")
        let again = try finish(state)
        #expect(again.status == 400)
        #expect(again.text("code") == "oauth_state_invalid")
    }

    @Test func `a state is over after ten minutes`() throws {
        let state = try begin()
        bench.world.stepWallClock(by: .minutes(10))
        #expect(try finish(state).text("code") == "oauth_state_invalid")
    }

    @Test(arguments: ["", "x", "c3RhdGUgb2YgdGhpcnR5LXR3byByYW5kb20gYnl0ZXM"])
    func `a state that nobody was given is refused`(state: String) throws {
        #expect(try finish(state).text("code") == "oauth_state_invalid")
        #expect(bench.gitlab.count == 0)
    }

    @Test func `a scope that is missing is named with what to do`() throws {
        answer(scope: "read_user")
        let response = try finish(try begin())
        #expect(response.status == 422)
        #expect(response.text("code") == "gitlab_scope_missing")
        #expect(response.text("message")?.contains("read_api") == true)
        #expect(response.text("hint")?.contains("It has only: read_user.") == true)
        answer(scope: "api")
        #expect(try finish(try begin()).status == 201)
    }

    @Test func `what GitLab has granted and nobody here keeps is ended there`() throws {
        answer(scope: "read_user")
        #expect(try finish(try begin()).status == 422)
        #expect(oauth.revocations.count == 1)
        #expect(oauth.revocations[0].contains("token=\(oauth.refresh)&"))
        // The disk is full from the moment on at which GitLab grants.
        let objects = ServerBench.singleObjects()
        bench.gitlab.trouble { [oauth, bench] request in
            if request.path == "/oauth/token" { bench.meet(.full) }
            return oauth.answer(request) ?? objects(request)
        }
        let response = try finish(try begin())
        bench.meet(nil)
        #expect(response.status == 503 && response.text("code") == "database_unavailable")
        #expect(oauth.revocations.count == 2)
        #expect(oauth.revocations[1].contains("token=\(oauth.refresh)&"))
        #expect(bench.log.count(.grantRevoked) == 2)
        #expect(!bench.log.texts.contains { $0.contains("s3cr3t") })
        answer(scope: "read_api")
        #expect(try finish(try begin()).status == 201)
        #expect(oauth.revocations.count == 2)
    }

    @Test func `a GitLab without an application of this server is signed in to with a token`() throws {
        let body = #"{"gitlabUrl": "https://other.example.com"}"#
        let both = ["gitlab.example.com", "other.example.com"].map { HTTPOrigin(scheme: "https", host: $0) }
        let bench = try ServerBench(instances: ServedInstances(both))
        let response = try bench.call(.post, "/auth/oauth/start", body)
        #expect(response.status == 422)
        #expect(response.text("code") == "oauth_not_offered")
        #expect(response.text("hint")?.contains("personal access token") == true)
    }

    @Test(arguments: [
        (#"{}"#, 400), (#"{"gitlabUrl": 5}"#, 400), (#"{"gitlabUrl": "gitlab"}"#, 400), ("[", 400),
        (#"{"gitlabUrl": "https://gitlab.example.com", "grantType": "password"}"#, 400),
    ])
    func `bad input is refused`(body: String, status: Int) throws {
        #expect(try bench.call(.post, "/auth/oauth/start", body).status == status)
        #expect(try bench.call(.post, "/auth/oauth/finish", body).status == status)
    }

    @Test func `GitLab's trouble changes nothing`() throws {
        oauth.trouble(.response(makeText(502, "GitLab is not responding")))
        #expect(try finish(try begin()).status == 503)
        oauth.trouble(.response(makeJSON(401, #"{"error":"invalid_client"}"#)))
        let response = try finish(try begin())
        #expect(response.status == 502)
        #expect(response.text("code") == "oauth_misconfigured")
        oauth.trouble(nil)
        #expect(try finish(try begin()).status == 201)
    }

    @Test func `signing in again keeps the watch list, by whichever way`() throws {
        let first = try bench.register()
        _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: first)
        let second = try finish(try begin())
        #expect(second.status == 200)
        let session = try #require(second.text("token"))
        #expect(try bench.call(.get, "/watch", session: session).bodyText.contains("\"itemIid\":847"))
        bench.gitlab.trouble(ServerBench.singleObjects())
        #expect(try bench.call(.get, "/watch", session: try bench.register()).bodyText.contains("\"itemIid\":847"))
    }

    /// Answers with 401 to requests for an item's notes that show such a token.
    private func refuseNotes(_ isRefused: @escaping @Sendable (String) -> Bool) {
        let objects = ServerBench.singleObjects()
        bench.gitlab.trouble { [oauth] request in
            if request.path == ServerBench.notes, isRefused(request.fields["Authorization"] ?? "") {
                return .response(makeJSON(401, #"{"error":"invalid_token","error_description":"Token was revoked."}"#))
            }
            return oauth.answer(request) ?? objects(request)
        }
    }

    @Test func `a call whose access token ends meanwhile shows the new one`() throws {
        let session = try #require(try finish(try begin()).text("token"))
        let first = "Bearer \(oauth.access)"
        refuseNotes { $0 == first }
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: session).status == 201)
        // The code's and the renewed one.
        #expect(oauth.renewals == 2)
    }

    @Test func `a call that GitLab refuses whatever it shows is refused, after one renewal`() throws {
        let session = try #require(try finish(try begin()).text("token"))
        refuseNotes { _ in true }
        bench.gitlab.forgetExchanges()
        let refused = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        #expect(refused.status == 422 && refused.text("code") == "gitlab_token_refused")
        #expect(oauth.renewals == 2)
        #expect(bench.gitlab.targets.count { $0.hasPrefix(ServerBench.notes) } == 2)
    }

    @Test func `where GitLab renews nothing now, a call is not told that its token is refused`() throws {
        let session = try #require(try finish(try begin()).text("token"))
        refuseNotes { _ in true }
        oauth.trouble(.response(makeText(502, "GitLab is not responding")))
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: session).status == 503)
    }

    @Test func `signing in again takes back what had been granted before, by whichever way`() throws {
        #expect(try finish(try begin()).status == 201)
        let first = oauth.refresh
        #expect(try finish(try begin()).status == 200)
        #expect(oauth.revocations.count == 1 && oauth.revocations[0].contains("token=\(first)&"))
        let second = oauth.refresh
        _ = try bench.register()
        #expect(oauth.revocations.count == 2 && oauth.revocations[1].contains("token=\(second)&"))
        _ = try bench.register("glpat-anna2")
        #expect(oauth.revocations.count == 2)
        #expect(bench.log.count(.grantRevoked) == 2)
        #expect(!bench.log.texts.contains { $0.contains("s3cr3t") })
    }

    @Test func `a network has so many sign-ins under way, and leaves room for others`() throws {
        for number in 0..<20 {
            let response = try bench.call(.post, "/auth/oauth/start", Self.start, from: "2001:db8:1:2::\(number)")
            #expect(response.status == 201)
        }
        let refused = try bench.call(.post, "/auth/oauth/start", Self.start, from: "2001:db8:1:2:ffff::1")
        #expect(refused.status == 429 && refused.fields["Retry-After"] == "30")
        #expect(try bench.call(.post, "/auth/oauth/start", Self.start, from: "2001:db8:1:3::1").status == 201)
        bench.world.advance(by: .seconds(30))
        #expect(try bench.call(.post, "/auth/oauth/start", Self.start, from: "2001:db8:1:2::1").status == 201)
    }

    @Test func `where too many are under way the one that would end first gives way to a newcomer`() throws {
        let oldest = try begin()
        let database = try bench.openDatabase()
        try database.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            INSERT INTO oauth_flows SELECT CAST(printf('%032d', i) AS BLOB), kind, gitlab_origin, secret_ciphertext, secret_nonce,
                secret_key_version, expires_at + 1, ask_from, interval_ms FROM oauth_flows, n
            """,
            Int64(Store.flowLimit - 1)
        )
        let newest = try begin()
        #expect(try database.first("SELECT count(*) FROM oauth_flows") { $0.int(0) } == Store.flowLimit)
        #expect(try finish(oldest).text("code") == "oauth_state_invalid")
        #expect(try finish(newest).status == 201)
    }

    // MARK: Devices

    private static let device = #"{"gitlabUrl": "https://gitlab.example.com", "grantType": "device_code"}"#

    private func offerDevice() {
        let objects = ServerBench.singleObjects()
        bench.gitlab.trouble { [oauth] request in
            guard request.path == "/oauth/authorize_device" else { return oauth.answer(request) ?? objects(request) }
            let body = """
                {"device_code":"device-s3cr3t","user_code":"0A1B2C3D","verification_uri":"https://gitlab.example.com/oauth/device",\
                "expires_in":300,"interval":5}
                """
            return .response(makeJSON(200, body))
        }
    }

    @Test func `a device shows a code and waits until its person has agreed`() throws {
        offerDevice()
        let start = try bench.call(.post, "/auth/oauth/start", Self.device)
        #expect(start.text("userCode") == "0A1B2C3D")
        #expect(!start.bodyText.contains("s3cr3t"))
        let body = #"{"state": "\#(try #require(start.text("state")))"}"#
        #expect(try bench.call(.post, "/auth/oauth/finish", body).status == 202)
        #expect(oauth.renewals == 0)
        oauth.trouble(.response(makeJSON(400, #"{"error":"authorization_pending"}"#)))
        bench.world.stepWallClock(by: .seconds(5))
        #expect(try bench.call(.post, "/auth/oauth/finish", body).text("status") == "pending")
        oauth.trouble(.response(makeJSON(400, #"{"error":"slow_down"}"#)))
        bench.world.stepWallClock(by: .seconds(5))
        #expect(try bench.call(.post, "/auth/oauth/finish", body).bodyText.contains("\"retryAfterSeconds\":10"))
        oauth.trouble(nil)
        bench.world.stepWallClock(by: .seconds(9))
        #expect(try bench.call(.post, "/auth/oauth/finish", body).status == 202)
        bench.world.stepWallClock(by: .seconds(1))
        #expect(try bench.call(.post, "/auth/oauth/finish", body).status == 201)
        #expect(try bench.call(.post, "/auth/oauth/finish", body).text("code") == "oauth_state_invalid")
    }

    @Test func `a no ends the sign-in`() throws {
        offerDevice()
        let state = try #require(try bench.call(.post, "/auth/oauth/start", Self.device).text("state"))
        oauth.trouble(.response(makeJSON(400, #"{"error":"access_denied"}"#)))
        bench.world.stepWallClock(by: .seconds(5))
        let body = #"{"state": "\#(state)"}"#
        #expect(try bench.call(.post, "/auth/oauth/finish", body).text("code") == "oauth_denied")
        #expect(try bench.call(.post, "/auth/oauth/finish", body).text("code") == "oauth_state_invalid")
    }

    @Test(arguments: [makeJSON(404, #"{"error":"404 Not Found"}"#), makeText(404, "<html>Not found</html>")])
    func `a GitLab before 17_9 does not offer it`(page: HTTPResponse) throws {
        bench.gitlab.trouble { _ in .response(page) }
        #expect(try bench.call(.post, "/auth/oauth/start", Self.device).text("code") == "oauth_not_offered")
    }
}
