import Configuration
import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

private let notes = PollingWorld.notes(3)
private let events = PollingWorld.events(3)

/// The poller with a small GitLab and a clock that stands still unless it is moved.
@Suite(.timeLimit(.minutes(1)))
struct CycleTests {
    @Test(arguments: ChangeDetection.allCases)
    func `a new comment is told once, also by a poller that starts later`(by detection: ChangeDetection) async throws {
        let world = try await PollingWorld(by: detection)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.gitlab.add(.note(11), at: notes)
        try await poller.runCycle()
        try await poller.runCycle()
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }

    /// What is read again a minute after news: the to-dos, the item's two lists, and the sweep that tells of them.
    @Test(arguments: [(ChangeDetection.perItem, 3), (.sweep, 4)])
    func `an unchanged list costs one conditional request and no transaction`(
        detection: ChangeDetection,
        lists: Int
    ) async throws {
        let world = try await PollingWorld(by: detection)
        world.gitlab.add(.note(11), at: notes)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.gitlab.forgetExchanges()
        let before = try await world.number("SELECT total_changes()")
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        #expect(world.gitlab.exchanges.map(\.status) == Array(repeating: 304, count: lists))
        #expect(world.gitlab.exchanges.count(where: \.isConditional) == lists)
        #expect(try await world.number("SELECT total_changes()") == before)
        #expect(world.log.count(of: .scanNotModified) == lists)
    }

    @Test(arguments: ChangeDetection.allCases)
    func `trap 9: what an item held when it was watched is not told`(by detection: ChangeDetection) async throws {
        let world = try await PollingWorld(watching: [], by: detection)
        world.gitlab.set((1...250).map { .note($0) }, at: notes)
        world.gitlab.set([.stateEvent(1, "closed"), .stateEvent(2, "reopened")], at: events)
        try await world.watch(3)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 250)
        world.gitlab.add(.note(251), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/251"]])
    }

    @Test(arguments: ChangeDetection.allCases)
    func `trap 8: neither clock decides what is new`(by detection: ChangeDetection) async throws {
        let world = try await PollingWorld(by: detection)
        let poller = try await world.makePoller()
        world.time.stepWall(by: .days(400))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:00:05 GMT")
        world.gitlab.add(.note(11), at: notes)
        world.gitlab.add(.todo(5, "assigned", at: "2020-01-01T00:00:00Z"), at: PollingWorld.todos)
        try await poller.runCycle()
        #expect(try await world.notified() == [["todo/5", "note/1/11"]])
        world.time.stepWall(by: .zero - .days(800))
        world.gitlab.add(.note(12), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified().last == ["note/1/12"])
    }

    @Test(arguments: ChangeDetection.allCases)
    func `trap 7: a failed second page moves nothing`(by detection: ChangeDetection) async throws {
        let world = try await PollingWorld(by: detection) { $0.perPage = 2 }
        let poller = try await world.makePoller()
        world.gitlab.set((1...3).map { .note($0) }, at: notes)
        world.gitlab.trouble { request in
            request.target.hasSuffix("/notes?order_by=created_at&sort=desc&per_page=2&page=2")
                ? .response(makeText(502, "GitLab is not responding")) : nil
        }
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 0)
        world.gitlab.trouble(nil)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/1", "note/1/2", "note/1/3"]])
    }

    @Test(arguments: ChangeDetection.allCases)
    func `news on a page that reaches what is known are told though a page behind it fails`(
        by detection: ChangeDetection
    ) async throws {
        let world = try await PollingWorld(watching: [], by: detection) { $0.perPage = 3 }
        world.gitlab.set((1...6).map { .note($0) }, at: notes)
        try await world.watch(3)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.advance(by: .minutes(6))
        world.gitlab.trouble { request in
            request.target.hasSuffix("&page=2") ? .response(makeText(502, "GitLab is not responding")) : nil
        }
        world.gitlab.add(.note(7), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/7"]])
        // The slow reconciliation has not happened while a page fails, but what is new is told.
        world.time.advance(by: .hours(2))
        let reconciliations = world.log.count(of: .scanReconciled)
        world.gitlab.add(.note(8), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified().last == ["note/1/8"])
        #expect(world.log.count(of: .scanReconciled) == reconciliations)
        world.gitlab.trouble(nil)
        try await poller.runCycle()
        #expect(world.log.count(of: .scanReconciled) == reconciliations + 1)
        #expect(try await world.notified().count == 2)
    }

    @Test(arguments: ChangeDetection.allCases)
    func `trap 4: a row that becomes visible late is told`(by detection: ChangeDetection) async throws {
        let world = try await PollingWorld(by: detection)
        let poller = try await world.makePoller()
        world.gitlab.add(.note(101), at: notes)
        try await poller.runCycle()
        world.gitlab.add(.note(100), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/101"], ["note/1/100"]])
        #expect(world.log.count(of: .scanLateRow) == 1)
    }

    @Test(arguments: ChangeDetection.allCases)
    func `trap 4: the slow reconciliation finds what lies below the overlap`(by detection: ChangeDetection) async throws
    {
        let world = try await PollingWorld(watching: [], by: detection) { $0.perPage = 2 }
        world.gitlab.set([1, 3, 4, 5, 6].map { .note($0) }, at: notes)
        try await world.watch(3)
        let poller = try await world.makePoller()
        world.time.advance(by: .minutes(6))
        world.gitlab.add(.note(2), at: notes)
        try await poller.runCycle()
        // Page 1 is as well known as ever; the first reconciliation after a start falls into the first hour.
        world.time.advance(by: .hours(1))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/2"]])
        #expect(world.log.count(of: .scanReconciled) >= 1)
    }

    @Test(arguments: ChangeDetection.allCases)
    func `trap 36: a row that is gone and comes back is no news, and its absence no deletion`(
        by detection: ChangeDetection
    ) async throws {
        let world = try await PollingWorld(by: detection)
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: notes)
        try await poller.runCycle()
        world.gitlab.remove(11, at: notes)
        try await poller.runCycle()
        world.gitlab.add(.note(11), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test func `trap 3: hidden rows make pages short and end nothing`() async throws {
        let world = try await PollingWorld { $0.perPage = 2 }
        let poller = try await world.makePoller()
        var rows = (1...6).map { MiniGitLab.Row.note($0) }
        for index in 1..<6 { rows[index].isHidden = true }
        world.gitlab.set(rows, at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/1"]])
    }

    @Test(arguments: ChangeDetection.allCases)
    func `trap 14: state events are found on a page that did not exist before`(by detection: ChangeDetection)
        async throws
    {
        let world = try await PollingWorld(by: detection) { $0.perPage = 2 }
        let poller = try await world.makePoller()
        for id in Int64(1)...5 {
            world.gitlab.add(.stateEvent(id, id.isMultiple(of: 2) ? "reopened" : "closed"), at: events)
            try await poller.runCycle()
        }
        #expect(try await world.notified() == (1...5).map { ["state/1/\($0)"] })
    }

    @Test func `trap 15: approve, unapprove, approve are three facts`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        for (id, body) in [(1, "approved"), (2, "unapproved"), (3, "approved")] {
            world.gitlab.add(.note(Int64(id), body + " this merge request", system: true), at: notes)
        }
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/1", "note/1/2", "note/1/3"]])
    }

    @Test func `trap 11: the to-do and the note of a mention are one push`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11, "Hello @alice"), at: notes)
        world.gitlab.add(.todo(5, note: 11), at: PollingWorld.todos)
        try await poller.runCycle()
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(world.log.count(of: .factMerged) == 1)
        #expect(try await world.number("SELECT count(*) FROM seen_todos") == 1)
    }

    @Test func `trap 10: a to-do that is made and resolved between two polls is told by its note`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11, "Hello @alice"), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(try await world.number("SELECT count(*) FROM notified_facts WHERE fact_key = 'mention/1/11'") == 1)
    }

    @Test func `to-dos are told although their item cannot be read`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.add(.todo(5, "assigned"), at: PollingWorld.todos)
        world.gitlab.add(.todo(6, "assigned", on: 99), at: PollingWorld.todos)
        world.gitlab.trouble { $0.target.contains("/merge_requests/3/") ? .response(makeText(500, "")) : nil }
        try await poller.runCycle()
        #expect(try await world.notified() == [["todo/5"], ["todo/6"]])
    }

    @Test func `own actions are recorded and not told`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11, by: 7), at: notes)
        world.gitlab.add(.stateEvent(1, "closed", by: 7), at: events)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        #expect(world.log.count(of: .factOwnAction) == 1)
    }

    @Test func `what the store refuses is told by the next cycle`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: notes)
        world.gitlab.add(.todo(5, "assigned", on: 99), at: PollingWorld.todos)
        _ = try await world.store.read { try $0.database.execute("ALTER TABLE notified_facts RENAME TO hidden") }
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        _ = try await world.store.read { try $0.database.execute("ALTER TABLE hidden RENAME TO notified_facts") }
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"], ["todo/5"]])
    }

    @Test func `a watch removed while its item is read tells nothing more`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: notes)
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 3)
        _ = try await world.store.transaction { [account = world.account] in try $0.deleteWatch(item, of: account) }
        try await poller.runCycle()
        #expect(try await world.notified() == [])
    }

    @Test func `trap 29: a to-do that slips between two pages is found by reading again`() async throws {
        let world = try await PollingWorld { $0.perPage = 2 }
        let poller = try await world.makePoller()
        let gitlab = world.gitlab
        gitlab.set((1...4).map { .todo($0, "assigned", on: 90 + $0) }, at: PollingWorld.todos)
        let isFirst = Mutex(true)
        gitlab.afterAnswer { request in
            guard request.path == "/api/v4/todos", isFirst.withLock({ $0.exchangeForFalse() }) else { return }
            gitlab.remove(4, at: PollingWorld.todos)
        }
        try await poller.runCycle()
        #expect(Set(try await world.notified().flatMap { $0 }) == ["todo/1", "todo/2", "todo/3", "todo/4"])
        #expect(world.log.count(of: .scanRestarted) == 1)
    }
}

extension Bool {
    /// True the first time.
    fileprivate mutating func exchangeForFalse() -> Bool {
        defer { self = false }
        return self
    }
}
