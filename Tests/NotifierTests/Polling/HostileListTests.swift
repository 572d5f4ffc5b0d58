import Configuration
import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

private let notes = PollingWorld.notes(3)

/// A GitLab that answers with more than anybody asked for.
@Suite(.timeLimit(.minutes(1)))
struct HostileListTests {
    private static func rows(_ page: Int, from first: Int64) -> String {
        "[" + (0..<100).map { MiniGitLab.Row.todo(first + Int64(page * 100 + $0)).json }.joined(separator: ",") + "]"
    }

    /// Pages of to-dos that never end, all of them new.
    private static func endless(_ request: HTTPRequest) -> HTTPOutcome? {
        guard request.path == PollingWorld.todos else { return nil }
        let page = request.target.split(separator: "&page=").dropFirst().first.flatMap { Int($0) } ?? 1
        return .response(makeJSON(200, rows(page, from: 1_000), [("X-Next-Page", "\(page + 1)")]))
    }

    /// As the budget of requests would make it pass.
    private func passTime(in world: PollingWorld) {
        world.gitlab.afterAnswer { [time = world.time] _ in time.advance(by: .milliseconds(100)) }
    }

    @Test func `to-dos without end move nothing, and the items are read all the same`() async throws {
        var world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        passTime(in: world)
        world.context.answers = ResponseBudget(time: world.time, sharedBytes: 1 << 40)
        let poller = try await world.makePoller()
        world.gitlab.trouble(Self.endless)
        world.gitlab.add(.note(11), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/11"]])
        #expect(try await world.number("SELECT count(*) FROM seen_todos") == 0)
        #expect(world.gitlab.targets.count { $0.hasPrefix(PollingWorld.todos) } == 200)
        #expect(world.context.answers?.heldBytes == 0)
    }

    @Test func `who has such to-dos is told after a while, and when they can be read again`() async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        passTime(in: world)
        let poller = try await world.makePoller()
        world.gitlab.trouble(Self.endless)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.time.advance(by: .minutes(16))
        try await poller.runCycle()
        #expect(try await world.notified() == [["service_trouble"]])
        world.gitlab.trouble(nil)
        try await poller.runCycle()
        #expect(try await world.notified() == [["service_trouble"], ["service_recovered"]])
    }

    @Test func `a list has its time, however many pages it has`() async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        passTime(in: world)
        let poller = try await world.makePoller()
        world.gitlab.trouble(Self.endless)
        world.gitlab.afterAnswer { [time = world.time] request in
            if request.path == PollingWorld.todos { time.advance(by: .seconds(29)) }
        }
        try await poller.runCycle()
        #expect(world.gitlab.targets.count { $0.hasPrefix(PollingWorld.todos) } == 11)
        #expect(try await world.number("SELECT count(*) FROM seen_todos") == 0)
    }

    @Test func `a list has its bytes, however many pages it has`() async throws {
        let world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        passTime(in: world)
        let poller = try await world.makePoller()
        let filler = String(repeating: " ", count: 4 * 1_024 * 1_024)
        world.gitlab.trouble { request in
            guard case .response(var response) = Self.endless(request) else { return nil }
            response.body += Array(filler.utf8)
            return .response(response)
        }
        try await poller.runCycle()
        #expect(world.gitlab.targets.count { $0.hasPrefix(PollingWorld.todos) } == 16)
    }

    @Test func `thousands of to-dos that are all new are dealt with in parts, none twice and none left out`()
        async throws
    {
        var world = try await PollingWorld(watching: []) { $0.requestsPerHour = 1_000_000 }
        passTime(in: world)
        world.context.answers = ResponseBudget(time: world.time, sharedBytes: 4 * 1_024 * 1_024)
        let poller = try await world.makePoller()
        world.gitlab.set((1...1_200).map { .todo($0, on: $0) }, at: PollingWorld.todos)
        var cycles = 0
        while try await world.number("SELECT count(*) FROM seen_todos") < 1_200, cycles < 10 {
            try await poller.runCycle()
            cycles += 1
        }
        #expect(cycles > 1 && cycles < 10)
        #expect(world.log.count(of: .todosInParts) == cycles - 1)
        try await poller.runCycle()
        #expect(try await world.notified().joined().sorted() == (1...1_200).map { "todo/\($0)" }.sorted())
        #expect(world.context.answers?.heldBytes == 0)
    }

    @Test func `thousands of comments that are all new are dealt with in parts, none twice and none left out`()
        async throws
    {
        var world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        passTime(in: world)
        world.context.answers = ResponseBudget(time: world.time, sharedBytes: 4 * 1_024 * 1_024)
        let poller = try await world.makePoller()
        world.gitlab.set((1...1_500).map { .note($0) }, at: notes)
        var cycles = 0
        while try await world.number("SELECT count(*) FROM seen_notes") < 1_500, cycles < 20 {
            world.time.advance(by: .minutes(1))
            try await poller.runCycle()
            cycles += 1
        }
        #expect(cycles > 1 && cycles < 20)
        #expect(world.log.count(of: .notesInParts) == cycles - 1)
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        #expect(try await world.notified().joined().sorted() == (1...1_500).map { "note/1/\($0)" }.sorted())
        #expect(world.context.answers?.heldBytes == 0)
    }

    @Test func `what a stop left unread behind the first part is read at once, however long the stop was`()
        async throws
    {
        var world = try await PollingWorld { $0.requestsPerHour = 1_000_000 }
        passTime(in: world)
        // No list is due from end to end before an hour is over.
        world.context.entropy = FixedEntropy(value: .max)
        world.gitlab.set((1...1_500).map { .note($0) }, at: notes)
        var cycles = 0
        for pause in [Duration.minutes(1), .minutes(7)] {
            world.time.advance(by: pause)
            world.context.answers = ResponseBudget(time: world.time, sharedBytes: 4 * 1_024 * 1_024)
            let poller = try await world.makePoller()
            try await poller.runCycle()
            if pause == .minutes(1) {
                #expect(world.log.count(of: .notesInParts) == 1)
                continue
            }
            while try await world.number("SELECT count(*) FROM seen_notes") < 1_500, cycles < 20 {
                world.time.advance(by: .minutes(1))
                try await poller.runCycle()
                cycles += 1
            }
        }
        #expect(cycles < 20)
        #expect(try await world.notified().joined().sorted() == (1...1_500).map { "note/1/\($0)" }.sorted())
    }

    @Test func `a page that is too large is asked for in smaller ones`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        let long = String(repeating: "x", count: 900_000)
        world.gitlab.set((1...12).map { .note($0, "\(long) \($0)") }, at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        #expect(world.log.count(of: .scanFailed) == 1)
        world.time.advance(by: .minutes(10))
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.time.advance(by: .minutes(10))
        try await poller.runCycle()
        #expect(try await world.notified().joined().sorted() == (1...12).map { "note/1/\($0)" }.sorted())
        // And their baseline, too.
        world.gitlab.forgetExchanges()
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 3)
        let stored = try await world.store.read { [id = world.account] in try $0.account(id) }
        let account = try #require(stored)
        let baseline = try await BaselineReader(client: world.context.client(for: account)).itemBaseline(item)
        #expect(baseline.notes == .upTo(12))
    }

    @Test func `what is remembered of an account has a bound, which shuts nothing out that is new`() async throws {
        let world = try await PollingWorld(watching: []) { $0.requestsPerHour = 1_000_000 }
        passTime(in: world)
        let now = world.time.wallNow
        try await world.store.transaction { [id = world.account] store in
            try store.insertSeenTodos(Array(100_000..<131_000), of: id, at: now)
        }
        let poller = try await world.makePoller()
        world.gitlab.set((1...5_001).map { .todo($0, on: $0) }, at: PollingWorld.todos)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        #expect(world.log.count(of: .scanFailed) == 1)
        world.gitlab.set((1...150).map { .todo($0, on: $0) }, at: PollingWorld.todos)
        try await poller.runCycle()
        #expect(try await world.notified().count == 150)
    }
}
