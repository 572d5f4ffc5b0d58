import HTTP
import Platform
import Testing

@testable import Notifier

private func makeItem(_ iid: Int64) -> ItemReference {
    ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: iid)
}

/// Polls out of turn.
@Suite(.timeLimit(.minutes(1)))
struct NamedPollTests {
    @Test func `a named item is polled at once, and the plan stays`() async throws {
        let world = try await PollingWorld(watching: [3, 4])
        let poller = try await world.makePoller()
        try await poller.runCycle()
        let plan = await poller.plan
        world.gitlab.forgetExchanges()
        world.gitlab.add(.note(11), at: PollingWorld.notes(3))
        #expect(world.inbox.name(makeItem(3), at: world.time.monotonicNow))
        #expect(await poller.namedAt() == world.time.monotonicNow)
        try await poller.runNamedItems()
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(!world.gitlab.targets.contains { $0.contains("/4/") })
        #expect(world.gitlab.count == 3)
        #expect(await poller.plan == plan)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `what a hook names and nobody finds is told nobody`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        for _ in 0..<10 {
            _ = world.inbox.name(makeItem(3), at: world.time.monotonicNow)
            _ = world.inbox.name(makeItem(99), at: world.time.monotonicNow)
            try await poller.runNamedItems()
            world.time.advance(by: .seconds(1))
        }
        #expect(try await world.notified() == [])
        #expect(!world.gitlab.targets.contains { $0.contains("/99/") })
    }

    @Test func `while GitLab limits the rate no hook makes a request`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.trouble { _ in .response(makeText(429, "Retry later", [("Retry-After", "300")])) }
        _ = world.inbox.name(makeItem(3), at: world.time.monotonicNow)
        try await poller.runNamedItems()
        let plan = await poller.plan
        #expect(world.time.monotonicNow.duration(to: plan.at) > .seconds(300))
        world.time.advance(by: .seconds(10))
        #expect(world.inbox.name(makeItem(3), at: world.time.monotonicNow))
        #expect(await poller.namedAt() == nil)
    }

    @Test func `while GitLab is down no hook makes a request`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.trouble { _ in .response(makeText(502, "no")) }
        try await poller.runCycle()
        _ = world.inbox.name(makeItem(3), at: world.time.monotonicNow)
        #expect(await poller.namedAt() == nil)
    }

    @Test func `a running service polls a named item before its turn`() async throws {
        let world = try await PollingWorld()
        let service = PollingService(world.context)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            await world.time.sleepers(1)
            world.gitlab.add(.note(11), at: PollingWorld.notes(3))
            service.itemNamed(makeItem(3), of: world.account)
            while try await world.notified().isEmpty { await Task.yield() }
            #expect(try await world.notified() == [["note/1/11"]])
            group.cancelAll()
        }
    }
}
