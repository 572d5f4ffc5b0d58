import Synchronization
import Testing

@testable import NotifierKit

/// What a device exchanges while nobody looks.
struct BackgroundRefreshTests {
    private static let item = ItemReference(projectID: 42, kind: .mergeRequest, iid: 847)

    private actor Scheduler: BackgroundScheduler {
        private(set) var pauses: [Duration] = []
        let refusal: BackgroundRefused?

        init(refusal: BackgroundRefused? = nil) { self.refusal = refusal }

        func wake(after pause: Duration) throws(BackgroundRefused) {
            if let refusal { throw refusal }
            pauses.append(pause)
        }
    }

    private static func make(_ scheduler: Scheduler) async throws -> (BackgroundRefresh, SyncServer, SignedIn) {
        let server = SyncServer()
        let device = try await SignedIn.make { server.answer($0) }
        let refresh = BackgroundRefresh(
            engine: device.engine,
            scheduler: scheduler,
            chance: CountingChance.shared
        )
        return (refresh, server, device)
    }

    @Test func `it is asked for two to three hours ahead, and woken it sends, fetches and asks again`() async throws {
        let scheduler = Scheduler()
        let (refresh, server, device) = try await Self.make(scheduler)
        server.change { $0.isDown = true }
        #expect(try await !device.watches.watch(Self.item, title: "Auth refactor"))
        server.change { $0.isDown = false }
        try await refresh.schedule()
        try await refresh.woken()
        let pauses = await scheduler.pauses
        #expect(pauses.count == 2 && pauses.allSatisfy { .seconds(7_200) <= $0 && $0 < .seconds(10_800) })
        #expect(try await device.watches.list().waitingCount == 0)
        #expect(try await device.watches.list().items.map(\.watchedItemId) == ["w847"])
    }

    @Test func `it goes on as long as the server takes some of what it has no time for`() async throws {
        let (refresh, server, device) = try await Self.make(Scheduler())
        server.change { $0.isDown = true }
        for iid in Int64(1)...11 {
            let item = ItemReference(projectID: 42, kind: .issue, iid: iid)
            #expect(try await !device.watches.watch(item, title: "Auth refactor"))
        }
        server.change { state in
            (state.isDown, state.mostWatches) = (false, 3)
            // What GitLab cannot show is tried once.
            state.refusals = [11: "watch_later"]
        }
        let error = await NotifierError.of { try await refresh.woken() }
        #expect(error?.code == "watch_later")
        #expect(server.list == Array(1...10))
        #expect(server.state.withLock { $0.envelopes.map { $0.changes.count } } == [11, 8, 5, 2, 1])
        // In the foreground the next question comes soon.
        server.change { $0.refusals = [:] }
        try await device.engine.sync()
        #expect(server.list == Array(1...11))
    }

    @Test func `a system that will not wake it again keeps nothing from being fetched now`() async throws {
        let (refresh, _, device) = try await Self.make(Scheduler(refusal: BackgroundRefused("switched off")))
        await #expect(throws: BackgroundRefused("switched off")) { try await refresh.schedule() }
        try await refresh.woken()
        #expect(await device.board.state == .connected)
    }
}
