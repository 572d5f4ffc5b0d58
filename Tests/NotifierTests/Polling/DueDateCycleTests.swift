import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

private let items = PollingWorld.items
private let early = "2027-01-15T07:00:00.000Z"
private let later = "2027-01-15T08:00:00.000Z"

/// What sweeps show to be due, in the store.
@Suite(.timeLimit(.minutes(1)))
struct DueDateCycleTests {
    private func makeWorld() async throws -> (PollingWorld, AccountPoller) {
        let world = try await PollingWorld(watching: [3, 4])
        world.gitlab.setDate("Fri, 15 Jan 2027 08:00:00 GMT")
        world.gitlab.set(
            [.item(3, updated: early, assignee: 7, due: "2027-02-01"), .item(4, updated: early, due: "2027-02-01")],
            at: items
        )
        let poller = try await world.makePoller()
        try await poller.runCycle()
        return (world, poller)
    }

    private func due(_ world: PollingWorld) async throws -> [String] {
        try await world.store.read { store in
            try store.database.rows(
                "SELECT w.item_iid, d.due_on FROM due_dates AS d JOIN watches AS w ON w.id = d.watch_id ORDER BY 1"
            ) { "\($0.int64(0)) \($0.text(1))" }
        }
    }

    private func show(_ row: MiniGitLab.Row, _ world: PollingWorld, _ poller: AccountPoller) async throws {
        world.gitlab.remove(row.id, at: items)
        world.gitlab.add(row, at: items)
        world.time.advance(by: .seconds(30))
        try await poller.runCycle()
    }

    @Test func `the row that tells what changed tells what is due, without a request more`() async throws {
        let (world, poller) = try await makeWorld()
        #expect(try await due(world) == ["3 2027-02-01"], "the other is somebody else's")
        world.gitlab.forgetExchanges()
        try await show(.item(3, updated: later, assignee: 7, due: "2027-02-03"), world, poller)
        #expect(try await due(world) == ["3 2027-02-03"])
        let lists = Set(world.gitlab.targets.map { String($0.prefix { $0 != "?" }) })
        #expect(lists.isSubset(of: [items, PollingWorld.todos, PollingWorld.notes(3), PollingWorld.events(3)]))
    }

    @Test func `what is closed, given away or without a day is due no more, and again when it is`() async throws {
        let (world, poller) = try await makeWorld()
        try await show(.item(3, updated: later, state: "closed", assignee: 7, due: "2027-02-01"), world, poller)
        #expect(try await due(world) == [])
        try await show(.item(3, updated: "2027-01-15T08:00:01.000Z", assignee: 7, due: "2027-02-01"), world, poller)
        #expect(try await due(world) == ["3 2027-02-01"])
        try await show(.item(3, updated: "2027-01-15T08:00:02.000Z", assignee: 9, due: "2027-02-01"), world, poller)
        try await show(.item(4, updated: later, assignee: 7, due: "2027-02-02"), world, poller)
        #expect(try await due(world) == ["4 2027-02-02"])
        try await show(.item(4, updated: "2027-01-15T08:00:03.000Z", assignee: 7), world, poller)
        #expect(try await due(world) == [])
    }

    @Test func `a milestone that is moved touches no row, and is found when everything is looked at`() async throws {
        let (world, poller) = try await makeWorld()
        try await show(.item(3, updated: early, assignee: 7, due: "2027-02-09"), world, poller)
        #expect(try await due(world) == ["3 2027-02-01"])
        world.time.advance(by: .minutes(4))
        try await poller.runCycle()
        #expect(try await due(world) == ["3 2027-02-09"])
    }

    @Test func `what GitLab does not list any more is not due`() async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.remove(53, at: items)
        world.time.advance(by: .minutes(5))
        try await poller.runCycle()
        #expect(try await due(world) == [])
        world.gitlab.add(.item(3, updated: early, assignee: 7, due: "2027-02-01"), at: items)
        world.time.advance(by: .minutes(5))
        try await poller.runCycle()
        #expect(try await due(world) == ["3 2027-02-01"])
    }

    @Test func `a poller that begins anew knows what the store has, and writes what differs`() async throws {
        let (world, _) = try await makeWorld()
        world.gitlab.remove(53, at: items)
        world.gitlab.add(.item(3, updated: early, assignee: 7), at: items)
        let second = try await world.makePoller()
        try await second.runCycle()
        #expect(try await due(world) == [])
        #expect(world.log.count(of: .dueDateNoted) == 2)
    }
}
