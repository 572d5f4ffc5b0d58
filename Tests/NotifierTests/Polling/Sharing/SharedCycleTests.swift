import Configuration
import HTTP
import Platform
import Testing

@testable import Notifier

private let items = PollingWorld.items
private let early = "2027-01-15T07:00:00.000Z"
private let later = "2027-01-15T08:00:00.000Z"

extension AccountPoller {
    /// Whether others' looks at its item need not be asked for anything.
    fileprivate var isToldNothing: Bool {
        polled?.items.first?.silence?.holds(at: context.time.monotonicNow) ?? false
    }
}

/// Two people who watch the same merge request; nothing has happened to it for an hour.
private struct Pair {
    let worlds: [PollingWorld]
    let pollers: [AccountPoller]

    init(approvalsEvery: Duration = .days(7)) async throws {
        let first = try await PollingWorld { $0.approvalsEvery = approvalsEvery }
        first.gitlab.setDate("Fri, 15 Jan 2027 08:00:00 GMT")
        first.gitlab.set([.item(3, updated: early)], at: items)
        worlds = [first, try await PollingWorld(beside: first) { $0.approvalsEvery = approvalsEvery }]
        pollers = [try await worlds[0].makePoller(), try await worlds[1].makePoller()]
        for poller in pollers { try await poller.runCycle() }
        gitlab.forgetExchanges()
    }

    /// The rows of the item's project as they are from now on.
    func show(updated: String, comments: Int = 0) {
        gitlab.remove(3, at: items)
        gitlab.add(.item(3, updated: updated, comments: comments), at: items)
    }

    /// Runs a cycle of one; how often it has asked for the rows.
    func sweeps(_ number: Int) async throws -> Int {
        gitlab.forgetExchanges()
        try await pollers[number].runCycle()
        return gitlab.targets.count { $0.hasPrefix(items + "?") }
    }

    var gitlab: MiniGitLab { worlds[0].gitlab }

    var time: ManualTime { worlds[0].time }

    /// Runs a cycle for each, the first before the second; which lists of the item each has asked for.
    func cycle() async throws -> [[String]] {
        var asked: [[String]] = []
        for poller in pollers {
            gitlab.forgetExchanges()
            try await poller.runCycle()
            asked.append(gitlab.targets.map { String($0.prefix { $0 != "?" }) }.filter { $0.hasPrefix(items + "/") })
        }
        return asked
    }

    func notified() async throws -> [[[String]]] { [try await worlds[0].notified(), try await worlds[1].notified()] }
}

@Suite(.timeLimit(.minutes(1)))
struct SharedCycleTests {
    @Test func `the patrol of one stands for the other's`() async throws {
        let pair = try await Pair()
        for _ in 1...3 {
            pair.time.advance(by: .minutes(8))
            #expect(try await pair.cycle() == [[PollingWorld.notes(3)], []])
        }
    }

    @Test func `who was told nothing by others' looks asks them no more until there is another`() async throws {
        let pair = try await Pair()
        for _ in 1...2 {
            pair.time.advance(by: .seconds(30))
            #expect(try await pair.cycle() == [[], []])
            for poller in pair.pollers { #expect(await poller.isToldNothing) }
            pair.time.advance(by: .minutes(8))
            #expect(try await pair.cycle() == [[PollingWorld.notes(3)], []])
        }
    }

    @Test func `what one's patrol finds is read by the other with its own token`() async throws {
        let pair = try await Pair()
        pair.gitlab.add(.note(12, "approved this merge request", system: true), at: PollingWorld.notes(3))
        pair.time.advance(by: .minutes(8))
        #expect(try await pair.cycle() == [[PollingWorld.notes(3)], [PollingWorld.notes(3)]])
        #expect(try await pair.notified() == [[["note/1/12"]], [["note/1/12"]]])
        // Nobody tells anybody of it again.
        #expect(try await pair.cycle() == [[], []])
    }

    @Test func `one look at who approves serves both, and both are told who has`() async throws {
        let pair = try await Pair(approvalsEvery: .minutes(15))
        let path = "\(items)/3/approvals"
        let list = ApprovalList()
        pair.gitlab.trouble { $0.path == path ? .response(makeJSON(200, list.body)) : nil }
        func looks() async throws -> [Int] { try await pair.cycle().map { $0.count { $0 == path } } }
        // Each begins with a look of its own.
        var counts = [0, 0]
        for _ in 1...4 {
            pair.time.advance(by: .minutes(15))
            counts = zip(counts, try await looks()).map { $0 + $1 }
        }
        #expect(counts[0] == 4 && counts[1] == 1)
        list.set([8])
        pair.time.advance(by: .minutes(15))
        #expect(try await looks() == [1, 1])
        #expect(try await pair.notified() == [[["approval/1/3/8/1"]], [["approval/1/3/8/1"]]])
    }

    @Test func `a hint whose reading fails is followed until it succeeds`() async throws {
        let pair = try await Pair()
        pair.gitlab.add(.note(12, "approved this merge request", system: true), at: PollingWorld.notes(3))
        pair.time.advance(by: .minutes(8))
        try await pair.pollers[0].runCycle()
        pair.gitlab.trouble { $0.target.hasPrefix(PollingWorld.notes(3)) ? .response(makeText(500, "Oops")) : nil }
        try await pair.pollers[1].runCycle()
        #expect(try await pair.worlds[1].notified() == [])
        pair.gitlab.trouble(nil)
        pair.time.advance(by: .seconds(30))
        try await pair.pollers[1].runCycle()
        #expect(try await pair.worlds[1].notified() == [["note/1/12"]])
    }

    @Test func `a change that a sweep shows is read by each`() async throws {
        let pair = try await Pair()
        pair.time.advance(by: .seconds(30))
        pair.gitlab.add(.note(11), at: PollingWorld.notes(3))
        pair.gitlab.remove(3, at: items)
        pair.gitlab.add(.item(3, updated: later, comments: 1), at: items)
        let both = [PollingWorld.notes(3), PollingWorld.events(3)]
        #expect(try await pair.cycle() == [both, [PollingWorld.notes(3)]])
        #expect(try await pair.notified() == [[["note/1/11"]], [["note/1/11"]]])
        // While the item is hot one looks for both, and one settles it.
        pair.time.advance(by: .seconds(60))
        #expect(try await pair.cycle() == [[PollingWorld.notes(3)], []])
        pair.time.advance(by: .minutes(3))
        #expect(try await pair.cycle() == [both, []])
        pair.time.advance(by: .seconds(60))
        #expect(try await pair.cycle() == [[], []])
    }

    @Test func `state events that one has found as they were are not asked for by who is told of the change later`()
        async throws
    {
        let pair = try await Pair()
        pair.time.advance(by: .seconds(30))
        pair.gitlab.add(.note(11), at: PollingWorld.notes(3))
        pair.show(updated: later, comments: 1)
        try await pair.pollers[0].runCycle()
        pair.time.advance(by: .seconds(1))
        pair.gitlab.forgetExchanges()
        try await pair.pollers[1].runCycle()
        let asked = pair.gitlab.targets.map { String($0.prefix { $0 != "?" }) }.filter { $0.hasPrefix(items + "/") }
        #expect(asked == [PollingWorld.notes(3)])
        #expect(try await pair.notified() == [[["note/1/11"]], [["note/1/11"]]])
        // Whoever closed it in between is found by each all the same.
        pair.gitlab.add(.stateEvent(1, "closed"), at: PollingWorld.events(3))
        pair.gitlab.remove(3, at: items)
        pair.gitlab.add(.item(3, updated: later, comments: 1, state: "closed"), at: items)
        pair.time.advance(by: .minutes(4))
        _ = try await pair.cycle()
        #expect(try await pair.notified() == [[["note/1/11"], ["state/1/1"]], [["note/1/11"], ["state/1/1"]]])
    }

    @Test func `lists of one page are read from end to end by one for both`() async throws {
        let pair = try await Pair()
        var asked = 0
        for _ in 1...36 {
            pair.time.advance(by: .minutes(5))
            asked += try await pair.cycle().reduce(0) { $0 + $1.count { $0 == PollingWorld.events(3) } }
        }
        // In three hours.
        #expect((3...4).contains(asked))
    }

    @Test func `a sweep of one stands for the other's while it is fresh`() async throws {
        let pair = try await Pair()
        var asked: [[Int]] = []
        for _ in 1...3 {
            pair.time.advance(by: .seconds(20))
            asked.append([try await pair.sweeps(0)])
            pair.time.advance(by: .seconds(10))
            asked[asked.count - 1].append(try await pair.sweeps(1))
        }
        #expect(asked == [[1, 0], [1, 0], [1, 0]])
        // Nobody is believed alone for long.
        pair.time.advance(by: .seconds(20))
        #expect(try await pair.sweeps(0) == 1)
        pair.time.advance(by: .seconds(10))
        #expect(try await pair.sweeps(1) == 1)
    }

    @Test func `that everything looks as it did stands for the other`() async throws {
        let pair = try await Pair()
        pair.time.advance(by: .minutes(4))
        #expect(try await pair.sweeps(0) == 1)
        #expect(pair.gitlab.exchanges.first?.status == 304)
        pair.time.advance(by: .seconds(10))
        #expect(try await pair.sweeps(1) == 0)
    }

    @Test
    func `what notes tell of a change that one's sweep shows is read by the other with its own token, and no sweep`()
        async throws
    {
        let pair = try await Pair()
        pair.time.advance(by: .seconds(30))
        pair.gitlab.add(.note(11), at: PollingWorld.notes(3))
        pair.show(updated: later, comments: 1)
        #expect(try await pair.sweeps(0) == 1)
        pair.time.advance(by: .seconds(1))
        #expect(pair.worlds[1].inbox.takeSeen().map(\.iid) == [3])
        #expect(pair.worlds[0].inbox.takeSeen() == [])
        #expect(try await pair.sweeps(1) == 0)
        #expect(pair.gitlab.targets.map { String($0.prefix { $0 != "?" }) } == [PollingWorld.notes(3)])
        #expect(try await pair.notified() == [[["note/1/11"]], [["note/1/11"]]])
        // Nobody is woken by what they know.
        #expect(pair.worlds.map { $0.inbox.takeSeen() } == [[], []])
    }

    @Test func `who has looked a moment ago and is woken asks for nothing but what has changed`() async throws {
        let pair = try await Pair()
        pair.time.advance(by: .seconds(30))
        #expect(try await pair.sweeps(0) == 1)
        #expect(try await pair.sweeps(1) == 0)
        pair.time.advance(by: .seconds(10))
        #expect(try await pair.sweeps(1) == 0)
        pair.time.advance(by: .seconds(11))
        #expect(try await pair.sweeps(1) == 1)
    }

    @Test func `a change that notes need not tell is asked for by the other, too`() async throws {
        let pair = try await Pair()
        pair.time.advance(by: .seconds(30))
        pair.gitlab.add(.stateEvent(1, "closed"), at: PollingWorld.events(3))
        pair.gitlab.remove(3, at: items)
        pair.gitlab.add(.item(3, updated: later, state: "closed"), at: items)
        #expect(try await pair.sweeps(0) == 1)
        pair.time.advance(by: .seconds(1))
        #expect(try await pair.sweeps(1) == 1)
        #expect(try await pair.notified() == [[["state/1/1"]], [["state/1/1"]]])
    }

    @Test func `who is refused what others are shown follows no hint of it again`() async throws {
        let pair = try await Pair()
        pair.time.advance(by: .seconds(30))
        pair.show(updated: later, comments: 1)
        #expect(try await pair.sweeps(0) == 1)
        pair.time.advance(by: .seconds(1))
        pair.gitlab.trouble {
            $0.target.hasPrefix(PollingWorld.notes(3)) ? .response(makeJSON(404, #"{"message":"404 Not Found"}"#)) : nil
        }
        #expect(try await pair.sweeps(1) == 0)
        pair.gitlab.trouble(nil)
        // It asks for the rows itself from now on.
        pair.time.advance(by: .seconds(21))
        _ = try await pair.sweeps(0)
        pair.time.advance(by: .seconds(1))
        #expect(try await pair.sweeps(1) == 1)
    }

    @Test func `who sees a change wakes the others' cycles soon`() async throws {
        let pair = try await Pair()
        let poller = pair.pollers[1]
        pair.time.advance(by: .seconds(21))
        pair.show(updated: later, comments: 1)
        #expect(try await pair.sweeps(0) == 1)
        let before = await poller.plan
        await poller.takeSeen()
        let after = await poller.plan
        #expect(before.at > pair.time.monotonicNow.advanced(by: .seconds(5)))
        #expect(after.at <= pair.time.monotonicNow.advanced(by: .milliseconds(200)))
        #expect(after.action == .cycle)
    }

    @Test func `who watches the item no more is not woken, and looks for the others no more`() async throws {
        let pair = try await Pair()
        await pair.pollers[1].leaveWatchers()
        pair.time.advance(by: .seconds(30))
        pair.show(updated: later, comments: 1)
        #expect(try await pair.sweeps(0) == 1)
        #expect(pair.worlds[1].inbox.takeSeen() == [])
    }
}
