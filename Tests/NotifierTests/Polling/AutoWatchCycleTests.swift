import Configuration
import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

/// Items that are watched because the person was tagged there, seen by a poller with a small GitLab.
@Suite(.timeLimit(.minutes(1)))
struct AutoWatchCycleTests {
    private static let item = "/api/v4/projects/1/merge_requests/44"

    @Test func `an item on which the person is tagged is watched from then on, and nothing old is told`() async throws {
        let world = try await makeTaggedWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.notified() == [["todo/5"]])
        #expect(world.log.count(of: .watchAutoAdded) == 1)
        #expect(try await world.number("SELECT count(*) FROM watches WHERE origin = 'auto' AND item_iid = 44") == 1)
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 0)
        world.gitlab.add(.note(3), at: PollingWorld.notes(44))
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["todo/5"], ["note/1/3"]])
    }

    @Test func `a baseline that cannot be read now is read later, also by another process`() async throws {
        let world = try await makeTaggedWorld()
        world.gitlab.trouble { $0.target == Self.item ? .response(makeText(502, "GitLab is not responding")) : nil }
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["todo/5"]])
        #expect(try await world.number("SELECT count(*) FROM watches") == 0)
        world.gitlab.trouble { Self.details($0) }
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        #expect(try await world.notified() == [["todo/5"]])
    }

    @Test func `a baseline goes on where a limit has ended its reading`() async throws {
        let world = try await makeTaggedWorld()
        let poller = try await world.makePoller()
        var cycles = 0
        while try await world.number("SELECT count(*) FROM watches") == 0, cycles < 8 {
            let left = Mutex(1)
            world.gitlab.trouble { request in
                if let details = Self.details(request) { return details }
                guard request.path.hasPrefix(Self.item) else { return nil }
                let isAnswered = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                return isAnswered ? nil : .response(makeText(429, "Retry later", [("Retry-After", "2")]))
            }
            try await poller.runCycle()
            world.time.advance(by: .minutes(1))
            cycles += 1
        }
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        #expect(world.gitlab.targets.count { $0 == Self.item } == 1)
        #expect(try await world.notified() == [["todo/5"]])
    }

    @Test func `under a limit of one request what is to be watched takes turns with the rest`() async throws {
        let world = try await makeTaggedWorld()
        world.gitlab.trouble { $0.target == Self.item ? .response(makeText(502, "GitLab is not responding")) : nil }
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 1)
        var cycles = 0
        while try await world.number("SELECT count(*) FROM watches") == 0, cycles < 20 {
            let left = Mutex(1)
            world.gitlab.trouble { request in
                let isAnswered = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                return isAnswered
                    ? Self.details(request) : .response(makeText(429, "Retry later", [("Retry-After", "2")]))
            }
            world.time.advance(by: .minutes(1))
            try await poller.runCycle()
            cycles += 1
        }
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        #expect(try await world.notified() == [["todo/5"]])
    }

    @Test func `what is written between the tag and a watch that begins late is told`() async throws {
        let world = try await makeTaggedWorld()
        world.gitlab.trouble { $0.target == Self.item ? .response(makeText(502, "GitLab is not responding")) : nil }
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 0)
        world.time.advance(by: .minutes(30))
        world.gitlab.add(.note(3, at: "2027-01-15T08:10:00.000Z"), at: PollingWorld.notes(44))
        world.gitlab.trouble { Self.details($0) }
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        let tagged = WallTime(secondsSinceEpoch: 1_800_000_000).microseconds
        #expect(try await world.number("SELECT created_at FROM watches WHERE item_iid = 44") == tagged)
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["todo/5"], ["note/1/3"]])
    }

    @Test func `a to-do item that is older than the account brings up nothing from before it`() async throws {
        let world = try await makeTaggedWorld()
        world.gitlab.set([.todo(5, "assigned", on: 44, at: "2027-01-15T06:00:00.000Z")], at: PollingWorld.todos)
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["todo/5"]])
    }

    @Test func `an item that GitLab does not show at once is asked for again, for a while`() async throws {
        let world = try await makeTaggedWorld()
        world.gitlab.trouble(nil)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 1)
        world.gitlab.trouble { Self.details($0) }
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 0)

        let other = try await makeTaggedWorld()
        other.gitlab.trouble(nil)
        try await other.makePoller().runCycle()
        other.time.advance(by: .minutes(14))
        try await other.makePoller().runCycle()
        #expect(try await other.number("SELECT count(*) FROM auto_watch_requests") == 1)
        other.time.advance(by: .minutes(2))
        try await other.makePoller().runCycle()
        #expect(try await other.number("SELECT count(*) FROM auto_watch_requests") == 0)
        #expect(try await other.number("SELECT count(*) FROM watches") == 0)
    }

    @Test func `a clock that leaps ends no patience`() async throws {
        let world = try await makeTaggedWorld()
        world.gitlab.trouble(nil)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.stepWall(by: .hours(3))
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 1)
        world.gitlab.trouble { Self.details($0) }
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
    }

    @Test func `what is forbidden for an hour is watched afterwards, and given up after a day`() async throws {
        for (pause, watched) in [(Duration.hours(1), 1), (Duration.hours(25), 0)] as [(Duration, Int64)] {
            let world = try await makeTaggedWorld()
            let refusal = #"{"message":"403 Forbidden"}"#
            world.gitlab.trouble { $0.target == Self.item ? .response(makeJSON(403, refusal)) : nil }
            try await world.makePoller().runCycle()
            world.time.advance(by: pause)
            try await world.makePoller().runCycle()
            #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == watched)
            world.gitlab.trouble { Self.details($0) }
            try await world.makePoller().runCycle()
            #expect(try await world.number("SELECT count(*) FROM watches") == watched)
            #expect(try await world.notified() == [["todo/5"]])
        }
    }

    @Test func `items that GitLab does not show hold up no other`() async throws {
        let world = try await makeTaggedWorld()
        for iid in 45...49 as ClosedRange<Int64> {
            world.gitlab.add(.todo(iid, "assigned", on: iid), at: PollingWorld.todos)
        }
        world.gitlab.set([], at: PollingWorld.notes(49))
        world.gitlab.set([], at: PollingWorld.events(49))
        world.gitlab.trouble { request in
            guard request.target == "/api/v4/projects/1/merge_requests/49" else { return nil }
            return .response(makeJSON(200, #"{"iid":49,"project_id":1,"title":"New","state":"opened"}"#))
        }
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 6)
        try await poller.runCycle()
        #expect(try await world.number("SELECT item_iid FROM watches") == 49)
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 5)
    }

    @Test func `who dismissed or unwatched the item meanwhile does not watch it`() async throws {
        let world = try await makeTaggedWorld()
        world.gitlab.trouble { $0.target == Self.item ? .response(makeText(502, "GitLab is not responding")) : nil }
        try await world.makePoller().runCycle()
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 44)
        let choice = ItemChoice(choice: .dismissed, changedAt: world.time.wallNow.advanced(by: .seconds(1)))
        let account = world.account
        try await world.store.transaction { try $0.setChoice(choice, on: item, nil, of: account, at: choice.changedAt) }
        world.gitlab.trouble { Self.details($0) }
        world.gitlab.add(.todo(6, "mentioned", on: 44), at: PollingWorld.todos)
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 0)
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 0)
        #expect(try await world.notified() == [["todo/5"]])
        #expect(world.log.count(of: .factDismissed) == 1)
    }

    @Test func `a tag counts that comes after an unwatch, though a former one still waits`() async throws {
        let world = try await makeTaggedWorld()
        world.gitlab.trouble { $0.target == Self.item ? .response(makeText(502, "GitLab is not responding")) : nil }
        try await world.makePoller().runCycle()
        try await world.unwatch(at: world.time.wallNow.advanced(by: .seconds(1)))
        world.time.advance(by: .minutes(10))
        world.gitlab.add(.todo(6, "mentioned", on: 44, at: "2027-01-15T08:09:00.000Z"), at: PollingWorld.todos)
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 1)
        world.gitlab.trouble { Self.details($0) }
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
    }

    @Test func `a tag counts that comes after an unwatch, though our clock was set back since`() async throws {
        let world = try await makeTaggedWorld()
        try await world.unwatch(at: world.time.wallNow.advanced(by: .minutes(30)))
        world.gitlab.set([.todo(6, "mentioned", on: 44, at: "2027-01-15T08:20:00.000Z")], at: PollingWorld.todos)
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 0, "tagged before")
        world.gitlab.add(.todo(7, "assigned", on: 44, at: "2027-01-15T08:40:00.000Z"), at: PollingWorld.todos)
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
    }

    @Test func `on a full list what is over longest gives way, of what came by itself`() async throws {
        let world = try await makeFullWorld(state: "merged")
        let poller = try await world.makePoller()
        try await poller.runCycle()
        // What the rows show is read first.
        #expect(try await world.number("SELECT count(*) FROM watches WHERE item_iid = 44") == 0)
        for _ in 0..<5 {
            world.time.advance(by: .minutes(1))
            try await poller.runCycle()
        }
        #expect(try await world.number("SELECT item_iid FROM watches WHERE item_iid <> 4") == 44)
        #expect(try await world.number("SELECT count(*) FROM watches") == 2)
        #expect(
            try await world.number("SELECT count(*) FROM item_choices WHERE item_iid = 3 AND choice = 'unwatched'") == 1
        )
        #expect(world.log.count(of: .watchGaveWay) == 1 && world.log.count(of: .watchListFull) == 0)
        #expect(try await world.notified() == [["todo/5"]])
    }

    @Test func `a full list of which nothing is over is told once`() async throws {
        let world = try await makeFullWorld(state: "opened")
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 1)
        for iid in [44, 45] as [Int64] {
            world.gitlab.add(.todo(iid, "assigned", on: iid), at: PollingWorld.todos)
            for _ in 1...3 {
                world.time.advance(by: .minutes(10))
                try await poller.runCycle()
            }
        }
        #expect(try await world.number("SELECT count(*) FROM auto_watch_requests") == 0)
        #expect(try await world.number("SELECT count(*) FROM watches WHERE item_iid IN (3, 4)") == 2)
        #expect(world.log.count(of: .watchListFull) == 1)
        #expect(try await world.notified().count { $0 == ["watch_list_full"] } == 1)
    }

    @Test func `what somebody waits behind gives way to nothing`() async throws {
        let world = try await makeFullWorld(state: "closed")
        _ = try await world.store.transaction { store in
            try store.database.execute(
                """
                INSERT INTO asks (public_id, account_id, ask_key, kind, project_id, item_kind, item_iid, actor_id, title,
                    item_title, subject, occurred_at, raised_at)
                SELECT 'ask', id, 'a', 'review_requested', 1, 'merge_request', 3, 9, '', '', '', 1, 1 FROM accounts
                """
            )
        }
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches WHERE item_iid IN (3, 4)") == 2)
    }

    @Test func `what has been over longest comes first, and what tells no time before it`() {
        let items = [
            EndedItem(watch: WatchID(rawValue: 1), updatedAt: WallTime(secondsSinceEpoch: 20)),
            EndedItem(watch: WatchID(rawValue: 2), updatedAt: WallTime(secondsSinceEpoch: 10)),
            EndedItem(watch: WatchID(rawValue: 3), updatedAt: nil),
        ]
        #expect(EndedItem.longestFirst(items).map(\.rawValue) == [3, 2, 1])
    }

    /// As ``makeTaggedWorld()``, with a list that is full: one entry of the person's own, closed, and one that came by itself.
    private func makeFullWorld(state: String) async throws -> PollingWorld {
        let world = try await makeTaggedWorld(watching: [3, 4]) { $0.watchLimit = 2 }
        let early = "2027-01-15T07:00:00.000Z"
        world.gitlab.set(
            [.item(3, updated: early, state: state), .item(4, updated: early, state: "closed")],
            at: PollingWorld.items
        )
        for iid in [3, 4] as [Int64] {
            world.gitlab.set([], at: PollingWorld.notes(iid))
            world.gitlab.set([], at: PollingWorld.events(iid))
        }
        _ = try await world.store.transaction { store in
            try store.database.execute("UPDATE watches SET origin = 'auto' WHERE item_iid = 3")
        }
        return world
    }

    private static func details(_ request: HTTPRequest) -> HTTPOutcome? {
        guard request.target == item else { return nil }
        return .response(
            makeJSON(200, #"{"iid":44,"project_id":1,"title":"New","state":"opened","web_url":"https://x.example"}"#)
        )
    }

    /// Watches nothing unless it says so, wants to watch by tags, and is tagged on an item with two comments.
    private func makeTaggedWorld(
        watching iids: [Int64] = [],
        configure: (inout NotifierConfiguration) -> Void = { _ in }
    ) async throws -> PollingWorld {
        let world = try await PollingWorld(watching: iids, configure: configure)
        var settings = PersonSettings()
        settings.isAutoWatchOn = true
        let (account, now) = (world.account, world.time.wallNow)
        try await world.store.transaction { [settings] in try $0.setSettings(settings, of: account, at: now) }
        let early = "2027-01-15T07:00:00.000Z"
        world.gitlab.set([.note(1, at: early), .note(2, at: early)], at: PollingWorld.notes(44))
        world.gitlab.set([], at: PollingWorld.events(44))
        world.gitlab.trouble { Self.details($0) }
        world.gitlab.add(.todo(5, "assigned", on: 44), at: PollingWorld.todos)
        return world
    }
}

extension PollingWorld {
    /// The person does not watch the merge request 44, and chose that then.
    fileprivate func unwatch(at instant: WallTime) async throws {
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 44)
        let choice = ItemChoice(choice: .unwatched, changedAt: instant)
        let person = account
        try await store.transaction { try $0.setChoice(choice, on: item, nil, of: person, at: instant) }
    }
}
