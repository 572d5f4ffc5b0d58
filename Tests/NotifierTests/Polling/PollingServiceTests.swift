import Configuration
import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

/// The loops: many accounts, changes while they run, and the end.
@Suite(.timeLimit(.minutes(1)))
struct PollingServiceTests {
    /// The requests of a cycle are those of `an unchanged list costs one conditional request`, and one for each list of an item that is read.
    @Test(arguments: [(ChangeDetection.perItem, 3, 60), (.sweep, 4, 30)])
    func `accounts are polled at their pace, and cancellation leaves nothing`(
        detection: ChangeDetection,
        requests: Int,
        seconds: Double
    ) async throws {
        let world = try await PollingWorld(by: detection)
        let service = PollingService(world.context)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            await world.time.sleepers(1)
            #expect(world.gitlab.count == requests)
            world.gitlab.add(.note(11), at: PollingWorld.notes(3))
            let wait = await world.time.advanceToNextWake()
            #expect(wait > .seconds(seconds - 5) && wait <= .seconds(seconds))
            await world.time.sleepers(1)
            #expect(world.gitlab.count == 2 * requests)
            let notified = try await world.notified()
            #expect(notified == [["note/1/11"]])
            #expect(service.status[world.account]?.lastPollAt == world.time.wallNow)
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        #expect(world.time.sleeperCount == 0)
        #expect(world.log.count(of: .pollerStopped) == 1)
    }

    @Test func `a new watch is polled from the next cycle on`() async throws {
        let world = try await PollingWorld(watching: [])
        let service = PollingService(world.context)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            await world.time.sleepers(1)
            try await world.watch(3)
            service.accountChanged(world.account, requestsMade: 2)
            world.gitlab.add(.note(11), at: PollingWorld.notes(3))
            while try await world.notified().isEmpty { await world.time.advanceToNextWake() }
            let notified = try await world.notified()
            #expect(notified == [["note/1/11"]])
            group.cancelAll()
        }
    }

    @Test func `a removed account ends its polling alone`() async throws {
        let world = try await PollingWorld()
        let service = PollingService(world.context)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            await world.time.sleepers(1)
            _ = try? await world.store.transaction { try $0.database.execute("DELETE FROM accounts") }
            service.accountChanged(world.account)
            while world.log.count(of: .pollerStopped) == 0 { await Task.yield() }
            #expect(world.time.sleeperCount == 0)
            group.cancelAll()
        }
    }

    @Test func `a poller that waits out a rate limit ends at once when cancelled`() async throws {
        let world = try await PollingWorld()
        world.gitlab.trouble { _ in .response(makeText(429, "Retry later", [("Retry-After", "3600")])) }
        let service = PollingService(world.context)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            await world.time.sleepers(1)
            group.cancelAll()
        }
        #expect(world.time.sleeperCount == 0)
    }
}
