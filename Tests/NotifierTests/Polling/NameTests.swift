import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

private let user = "/api/v4/user"

/// What the person is called may change (GitLab facts §1).
@Suite(.timeLimit(.minutes(1)))
struct NameTests {
    private func name(_ world: PollingWorld) async throws -> String? {
        let account = world.account
        return try await world.store.read { try $0.account(account)?.username }
    }

    /// Says what the person with that id is called now, and refuses every question about the first item where asked to.
    private func rename(_ world: PollingWorld, id: Int64 = 7, refusesItem: Bool = false) {
        world.gitlab.trouble { request in
            if request.path == user {
                return .response(makeJSON(200, #"{"id":\#(id),"username":"alina","name":"Alice"}"#))
            }
            guard refusesItem, request.target.contains("/3/") else { return nil }
            return .response(makeJSON(401, #"{"message":"401 Unauthorized"}"#))
        }
    }

    @Test func `a new name is noticed where a token is doubted, and who writes it mentions the person`() async throws {
        let world = try await PollingWorld(watching: [3, 4])
        let poller = try await world.makePoller()
        rename(world, refusesItem: true)
        try await poller.runCycle()
        #expect(try await name(world) == "alina")
        #expect(world.log.count(of: .authRenamed) == 1)
        world.gitlab.trouble(nil)
        world.time.advance(by: .minutes(2))
        world.gitlab.add(.note(12, "@alina please look"), at: PollingWorld.notes(4))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/12"]])
        let mentions = try await world.number(
            "SELECT count(*) FROM notifications WHERE CAST(payload AS TEXT) LIKE '%mentioned%'"
        )
        #expect(mentions == 1)
        #expect(world.log.count(of: .authRenamed) == 1)
    }

    @Test func `a new name is noticed within a day, by one request a day`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        rename(world)
        for _ in 1...30 {
            world.time.advance(by: .hours(1))
            try await poller.runCycle()
        }
        #expect(try await name(world) == "alina")
        #expect(world.gitlab.targets.count { $0 == user } == 1)
    }

    @Test func `a token that is another person's gives nobody a name`() async throws {
        let world = try await PollingWorld(watching: [3, 4])
        let poller = try await world.makePoller()
        rename(world, id: 8, refusesItem: true)
        try await poller.runCycle()
        #expect(try await name(world) == "alice")
        #expect(world.log.count(of: .authRenamed) == 0)
    }
}
