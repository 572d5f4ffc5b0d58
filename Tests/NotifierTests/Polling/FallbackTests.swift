import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

private let notes = PollingWorld.notes(3)
private let events = PollingWorld.events(3)
private let feed = "/api/v4/projects/1/events"
private let item = "/api/v4/projects/1/merge_requests/3"

/// Routes of the small GitLab that answer otherwise.
private final class Routes: Sendable {
    private let answers = Mutex<[String: HTTPResponse]>([:])

    func set(_ response: HTTPResponse?, at path: String) { answers.withLock { $0[path] = response } }

    func outcome(_ request: HTTPRequest) -> HTTPOutcome? {
        answers.withLock { $0[String(request.path)] }.map { .response($0) }
    }
}

private let missing = makeJSON(404, #"{"error":"404 Not Found"}"#)

extension MiniGitLab.Row {
    fileprivate static func event(
        _ id: Int64,
        _ action: String,
        by author: Int64 = 9,
        at created: String = "2027-01-15T08:00:00.000Z"
    ) -> Self {
        Self(id: id, json: "{\(head(id, action, author, created)),\"target_type\":\"MergeRequest\",\"target_iid\":3}")
    }

    fileprivate static func commentEvent(_ id: Int64, note: Int64, by author: Int64 = 9) -> Self {
        let time = "2027-01-15T08:00:00.000Z"
        let json = """
            {\(head(id, "commented on", author, time)),"target_type":"Note","target_iid":\(note),"note":\
            {"id":\(note),"body":"Hm","author":{"id":\(author),"username":"user\(author)","name":"User"},\
            "system":false,"created_at":"\(time)","noteable_type":"MergeRequest","noteable_iid":3}}
            """
        return Self(id: id, json: json)
    }

    private static func head(_ id: Int64, _ action: String, _ author: Int64, _ created: String) -> String {
        """
        "id":\(id),"project_id":1,"action_name":"\(action)","created_at":"\(created)",\
        "author":{"id":\(author),"username":"user\(author)","name":"User \(author)"}
        """
    }
}

/// Items whose own lists are missing or fail, with a small GitLab and a clock that a test moves.
@Suite(.timeLimit(.minutes(1)))
struct FallbackTests {
    private let routes = Routes()

    private func makeWorld() async throws -> PollingWorld {
        let world = try await PollingWorld()
        let details = """
            {"iid":3,"project_id":1,"source_project_id":1,"title":"Fix it","state":"opened",\
            "source_branch":"feature","created_at":"2026-12-01T08:00:00.000Z"}
            """
        routes.set(makeJSON(200, details), at: item)
        routes.set(makeJSON(200, "[\(details)]"), at: "/api/v4/merge_requests")
        routes.set(makeJSON(200, #"{"version":"17.11.4"}"#), at: "/api/v4/metadata")
        world.gitlab.set([], at: feed)
        world.gitlab.trouble { [routes] in routes.outcome($0) }
        return world
    }

    /// Microseconds between the last poll and the last complete reading, as the store was told.
    private func behind(in world: PollingWorld) async throws -> Int64 {
        try await world.number("SELECT last_poll_at - complete_at FROM accounts")
    }

    @Test func `a poll that could not read an item's lists is no complete reading, unless the item is gone`()
        async throws
    {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await behind(in: world) == 0)
        routes.set(makeJSON(502, "{}"), at: notes)
        for _ in 1...3 {
            world.time.advance(by: .minutes(10))
            try await poller.runCycle()
        }
        #expect(try await behind(in: world) == 30 * 60 * 1_000_000)
        routes.set(makeJSON(404, #"{"message":"404 Not found"}"#), at: notes)
        world.time.advance(by: .minutes(10))
        try await poller.runCycle()
        world.time.advance(by: .minutes(10))
        try await poller.runCycle()
        #expect(try await behind(in: world) == 0)
    }

    @Test func `comments come from the feed while notes are missing, and once only when they are back`() async throws {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        routes.set(missing, at: notes)
        world.gitlab.add(.note(11), at: notes)
        world.gitlab.add(.commentEvent(501, note: 11), at: feed)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(world.log.count(of: .fallbackBegan) == 1)
        routes.set(nil, at: notes)
        // The missing route was looked into: what is back is found out within the hour.
        try await poller.runCycle()
        world.time.advance(by: .hours(1))
        world.gitlab.add(.note(12), at: notes)
        world.gitlab.add(.commentEvent(502, note: 12), at: feed)
        try await poller.runCycle()
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"], ["note/1/12"]])
        #expect(world.log.count(of: .fallbackEnded) == 1)
    }

    @Test func `a close told by the feed is not told again by the state events, nor the other way round`() async throws
    {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        routes.set(missing, at: notes)
        world.gitlab.add(.event(501, "closed"), at: feed)
        world.gitlab.add(.stateEvent(1, "closed"), at: events)
        try await poller.runCycle()
        #expect(try await world.notified() == [["state/1/1"]])
        world.gitlab.add(.event(502, "opened", at: "2027-01-15T09:00:00.000Z"), at: feed)
        try await poller.runCycle()
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["state/1/1"], ["event/1/502"]])
        #expect(world.log.count(of: .factCorrelated) == 1)
    }

    @Test func `a list that keeps failing is helped out from the second time on`() async throws {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        routes.set(makeText(502, "GitLab is not responding"), at: notes)
        world.gitlab.add(.commentEvent(501, note: 11), at: feed)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `without a feed nothing is asked for and nothing breaks`() async throws {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        routes.set(missing, at: notes)
        routes.set(missing, at: feed)
        try await poller.runCycle()
        try await poller.runCycle()
        world.gitlab.forgetExchanges()
        try await poller.runCycle()
        #expect(!world.gitlab.targets.contains { $0.hasPrefix(feed) || $0.hasPrefix(notes) })
        world.gitlab.add(.stateEvent(1, "closed"), at: events)
        try await poller.runCycle()
        #expect(try await world.notified() == [["state/1/1"]])
    }

    @Test func `a feed that fails moves nothing`() async throws {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        routes.set(missing, at: notes)
        routes.set(makeText(502, "GitLab is not responding"), at: feed)
        world.gitlab.add(.commentEvent(501, note: 11), at: feed)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        routes.set(nil, at: feed)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `an item can be watched where its notes are missing, and nothing old floods in when they come`()
        async throws
    {
        let world = try await makeWorld()
        world.gitlab.setDate("Fri, 15 Jan 2027 08:00:05 GMT")
        routes.set(missing, at: PollingWorld.notes(4))
        world.gitlab.set([.note(1, at: "2027-01-15T07:00:00.000Z")], at: PollingWorld.notes(4))
        world.gitlab.set([], at: PollingWorld.events(4))
        try await world.watch(4)
        let poller = try await world.makePoller()
        routes.set(nil, at: PollingWorld.notes(4))
        world.gitlab.add(.note(2, at: "2027-01-15T08:00:06.000Z"), at: PollingWorld.notes(4))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/2"]])
    }

    @Test func `a release that a limit keeps from being read is asked for again soon`() async throws {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.advance(by: .hours(24))
        routes.set(makeText(429, "Retry later", [("Retry-After", "2")]), at: "/api/v4/metadata")
        try await poller.runCycle()
        routes.set(makeJSON(200, #"{"version":"18.5.0"}"#), at: "/api/v4/metadata")
        world.time.advance(by: .minutes(11))
        try await poller.runCycle()
        #expect(world.log.count(of: .versionChanged) == 1)
    }

    @Test func `another release is noticed and stored`() async throws {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.advance(by: .hours(24))
        routes.set(makeJSON(200, #"{"version":"18.5.0"}"#), at: "/api/v4/metadata")
        try await poller.runCycle()
        #expect(world.log.count(of: .versionChanged) == 1)
        let stored = try await world.store.read { [account = world.account] in try $0.capabilities(of: account) }
        #expect(stored?.capabilities.version == "18.5.0")
        try await poller.runCycle()
        #expect(world.log.count(of: .capabilitiesFound) == 1)
    }
}
