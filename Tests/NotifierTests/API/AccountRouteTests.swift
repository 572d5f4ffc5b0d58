import HTTP
import Platform
import Testing

@testable import Notifier

struct AccountRouteTests {
    private let bench: ServerBench

    init() throws {
        bench = try ServerBench()
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
    }

    private func leave(_ session: String) throws -> Int {
        try bench.call(.delete, "/account", session: session).status
    }

    private func prepare(_ token: String, device: String) throws -> String {
        let session = try bench.register(token)
        _ = try bench.registerDevice(device, session)
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: session).status == 201)
        return session
    }

    @Test func `who disconnects is forgotten, and nobody else`() throws {
        let (anna, bert) = (try prepare("glpat-anna", device: "aa11"), try prepare("glpat-bert", device: "bb22"))
        #expect(try leave(anna) == 204)
        #expect(try bench.call(.get, "/watch", session: anna).text("code") == "session_invalid")
        let left = try bench.dump()
        #expect(!left.contains("user7"))
        #expect(left.contains("user8") && left.split(separator: "\n").count { $0.contains("'production'") } == 1)
        #expect(try bench.call(.get, "/watch", session: bert).status == 200)
        #expect(bench.log.count(.accountRemoved) == 1)
    }

    @Test func `GitLab is not read any more in the name of who disconnected`() throws {
        let anna = try prepare("glpat-anna", device: "aa11")
        #expect(try leave(anna) == 204)
        bench.world.advance(by: .seconds(1))
        bench.gitlab.forgetExchanges()
        bench.world.advance(by: .hours(2))
        #expect(bench.gitlab.count == 0)
        #expect(bench.log.count(.pollerStopped) == 1)
        #expect(bench.log.count(.pollStoreFailed) == 0)
    }

    @Test func `what a poll brings after somebody left reaches nobody`() throws {
        let (anna, api) = (try prepare("glpat-anna", device: "aa11"), bench.notifier.api)
        bench.world.advance(by: .minutes(2))
        var request = HTTPRequest(
            method: .delete,
            origin: HTTPOrigin(scheme: "https", host: "notifier.example.com"),
            target: "/account"
        )
        request.fields["Authorization"] = "Bearer \(anna)"
        let removal = request
        // GitLab answers with the news, and before the notifier reads on the person has left.
        bench.gitlab.afterAnswer { request in
            guard request.path == ServerBench.notes else { return }
            _ = await api.handle(removal, from: HTTPPeer(address: "192.0.2.1", connection: 1))
        }
        bench.gitlab.add(.note(2, at: "2026-03-02T09:01:59.000Z"), at: ServerBench.notes)
        bench.world.advance(by: .minutes(5))
        #expect(bench.log.count(.accountRemoved) == 1)
        #expect(bench.log.count(.pollStoreFailed) == 0)
        #expect(bench.apns.requests.isEmpty)
        #expect(try !bench.dump().contains("note/42/2"))
    }

    @Test func `who comes back begins anew under a number that nobody had`() throws {
        #expect(try leave(prepare("glpat-anna", device: "aa11")) == 204)
        let again = try bench.register("glpat-anna")
        #expect(try bench.call(.get, "/watch", session: again).bodyText == #"{"items":[]}"#)
        #expect(try bench.dump().contains("\nremoved_accounts\n1, "))
        #expect(try bench.dump().contains("\naccounts\n2, "))
    }
}
