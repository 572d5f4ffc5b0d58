import FoundationEssentials
import Synchronization
import Testing

@testable import NotifierKit

/// The watch list of a device: choices show at once, wait, and are taken back.
struct WatchListTests {
    private static let item = ItemReference(projectID: 42, kind: .mergeRequest, iid: 847)
    private static let other = ItemReference(projectID: 42, kind: .issue, iid: 3)

    /// A server whose watch list is a list of entries `w1`, `w2` …
    private final class Server: Sendable {
        struct State {
            var items: [WatchedItem] = []
            var refusal: (status: Int, code: String)?
            var isDown = false
            var loses = false
        }

        let state = Mutex(State())

        func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

        private struct Wanted: Decodable {
            var itemIid: Int64
            var itemType: ItemKind
            var projectId: Int64
        }

        func answer(_ request: TransportRequest) -> Result<TransportResponse, TransportFailure> {
            state.withLock { state in
                if state.isDown { return .failure(.offline) }
                if request.method != "GET", let refusal = state.refusal {
                    return .refusal(refusal.status, refusal.code)
                }
                let answer = Self.carryOut(request, &state)
                return state.loses && request.method != "GET" ? .failure(.timedOut) : answer
            }
        }

        private static func carryOut(
            _ request: TransportRequest,
            _ state: inout State
        ) -> Result<TransportResponse, TransportFailure> {
            let parts = request.path.split(separator: "/").map(String.init)
            switch (request.method, parts.count) {
            case ("GET", 1):
                struct List: Encodable { var items: [WatchedItem] }
                return .success(.init(status: 200, body: WireCoding.encode(List(items: state.items))))
            case ("POST", 1):
                guard let wanted = try? WireCoding.decode(Wanted.self, request.body) else {
                    return .refusal(400, "invalid_json")
                }
                let item = ItemReference(projectID: wanted.projectId, kind: wanted.itemType, iid: wanted.itemIid)
                if !state.items.contains(where: { $0.item == item }) {
                    let id = "w\(wanted.itemIid)"
                    state.items.append(WatchedItem(watchedItemId: id, item: item, title: "Auth", createdAt: .start))
                }
                return .json(201, #"{"watchedItemId":"w\#(wanted.itemIid)","watching":true}"#)
            case ("DELETE", 2):
                guard let index = state.items.firstIndex(where: { $0.watchedItemId == parts[1] }) else {
                    return .refusal(404, "watch_not_found")
                }
                state.items.remove(at: index)
                return .gone
            case ("POST", 3): return .json(200, #"{"mutedUntil":"2026-03-02T10:00:00.000Z"}"#)
            case ("DELETE", 3): return .json(200, "{}")
            default: return .refusal(404, "not_found")
            }
        }
    }

    private static func make() async throws -> (SignedIn, Server, WatchListManager) {
        let server = Server()
        let device = try await SignedIn.make { server.answer($0) }
        return (device, server, device.watches)
    }

    private static func shown(_ manager: WatchListManager) async throws -> [Int64] {
        try await manager.state().items.map(\.itemIid)
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
        let entry = try #require(try await manager.state().items.first)
        #expect(entry.watchedItemId == nil && entry.title == "Auth refactor")
        #expect(await device.board.state == .syncing)
        await mayAnswer.open()
        #expect(try await isSent)
        #expect(try await manager.state().items.map(\.watchedItemId) == ["w847"])
        #expect(await device.board.state == .connected)
    }

    @Test(arguments: [
        (404, "item_not_found", "This item no longer exists or you don't have access to it."),
        (422, "gitlab_token_refused", "GitLab session expired. Please reconnect your account."),
        (409, "watch_limit", "What is wrong."),
    ])
    func `a refused watch is taken back and told in the words of the catalogue`(
        status: Int,
        code: String,
        message: String
    ) async throws {
        let (_, server, manager) = try await Self.make()
        server.change { $0.refusal = (status, code) }
        let reversal = await #expect(throws: WatchReversal.self) {
            try await manager.watch(Self.item, title: "Auth refactor")
        }
        #expect(reversal?.reason.message == message && reversal?.change.item == Self.item)
        #expect(try await Self.shown(manager).isEmpty)
        #expect(try await manager.state().pending.isEmpty)
    }

    @Test func `a refused unwatch brings the item back to its place`() async throws {
        let (_, server, manager) = try await Self.make()
        try await manager.watch(Self.item, title: "Auth")
        try await manager.watch(Self.other, title: "Pages")
        server.change { $0.refusal = (403, "gitlab_forbidden") }
        await #expect(throws: WatchReversal.self) { try await manager.unwatch(Self.item) }
        #expect(try await Self.shown(manager) == [847, 3])
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
        #expect(
            await device.transport.lines == [
                "DELETE /watch/w847?changedAt=2026-03-02T09%3A00%3A00.000Z", "POST /watch", "GET /watch",
            ]
        )
        #expect(await device.transport.requests[1].text.contains(#""changedAt":"2026-03-02T09:01:00.000Z""#))
        #expect(try await Self.shown(next) == [3])
        #expect(try await next.state().pending.isEmpty)
    }

    @Test func `of several choices about one item the last alone is sent`() async throws {
        let (device, server, manager) = try await Self.make()
        server.change { $0.isDown = true }
        try await manager.watch(Self.item, title: "Auth")
        try await manager.unwatch(Self.item)
        try await manager.watch(Self.item, title: "Auth")
        #expect(try await manager.state().pending.map(\.choice) == [.watch])
        server.change { $0.isDown = false }
        await device.transport.forgetRequests()
        try await manager.sync()
        #expect(await device.transport.lines == ["POST /watch", "GET /watch"])
    }

    @Test func `an answer that was lost changes nothing that is shown, and the repetition settles it`() async throws {
        let (_, server, manager) = try await Self.make()
        server.change { $0.loses = true }
        #expect(try await manager.watch(Self.item, title: "Auth") == false)
        #expect(try await Self.shown(manager) == [847])
        server.change { $0.loses = false }
        try await manager.sync()
        #expect(server.state.withLock { $0.items.count } == 1)
        server.change { $0.loses = true }
        #expect(try await manager.unwatch(Self.item) == false)
        server.change { $0.loses = false }
        try await manager.sync()
        #expect(try await Self.shown(manager).isEmpty)
        #expect(try await manager.state().pending.isEmpty)
    }

    @Test func `an unwatch reaches the entry that another device has made anew`() async throws {
        let (device, server, manager) = try await Self.make()
        try await manager.watch(Self.item, title: "Auth")
        server.change { $0.items[0].watchedItemId = "w9" }
        await device.transport.forgetRequests()
        #expect(try await manager.unwatch(Self.item))
        let at = "?changedAt=2026-03-02T09%3A00%3A00.000Z"
        let lines = ["DELETE /watch/w847\(at)", "GET /watch", "DELETE /watch/w9\(at)"]
        #expect(await device.transport.lines == lines)
        #expect(server.state.withLock { $0.items.isEmpty })
        #expect(try await manager.state().items.isEmpty)
    }

    @Test func `a refusal of what waited is told by the sync that sent it, and the rest goes on`() async throws {
        let (device, server, manager) = try await Self.make()
        server.change { $0.isDown = true }
        try await manager.watch(Self.item, title: "Auth")
        try await manager.watch(Self.other, title: "Pages")
        await device.transport.answer { request in
            request.text.contains("847") ? .refusal(404, "item_not_found") : server.answer(request)
        }
        server.change { $0.isDown = false }
        let reversals = try await manager.sync()
        #expect(reversals.map(\.change.item) == [Self.item])
        #expect(try await Self.shown(manager) == [3])
    }

    @Test func `another device's later choice stands`() async throws {
        let (device, _, manager) = try await Self.make()
        await device.transport.answer { _ in .json(200, #"{"watching":false}"#) }
        try await manager.watch(Self.item, title: "Auth")
        #expect(try await Self.shown(manager).isEmpty)
    }

    @Test func `a list that was asked for before a choice does not undo it`() {
        var state = WatchListState()
        let asked = state.revision
        guard let change = state.choose(.watch, Self.item, title: "Auth", projectPath: nil, at: .start) else {
            Issue.record("there is room")
            return
        }
        state.settle(change, as: WatchAnswer(watchedItemId: "w1", watching: true))
        let result1 = state.take([], askedAt: asked, at: .start)
        #expect(!result1)
        #expect(state.items.map(\.watchedItemId) == ["w1"])
        let result2 = state.take([], askedAt: state.revision, at: .start)
        #expect(result2)
        #expect(state.items.isEmpty)
    }

    @Test func `a mute shows at once, and ends with the watch`() async throws {
        let (_, server, manager) = try await Self.make()
        try await manager.watch(Self.item, title: "Auth")
        #expect(try await manager.mute(Self.item, until: .at(7_200)))
        // What the server says stands.
        #expect(try await manager.state().items.first?.mutedUntil == .at(3_600))
        server.change { $0.isDown = true }
        try await manager.mute(Self.item, until: nil)
        #expect(try await manager.state().items.first?.mutedUntil == nil)
        try await manager.unwatch(Self.item)
        #expect(try await manager.state().pending.map(\.choice) == [.unwatch])
    }

    @Test func `a mute of an item that this device has not seen in the list shows once it is answered`() async throws {
        let (_, server, manager) = try await Self.make()
        server.change { state in
            state.items = [WatchedItem(watchedItemId: "w847", item: Self.item, title: "Auth", createdAt: .start)]
        }
        #expect(try await manager.state().items.isEmpty)
        #expect(try await manager.mute(Self.item, until: .at(3_600)))
        #expect(try await manager.state().items.first?.mutedUntil == .at(3_600))
    }

    @Test func `so many choices wait and no more`() {
        var state = WatchListState()
        for iid in 1...200 {
            let item = ItemReference(projectID: 42, kind: .issue, iid: Int64(iid))
            let result3 = state.choose(.watch, item, title: "", projectPath: nil, at: .start)
            #expect(result3 != nil)
        }
        let result4 = state.choose(.watch, Self.item, title: "", projectPath: nil, at: .start)
        #expect(result4 == nil)
        let known = ItemReference(projectID: 42, kind: .issue, iid: 7)
        let result5 = state.choose(.unwatch, known, title: "", projectPath: nil, at: .start)
        #expect(result5 != nil)
        #expect(state.pending.count == 200)
    }

    @Test func `an ended session is told, and what was chosen waits for the next sign-in`() async throws {
        let (device, _, manager) = try await Self.make()
        await device.transport.answer { _ in .refusal(401, "refresh_token_invalid") }
        let error = await NotifierError.of { try await manager.watch(Self.item, title: "Auth") }
        #expect(error?.message == "Session expired. Please sign in again.")
        #expect(try await manager.state().pending.count == 1)
    }
}
