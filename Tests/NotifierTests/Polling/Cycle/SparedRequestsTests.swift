import HTTP
import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)
private let askedAt = WallTime(secondsSinceEpoch: 1_000)
private let policy = DuePolicy(pace: .seconds(90), cycleInterval: .seconds(30))

private func at(_ seconds: Int64) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

private func makeItem(_ iid: Int64) -> ItemReference {
    ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: iid)
}

private func makeProspect(_ iid: Int64) -> ItemProspect {
    ItemProspect(watch: WatchID(rawValue: iid), item: makeItem(iid), attention: ItemAttention.State())
}

/// A quiet merge request that was read at `readAt` seconds and is due for a patrol eight minutes later.
private func makeQuietProspect(readAt: Int64 = 120) -> (_ iid: Int64) -> ItemProspect {
    var attention = ItemAttention(kind: .mergeRequest)
    attention.appear(as: ItemFingerprint(commentCount: 1), age: .hours(1), at: at(-600))
    attention.take(from: at(readAt), isComplete: true, isOfEveryList: true, patrol: .minutes(4))
    return { iid in
        var prospect = makeProspect(iid)
        prospect.attention = attention.state
        return prospect
    }
}

private func makeTodos(_ rows: [TodoRow]) -> PollCycle.Event {
    var scan = TodosScan()
    let page = Page(number: 1, rows: rows, head: PageHead(total: rows.count, entityTag: "a"))
    _ = scan.take(page, known: IDSet())
    let reading = ListReading(scan: scan, beginning: page.mark, requests: 1, isUnchanged: false)
    return .todosRead(PollCycle.TodosReading(reading: reading, askedAt: askedAt))
}

extension PollCycle {
    /// Takes events one after the other; the actions of the last.
    fileprivate mutating func take(_ events: [Event]) -> [Action] {
        var actions: [Action] = []
        for event in events { actions = take(event, at: at(610)) }
        return actions
    }
}

/// What a cycle leaves out: to-dos that nothing points to, and items that others have looked at.
struct SparedRequestsTests {
    @Test func `without sweeps a full cycle begins with the to-dos`() {
        var cycle = PollCycle(.full(nil), at: start, areTodosDue: false)
        #expect(cycle.take([.accessRenewed]) == [.refreshCapabilities, .readTodos])
        #expect(cycle.take([makeTodos([])]).last == .sweep)
        #expect(cycle.take([.swept([makeProspect(3)])]) == [.forgetNamed([makeItem(3)]), .readItems(count: 1)])
    }

    @Test func `to-dos that are not due are asked for when something points to them, and else left out`() {
        let quiet = makeQuietProspect(readAt: 590)(3)
        func asks(_ events: [PollCycle.Event], _ prospect: ItemProspect) -> Bool {
            var cycle = PollCycle(.full(policy), at: at(600), areTodosDue: false)
            return cycle.take([.accessRenewed] + events + [.swept([prospect])]) == [.readTodos]
        }
        #expect(!asks([], quiet))
        #expect(asks([.changesSwept], quiet))
        // What notes tell needs no to-do.
        var outdated = quiet
        outdated.isOutdated = true
        #expect(!asks([], outdated))
        #expect(!asks([.hinted], quiet))
        #expect(asks([], makeProspect(4)))
        var missing = makeProspect(4)
        missing.isAdmitted = false
        #expect(!asks([], missing))
        var cycle = PollCycle(.full(policy), at: at(600), areTodosDue: false)
        #expect(cycle.take([.accessRenewed, .swept([quiet])]) == [.forgetNamed([]), .readItems(count: 0)])
        #expect(
            cycle.take([
                .itemsRead(RequestGate.Count(requests: 0, waits: 0, rateLimit: nil, isGivenUp: false)), .feedsRead,
            ]) == [.extendWatchList, .checkToken, .end]
        )
    }

    @Test func `to-dos that may wait are left to another cycle where items are to be read, for news or on rounds`() {
        for (prospect, action) in [
            (makeProspect(4), PollCycle.Action.readItems(count: 1)), (makeQuietProspect()(3), .readItems(count: 1)),
            (makeQuietProspect(readAt: 590)(3), .readTodos),
        ] {
            var cycle = PollCycle(.full(policy), at: at(600), mayTodosWait: true)
            #expect(cycle.take([.accessRenewed, .swept([prospect])]).last == action)
        }
        var cycle = PollCycle(.full(nil), at: at(600), mayTodosWait: true)
        #expect(cycle.take([.accessRenewed]) == [.refreshCapabilities, .sweep])
    }

    @Test func `what a limit kept from being watched comes first, and not at the end again`() {
        for policy in [nil, policy] as [DuePolicy?] {
            var cycle = PollCycle(.full(policy), at: at(600), isWatchListFirst: true)
            #expect(cycle.take([.accessRenewed]).prefix(2) == [.refreshCapabilities, .extendWatchList])
        }
        var cycle = PollCycle(.full(policy), at: at(600), areTodosDue: false, isWatchListFirst: true)
        let count = RequestGate.Count(requests: 0, waits: 0, rateLimit: nil, isGivenUp: false)
        let quiet = makeQuietProspect(readAt: 590)(3)
        let actions = cycle.take([.accessRenewed, .swept([quiet]), .itemsRead(count), .feedsRead])
        #expect(actions == [.checkToken, .end])
    }

    @Test func `news comes first, and rounds begin where the draw says`() {
        let quiet = makeQuietProspect()
        for (draw, rounds) in [(UInt64.min, [Int64(3), 4, 6]), (.max, [6, 3, 4]), (UInt64.max / 2, [4, 6, 3])] {
            var cycle = PollCycle(.full(policy), at: at(600), draw: draw)
            let prospects = [quiet(3), quiet(4), makeProspect(5), quiet(6)]
            _ = cycle.take([.accessRenewed, .swept(prospects), makeTodos([])])
            #expect((0..<4).compactMap { _ in cycle.nextItem()?.item.iid } == [5] + rounds)
        }
    }

    @Test(arguments: [false, true])
    func `where a limit keeps items from being read, those come first that have waited longest`(isHeldBack: Bool) {
        var (lately, before) = (makeProspect(3), makeProspect(4))
        (lately.readAt, lately.isHeldBack) = (at(590), isHeldBack)
        before.readAt = at(580)
        var cycle = PollCycle(.full(policy), at: at(600))
        _ = cycle.take([.accessRenewed, .swept([lately, before, makeProspect(5)]), makeTodos([])])
        #expect((0..<3).compactMap { _ in cycle.nextItem()?.item.iid } == (isHeldBack ? [5, 4, 3] : [3, 4, 5]))
    }

    @Test func `what others have looked at in the meantime is read no more, unless a to-do waits for it`() {
        let quiet = makeQuietProspect()
        var fresh = quiet(3)
        fresh.attention = makeQuietProspect(readAt: 599)(3).attention
        for (todos, isSpared) in [([], true), ([makeTodo(21, "assigned", iid: 3)], false)] {
            var cycle = PollCycle(.full(policy), at: at(600))
            _ = cycle.take([.accessRenewed, .swept([quiet(3)]), makeTodos(todos)])
            guard let due = cycle.nextItem() else {
                Issue.record("nothing is due")
                return
            }
            #expect(cycle.reconsider(due, fresh) == (isSpared ? nil : due))
            // And what they saw change is read at once.
            var outdated = fresh
            outdated.isOutdated = true
            #expect(cycle.reconsider(due, outdated)?.reason == (isSpared ? .seenElsewhere : .todo))
        }
    }
}
