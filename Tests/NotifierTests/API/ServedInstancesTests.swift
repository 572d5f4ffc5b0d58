import HTTP
import Platform
import Testing

@testable import Notifier

/// People use this server with the GitLabs that its settings list, and it asks nothing of any other.
struct ServedInstancesTests {
    private static let strangers = [
        "https://gitlab.example.org", "https://gitlab.example.com:8443", "http://gitlab.example.com",
        "https://gitlab.example.com..",
        "http://127.0.0.1", "http://127.0.0.1:22", "https://127.1", "http://2130706433", "http://0177.0.0.1",
        "http://0x7f000001",
        "http://[::1]", "http://[::ffff:127.0.0.1]", "http://localhost", "http://no-such-host.invalid",
        "http://192.0.2.1:1",
        "https://gitlab.example.com.example.org",
    ]

    /// Sentences of all of them, and whatever else the answers hold.
    private func refusals(_ bench: ServerBench, _ path: String, token: String = "glpat-anna") throws -> Set<String> {
        let answers = try Self.strangers.map { stranger in
            try bench.call(.post, path, #"{"gitlabUrl": "\#(stranger)", "personalAccessToken": "\#(token)"}"#)
        }
        return Set(answers.map { "\($0.status) \($0.fields.fields.map { "\($0.name)=\($0.value)" }) \($0.bodyText)" })
    }

    @Test(arguments: ["/auth/register", "/auth/oauth/start"])
    func `any other GitLab is refused in the same words, whatever is there, and without asking it`(path: String) throws
    {
        let bench = try ServerBench()
        // Were it asked, each of them would answer in a way of its own.
        bench.gitlab.trouble { .response(makeText(200, "I am \($0.origin)")) }
        let refusals = try refusals(bench, path)
        #expect(refusals.count == 1, "\(refusals)")
        #expect(refusals.first?.hasPrefix("422 ") == true && refusals.first?.contains("gitlab_not_served") == true)
        #expect(bench.gitlab.count == 0)
        #expect(Set(try self.refusals(bench, path, token: "no token\\n")) == refusals, "the token was looked at")
    }

    @Test(arguments: ["https://GitLab.Example.COM", "https://gitlab.example.com:443/", "https://gitlab.example.com."])
    func `the one that is listed is served in every spelling of its name`(address: String) throws {
        let bench = try ServerBench()
        let body = #"{"gitlabUrl": "\#(address)", "personalAccessToken": "glpat-anna"}"#
        #expect(try bench.call(.post, "/auth/register", body).status == 201)
        _ = try bench.register()
        #expect(try bench.dump().split(separator: "\n").count { $0.contains("'https://gitlab.example.com'") } == 1)
    }

    @Test func `a server that lists none serves nobody, and says so when it starts`() throws {
        let bench = try ServerBench(instances: ServedInstances([]))
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        bench.world.advance(by: .seconds(1))
        #expect(bench.log.count(.noGitLabServed) == 1)
        let body = #"{"gitlabUrl": "https://gitlab.example.com", "personalAccessToken": "glpat-anna"}"#
        expectError(try bench.call(.post, "/auth/register", body), 422, "gitlab_not_served")
        #expect(bench.gitlab.count == 0)
    }

    @Test
    func
        `an account whose GitLab is listed no more is not polled, its token stays, and it goes on when it is listed again`()
        throws
    {
        let before = try ServerBench()
        let session = try before.register()
        _ = try before.registerDevice("aa11", session)
        #expect(try before.call(.post, "/watch", ServerBench.watchBody, session: session).status == 201)

        let other = ServedInstances([HTTPOrigin(scheme: "https", host: "git.example.org")])
        let without = try ServerBench(instances: other, continuing: before)
        without.run(for: .hours(3))
        #expect(without.gitlab.count == 0, "\(without.gitlab.targets)")
        #expect(without.log.count(.accountNotServed) == 1)
        let status = try without.call(.get, "/status", session: session)
        #expect(status.status == 200 && status.bodyText.contains(#""state":"gitlab_not_served""#), "\(status.bodyText)")
        let watch = #"{"itemIid": 848, "itemType": "merge_request", "projectId": 42}"#
        expectError(try without.call(.post, "/watch", watch, session: session), 422, "gitlab_not_served")
        #expect(without.gitlab.count == 0)
        #expect(try without.call(.put, "/settings", #"{"kinds": ["comments"]}"#, session: session).status < 300)
        without.world.advance(by: .hours(1))
        #expect(without.log.count(.accountNotServed) == 1, "whatever the person changes")
        #expect(without.gitlab.count == 0)

        let again = try ServerBench(continuing: before)
        again.run(for: .minutes(5))
        #expect(again.gitlab.targets.contains { $0.hasPrefix("/api/v4/todos") })
        #expect(try again.call(.get, "/status", session: session).bodyText.contains(#""state":"active""#))
    }

    @Test func `a sign-in that began when a GitLab was listed does not end there when it is no more`() throws {
        let before = try ServerBench()
        let start = #"{"gitlabUrl": "https://gitlab.example.com"}"#
        let state = try #require(try before.call(.post, "/auth/oauth/start", start).text("state"))
        let without = try ServerBench(instances: ServedInstances([]), continuing: before)
        let answer = try without.call(.post, "/auth/oauth/finish", #"{"state": "\#(state)", "code": "x"}"#)
        expectError(answer, 422, "gitlab_not_served")
        #expect(without.gitlab.count == 0)
    }
}
