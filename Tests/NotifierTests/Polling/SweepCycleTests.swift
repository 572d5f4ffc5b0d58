import Configuration
import HTTP
import Platform
import Synchronization
import Testing

@testable import Notifier

private let items = PollingWorld.items
private let early = "2027-01-15T07:00:00.000Z"
private let later = "2027-01-15T08:00:00.000Z"

/// Two merge requests that nothing has happened to for an hour, on a server whose clock reads eight.
private func makeWorld(
    configure: (inout NotifierConfiguration) -> Void = { _ in }
) async throws -> (PollingWorld, AccountPoller) {
    let world = try await PollingWorld(watching: [3, 4], configure: configure)
    world.gitlab.setDate("Fri, 15 Jan 2027 08:00:00 GMT")
    world.gitlab.set([.item(3, updated: early), .item(4, updated: early)], at: items)
    let poller = try await world.makePoller()
    try await poller.runCycle()
    world.gitlab.forgetExchanges()
    return (world, poller)
}

private func replace(_ row: MiniGitLab.Row, in world: PollingWorld) {
    world.gitlab.remove(row.id, at: items)
    world.gitlab.add(row, at: items)
}

private func lists(_ world: PollingWorld) -> [String] {
    world.gitlab.targets.map { String($0.prefix { $0 != "?" }) }
}

@Suite(.timeLimit(.minutes(1)))
struct SweepCycleTests {
    @Test func `a cycle in which nothing changes is a request for each sweep, every other with the to-dos`()
        async throws
    {
        let (world, poller) = try await makeWorld()
        for _ in 1...4 {
            world.time.advance(by: .seconds(30))
            try await poller.runCycle()
        }
        #expect(lists(world) == [items, items, PollingWorld.todos, items, items, PollingWorld.todos])
        #expect(world.gitlab.exchanges.map(\.status) == [200, 304, 304, 304, 304, 304])
    }

    @Test func `a to-do that nothing points to is told within a minute`() async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.add(.todo(5, "assigned", on: 9), at: PollingWorld.todos)
        world.time.advance(by: .seconds(30))
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.time.advance(by: .seconds(30))
        try await poller.runCycle()
        #expect(try await world.notified() == [["todo/5"]])
    }

    @Test func `where a limit lets one request through, the next cycle comes to what the last did not`() async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.add(.todo(5, "assigned", on: 9), at: PollingWorld.todos)
        world.time.advance(by: .minutes(1))
        for _ in 1...2 {
            let asked = Mutex(0)
            world.gitlab.trouble { _ in
                let isFirst = asked.withLock { count in
                    count += 1
                    return count == 1
                }
                return isFirst ? nil : .response(makeText(429, "Retry later", [("Retry-After", "2")]))
            }
            try await poller.runCycle()
            world.time.advance(by: .seconds(8))
        }
        #expect(lists(world) == [items, PollingWorld.todos, PollingWorld.todos])
        #expect(try await world.notified() == [["todo/5"]])
        world.gitlab.trouble(nil)
        for _ in 1...2 { try await poller.runCycle() }
        #expect(lists(world).last == items, "nothing limits it any more")
    }

    @Test func `a sweep that a limit holds back has not failed`() async throws {
        let (world, poller) = try await makeWorld()
        world.time.advance(by: .minutes(1))
        world.gitlab.trouble { _ in .response(makeText(429, "Retry later", [("Retry-After", "2")])) }
        for _ in 1...3 {
            try await poller.runCycle()
            world.time.advance(by: .seconds(8))
        }
        world.gitlab.trouble(nil)
        world.gitlab.forgetExchanges()
        world.gitlab.add(.note(11), at: PollingWorld.notes(4))
        replace(.item(4, updated: later, comments: 1), in: world)
        try await poller.runCycle()
        #expect(lists(world) == [items, PollingWorld.todos, PollingWorld.notes(4), PollingWorld.events(4)])
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `to-dos that could not be read or kept are read again by the next cycle`() async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.add(.todo(5, "assigned", on: 9), at: PollingWorld.todos)
        world.gitlab.trouble { $0.path == PollingWorld.todos ? .response(makeText(500, "Oops")) : nil }
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        world.gitlab.trouble(nil)
        world.time.advance(by: .seconds(30))
        try await poller.runCycle()
        #expect(try await world.notified() == [["todo/5"]])
    }

    @Test func `only the item that a sweep shows changed is read`() async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.add(.note(11), at: PollingWorld.notes(4))
        replace(.item(4, updated: later, comments: 1), in: world)
        try await poller.runCycle()
        #expect(lists(world) == [items, PollingWorld.todos, PollingWorld.notes(4), PollingWorld.events(4)])
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test(arguments: ["2326-03-02T09:20:05.000Z", "9999-12-31T23:59:59.000Z"])
    func `a row whose time nobody can reckon with counts as one without a time`(updated: String) async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.add(.note(12), at: PollingWorld.notes(3))
        replace(.item(3, updated: updated, comments: 1), in: world)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/12"]])
    }

    @Test func `facts 7.1: a comment whose touch was throttled shows in the count of comments`() async throws {
        let (world, poller) = try await makeWorld()
        replace(.item(3, updated: later, comments: 1), in: world)
        try await poller.runCycle()
        world.gitlab.add(.note(12), at: PollingWorld.notes(3))
        replace(.item(3, updated: later, comments: 2), in: world)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/12"]])
    }

    @Test func `facts 7.1: an approval whose touch was throttled is found while the item is hot`() async throws {
        let (world, poller) = try await makeWorld()
        replace(.item(3, updated: later), in: world)
        try await poller.runCycle()
        world.gitlab.add(.note(12, "approved this merge request", system: true), at: PollingWorld.notes(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.time.advance(by: .seconds(60))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/12"]])
    }

    @Test func `an approval that touches nothing is found by the patrol, on a quiet item within twice its interval`()
        async throws
    {
        let (world, poller) = try await makeWorld()
        world.gitlab.add(.note(12, "approved this merge request", system: true), at: PollingWorld.notes(3))
        world.time.advance(by: .minutes(6))
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.time.advance(by: .minutes(2))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/12"]])
    }

    @Test func `what moves no time at all is found by the sweep over everything`() async throws {
        let (world, poller) = try await makeWorld { $0.patrolInterval = .minutes(4) }
        replace(.item(3, updated: early, comments: 1, state: "merged"), in: world)
        world.gitlab.add(.stateEvent(1, "merged"), at: PollingWorld.events(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.time.advance(by: .minutes(4))
        try await poller.runCycle()
        #expect(try await world.notified() == [["state/1/1"]])
    }

    @Test func `a to-do on an item makes it due, so that both are one push`() async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.add(.note(11, "Hello @alice"), at: PollingWorld.notes(3))
        world.gitlab.add(.todo(5, note: 11), at: PollingWorld.todos)
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(world.log.count(of: .factMerged) == 1)
    }

    @Test(arguments: [400, 403, 404, 500])
    func `when a sweep fails its items are read one by one`(status: Int) async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.trouble { request in
            request.path == items ? .response(makeJSON(status, #"{"message":"no"}"#)) : nil
        }
        world.gitlab.add(.note(11), at: PollingWorld.notes(4))
        world.time.advance(by: .seconds(60))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(world.log.count(of: .sweepFailed) == 1)
        world.gitlab.trouble(nil)
        world.gitlab.add(.note(12), at: PollingWorld.notes(4))
        replace(.item(4, updated: later, comments: 2), in: world)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"], ["note/1/12"]])
    }

    @Test func `an answer of more than a page is not relied on`() async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.trouble { request in
            guard request.path == items else { return nil }
            return .response(makeJSON(200, "[]", [("X-Next-Page", "2")]))
        }
        world.gitlab.add(.note(11), at: PollingWorld.notes(4))
        world.time.advance(by: .seconds(60))
        try await poller.runCycle()
        #expect(world.log.count(of: .sweepFailed) == 1)
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `an item that lists leave out is read at the pace of detection per item`() async throws {
        let (world, poller) = try await makeWorld()
        world.gitlab.remove(54, at: items)
        world.time.advance(by: .minutes(4))
        try await poller.runCycle()
        for id in Int64(11)...13 {
            world.gitlab.add(.note(id), at: PollingWorld.notes(4))
            world.time.advance(by: .seconds(60))
            try await poller.runCycle()
        }
        #expect(try await world.notified() == [["note/1/11"], ["note/1/12"], ["note/1/13"]])
    }

    @Test func `a paused item that a list shows again is read at once`() async throws {
        let (world, poller) = try await makeWorld()
        let trouble: @Sendable (HTTPRequest) -> HTTPOutcome? = { request in
            request.path == PollingWorld.todos ? nil : .response(makeJSON(404, #"{"message":"404 Not found"}"#))
        }
        world.gitlab.trouble(trouble)
        for _ in 0..<15 {
            world.time.advance(by: .seconds(60))
            try await poller.runCycle()
        }
        #expect(world.log.count(of: .watchPaused) == 2)
        world.gitlab.trouble(nil)
        world.gitlab.add(.note(11), at: PollingWorld.notes(4))
        world.time.advance(by: .minutes(10))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(world.log.count(of: .watchReturned) == 2)
    }

    @Test func `a watch that is added is covered from the next cycle on`() async throws {
        let (world, poller) = try await makeWorld()
        try await world.watch(5)
        world.gitlab.add(.item(5, updated: early), at: items)
        await poller.reload()
        try await poller.runCycle()
        #expect(lists(world).contains(PollingWorld.notes(5)))
        world.gitlab.add(.note(11), at: PollingWorld.notes(5))
        replace(.item(5, updated: later, comments: 1), in: world)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }
}

extension AccountPoller {
    /// What a wake signal brings about.
    fileprivate func reload() async {
        mustLoad = true
        _ = try? await load()
    }
}
