import FoundationEssentials
import Synchronization
import Testing

@testable import NotifierKit

/// The watch list of a device: choices show at once, wait, and are taken back.
struct WatchListTests {
    private static let item = ItemReference(projectID: 42, kind: .mergeRequest, iid: 847)
    private static let other = ItemReference(projectID: 42, kind: .issue, iid: 3)

    private static func make() async throws -> (SignedIn, SyncServer, WatchListManager) {
        let server = SyncServer()
        let device = try await SignedIn.make { server.answer($0) }
        return (device, server, device.watches)
    }

    private static func shown(_ manager: WatchListManager) async throws -> [Int64] {
        try await manager.list().items.map(\.itemIid)
    }

    @Test func `a watch stands in the list before the server has heard of it`() async throws {
        let (device, server, manager) = try await Self.make()
        let (isAsked, mayAnswer) = (Latch(), Latch())
        await device.transport.answer { request in
            await isAsked.open()
            await mayAnswer.wait()
            return server.answer(request)
        }
        async let isSent = manager.watch(Self.item, title: "Auth refactor", projectPath: "team/backend")
        await isAsked.wait()
        let entry = try #require(try await manager.list().items.first)
        #expect(entry.watchedItemId == nil && entry.title == "Auth refactor")
        #expect(await device.board.state == .syncing)
        await mayAnswer.open()
        #expect(try await isSent)
        #expect(try await manager.list().items.map(\.watchedItemId) == ["w847"])
        #expect(await device.board.state == .connected)
    }

    @Test(arguments: [
        ("item_not_found", "This item no longer exists or you don't have access to it."),
        ("gitlab_token_refused", "GitLab session expired. Please reconnect your account."),
        ("watch_limit", "What is wrong."),
    ])
    func `a refused watch is taken back and told in the words of the catalogue`(
        code: String,
        message: String
    ) async throws {
        let (_, server, manager) = try await Self.make()
        server.change { $0.refusals[847] = code }
        let reversal = await #expect(throws: SyncReversal.self) {
            try await manager.watch(Self.item, title: "Auth refactor")
        }
        #expect(reversal?.reason.message == message && reversal?.change.wanted == .watch(Self.item))
        #expect(try await Self.shown(manager).isEmpty)
        #expect(try await manager.list().waitingCount == 0)
        #expect(try await manager.sync().isEmpty, "it is told once")
    }

    @Test func `a refused unwatch brings the item back to its place`() async throws {
        let (device, server, manager) = try await Self.make()
        try await manager.watch(Self.item, title: "Auth")
        device.clock.advance(by: 1)
        try await manager.watch(Self.other, title: "Pages")
        let before = try await Self.shown(manager)
        server.change { $0.refusals[847] = "choice_limit" }
        await #expect(throws: SyncReversal.self) { try await manager.unwatch(Self.item) }
        #expect(try await Self.shown(manager) == before && before.contains(847))
    }

    @Test func `choices made offline show, survive the app, and are sent in their order`() async throws {
        let (device, server, manager) = try await Self.make()
        try await manager.watch(Self.item, title: "Auth")
        server.change { $0.isDown = true }
        #expect(try await manager.unwatch(Self.item) == false)
        device.clock.advance(by: 60)
        #expect(try await manager.watch(Self.other, title: "Pages") == false)
        #expect(try await Self.shown(manager) == [3])
        #expect(await device.board.state == .offline)
        // Another process with the same store.
        let next = device.watches
        #expect(try await Self.shown(next) == [3])
        server.change { $0.isDown = false }
        await device.transport.forgetRequests()
        #expect(try await next.sync().isEmpty)
        #expect(await device.transport.lines == ["POST /sync", "GET /sync?since=1"])
        let envelope = await device.transport.requests[0].text
        let (one, two) = (envelope.ranges(of: "T09:00:00.000Z"), envelope.ranges(of: "T09:01:00.000Z"))
        let (first, second) = (try #require(one.first), try #require(two.first))
        #expect(first.lowerBound < second.lowerBound)
        #expect(try await Self.shown(next) == [3] && server.list == [3])
        #expect(try await next.list().waitingCount == 0)
    }

    @Test func `an answer that was lost changes nothing that is shown, and the repetition settles it`() async throws {
        let (_, server, manager) = try await Self.make()
        server.change { $0.loses = true }
        #expect(try await manager.watch(Self.item, title: "Auth") == false)
        #expect(try await Self.shown(manager) == [847])
        server.change { $0.loses = false }
        try await manager.sync()
        let envelopes = server.state.withLock { $0.envelopes }
        #expect(envelopes.count == 2 && Set(envelopes.map(\.id)).count == 1)
        #expect(envelopes[0].changes == envelopes[1].changes)
        #expect(try await manager.list().waitingCount == 0 && server.list == [847])
    }

    @Test func `a refusal of what waited is told by the sync that sent it, and the rest goes on`() async throws {
        let (_, server, manager) = try await Self.make()
        server.change { $0.isDown = true }
        try await manager.watch(Self.item, title: "Auth")
        try await manager.watch(Self.other, title: "Pages")
        server.change { $0.refusals[847] = "item_not_found" }
        server.change { $0.isDown = false }
        let reversals = try await manager.sync()
        #expect(reversals.map(\.change.wanted) == [.watch(Self.item)])
        #expect(reversals.first?.change.label?.title == "Auth")
        #expect(try await Self.shown(manager) == [3])
    }

    @Test func `another device's later choice stands`() async throws {
        let (_, server, manager) = try await Self.make()
        server.change { $0.theirs[847] = "unwatched" }
        #expect(try await manager.watch(Self.item, title: "Auth"))
        #expect(try await Self.shown(manager).isEmpty)
    }

    @Test func `a mute shows at once, and ends with the watch`() async throws {
        let (_, server, manager) = try await Self.make()
        try await manager.watch(Self.item, title: "Auth")
        #expect(try await manager.mute(Self.item, until: .at(7_200)))
        #expect(try await manager.list().items.first?.mutedUntil == .at(7_200))
        server.change { $0.isDown = true }
        try await manager.mute(Self.item, until: nil)
        #expect(try await manager.list().items.first?.mutedUntil == nil)
        try await manager.unwatch(Self.item)
        #expect(try await manager.list().waitingCount == 1)
    }

    @Test func `a mute of an item that this device has not seen in the list shows once it is answered`() async throws {
        let (_, server, manager) = try await Self.make()
        server.put(WatchedItem(watchedItemId: "w847", item: Self.item, title: "Auth", createdAt: .start))
        #expect(try await manager.list().items.isEmpty)
        #expect(try await manager.mute(Self.item, until: .at(3_600)))
        #expect(try await manager.list().items.first?.mutedUntil == .at(3_600))
    }

    @Test func `what GitLab cannot show now waits, and is sent again in its envelope`() async throws {
        let (device, server, manager) = try await Self.make()
        server.change { $0.refusals[847] = "gitlab_unavailable" }
        #expect(try await manager.watch(Self.item, title: "Auth") == false)
        #expect(try await Self.shown(manager) == [847], "it is not taken back")
        guard case .error(let told) = await device.board.state else {
            Issue.record("the person is told")
            return
        }
        #expect(told.message == "GitLab is temporarily unavailable. We'll keep trying.")
        #expect(try await manager.watch(Self.other, title: "Pages"), "others do not wait for it")
        server.change { $0.refusals = [:] }
        try await manager.sync()
        let envelopes = server.state.withLock { $0.envelopes }
        // A clock that runs ahead is cut to when the envelope came first.
        #expect(envelopes.first?.id == envelopes.last?.id && Set(envelopes.map(\.id)).count == 2)
        #expect(server.list == [3, 847])
    }

    @Test(arguments: [false, true])
    func `a choice that is kept waits when the disk fails after it, and one that is lost is said to be lost`(
        isLost: Bool
    ) async throws {
        let (device, server, manager) = try await Self.make()
        await device.transport.answer { request in
            await device.local.fail(KeyValueStoreError("the disk fails", hasBegunAnew: isLost))
            return server.answer(request)
        }
        if isLost {
            let error = await NotifierError.of { try await manager.watch(Self.item, title: "Auth") }
            #expect(error?.code == "state_lost")
        } else {
            #expect(try await manager.watch(Self.item, title: "Auth") == false)
            await device.local.fail(nil)
            #expect(try await manager.list().waitingCount == 1)
        }
    }

    @Test func `an ended session is told, and what was chosen waits for the next sign-in`() async throws {
        let (device, _, manager) = try await Self.make()
        await device.transport.answer { _ in .refusal(401, "refresh_token_invalid") }
        let error = await NotifierError.of { try await manager.watch(Self.item, title: "Auth") }
        #expect(error?.message == "Session expired. Please sign in again.")
        #expect(try await manager.list().waitingCount == 1)
    }
}
