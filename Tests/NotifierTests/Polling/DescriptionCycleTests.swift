import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

private let items = PollingWorld.items
private let early = "2027-01-15T07:00:00.000Z"
private let later = "2027-01-15T08:00:00.000Z"

/// What sweeps show watched items to be called.
@Suite(.timeLimit(.minutes(1)))
struct DescriptionCycleTests {
    private func makeWorld() async throws -> (PollingWorld, AccountPoller) {
        let world = try await PollingWorld()
        world.gitlab.setDate("Fri, 15 Jan 2027 08:00:00 GMT")
        world.gitlab.set([.item(3, updated: early, path: "team/app")], at: items)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        return (world, poller)
    }

    private func show(_ row: MiniGitLab.Row, _ world: PollingWorld, _ poller: AccountPoller) async throws {
        world.gitlab.set([row], at: items)
        world.time.advance(by: .minutes(5))
        try await poller.runCycle()
    }

    private func stored(_ world: PollingWorld) async throws -> WatchDescription? {
        let account = world.account
        return try await world.store.read { try $0.watches(of: account).first?.description }
    }

    @Test func `what an item is called now is told and listed, without a request more`() async throws {
        let (world, poller) = try await makeWorld()
        #expect(
            try await stored(world)
                == WatchDescription(title: "Fix it", projectPath: "team/app", webURL: "https://x/team/app")
        )
        let version = try await world.number("SELECT data_version FROM accounts")
        world.gitlab.forgetExchanges()
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        try await show(.item(3, updated: later, comments: 1, title: "Mend it", path: "ops/app"), world, poller)
        #expect(
            try await stored(world)
                == WatchDescription(title: "Mend it", projectPath: "ops/app", webURL: "https://x/ops/app")
        )
        #expect(try await world.number("SELECT data_version FROM accounts") > version)
        #expect(try await world.notified() == [["note/1/11"]])
        let told = try await world.number(
            """
            SELECT count(*) FROM notifications
            WHERE CAST(payload AS TEXT) LIKE '%Mend it%' AND web_url = 'https://x/ops/app#note_11'
            """
        )
        #expect(told == 1)
        let lists = Set(world.gitlab.targets.map { String($0.prefix { $0 != "?" }) })
        #expect(lists.isSubset(of: [items, PollingWorld.todos, PollingWorld.notes(3), PollingWorld.events(3)]))
    }

    @Test func `trap 36: what an item was called before is not what it is called now`() async throws {
        let (world, poller) = try await makeWorld()
        try await show(.item(3, updated: later, title: "Mend it"), world, poller)
        try await show(.item(3, updated: early, title: "Fix it"), world, poller)
        #expect(try await stored(world)?.title == "Mend it")
        world.gitlab.setDate("Fri, 15 Jan 2027 07:30:00 GMT")
        try await show(.item(3, updated: "2027-01-15T07:20:00.000Z", title: "Set back"), world, poller)
        #expect(try await stored(world)?.title == "Set back")
    }

    @Test func `what a row leaves out stays as it was, and a row that says the same changes nothing`() async throws {
        let (world, poller) = try await makeWorld()
        let version = try await world.number("SELECT data_version FROM accounts")
        try await show(.item(3, updated: later, title: ""), world, poller)
        #expect(
            try await stored(world)
                == WatchDescription(title: "Fix it", projectPath: "team/app", webURL: "https://x/team/app")
        )
        #expect(try await world.number("SELECT data_version FROM accounts") == version)
    }
}
