import Configuration
import HTTP
import Platform
import Testing

@testable import Notifier

/// What the calls of an app ask of GitLab comes out of the account's budget. With sixty requests an hour, six may go at once.
struct AppRequestBudgetTests {
    private let bench: ServerBench

    init() throws {
        var configuration = ServerBench.unhurried
        configuration.requestsPerHour = 60
        bench = try ServerBench(configuration)
    }

    private func watch(_ session: String) throws -> HTTPResponse {
        try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
    }

    private func unwatch(_ watch: HTTPResponse, _ session: String) throws {
        let id = try #require(watch.text("watchedItemId"))
        #expect(try bench.call(.delete, "/watch/\(id)", session: session).status == 204)
    }

    @Test func `a call that would wait too long is refused, and nothing is asked or changed`() throws {
        let session = try bench.register("glpat-anna")
        // An item, its notes, its state events, its approvals.
        let first = try watch(session)
        #expect(first.status == 201)
        try unwatch(first, session)
        bench.gitlab.forgetExchanges()
        let refused = try watch(session)
        #expect(refused.status == 429)
        #expect(refused.text("code") == "request_budget_spent")
        #expect(refused.fields["Retry-After"] == "114")
        #expect(bench.gitlab.count == 0)
        #expect(try bench.call(.get, "/watch", session: session).bodyText == #"{"items":[]}"#)
        bench.world.advance(by: .minutes(5))
        #expect(try watch(session).status == 201)
    }

    @Test func `what fails is paid for like what succeeds`() throws {
        let session = try bench.register("glpat-anna")
        let single = ServerBench.singleObjects()
        bench.gitlab.trouble { request in
            request.path.hasSuffix("/resource_state_events")
                ? .response(makeText(502, "Bad gateway")) : single(request)
        }
        bench.gitlab.forgetExchanges()
        let statuses = try (0..<5).map { _ in try watch(session).status }
        #expect(statuses == [503, 503, 429, 429, 429])
        #expect(bench.gitlab.count == 4)
    }

    @Test func `polling waits for what the app has asked`() throws {
        let session = try bench.register("glpat-anna")
        _ = try watch(session)
        bench.gitlab.forgetExchanges()
        bench.run(for: .minutes(59))
        // Six at once and one every 66 seconds: what came before counts.
        #expect(bench.gitlab.count <= 56)
        #expect(bench.gitlab.count > 40)
    }

    private func signInAgain() throws -> HTTPResponse {
        let body = #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "glpat-anna2"}"#
        return try bench.call(.post, "/auth/register", body)
    }

    @Test func `signing in again asks no more than the budget bears`() throws {
        _ = try bench.register("glpat-anna")
        bench.gitlab.forgetExchanges()
        for count in 1...3 {
            let again = try signInAgain()
            #expect(again.status == 200)
            // What the token may do and who it is; what GitLab offers was found before.
            #expect(bench.gitlab.count == 2 * count)
            #expect(again.bodyText.contains(#""activity":"full""#) && again.text("gitlabVersion") == "17.11.2")
        }
        let refused = try signInAgain()
        #expect(refused.status == 429 && refused.text("code") == "request_budget_spent")
        #expect(refused.fields["Retry-After"] == "2400")
        bench.world.advance(by: .minutes(40))
        #expect(try signInAgain().status == 200)
    }

    @Test func `refused sign-ins take nothing from polling, and the others no more than they asked`() throws {
        _ = try bench.register("glpat-anna")
        for _ in 0..<100 { _ = try signInAgain() }
        bench.gitlab.forgetExchanges()
        bench.run(for: .minutes(30))
        #expect(bench.gitlab.count > 5)
    }
}
