import HTTP
import Platform
import Testing

@testable import Notifier

/// What an app shows of the connection to GitLab and of what follows from it, over the whole server.
struct ConnectionTests {
    private let bench: ServerBench
    private let session: String

    init() throws {
        bench = try ServerBench()
        let notifier = bench.notifier
        bench.world.start { try await notifier.run() }
        session = try bench.register()
    }

    private func status(_ session: String? = nil) throws -> String {
        try bench.call(.get, "/status", session: session ?? self.session).bodyText
    }

    @Test func `the status says that GitLab can be read, since when it cannot, and that it can again`() throws {
        bench.world.advance(by: .minutes(2))
        #expect(try status().contains(#""account":{"state":"active""#))
        #expect(try !status().contains("troubleSince"))
        bench.gitlab.trouble { _ in .response(makeText(502, "GitLab is not responding")) }
        bench.world.advance(by: .minutes(20))
        #expect(try status().contains(#""account":{"state":"active""#))
        #expect(try status().contains(#""troubleSince":"2026-03-02T09:0"#))
        bench.gitlab.trouble(ServerBench.singleObjects())
        bench.world.advance(by: .minutes(5))
        #expect(try !status().contains("troubleSince"))
    }

    @Test func `the status says that GitLab refuses the token, until there is another`() throws {
        bench.gitlab.trouble { _ in .response(makeJSON(401, #"{"message":"401 Unauthorized"}"#)) }
        bench.world.advance(by: .minutes(10))
        #expect(try status().contains(#""account":{"state":"auth_expired""#))
        bench.gitlab.trouble(ServerBench.singleObjects())
        let again = try bench.register("glpat-anna2")
        #expect(try status(again).contains(#""account":{"state":"active""#))
    }

    @Test func `an item that is watched by itself says so in the watch list`() throws {
        let item = "/api/v4/projects/1/merge_requests/44"
        let usual = ServerBench.singleObjects()
        for list in ["notes", "resource_state_events"] { bench.gitlab.set([], at: "\(item)/\(list)") }
        bench.gitlab.trouble { request in
            guard request.target == item else { return usual(request) }
            let details = #"{"iid":44,"project_id":1,"title":"New","state":"opened","web_url":"https://x.example"}"#
            return .response(makeJSON(200, details))
        }
        _ = try bench.call(.put, "/settings", #"{"autoWatch": true}"#, session: session)
        bench.gitlab.add(.todo(5, on: 44, at: "2026-03-02T09:00:30.000Z"), at: "/api/v4/todos")
        _ = try bench.call(.post, "/watch", ServerBench.watchBody, session: session)
        bench.world.advance(by: .minutes(5))
        let list = try bench.call(.get, "/watch", session: session).bodyText
        let sources = list.split(separator: "{").filter { $0.contains("itemIid") }
        #expect(sources.count == 2, "\(list)")
        for entry in sources {
            #expect(
                entry.contains(
                    entry.contains(#""itemIid":44,"#) ? #""watchSource":"auto""# : #""watchSource":"manual""#
                )
            )
        }
    }
}
