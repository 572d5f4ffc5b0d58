import FoundationEssentials
import Synchronization
import Testing

@testable import NotifierKit

/// A device that pulls, over a server that is told what to say.
struct NotificationManagerTests {
    /// A little server: a feed, read marks, and what it was told.
    private final class Feed: Sendable {
        struct State {
            var notifications: [AppNotification] = []
            var acknowledged: [String] = []
            var marks: [String] = []
            var refusesMarks = false
            var isDown = false
            var pageLimit = 100
        }

        let state = Mutex(State())

        func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

        func answer(_ request: TransportRequest) -> Result<TransportResponse, TransportFailure> {
            state.withLock { state in
                if state.isDown { return .failure(.cannotConnect) }
                switch request.line {
                case "GET /notifications": return Self.list(request, state)
                case "GET /notifications/unread":
                    let count = state.notifications.count { $0.readAt == nil }
                    return .json(
                        200,
                        #"{"bySubject":[],"count":\#(count),"dataVersion":1,"moreSubjects":0,"notificationVersion":1}"#
                    )
                case "POST /notifications/ack":
                    state.acknowledged.append(request.text)
                    return .json(200, #"{"acknowledged":1,"unknown":0}"#)
                case "POST /notifications/read":
                    state.marks.append(request.text)
                    if state.refusesMarks { return .refusal(400, "invalid_field") }
                    return .json(200, #"{"changed":1,"dataVersion":2,"unknown":0,"unreadCount":4}"#)
                default: return .refusal(404, "not_found")
                }
            }
        }

        private static func list(
            _ request: TransportRequest,
            _ state: State
        ) -> Result<TransportResponse, TransportFailure> {
            guard let range = request.target.firstRange(of: "after=") else {
                struct History: Encodable { var notifications: [AppNotification] }
                let data = WireCoding.encode(History(notifications: state.notifications.reversed()))
                return .success(TransportResponse(status: 200, body: data))
            }
            let after = String(request.target[range.upperBound...].prefix { $0 != "&" })
            let index = state.notifications.firstIndex { $0.id == after }
            let rest = state.notifications[((index ?? -1) + 1)...]
            let asked = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 20
            let limit = min(asked, state.pageLimit)
            let page = NotificationPage(
                notifications: Array(rest.prefix(limit)),
                hasMore: rest.count > limit,
                reset: index == nil && !after.isEmpty,
                notificationVersion: UInt64(state.notifications.count)
            )
            return .success(TransportResponse(status: 200, body: WireCoding.encode(page)))
        }
    }

    private static func make(_ numbers: some Sequence<Int>) async throws -> (SignedIn, Feed, NotificationManager) {
        let feed = Feed()
        feed.state.withLock { $0.notifications = numbers.map { .make($0) } }
        let device = try await SignedIn.make { feed.answer($0) }
        let manager = device.notifications
        try await manager.fetchNew()
        return (device, feed, manager)
    }

    @Test func `the first fetch shows nothing and counts what is unread`() async throws {
        let (device, _, manager) = try await Self.make(1...3)
        #expect(await device.notifier.shown.isEmpty)
        #expect(await device.notifier.badge == 3)
        #expect(try await manager.inbox().unread.count == 3)
    }

    @Test func `what is new is shown once and acknowledged, however many pages it takes`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { state in
            state.pageLimit = 2
            state.notifications += (2...6).map { .make($0) }
        }
        try await manager.fetchNew()
        try await manager.fetchNew()
        #expect(await device.notifier.shown.map(\.identifier) == ["n2", "n3", "n4", "n5", "n6"])
        let told = ["\"n2\",\"n3\"", "\"n4\",\"n5\"", "\"n6\""].map { "{\"notificationIds\":[\($0)]}" }
        #expect(feed.state.withLock { $0.acknowledged } == told)
    }

    @Test func `so many are shown as are wanted, and the rest with the next fetch`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += (2...6).map { .make($0) } }
        #expect(try await manager.fetchNew(atMost: 2).map(\.id) == ["n2", "n3"])
        #expect(try await manager.fetchNew(atMost: 0).isEmpty)
        #expect(try await manager.fetchNew().map(\.id) == ["n4", "n5", "n6"])
        #expect(await device.notifier.shown.count == 5)
    }

    @Test func `a push that was shown is not shown by pull, also when it was swept from the screen`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += [.make(2), .make(3), .make(4)] }
        await device.notifier.push("n2")
        try await manager.pushArrived("n3")
        try await manager.fetchNew()
        #expect(await device.notifier.shown.map(\.identifier) == ["n4"])
    }

    @Test func `a push of what pull has shown is not to be presented`() async throws {
        let (_, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += [.make(2)] }
        try await manager.fetchNew()
        #expect(await !manager.shouldPresent(push: "n2"))
        #expect(await manager.shouldPresent(push: "n3"))
        #expect(await !manager.shouldPresent(push: "n3"))
    }

    @Test func `what an extension has noted meanwhile is seen, and not written over`() async throws {
        let (device, feed, app) = try await Self.make(1...1)
        let other = NotificationManager(
            client: device.client,
            store: device.store,
            notifier: device.notifier,
            clock: device.clock,
            board: device.board
        )
        feed.change { $0.notifications += [.make(2), .make(3)] }
        _ = try await app.inbox()
        try await other.pushArrived("n2")
        try await app.pushArrived("n3")
        try await other.fetchNew()
        #expect(await device.notifier.shown.isEmpty)
    }

    @Test func `two fetches at once show each notification once`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += (2...9).map { .make($0) } }
        async let one = manager.fetchNew()
        async let other = manager.fetchNew()
        _ = try await (one, other)
        #expect(await device.notifier.shown.count == 8)
    }

    @Test func `a restored server that begins anew repeats nothing`() async throws {
        let (device, feed, manager) = try await Self.make(1...5)
        feed.change { $0.notifications += [.make(6)] }
        try await manager.fetchNew()
        feed.change { $0.notifications = (1...3).map { .make($0) } + [.make(7)] }
        try await manager.fetchNew()
        #expect(await device.notifier.shown.map(\.identifier) == ["n6", "n7"])
    }

    @Test func `a crash between showing and noting shows nothing again`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += [.make(2)] }
        let before = try await device.store.value(for: "notifications")
        try await manager.fetchNew()
        // As if the write had not come about.
        try await device.store.update("notifications") { $0 = before }
        try await device.notifications.fetchNew()
        #expect(await device.notifier.shown.map(\.identifier) == ["n2"])
    }

    @Test func `where nothing may be shown nothing is acknowledged`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        await device.notifier.allow(false)
        feed.change { $0.notifications += [.make(2)] }
        try await manager.fetchNew()
        #expect(feed.state.withLock { $0.acknowledged } == [])
        #expect(try await manager.inbox().unread.map(\.id) == ["n2", "n1"])
    }

    @Test func `an acknowledgement that failed is made up for`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += [.make(2)] }
        await device.transport.answer { request in
            request.path == "/notifications/ack" ? .failure(.timedOut) : feed.answer(request)
        }
        #expect(await NotifierError.of { try await manager.fetchNew() }?.code == "timed_out")
        await device.transport.answer { feed.answer($0) }
        try await manager.fetchNew()
        #expect(feed.state.withLock { $0.acknowledged } == [#"{"notificationIds":["n2"]}"#])
        #expect(await device.notifier.shown.count == 1)
    }

    @Test func `what was read on another device leaves screen and badge`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += [.make(2), .make(3)] }
        try await manager.fetchNew()
        feed.change { $0.notifications[1].readAt = .at(99) }
        try await manager.fetchMarks()
        #expect(await device.notifier.onScreen.map(\.notificationID) == ["n3"])
        #expect(await device.notifier.badge == 2)
    }

    @Test func `what the server has forgotten is not kept, nor on screen`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += [.make(2), .make(3)] }
        try await manager.fetchNew()
        feed.change { $0.notifications.removeFirst(2) }
        #expect(try await manager.fetchMarks().isEmpty, "it was not read elsewhere")
        #expect(try await manager.inbox().all.map(\.id) == ["n3"])
        #expect(await device.notifier.onScreen.map(\.notificationID) == ["n3"])
        #expect(await device.notifier.badge == 1)
    }

    @Test func `what stands on no page is forgotten once the last page was read, and not before`() async throws {
        let (device, feed, manager) = try await Self.make(1...3)
        await device.transport.answer { request in
            guard request.path == "/notifications" else { return feed.answer(request) }
            let page = HistoryPage(notifications: [.make(3)], nextCursor: "older")
            return .success(TransportResponse(status: 200, body: WireCoding.encode(page)))
        }
        try await manager.fetchMarks()
        #expect(try await manager.inbox().all.map(\.id) == ["n3", "n2", "n1"])
    }

    @Test func `what comes while the history is read is kept`() async throws {
        let (device, feed, manager) = try await Self.make(1...2)
        await device.transport.answer { request in
            let answer = feed.answer(request)
            guard request.path == "/notifications", !request.target.contains("after=") else { return answer }
            feed.change { $0.notifications += [.make(3)] }
            _ = try? await manager.fetchNew()
            return answer
        }
        try await manager.fetchMarks()
        #expect(try await manager.inbox().all.map(\.id) == ["n3", "n2", "n1"])
    }

    @Test func `a reminder that is pulled takes the first one's place, and stays when that is read`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += [.make(2)] }
        await device.notifier.push("n2")
        var reminder = AppNotification.make(3)
        reminder.collapseId = "n2"
        feed.change { [reminder] in $0.notifications += [reminder] }
        try await manager.fetchNew()
        let place = DeliveredNotification(identifier: "n2", notificationID: "n3")
        #expect(await device.notifier.shown.map(\.identifier) == ["n2"])
        #expect(await device.notifier.onScreen == [place])
        feed.change { $0.notifications[1].readAt = .at(99) }
        try await manager.fetchMarks()
        #expect(await device.notifier.onScreen == [place])
        feed.change { $0.notifications[2].readAt = .at(99) }
        try await manager.fetchMarks()
        #expect(await device.notifier.onScreen.isEmpty)
    }

    @Test func `what was read elsewhere is learned however much has come since`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += (2...90).map { .make($0) } }
        try await manager.fetchNew()
        // The history comes in two pages, and the second has what is read by now.
        await device.transport.answer { request in
            guard request.path == "/notifications" else { return feed.answer(request) }
            let isSecond = request.target.contains("cursor=older")
            let numbers = isSecond ? Array((1...40).reversed()) : Array((41...90).reversed())
            let page = HistoryPage(
                notifications: numbers.map { .make($0, readAt: $0 == 2 ? .at(99) : nil) },
                nextCursor: isSecond ? nil : "older"
            )
            return .success(TransportResponse(status: 200, body: WireCoding.encode(page)))
        }
        #expect(try await manager.fetchMarks() == ["n2"])
        #expect(try await manager.inbox().unread.count == 89)
    }

    @Test func `a mark made offline shows at once and is sent with its time`() async throws {
        let (device, feed, manager) = try await Self.make(1...2)
        feed.change { $0.isDown = true }
        try await manager.mark(.ids(["n1"]))
        #expect(try await manager.inbox().unread.map(\.id) == ["n2"])
        #expect(await device.notifier.badge == 1)
        #expect(await device.board.state == .offline)
        feed.change { $0.isDown = false }
        device.clock.advance(by: 600)
        try await manager.fetchMarks()
        #expect(feed.state.withLock { $0.marks } == [#"{"ids":["n1"],"readAt":"2026-03-02T09:00:00.000Z"}"#])
        #expect(try await manager.inbox().pendingMarks.isEmpty)
    }

    @Test func `while the server takes no mark the icon counts what is not kept here, too`() async throws {
        let (device, feed, manager) = try await Self.make(1...150)
        #expect(await device.notifier.badge == 150)
        await device.transport.answer { request in
            request.path == "/notifications/read" ? .refusal(503, "unavailable") : feed.answer(request)
        }
        try await manager.mark(.ids(["n150", "n149"]))
        #expect(await device.notifier.badge == 148)
        // News is counted by the server, which has not heard of the mark.
        feed.change { $0.notifications += [.make(151)] }
        try await manager.fetchNew()
        #expect(await device.notifier.badge == 149)
        try await manager.mark(.unread(["n150"]))
        #expect(await device.notifier.badge == 150)
        try await manager.mark(.all)
        #expect(await device.notifier.badge == 0)
    }

    @Test func `who marks all says what this device knew then, also of what waited`() async throws {
        let (device, feed, manager) = try await Self.make(1...2)
        try await manager.mark(.all)
        device.clock.advance(by: 60)
        feed.change { $0.isDown = true }
        try await manager.mark(.subject("s"))
        // A push that comes while it waits was not meant by it.
        try await manager.pushArrived("n3")
        feed.change { $0.isDown = false }
        device.clock.advance(by: 60)
        try await manager.mark(.all)
        let marks = feed.state.withLock { $0.marks }
        #expect(
            marks == [
                #"{"all":true,"readAt":"2026-03-02T09:00:00.000Z","upTo":"n2"}"#,
                #"{"readAt":"2026-03-02T09:01:00.000Z","subject":"s","upTo":"n2"}"#,
                #"{"all":true,"readAt":"2026-03-02T09:02:00.000Z","upTo":"n3"}"#,
            ]
        )
    }

    @Test func `the number that a late push has left on the icon gives way to the one that was counted last`()
        async throws
    {
        let (device, feed, manager) = try await Self.make(1...3)
        await device.notifier.setBadge(1)
        feed.change { $0.isDown = true }
        await manager.repeatBadge()
        #expect(await device.notifier.badge == 3)
        try await manager.mark(.ids(["n1"]))
        await device.notifier.setBadge(9)
        await manager.repeatBadge()
        #expect(await device.notifier.badge == 2)
    }

    @Test func `a refused mark is taken back and told`() async throws {
        let (_, feed, manager) = try await Self.make(1...2)
        feed.change { $0.refusesMarks = true }
        let error = await NotifierError.of { try await manager.mark(.all) }
        #expect(error?.code == "invalid_field" && error?.message == "What is wrong.")
        #expect(try await manager.inbox().unread.count == 2)
    }

    @Test func `what is being fetched when somebody else signs in does not lie in their inbox`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += [.make(2)] }
        let (isAsked, mayAnswer) = (Latch(), Latch())
        await device.transport.answer { request in
            if request.line == "GET /notifications" {
                await isAsked.open()
                await mayAnswer.wait()
            }
            return feed.answer(request)
        }
        async let fetch: [AppNotification] = manager.fetchNew()
        await isAsked.wait()
        async let forgotten: Void = manager.forget()
        // Whoever would not take its turn has forgotten by now.
        for _ in 0..<100 { await Task.yield() }
        await mayAnswer.open()
        _ = try await fetch
        try await forgotten
        #expect(try await manager.inbox().all.isEmpty)
        #expect(await device.notifier.badge == 0)
    }

    @Test func `what cannot be kept on this device is told, and moves nothing`() async throws {
        let (device, feed, manager) = try await Self.make(1...1)
        feed.change { $0.notifications += [.make(2)] }
        await device.store.fail(KeyValueStoreError("no room"))
        #expect(await NotifierError.of { try await manager.fetchNew() }?.kind == .storage)
        await device.store.fail(nil)
        try await manager.fetchNew()
        #expect(await device.notifier.shown.map(\.identifier) == ["n2"])
    }
}
