import FakeGitLab
import Glibc
import HTTP
import Testing

@testable import FakeAPNs

/// A server without a key of Apple's: it tells so, and nothing that happens meanwhile is lost.
@Suite(.timeLimit(.minutes(2))) struct LogOnlyTests {
    @Test func `without a key nothing is pushed or lost, and with one it is`() async throws {
        let world = try LiveWorld()
        try await world.serve {
            var screen = world.displayed.makeAsyncIterator()
            let first = try world.startServer(LiveWorld.withoutKey)
            #expect(try await first.wait(for: "apns.not_configured").contains("\"level\":\"error\""))
            let port = try await first.port()
            let ready = await world.get("/health/ready", at: port)
            #expect(ready?.status == 200)
            #expect(ready?.text.contains("\"apns\":\"log_only\"") == true)

            let session = try await world.signIn(at: port)
            try world.gitlab.comment(by: "bob", on: LiveWorld.mergeRequest, body: "Looks good.")
            #expect(try await first.wait(for: "delivery.withheld").contains("\"waiting\":1"))
            let history = await world.get("/notifications", at: port, session: session)
            #expect(history?.text.contains("Looks good.") == true)
            #expect(
                await world.get("/metrics", at: port)?.text.contains("apns_paused{environment=\"production\"} 1")
                    == true
            )
            let test = await world.post("/notifications/test", "{}", at: port, session: session)
            #expect(test?.status == 409 && test?.text.contains("push_not_configured") == true)
            #expect(await first.end(by: SIGTERM) == 0)

            let second = try world.startServer()
            _ = try await second.port()
            #expect(await screen.next() == "Looks good.")
            #expect(await second.end(by: SIGTERM) == 0)
        }
        #expect(world.fleet.notifications(of: LiveWorld.bundleID, on: LiveWorld.phone).count == 1)
    }

    @Test func `a part of a key is refused`() async throws {
        let world = try LiveWorld()
        let server = try world.startServer(["APNS_KEY_ID": ""])
        #expect(await server.line()?.contains("[secret-missing]") == true)
        #expect(await server.end(by: nil) == 65)
    }
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
