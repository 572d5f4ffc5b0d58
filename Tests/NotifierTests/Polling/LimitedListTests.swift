import Configuration
import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

private let notes = PollingWorld.notes(3)

/// A GitLab whose limit ends the reading of a list that is longer than what it answers at a time.
@Suite(.timeLimit(.minutes(1)))
struct LimitedListTests {
    /// Answers so many requests for notes, or for other lists, from now on.
    private func limit(_ world: PollingWorld, to count: Int, of paths: [String] = [notes]) {
        let left = Mutex(count)
        world.gitlab.trouble { request in
            guard paths.contains(String(request.path)) else { return nil }
            let isAnswered = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isAnswered ? nil : .response(makeText(429, "Retry later", [("Retry-After", "2")]))
        }
    }

    private func answers(_ world: PollingWorld, page: Int) -> Int {
        world.gitlab.exchanges.count { $0.status == 200 && $0.target.hasSuffix("&page=\(page)") }
    }

    @Test func `what a limit has left of a list is read by the next cycles, no page twice`() async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        let poller = try await world.makePoller()
        world.gitlab.set((1...950).map { .note($0) }, at: notes)
        for cycle in Int64(1)...5 {
            limit(world, to: 3)
            world.time.advance(by: .minutes(1))
            try await poller.runCycle()
            // The first page is as it was, but for the first time.
            #expect(try await world.number("SELECT count(*) FROM seen_notes") == min(100 + 200 * cycle, 950))
        }
        for page in 2...10 { #expect(answers(world, page: page) == 1) }
        #expect(try await world.notified().joined().sorted() == (1...950).map { "note/1/\($0)" }.sorted())
    }

    @Test func `a list comes to its end though a limit leaves one page at a time`() async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        let poller = try await world.makePoller()
        world.gitlab.set((1...450).map { .note($0) }, at: notes)
        for _ in 1...9 {
            limit(world, to: 1)
            world.time.advance(by: .minutes(1))
            try await poller.runCycle()
        }
        #expect(try await world.notified().joined().sorted() == (1...450).map { "note/1/\($0)" }.sorted())
        #expect((2...5).map { answers(world, page: $0) } == [1, 1, 1, 1])
    }

    @Test func `a limit that lets through one list of an item keeps back neither`() async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        let poller = try await world.makePoller()
        world.gitlab.set([.note(1)], at: notes)
        world.gitlab.set([.stateEvent(1, "closed")], at: PollingWorld.events(3))
        for _ in 1...2 {
            limit(world, to: 1, of: [notes, PollingWorld.events(3)])
            world.time.advance(by: .minutes(1))
            try await poller.runCycle()
        }
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 1)
        #expect(try await world.number("SELECT count(*) FROM seen_state_events") == 1)
    }

    @Test func `a list that a limit kept back is still owed where it keeps it back once more`() async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        let poller = try await world.makePoller()
        world.gitlab.set([.note(1)], at: notes)
        world.gitlab.set([.stateEvent(1, "closed")], at: PollingWorld.events(3))
        for count in [1, 0, 0, 1] {
            limit(world, to: count, of: [notes, PollingWorld.events(3)])
            world.time.advance(by: .minutes(1))
            try await poller.runCycle()
        }
        #expect(try await world.number("SELECT count(*) FROM seen_state_events") == 1)
    }

    @Test func `an item has been read once both its lists were, though a limit lets through one a round`()
        async throws
    {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        let poller = try await world.makePoller()
        let lists = [notes, PollingWorld.events(3)]
        world.gitlab.set([.note(1)], at: notes)
        world.gitlab.set([.stateEvent(1, "closed")], at: PollingWorld.events(3))
        for _ in 1...3 {
            limit(world, to: 1, of: lists)
            world.gitlab.forgetExchanges()
            try await poller.runCycle()
            world.time.advance(by: .seconds(8))
        }
        #expect(try await world.number("SELECT count(*) FROM seen_state_events") == 1)
        #expect(!world.gitlab.targets.contains { target in lists.contains { target.hasPrefix($0) } })
    }

    /// How often each of the lists that leave no trace is answered in some cycles, while a limit lets through one request for these and `others`.
    private func answersOfTracelessLists(cycles: Int, besides others: [String] = []) async throws -> [Int] {
        let world = try await PollingWorld { configuration in
            configuration.requestsPerHour = 1_000_000
            configuration.activities = "labels milestones pipelines"
        }
        let lists = ["resource_label_events", "resource_milestone_events", "pipelines"]
            .map { "/api/v4/projects/1/merge_requests/3/\($0)" }
        for list in lists { world.gitlab.set([], at: list) }
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.gitlab.forgetExchanges()
        world.time.advance(by: .minutes(1))
        for _ in 1...cycles {
            limit(world, to: 1, of: lists + others)
            try await poller.runCycle()
            world.time.advance(by: .seconds(8))
        }
        let answered = world.gitlab.exchanges.filter { $0.status < 400 }
        return lists.map { list in answered.count { $0.target.hasPrefix(list) } }
    }

    @Test func `lists that leave no trace take turns where a limit lets through one of them`() async throws {
        #expect(try await answersOfTracelessLists(cycles: 3) == [1, 1, 1])
    }

    @Test func `the to-dos leave something to lists that leave no trace where a limit lets through one request`()
        async throws
    {
        #expect(try await answersOfTracelessLists(cycles: 4, besides: [PollingWorld.todos]) == [1, 1, 1])
    }

    @Test func `a look at the approvals that a limit holds back is still due`() async throws {
        let world = try await PollingWorld { $0.activities = "approvals" }
        let approvals = "/api/v4/projects/1/merge_requests/3/approvals"
        let list = ApprovalList()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.advance(by: .minutes(15))
        world.gitlab.trouble { request in
            request.path == approvals ? .response(makeText(429, "Retry later", [("Retry-After", "2")])) : nil
        }
        try await poller.runCycle()
        world.gitlab.trouble { $0.path == approvals ? .response(makeJSON(200, list.body)) : nil }
        for _ in 1...2 {
            world.time.advance(by: .seconds(8))
            try await poller.runCycle()
        }
        #expect(world.gitlab.exchanges.filter { $0.target == approvals }.map(\.status) == [429, 200])
    }

    @Test func `to-dos that are more than a limit lets through are read one part after the other`() async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        let poller = try await world.makePoller()
        world.gitlab.set((1...450).map { .todo($0, "assigned", on: 100 + $0) }, at: PollingWorld.todos)
        var cycles = 0
        while try await world.number("SELECT count(*) FROM seen_todos") < 450, cycles < 12 {
            limit(world, to: 2, of: [PollingWorld.todos])
            world.time.advance(by: .minutes(1))
            try await poller.runCycle()
            cycles += 1
        }
        #expect(try await world.number("SELECT count(*) FROM seen_todos") == 450)
        #expect(world.gitlab.exchanges.count { $0.target.hasPrefix(PollingWorld.todos) && $0.status == 200 } == 5)
    }

    @Test func `an answer that was dealt with before a restart counts for what is read behind it`() async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        var rows: [MiniGitLab.Row] = (2...149).map { .note($0) }
        rows.append(.note(1, "Please look, @alice", at: "2027-01-15T07:59:00.000Z"))
        rows.append(.note(150, by: 7, "Done"))
        world.gitlab.set(rows, at: notes)
        limit(world, to: 1)
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 100)
        world.gitlab.trouble(nil)
        world.time.advance(by: .minutes(1))
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 150)
        #expect(try await world.number("SELECT count(*) FROM asks") == 1)
        #expect(try await world.number("SELECT count(*) FROM asks WHERE settled_by = 'acted'") == 1)
    }

    @Test func `a list that was read whole is not read again because a limit kept the next from being read`()
        async throws
    {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        let poller = try await world.makePoller()
        world.gitlab.set((1...450).map { .note($0) }, at: notes)
        world.gitlab.trouble { request in
            guard request.path == PollingWorld.events(3) else { return nil }
            return .response(makeText(429, "Retry later", [("Retry-After", "2")]))
        }
        try await poller.runCycle()
        world.gitlab.trouble(nil)
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        #expect((2...5).map { answers(world, page: $0) } == [1, 1, 1, 2])
        #expect(try await world.notified().joined().sorted() == (1...450).map { "note/1/\($0)" }.sorted())
    }

    @Test(arguments: [true, false])
    func `nothing is lost when rows come or go before the rest is read`(isRowGone: Bool) async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        let poller = try await world.makePoller()
        world.gitlab.set((1...950).map { .note($0) }, at: notes)
        limit(world, to: 3)
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 300)
        if isRowGone { world.gitlab.remove(900, at: notes) } else { world.gitlab.add(.note(951), at: notes) }
        let rows: Int64 = isRowGone ? 950 : 951
        var cycles = 0
        while try await world.number("SELECT count(*) FROM seen_notes") < rows, cycles < 40 {
            world.time.advance(by: .minutes(1))
            limit(world, to: 5)
            try await poller.runCycle()
            cycles += 1
        }
        #expect(try await world.notified().joined().sorted() == (1...rows).map { "note/1/\($0)" }.sorted())
    }
}
