import Configuration
import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

private let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 3)

private func page(_ number: Int, _ ids: [Int64], next: Int? = nil, total: Int? = nil) -> Page<BareRow> {
    Page(number: number, rows: ids.map { BareRow(id: $0) }, head: PageHead(nextPage: next, total: total))
}

struct BaselineScanTests {
    @Test func `a list that ends is known row by row`() {
        var scan = BaselineScan(pages: 2, limits: ScanLimits())
        #expect(scan.take(page(1, [9, 8], next: 2), known: IDSet()) == .read(page: 2))
        #expect(scan.take(page(2, [7]), known: IDSet()) == .finished)
        #expect(scan.notes(before: nil) == .all([9, 8, 7]))
    }

    @Test func `a list that goes on is known by its largest id, wherever that stands`() {
        var scan = BaselineScan(pages: 2, limits: ScanLimits())
        #expect(scan.take(page(1, [9, 8], next: 2), known: IDSet()) == .read(page: 2))
        #expect(scan.take(page(2, [11, 3], next: 3), known: IDSet()) == .finished)
        #expect(scan.notes(before: nil) == .upTo(11))
    }

    @Test func `what was written since an instant is not part of what was known before it`() {
        let instant = WallTime(microseconds: 1_000_000)
        let rows = [BareRow(id: 12, createdAt: instant), BareRow(id: 11, createdAt: WallTime(microseconds: 999_999))]
        for (next, known) in [(nil, ItemBaseline.Notes.all([11])), (2, .upTo(11))] {
            var scan = BaselineScan(pages: 1, limits: ScanLimits())
            _ = scan.take(Page(number: 1, rows: rows, head: PageHead(nextPage: next)), known: IDSet())
            #expect(scan.notes(before: instant) == known)
        }
    }

    @Test func `rows that were all written since an instant are no baseline of what was there before it`() {
        let instant = WallTime(microseconds: 1_000_000)
        var scan = BaselineScan(pages: 1, before: instant, limits: ScanLimits())
        let since = Page(number: 1, rows: [BareRow(id: 12, createdAt: instant)], head: PageHead(nextPage: 2))
        #expect(scan.take(since, known: IDSet()) == .read(page: 2))
        #expect(!scan.isSufficient)
        let rows = [BareRow(id: 11, createdAt: WallTime(microseconds: 999_999))]
        #expect(scan.take(Page(number: 2, rows: rows, head: PageHead(nextPage: 3)), known: IDSet()) == .finished)
        #expect(scan.notes(before: instant) == .upTo(11))
    }

    @Test func `traps 2, 3: pages without rows are not counted as knowledge`() {
        var scan = BaselineScan(pages: 1, limits: ScanLimits())
        #expect(scan.take(page(1, [], next: 2), known: IDSet()) == .read(page: 2))
        #expect(!scan.isSufficient)
        #expect(scan.take(page(2, [4], next: 3), known: IDSet()) == .finished)
        #expect(scan.notes(before: nil) == .upTo(4))
    }

    @Test func `trap 29: rows that vanish under way lead back to the first page`() {
        var scan = BaselineScan(pages: 5, limits: ScanLimits())
        #expect(scan.take(page(1, [9, 8], next: 2, total: 5), known: IDSet()) == .read(page: 2))
        #expect(scan.take(page(2, [6], next: 3, total: 4), known: IDSet()) == .read(page: 1))
    }
}

struct BaselineReaderTests {
    private func baseline(_ world: PollingWorld, requestsLeft: Int? = nil) async throws -> ItemBaseline {
        let stored = try await world.store.read { [id = world.account] in try $0.account(id) }
        let client = try world.context.client(for: try #require(stored))
        let reader = BaselineReader(client: client, time: world.time, requestsLeft: requestsLeft)
        return try await reader.itemBaseline(item)
    }

    private func pagesOfNotes(_ world: PollingWorld) -> Int {
        world.gitlab.targets.count { $0.hasPrefix(PollingWorld.notes(3)) }
    }

    @Test func `an item with very many comments is known by its newest`() async throws {
        let world = try await PollingWorld { $0.perPage = 2 }
        world.gitlab.set((1...100).map { .note($0) }, at: PollingWorld.notes(3))
        let baseline = try await baseline(world)
        #expect(baseline.notes == .upTo(100))
        #expect(pagesOfNotes(world) == BaselineReader.notePages)
    }

    @Test func `an account with few requests left asks for fewer pages, and for one at least`() async throws {
        let world = try await PollingWorld { $0.perPage = 2 }
        world.gitlab.set((1...100).map { .note($0) }, at: PollingWorld.notes(3))
        #expect(try await baseline(world, requestsLeft: 5).notes == .upTo(100))
        #expect(pagesOfNotes(world) == 3)
        world.gitlab.forgetExchanges()
        #expect(try await baseline(world, requestsLeft: 0).notes == .upTo(100))
        #expect(pagesOfNotes(world) == 1)
    }

    @Test func `a limit that leaves a request for each list lets a watch begin`() async throws {
        let world = try await PollingWorld { $0.perPage = 2 }
        world.gitlab.set((1...100).map { .note($0) }, at: PollingWorld.notes(3))
        world.gitlab.set([.stateEvent(1, "closed")], at: PollingWorld.events(3))
        let left = Mutex(2)
        world.gitlab.trouble { _ in
            let isAnswered = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isAnswered ? nil : .response(makeText(429, "Retry later", [("Retry-After", "2")]))
        }
        let baseline = try await baseline(world)
        #expect(baseline.notes == .upTo(100))
        #expect(baseline.stateEventIDs == [1])
        #expect(baseline.approvers == nil)
    }

    @Test func `a GitLab that takes its time is not asked for what need not be known`() async throws {
        let world = try await PollingWorld { $0.perPage = 2 }
        world.gitlab.set((1...100).map { .note($0) }, at: PollingWorld.notes(3))
        world.gitlab.afterAnswer { [time = world.time] _ in time.advance(by: .seconds(4)) }
        #expect(try await baseline(world).notes == .upTo(100))
        #expect(pagesOfNotes(world) == 3)
    }

    @Test func `what fails behind the first rows is not missed, and what fails before them is`() async throws {
        let world = try await PollingWorld { $0.perPage = 2 }
        world.gitlab.set((1...6).map { .note($0) }, at: PollingWorld.notes(3))
        world.gitlab.trouble { request in
            request.target.hasSuffix("&page=2") && request.target.contains("notes")
                ? .response(makeText(502, "Bad gateway")) : nil
        }
        #expect(try await baseline(world).notes == .upTo(6))
        world.gitlab.trouble { request in
            request.target.contains("notes") ? .response(makeText(502, "Bad gateway")) : nil
        }
        await #expect(throws: GitLabError.unavailable(status: 502)) { try await baseline(world) }
    }
}

/// A watch that begins while GitLab has no such list.
struct LateListTests {
    private let notes = PollingWorld.notes(3)

    @Test(arguments: [false, true])
    func `what the list shows of the time before is no news once it is there, and what came since is`(
        isRestarted: Bool
    ) async throws {
        let world = try await PollingWorld(watching: [])
        world.gitlab.setDate("Fri, 15 Jan 2027 08:00:00 GMT")
        world.gitlab.set([.note(1, at: "2027-01-15T07:55:00.000Z")], at: notes)
        world.gitlab.trouble { [notes] request in
            request.path == notes ? .response(makeJSON(404, #"{"error":"404 Not Found"}"#)) : nil
        }
        try await world.watch(3)
        #expect(try await world.number("SELECT notes_since FROM watches") == 1_800_000_000_000_000)
        #expect(try await world.number("SELECT count(*) FROM watches WHERE state_events_since IS NULL") == 1)
        let poller = try await world.makePoller()
        world.gitlab.trouble(nil)
        world.gitlab.add(.note(2, at: "2027-01-15T08:00:01.000Z"), at: notes)
        world.time.advance(by: .minutes(1))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:01:00 GMT")
        let next = try await isRestarted ? world.makePoller() : poller
        try await next.runCycle()
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 2)
        #expect(try await world.notified() == [["note/1/2"]])
    }
}

/// An item with more comments than a watch begins with.
struct PartialBaselineTests {
    private func world() async throws -> PollingWorld {
        let world = try await PollingWorld(watching: []) { $0.perPage = 2 }
        world.gitlab.set((1...60).map { .note($0) }, at: PollingWorld.notes(3))
        try await world.watch(3)
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 0)
        #expect(try await world.number("SELECT baseline_note_id FROM watches") == 60)
        return world
    }

    @Test func `none of them is told, in the first reading, in one from end to end, or after a restart`() async throws {
        let world = try await world()
        for _ in 0..<2 {
            let poller = try await world.makePoller()
            for _ in 0..<8 {
                world.time.advance(by: .minutes(20))
                try await poller.runCycle()
            }
        }
        #expect(try await world.notified() == [])
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 0)
        // Hourly, from end to end: the whole list was read.
        #expect(world.gitlab.targets.contains { $0.hasPrefix(PollingWorld.notes(3)) && $0.hasSuffix("&page=30") })
    }

    @Test func `a new comment is read without the old ones, right after the watch began`() async throws {
        let world = try await world()
        let poller = try await world.makePoller()
        // Begins with the hourly reading from end to end.
        try await poller.runCycle()
        world.gitlab.forgetExchanges()
        world.gitlab.add(.note(61), at: PollingWorld.notes(3))
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/61"]])
        // The page with the new one, and one without.
        #expect(world.gitlab.targets.count { $0.hasPrefix(PollingWorld.notes(3)) } == 2)
    }

    @Test func `what comes then is told, also when it is committed out of order`() async throws {
        let world = try await world()
        let poller = try await world.makePoller()
        world.gitlab.add(.note(62), at: PollingWorld.notes(3))
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        world.gitlab.add(.note(61), at: PollingWorld.notes(3))
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/62"], ["note/1/61"]])
    }
}
