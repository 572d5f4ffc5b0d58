import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

private let notes = PollingWorld.notes(3)

/// Marks as a test sees them.
private final class SeenMarks: PollMarks {
    private let state = Mutex<(marked: Set<Int64>, interrupted: [Int64])>(([], []))

    var marked: Set<Int64> { state.withLock { $0.marked } }

    func set(interrupted: [Int64]) { state.withLock { $0.interrupted = interrupted } }

    func takeInterrupted() -> [Int64] {
        state.withLock { state in
            defer { state.interrupted = [] }
            return state.interrupted
        }
    }

    func begin(_ account: Int64) { state.withLock { _ = $0.marked.insert(account) } }
    func end(_ account: Int64) { state.withLock { _ = $0.marked.remove(account) } }
}

struct PollDeathsTests {
    private let start = WallTime(secondsSinceEpoch: 1_800_000_000)

    @Test(arguments: [
        (1, Duration.zero), (2, .minutes(1)), (3, .minutes(2)), (4, .minutes(4)), (12, .minutes(1_024)),
        (13, .hours(24)),
        (1_000, .hours(24)),
    ])
    func `one death is chance, each further one doubles the pause up to a day`(count: Int, pause: Duration) {
        let deaths = PollDeaths(count: count, lastAt: start)
        #expect(deaths.pause == pause)
        #expect(deaths.isSetAside == (count > 1))
        #expect(deaths.isNewlySetAside == (count == 2))
    }

    @Test func `the pause runs from the last death, and no clock makes it longer`() {
        var deaths = PollDeaths(lastAt: start)
        #expect(deaths.pauseLeft(at: start) == .zero)
        deaths.add(at: start)
        #expect(deaths.pauseLeft(at: start.advanced(by: .seconds(24))) == .seconds(36))
        #expect(deaths.pauseLeft(at: start.advanced(by: .seconds(61))) == .zero)
        #expect(deaths.pauseLeft(at: start.advanced(by: .zero - .days(30))) == .minutes(1))
    }
}

@Suite(.timeLimit(.minutes(1)))
struct SetAsideTests {
    private func die(_ world: PollingWorld) async throws {
        try await InterruptedPolls(context: world.context).settle([world.account])
    }

    @Test func `an account is marked while GitLab is read for it, and not when the poller ended in order`() async throws
    {
        var world = try await PollingWorld()
        let marks = SeenMarks()
        world.context.marks = marks
        let seen = Mutex<[Set<Int64>]>([])
        world.gitlab.afterAnswer { _ in seen.withLock { $0.append(marks.marked) } }
        let poller = try await world.makePoller()
        // Cancelled below.
        let running = Task { await poller.run() }
        await world.time.advanceToNextWake()
        await world.time.sleepers(1)
        let account = world.account.rawValue
        #expect(seen.withLock { !$0.isEmpty && $0.allSatisfy { $0 == [account] } })
        #expect(marks.marked.isEmpty)
        running.cancel()
        await running.value
    }

    @Test func `a poller that is cancelled in the middle of a cycle leaves no mark`() async throws {
        var world = try await PollingWorld()
        let marks = SeenMarks()
        world.context.marks = marks
        world.gitlab.afterAnswer { [time = world.time] _ in try? await time.sleep(for: .hours(1)) }
        let poller = try await world.makePoller()
        // Cancelled below.
        let running = Task { await poller.run() }
        await world.time.advanceToNextWake()
        await world.time.sleepers(1)
        #expect(marks.marked == [world.account.rawValue])
        running.cancel()
        await running.value
        #expect(marks.marked.isEmpty)
    }

    @Test func `one death says nothing, and a successful cycle forgets it`() async throws {
        let world = try await PollingWorld()
        try await die(world)
        #expect(world.log.count(of: .pollInterrupted) == 1)
        let poller = try await world.makePoller()
        #expect(await !poller.isResting)
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM poll_deaths") == 0)
        try await die(world)
        #expect(try await world.number("SELECT deaths FROM poll_deaths") == 1)
        #expect(try await world.notified() == [])
    }

    @Test func `a cycle without an answer forgets nothing`() async throws {
        let world = try await PollingWorld()
        try await die(world)
        let poller = try await world.makePoller()
        world.gitlab.trouble { _ in .response(makeText(502, "GitLab is not responding")) }
        try await poller.runCycle()
        #expect(try await world.number("SELECT deaths FROM poll_deaths") == 1)
    }

    @Test func `after two deaths GitLab is left alone, the person told, and told again when all is well`() async throws
    {
        let world = try await PollingWorld()
        try await die(world)
        try await die(world)
        #expect(try await world.notified() == [["service_trouble"]])
        #expect(world.log.count(of: .pollSetAside) == 1)
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: notes)
        // Cancelled below.
        let running = Task { await poller.run() }
        #expect(await world.time.advanceToNextWake() == .minutes(1))
        await world.time.sleepers(1)
        #expect(try await world.notified() == [["service_trouble"], ["note/1/11"], ["service_recovered"]])
        #expect(world.log.count(of: .pollTakenBack) == 1)
        #expect(try await world.number("SELECT count(*) FROM poll_deaths") == 0)
        running.cancel()
        await running.value
    }

    @Test func `no webhook wakes an account that is set aside`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        try await die(world)
        try await die(world)
        let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 3)
        _ = world.inbox.name(item, at: world.time.monotonicNow)
        #expect(await poller.namedAt() != nil)
        let deaths = try await world.store.read { [id = world.account] in try $0.pollDeaths(of: id) }
        #expect(deaths?.count == 2)
        await poller.takeDeaths(deaths)
        #expect(await poller.namedAt() == nil)
    }

    @Test func `who was told of trouble already is not told of this one, and news of it is sent at once`() async throws
    {
        let world = try await PollingWorld()
        try await die(world)
        #expect(try await world.outboxSignal.wait(until: world.time.monotonicNow) == .elapsed)
        try await die(world)
        #expect(try await world.notified() == [["service_trouble"]])
        #expect(try await world.outboxSignal.wait(until: world.time.monotonicNow) == .signalled)
        let other = try await PollingWorld()
        let now = other.time.wallNow
        try await other.store.transaction { [id = other.account] store in
            try store.setTrouble(since: now, isAnnounced: true, of: id)
        }
        for _ in 0..<2 { try await die(other) }
        #expect(try await other.notified() == [])
        #expect(other.log.count(of: .pollSetAside) == 1)
    }

    @Test func `the person reads until when their account is set aside`() throws {
        let bench = try ServerBench()
        let session = try bench.register()
        let status = { try bench.call(.get, "/status", session: session).bodyText }
        #expect(try !status().contains("setAsideUntil"))
        let now = bench.world.wallNow
        for deaths in [1, 2] {
            try bench.change(
                SQL(
                    text: """
                        INSERT INTO poll_deaths (account_id, deaths, last_at)
                        SELECT id, \(deaths), \(now.microseconds) FROM accounts WHERE true
                        ON CONFLICT (account_id) DO UPDATE SET deaths = excluded.deaths
                        """
                )
            )
            let until = "\"setAsideUntil\":\"\(ISO8601.text(now.advanced(by: .minutes(1))))\""
            #expect(try status().contains(until) == (deaths == 2))
        }
    }

    @Test func `the third death doubles the pause, and nobody is told twice`() async throws {
        let world = try await PollingWorld()
        for _ in 0..<3 { try await die(world) }
        #expect(try await world.notified() == [["service_trouble"]])
        let poller = try await world.makePoller()
        let rest = await poller.restUntil
        #expect(rest == world.time.monotonicNow.advanced(by: .minutes(2)))
    }

    @Test func `the service counts what was interrupted before it polls anybody`() async throws {
        var world = try await PollingWorld()
        let marks = SeenMarks()
        world.context.marks = marks
        world.gitlab.trouble { _ in .response(makeText(502, "GitLab is not responding")) }
        for _ in 0..<2 {
            marks.set(interrupted: [world.account.rawValue, 999])
            let service = PollingService(world.context)
            // Cancelled below.
            let running = Task { try await service.run() }
            await world.time.sleepers(1)
            running.cancel()
            _ = await running.result
        }
        #expect(try await world.number("SELECT deaths FROM poll_deaths") == 2)
        #expect(try await world.number("SELECT count(*) FROM poll_deaths") == 1)
        let order = world.log.messages.filter { ["poll.interrupted", "poll.set_aside", "poll.started"].contains($0) }
        #expect(order == ["poll.interrupted", "poll.started", "poll.set_aside", "poll.started"])
    }
}
