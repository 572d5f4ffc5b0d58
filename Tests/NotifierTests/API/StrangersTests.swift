import Configuration
import HTTP
import Platform
import Synchronization
import Testing

@testable import Notifier

/// People who are nobody here, and mean no good.
struct StrangersTests {
    private static let registration =
        #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "glpat-anna"}"#

    /// Answers as they come; a request that is not answered yet has none.
    private final class Responses: Sendable {
        private let state = Mutex<[String]>([])
        var codes: [String] { state.withLock { $0 } }
        func add(_ response: HTTPResponse) {
            state.withLock { $0.append(response.text("code") ?? String(response.status)) }
        }
    }

    /// A server at whose GitLab every answer takes so long.
    private func slowBench(_ pause: Duration) throws -> ServerBench {
        let bench = try ServerBench()
        let world = bench.world
        bench.gitlab.afterAnswer { _ in
            // Ended by cancellation.
            try? await world.sleep(until: world.monotonicNow.advanced(by: pause))
        }
        return bench
    }

    private func ask(
        _ bench: ServerBench,
        _ path: String = "/auth/register",
        _ body: String = registration,
        session: String? = nil,
        from peer: HTTPPeer
    ) -> Responses {
        let answers = Responses()
        var request = HTTPRequest(
            method: .post,
            origin: HTTPOrigin(scheme: "https", host: "notifier.example.com"),
            target: path,
            body: Array(body.utf8)
        )
        if let session { request.fields["Authorization"] = "Bearer \(session)" }
        let (sent, api) = (request, bench.notifier.api)
        bench.world.start { answers.add(await api.handle(sent, from: peer)) }
        bench.world.drain()
        return answers
    }

    @Test func `one who registers all the time at a GitLab that stalls leaves room for others`() throws {
        let bench = try ServerBench()
        let session = try bench.register()
        let stalled = try slowBench(continuing: bench)
        let crowd = (0..<40).map { ask(stalled, from: HTTPPeer(address: "2001:db8::\($0)", connection: $0)) }
        #expect(crowd.count { $0.codes.isEmpty } == GitLabSlots.Waiter.stranger("").share)
        #expect(Set(crowd.flatMap(\.codes)) == ["too_many_waiting"])
        let other = ask(stalled, from: HTTPPeer(address: "192.0.2.77", connection: 77))
        let person = ask(
            stalled,
            "/watch",
            ServerBench.watchBody,
            session: session,
            from: HTTPPeer(address: "2001:db8::78", connection: 78)
        )
        #expect(other.codes.isEmpty && person.codes.isEmpty, "both wait for GitLab, and are not turned away")
        stalled.world.advance(by: .hours(2))
        #expect(crowd.allSatisfy { $0.codes.count == 1 } && !other.codes.isEmpty && !person.codes.isEmpty)
    }

    private func slowBench(continuing former: ServerBench) throws -> ServerBench {
        let bench = try ServerBench(continuing: former)
        let world = bench.world
        bench.gitlab.afterAnswer { _ in try? await world.sleep(until: world.monotonicNow.advanced(by: .hours(1))) }
        return bench
    }

    @Test func `strangers from everywhere leave half of the places to people who are signed in`() {
        var slots = GitLabSlots()
        let refusals = (0..<100).map { slots.enter(.stranger("net \($0)")) }
        #expect(refusals.count { $0 == nil } == GitLabSlots.strangers)
        #expect(refusals.last == .full)
        for number in 0..<16 { #expect(slots.enter(.person(AccountID(rawValue: Int64(number)))) == nil) }
        #expect(slots.enter(.person(AccountID(rawValue: 99))) == .full)
        slots.leave(.stranger("net 0"))
        #expect(slots.enter(.stranger("net 100")) == nil)
    }

    @Test func `a person has a share of the places`() {
        var slots = GitLabSlots()
        let person = GitLabSlots.Waiter.person(AccountID(rawValue: 1))
        #expect(person.share > GitLabSlots.Waiter.stranger("").share)
        for _ in 0..<person.share { #expect(slots.enter(person) == nil) }
        #expect(slots.enter(person) == .share)
        slots.leave(person)
        #expect(slots.enter(person) == nil)
    }

    @Test func `a list without end is read for fifty seconds and no longer`() throws {
        let bench = try slowBench(.seconds(2))
        let usual = ServerBench.singleObjects()
        bench.gitlab.trouble { request in
            guard request.path == "/api/v4/todos" else { return usual(request) }
            let page =
                request.query?.split(separator: "&").first { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) }
                ?? 1
            return .response(makeJSON(200, "[]", [("X-Next-Page", "\(page + 1)")]))
        }
        let answers = ask(bench, from: HTTPPeer(address: "192.0.2.1", connection: 1))
        bench.world.advance(by: .seconds(47))
        #expect(answers.codes.isEmpty)
        bench.world.advance(by: .seconds(8))
        #expect(answers.codes == ["gitlab_unreachable"])
        bench.gitlab.forgetExchanges()
        bench.world.advance(by: .minutes(10))
        #expect(bench.gitlab.count == 0)
        #expect(try !bench.dump().contains("user7"))
    }

    @Test func `who hangs up gives their place back at once, and GitLab is asked no more for them`() throws {
        let bench = try slowBench(.hours(1))
        let peers = (0..<4).map { HTTPPeer(address: "192.0.2.1", connection: $0, presence: HTTPPresence()) }
        let waiting = peers.map { ask(bench, from: $0) }
        #expect(ask(bench, from: HTTPPeer(address: "192.0.2.1", connection: 9)).codes == ["too_many_waiting"])
        let asked = bench.gitlab.count
        for peer in peers { peer.presence?.leave() }
        bench.world.drain()
        #expect(waiting.allSatisfy { $0.codes.count == 1 })
        #expect(bench.gitlab.count == asked)
        #expect(ask(bench, from: HTTPPeer(address: "192.0.2.1", connection: 10)).codes.isEmpty)
    }

    @Test func `addresses of one IPv6 network have one allowance of requests, as an IPv4 address has`() throws {
        var configuration = NotifierConfiguration()
        configuration.requestsPerMinute = 3
        let bench = try ServerBench(configuration)
        for number in 0..<3 {
            #expect(try bench.call(.get, "/watch", from: "2001:db8:0:7::\(number)").status == 401)
        }
        #expect(try bench.call(.get, "/watch", from: "2001:db8:0:7:a:b:c:d").status == 429)
        #expect(try bench.call(.get, "/watch", from: "2001:db8:0:8::1").status == 401)
    }

    @Test func `a name of five megabytes is no name, and nothing of it is kept`() throws {
        let bench = try ServerBench()
        let usual = ServerBench.singleObjects()
        let name = String(repeating: "n", count: 5_000_000)
        bench.gitlab.trouble { request in
            guard request.path == "/api/v4/user" else { return usual(request) }
            return .response(makeJSON(200, #"{"id":7,"username":"\#(name)","name":"x"}"#))
        }
        let answer = try bench.call(.post, "/auth/register", Self.registration)
        #expect(answer.status == 502 && answer.text("code") == "gitlab_unreadable" && answer.body.count < 1_000)
        #expect(try bench.dump().utf8.count < 100_000)
    }

    @Test func `scopes without end do not come back to the client, and a version without end is not kept`() throws {
        let bench = try ServerBench()
        let usual = ServerBench.singleObjects()
        let long = String(repeating: "v", count: 1_000_000)
        bench.gitlab.trouble { request in
            switch request.path {
            case "/api/v4/personal_access_tokens/self":
                .response(makeJSON(200, #"{"scopes":["\#(long)","x"],"active":true}"#))
            case "/api/v4/metadata", "/api/v4/version": .response(makeJSON(200, #"{"version":"\#(long)"}"#))
            default: usual(request)
            }
        }
        let refused = try bench.call(.post, "/auth/register", Self.registration)
        #expect(refused.text("code") == "gitlab_scope_missing" && refused.body.count < 1_000)
        bench.gitlab.trouble { request in
            request.path == "/api/v4/metadata" ? .response(makeJSON(200, #"{"version":"\#(long)"}"#)) : usual(request)
        }
        #expect(try bench.call(.post, "/auth/register", Self.registration).status == 201)
        #expect(try bench.dump().utf8.count < 100_000)
    }

    @Test func `a sign-in that fails leaves a line that says why and not whose, and a thousand leave few`() throws {
        let bench = try ServerBench()
        bench.gitlab.trouble { _ in .notSent(.tlsFailed) }
        let answer = try bench.call(.post, "/auth/register", Self.registration)
        #expect(answer.text("hint")?.contains("\"authorities\"") == true, "\(answer.bodyText)")
        #expect(bench.log.count(.signInFailed) == 1)
        #expect(
            bench.log.texts.contains("gitlab_unreachable") && bench.log.texts.contains { $0.hasSuffix("tlsFailed") }
        )
        for _ in 0..<1_000 { _ = try bench.call(.post, "/auth/register", Self.registration) }
        #expect(bench.log.count(.signInFailed) == 20)
        #expect(!bench.log.texts.contains { $0.contains("glpat") || $0.contains("192.0.2.1") })
    }
}
