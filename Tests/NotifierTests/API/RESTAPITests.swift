import Crypto
import FoundationEssentials
import HTTP
import Platform
import Testing

@testable import Notifier

struct RESTAPITests {
    private let bench: ServerBench

    init() throws { bench = try ServerBench() }

    private func expectError(
        _ response: HTTPResponse,
        _ status: Int,
        _ code: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status == status, "\(response.bodyText)", sourceLocation: location)
        #expect(response.text("code") == code, "\(response.bodyText)", sourceLocation: location)
        #expect(response.text("message")?.isEmpty == false, sourceLocation: location)
        #expect(response.text("hint")?.isEmpty == false, sourceLocation: location)
    }

    // MARK: Registration

    @Test func `registering checks the token with GitLab and gives a session`() throws {
        let response = try bench.call(
            .post,
            "/auth/register",
            #"{"gitlabUrl": "https://gitlab.example.com/", "personalAccessToken": "glpat-anna"}"#
        )
        #expect(response.status == 201)
        #expect(response.text("gitlabVersion") == "17.11.2")
        #expect(response.text("expiresAt") == "2026-03-09T09:00:00.000Z")
        #expect(response.text("userId")?.utf8.count == 36)
        #expect(bench.gitlab.targets.contains { $0.hasPrefix("/api/v4/todos") })
        let expected =
            #""capabilities":{"activity":"full","globalEvents":true,"notes":true,"rateLimitHeaders":false,"#
            + #""resourceStateEvents":true}"#
        #expect(response.bodyText.contains(expected), "\(response.bodyText)")
        #expect(!bench.log.texts.contains { $0.contains("glpat") })
    }

    @Test func `registering names what this GitLab lacks`() throws {
        let usual = ServerBench.singleObjects()
        bench.gitlab.trouble { request in
            if request.path.hasSuffix("/resource_state_events") {
                return .response(makeJSON(404, #"{"error":"404 Not Found"}"#, [("RateLimit-Remaining", "7")]))
            }
            return usual(request)
        }
        let body = #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "glpat-anna"}"#
        let response = try bench.call(.post, "/auth/register", body)
        #expect(response.status == 201)
        let expected =
            #""capabilities":{"activity":"partial","globalEvents":true,"notes":true,"rateLimitHeaders":true,"#
            + #""resourceStateEvents":false}"#
        #expect(response.bodyText.contains(expected), "\(response.bodyText)")
    }

    @Test func `registering again keeps the account and its watch list`() throws {
        let first = try bench.register()
        _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: first)
        let body = #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "glpat-anna2"}"#
        let again = try bench.call(.post, "/auth/register", body)
        #expect(again.status == 200)
        let session = try #require(again.text("token"))
        #expect(try bench.call(.get, "/watch", session: session).bodyText.contains("\"itemIid\":847"))
    }

    @Test func `a token without the scope is refused by name and nothing is stored`() throws {
        bench.gitlab.trouble(ServerBench.singleObjects(scopes: #""read_user","self_rotate""#))
        let body = #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "glpat-anna"}"#
        let response = try bench.call(.post, "/auth/register", body)
        expectError(response, 422, "gitlab_scope_missing")
        #expect(response.text("hint")?.contains("read_user") == true)
        bench.gitlab.trouble(ServerBench.singleObjects())
        #expect(try bench.call(.post, "/auth/register", body).status == 201)
    }

    @Test(arguments: [
        (HTTPOutcome.response(makeJSON(401, #"{"message":"401 Unauthorized"}"#)), 422, "gitlab_token_refused"),
        (.response(makeJSON(429, "", [("Retry-After", "30")])), 503, "gitlab_rate_limited"),
        (.response(makeText(502, "GitLab is not responding")), 503, "gitlab_unavailable"),
        (.unknown(.timedOut), 502, "gitlab_unreachable"), (.notSent(.nameNotResolved), 502, "gitlab_unreachable"),
        (
            .response(HTTPResponse(status: 200, fields: ["Content-Type": "text/html"], body: Array("<p>".utf8))), 502,
            "gitlab_unreadable"
        ),
    ])
    func `GitLab's trouble at registration is told apart and stores nothing`(
        _ outcome: HTTPOutcome,
        _ status: Int,
        _ code: String
    ) throws {
        bench.gitlab.trouble { _ in outcome }
        let body = #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "glpat-anna"}"#
        expectError(try bench.call(.post, "/auth/register", body), status, code)
        bench.gitlab.trouble(ServerBench.singleObjects())
        #expect(try bench.call(.post, "/auth/register", body).status == 201)
    }

    @Test(arguments: [
        #"{"gitlabUrl": "gitlab.example.com", "personalAccessToken": "x"}"#,
        #"{"gitlabUrl": "https://gitlab.example.com/sub/path", "personalAccessToken": "x"}"#,
        #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": ""}"#,
        #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "a\r\nX-Evil: 1"}"#,
        #"{"gitlabUrl": "https://gitlab.example.com"}"#, #"{"gitlabUrl": 5, "personalAccessToken": "x"}"#,
    ])
    func `bad registration input is refused before GitLab is asked`(_ body: String) throws {
        expectError(try bench.call(.post, "/auth/register", body), 400, "invalid_field")
        #expect(bench.gitlab.count == 0)
    }

    @Test(arguments: ["", "{", "[]", "null", "\"x\"", "{}x", String(repeating: "[", count: 20_000), "\u{0}"])
    func `a body that is not a JSON object is refused`(_ body: String) throws {
        let response = try bench.call(.post, "/auth/register", body)
        #expect(response.status == 400, "\(response.bodyText)")
    }

    // MARK: Sessions

    @Test func `a session names its account until it expires`() throws {
        let session = try bench.register()
        #expect(try bench.call(.get, "/watch", session: session).status == 200)
        bench.world.stepWallClock(by: .days(7))
        expectError(try bench.call(.get, "/watch", session: session), 401, "session_expired")
    }

    @Test func `every route but registration and health needs a session`() throws {
        for (method, target) in [
            (HTTPMethod.get, "/watch"), (.post, "/watch"), (.delete, "/watch/x"), (.post, "/devices"),
            (.get, "/status"), (.get, "/notifications"),
        ] {
            expectError(try bench.call(method, target), 401, "session_missing")
            expectError(try bench.call(method, target, session: "a.b.c"), 401, "session_invalid")
        }
        #expect(try bench.call(.get, "/health").status == 200)
    }

    @Test func `a session with a changed claim, algorithm or signature is refused`() throws {
        let session = try bench.register()
        let parts = session.split(separator: ".").map(String.init)
        let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        for forged in [
            "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).AAAA",
            "\(parts[0]).\(parts[1])x.\(parts[2])", "\(parts[0]).\(parts[1])", "",
        ] {
            #expect(try bench.call(.get, "/watch", session: forged).status == 401)
        }
    }

    // MARK: Routing and limits

    @Test func `unknown paths and methods are told apart`() throws {
        expectError(try bench.call(.get, "/nothing"), 404, "not_found")
        expectError(try bench.call(.get, "/watch/a/b"), 404, "not_found")
        let response = try bench.call(.put, "/watch")
        expectError(response, 405, "method_not_allowed")
        #expect(response.fields["Allow"] == "GET, POST")
    }

    @Test func `what is too large is refused by its part`() throws {
        let long = String(repeating: "a", count: 300_000)
        expectError(try bench.call(.post, "/auth/register", long), 413, "body_too_large")
        expectError(try bench.call(.get, "/watch?\(long)"), 414, "target_too_long")
        expectError(try bench.call(.get, "/watch", session: long), 431, "headers_too_large")
    }

    // MARK: Devices

    @Test func `a device registers once and is known afterwards, in any letter case`() throws {
        let session = try bench.register()
        let first = try bench.registerDevice("aa11", session)
        let again = try bench.registerDevice("AA11", session)
        #expect(first.status == 201 && again.status == 200)
        #expect(first.text("deviceId") == again.text("deviceId"))
    }

    @Test func `a token that another account registers moves there`() throws {
        let anna = try bench.register("glpat-anna")
        let bert = try bench.register("glpat-bert")
        _ = try bench.registerDevice("aa11", anna)
        #expect(try bench.registerDevice("aa11", bert).status == 200)
        #expect(try bench.call(.get, "/status", session: anna).bodyText.contains("\"active\":0"))
        #expect(try bench.call(.get, "/status", session: bert).bodyText.contains("\"active\":1"))
        #expect(bench.log.count(.deviceMoved) == 1)
    }

    @Test(arguments: [
        #"{"apnsToken": "xyz", "platform": "ios"}"#, #"{"apnsToken": "", "platform": "ios"}"#,
        #"{"apnsToken": "aa/../../x", "platform": "ios"}"#, #"{"apnsToken": "aa", "platform": "android"}"#,
        #"{"apnsToken": "aa", "platform": "ios", "environment": "moon"}"#, #"{"apnsToken": "aaa", "platform": "ios"}"#,
    ])
    func `a device that cannot be is refused`(_ body: String) throws {
        let session = try bench.register()
        expectError(try bench.call(.post, "/devices", body, session: session), 400, "invalid_field")
    }

    // MARK: Watches

    @Test func `watching takes the baseline before it answers, and is idempotent`() throws {
        let session = try bench.register()
        bench.gitlab.forgetExchanges()
        let first = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        #expect(first.status == 201, "\(first.bodyText)")
        #expect(bench.gitlab.targets.contains { $0.hasPrefix(ServerBench.notes) })
        #expect(bench.gitlab.targets.contains { $0.hasPrefix(ServerBench.events) })
        let asked = bench.gitlab.count
        let again = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        #expect(again.status == 200)
        #expect(again.text("watchedItemId") == first.text("watchedItemId"))
        #expect(bench.gitlab.count == asked)
    }

    @Test func `an item GitLab does not show cannot be watched`() throws {
        let session = try bench.register()
        let body = #"{"itemIid": 5, "itemType": "issue", "projectId": 42}"#
        expectError(try bench.call(.post, "/watch", body, session: session), 404, "item_not_found")
    }

    @Test func `a failure while the baseline is read stores nothing`() throws {
        let session = try bench.register()
        let single = ServerBench.singleObjects()
        bench.gitlab.trouble { request in
            request.path.hasSuffix("resource_state_events")
                ? .response(makeText(500, "Internal error")) : single(request)
        }
        expectError(try bench.call(.post, "/watch", ServerBench.watchBody, session: session), 503, "gitlab_unavailable")
        #expect(try bench.call(.get, "/watch", session: session).bodyText == #"{"items":[]}"#)
    }

    @Test func `another person's entry cannot be removed`() throws {
        let anna = try bench.register("glpat-anna")
        let bert = try bench.register("glpat-bert")
        let watch = try bench.call(.post, "/watch", ServerBench.watchBody, session: anna)
        let id = try #require(watch.text("watchedItemId"))
        expectError(try bench.call(.delete, "/watch/\(id)", session: bert), 404, "watch_not_found")
        #expect(try bench.call(.delete, "/watch/\(id)", session: anna).status == 204)
        expectError(try bench.call(.delete, "/watch/\(id)", session: anna), 404, "watch_not_found")
    }

    @Test(arguments: [
        #"{"itemIid": 0, "itemType": "issue", "projectId": 42}"#,
        #"{"itemIid": 1.5, "itemType": "issue", "projectId": 42}"#,
        #"{"itemIid": "1", "itemType": "issue", "projectId": 42}"#,
        #"{"itemIid": 1, "itemType": "epic", "projectId": 42}"#,
        #"{"itemIid": 99999999999999999999, "itemType": "issue", "projectId": 42}"#,
        #"{"itemIid": 1, "itemType": "issue", "projectId": -1}"#,
    ])
    func `an item that cannot be is refused`(_ body: String) throws {
        let session = try bench.register()
        expectError(try bench.call(.post, "/watch", body, session: session), 400, "invalid_field")
    }

    @Test(arguments: ["limit=0", "limit=101", "limit=x", "since=yesterday", "cursor=%00"])
    func `a bad query of the history is refused`(_ query: String) throws {
        let session = try bench.register()
        expectError(try bench.call(.get, "/notifications?\(query)", session: session), 400, "invalid_field")
    }

    @Test func `each error code stands for one status`() {
        let errors: [APIError] = [
            .invalidJSON, .invalidField("x", expected: "y"), .sessionMissing, .sessionInvalid, .sessionExpired,
            .routeNotFound, .methodNotAllowed(allowed: "GET"), .bodyTooLarge(limit: 1), .targetTooLong(limit: 1),
            .headersTooLarge(limit: 1), .watchNotFound, .itemNotFound, .watchLimitReached(limit: 1),
            .deviceLimitReached(limit: 1), .gitLabTokenRefused(code: "x"), .gitLabScopeMissing(found: []),
            .gitLabAccountRefused, .gitLabPermissionMissing, .gitLabNotFound, .gitLabUnreachable("x"),
            .gitLabUnreadable("x"), .gitLabUnavailable("x"), .gitLabRateLimited(retryAfter: nil), .busy,
            .changedMeanwhile, .internalFailure, .refreshTokenInvalid, .refreshTokenReused, .deviceSessionMissing,
            .gitLabNotServed, .tooManyWaiting, .deviceSessionTaken,
            .pairingCodeUnknown, .tooManyAttempts(retryAfter: .zero), .rateLimited(retryAfter: .zero), .deviceNotFound,
        ]
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.filter { $0.status == 500 } == [.internalFailure])
    }
}
