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

private func makeDue(_ iid: Int64, _ reason: DueReason = .everyCycle) -> DueItem {
    DueItem(watch: WatchID(rawValue: iid), item: makeItem(iid), reason: reason)
}

private func makeProspect(_ iid: Int64) -> ItemProspect {
    ItemProspect(watch: WatchID(rawValue: iid), item: makeItem(iid), attention: ItemAttention.State())
}

/// A to-do on the merge request with the number `iid`.
private func makeTodo(_ id: Int64, on iid: Int64) -> TodoRow { makeTodo(id, "assigned", iid: iid) }

private func makeTodos(_ rows: [TodoRow], isPartial: Bool = false, isReviewDue: Bool = false) -> PollCycle.Event {
    var scan = TodosScan()
    let page = Page(number: 1, rows: rows, head: PageHead(total: rows.count, entityTag: "a"))
    _ = scan.take(page, known: IDSet())
    var reading = ListReading(scan: scan, beginning: page.mark, requests: 1, isUnchanged: false)
    reading.isPartial = isPartial
    return .todosRead(PollCycle.TodosReading(reading: reading, askedAt: askedAt, isReviewDue: isReviewDue))
}

/// A reading of an item whose notes failed, or that brought nothing.
private func makeReading(_ due: DueItem, _ error: GitLabError? = nil) -> ItemReading {
    var reading = ItemReading(due, hasNewState: false, reconciling: Reconciliation.Lists(), resume: nil, at: start)
    _ = reading.next(offered: Capabilities())
    if let error { reading.take(error) }
    return reading
}

private func makeCount(_ requests: Int = 2, limit: Duration?? = nil, isGivenUp: Bool = false) -> RequestGate.Count {
    RequestGate.Count(requests: requests, waits: 0, rateLimit: limit, isGivenUp: isGivenUp, quotaWait: .seconds(50))
}

private func makeEnding(_ count: RequestGate.Count = makeCount(), interval: Duration = .zero) -> PollCycle.Ending {
    PollCycle.Ending(count: count, items: 3, sweeps: nil, requestInterval: interval)
}

extension PollCycle {
    /// Takes events one after the other; the actions of the last.
    fileprivate mutating func take(_ events: [Event]) -> [Action] {
        var actions: [Action] = []
        for event in events { actions = take(event, at: at(10)) }
        return actions
    }

    /// One with detection per item in which GitLab has answered and the access is renewed.
    fileprivate static func opened(_ kind: Kind = .full(nil)) -> PollCycle {
        var cycle = PollCycle(kind, at: start)
        _ = cycle.take([.accessRenewed, .answered])
        return cycle
    }

    /// Ends with what passed the gate; what is planned and concluded.
    fileprivate mutating func end(
        _ count: RequestGate.Count = makeCount()
    ) -> (outcome: PollPolicy.Outcome?, [Conclusion]) {
        let conclusions = end(makeEnding(count), at: at(10))
        guard case .plan(let report, count)? = conclusions.first else { return (nil, conclusions) }
        return (report.outcome, Array(conclusions.dropFirst()))
    }
}

/// What follows what in a cycle, without a poller, a store or a clock.
struct PollCycleTests {
    // MARK: The order of things

    @Test func `a full cycle asks for sweeps, to-dos and items, and then does what is done once`() {
        var cycle = PollCycle(.full(policy), at: start)
        #expect(cycle.begin() == [.renewAccess])
        #expect(cycle.take([.accessRenewed]) == [.refreshCapabilities, .sweep])
        #expect(cycle.take([.swept([makeProspect(3)])]) == [.readTodos])
        #expect(
            cycle.take([makeTodos([])]) == [
                .markReadElsewhere(exceptFor: [], before: askedAt), .forgetNamed([makeItem(3)]), .readItems(count: 1),
            ]
        )
        #expect(cycle.nextItem() == makeDue(3, .unread))
        #expect(cycle.nextItem() == nil)
        #expect(cycle.take(makeReading(makeDue(3, .unread))) == [])
        let verdict = PollCycle.ListVerdict(watch: WatchID(rawValue: 3), readings: [])
        #expect(
            cycle.take([.answered, .itemsRead(makeCount())])
                == [.settleFallbacks([verdict], isTrusted: true), .readFeeds]
        )
        let page = PageMark(number: 1, head: PageHead(total: 0, entityTag: "a"), smallestID: nil)
        #expect(cycle.take([.feedsRead]) == [.rememberTodos(page, listing: []), .extendWatchList, .checkToken, .end])
    }

    @Test func `a cycle of named items reads to-dos and these, and plans nothing when GitLab answers`() {
        var cycle = PollCycle(.named([makeDue(3, .named), makeDue(4, .named)]), at: start)
        #expect(cycle.take([.accessRenewed]) == [.readTodos])
        #expect(cycle.take([makeTodos([], isReviewDue: true)]).last == .readItems(count: 2))
        #expect([cycle.nextItem(), cycle.nextItem()].map { $0?.item.iid } == [3, 4])
        #expect(cycle.take([.answered, .itemsRead(makeCount())]).last == .end)
        #expect(cycle.end(makeEnding(), at: at(10)) == [.logNamed(count: 2), .settleItems([])])
    }

    @Test func `named items that GitLab does not answer for count as a cycle`() {
        var cycle = PollCycle(.named([makeDue(3, .named)]), at: start)
        _ = cycle.take([.accessRenewed, .failed(.unavailable(status: 502)), .todosFailed(.unavailable(status: 502))])
        #expect(cycle.end().outcome == .failed)
    }

    @Test func `a probe asks once and ends`() {
        var cycle = PollCycle(.probe, at: start)
        #expect(cycle.take([.accessRenewed]) == [.probe])
        #expect(cycle.take([.answered, .probed]) == [.end])
        let (outcome, conclusions) = cycle.end()
        #expect(outcome == .answered)
        // Whether the trouble is over only a cycle can tell.
        #expect(conclusions == [.settleItems([])])
    }

    @Test func `items are read in their order, each sweep is asked once`() {
        var cycle = PollCycle.opened()
        _ = cycle.take([makeTodos([]), .swept([makeProspect(3), makeProspect(4), makeProspect(5)])])
        #expect((0..<4).map { _ in cycle.nextItem()?.item.iid } == [3, 4, 5, nil])
        #expect((0..<3).map { _ in cycle.nextSweep(of: 2) } == [0, 1, nil])
    }

    @Test func `an item that must not be asked for is left out, and with sweeps one that is quiet`() {
        var perItem = PollCycle.opened()
        var paused = makeProspect(3)
        paused.isAdmitted = false
        #expect(perItem.take([makeTodos([]), .swept([paused, makeProspect(4)])]).last == .readItems(count: 1))
        #expect(perItem.nextItem() == makeDue(4))
        var quiet = makeProspect(5)
        var attention = ItemAttention(kind: .mergeRequest)
        attention.appear(as: ItemFingerprint(commentCount: 1), age: .hours(1), at: at(-600))
        attention.take(from: at(-300), isComplete: true, isOfEveryList: true, patrol: .hours(1))
        quiet.attention = attention.state
        var metadataLists = quiet
        metadataLists.areMetadataListsDue = true
        var swept = PollCycle.opened(.full(policy))
        #expect(swept.take([.swept([quiet, metadataLists]), makeTodos([])]).last == .readItems(count: 1))
        #expect(swept.nextItem() == makeDue(5, .metadataLists))
    }

    // MARK: To-dos

    @Test func `to-dos on items of the cycle wait for them, the others come last`() {
        var cycle = PollCycle.opened()
        let (mine, other) = (makeTodo(21, on: 3), makeTodo(22, on: 9))
        _ = cycle.take([makeTodos([mine, other]), .swept([makeProspect(3)])])
        _ = cycle.nextItem()
        #expect(cycle.take(makeReading(makeDue(3))) == [mine])
        #expect(cycle.take([.itemsRead(makeCount()), .feedsRead]) == [.commitTodos([other])])
        #expect(cycle.take([.todosCommitted(true)]).contains { $0.isRememberTodos })
    }

    /// Each way in which a to-do of the page is not dealt with.
    @Test(arguments: [
        (isRead: true, [PollCycle.Event.itemRefused(hadTodos: true)], isCommitted: true),
        (true, [.elsewhereMarked(false)], true), (false, [], true), (true, [], false),
    ])
    func `a page of to-dos is remembered only when all of them are committed`(
        isRead: Bool,
        events: [PollCycle.Event],
        isCommitted: Bool
    ) {
        var cycle = PollCycle.opened()
        _ = cycle.take([makeTodos([makeTodo(21, on: 3), makeTodo(22, on: 9)]), .swept([makeProspect(3)])])
        if isRead { _ = cycle.take(makeReading(makeDue(3))) }
        _ = cycle.take(events + [.itemsRead(makeCount()), .feedsRead])
        #expect(cycle.take([.todosCommitted(isCommitted)]) == [.extendWatchList, .checkToken, .end])
    }

    @Test func `a part of the to-dos is dealt with, not remembered, and the next cycle comes at once`() {
        var cycle = PollCycle.opened()
        let actions = cycle.take([makeTodos([makeTodo(21, on: 9)], isPartial: true, isReviewDue: true)])
        #expect(actions == [.tellParts(rows: 1), .sweep])
        let ends = cycle.take([.swept([]), .itemsRead(makeCount()), .feedsRead, .todosCommitted(true)])
        #expect(ends == [.extendWatchList, .checkToken, .end])
        guard case .plan(let report, _)? = cycle.end(makeEnding(), at: at(10)).first else {
            Issue.record("nothing is planned")
            return
        }
        #expect(report.hasNews)
    }

    @Test func `old to-dos are forgotten before what was dealt with elsewhere is marked`() {
        var cycle = PollCycle.opened()
        let actions = cycle.take([makeTodos([makeTodo(21, on: 9)], isReviewDue: true)])
        #expect(
            actions == [.reviewTodos(listed: [21]), .markReadElsewhere(exceptFor: [21], before: askedAt), .sweep]
        )
    }

    @Test func `to-dos beyond all bounds are trouble though the items are read`() {
        var cycle = PollCycle.opened()
        #expect(cycle.take([.failed(.listTooLong), .todosFailed(.listTooLong)]) == [.sweep])
        _ = cycle.take([.swept([makeProspect(3)]), .answered])
        #expect(cycle.end().1.contains(.settleTrouble(isAnswered: false)))
    }

    // MARK: Failures

    @Test func `a failure in the middle counts against its item, but not while nothing answers`() {
        let failed = PollCycle.ItemVerdict(watch: WatchID(rawValue: 3), reading: .failed)
        for isGivenUp in [false, true] {
            var cycle = PollCycle.opened()
            _ = cycle.take([makeTodos([]), .swept([makeProspect(3)])])
            _ = cycle.take([.failed(.unavailable(status: 500))])
            _ = cycle.take(makeReading(makeDue(3), .unavailable(status: 500)))
            let count = makeCount(isGivenUp: isGivenUp)
            let lists = PollCycle.ListVerdict(watch: WatchID(rawValue: 3), readings: [.failed])
            #expect(
                cycle.take([.itemsRead(count)]).first == .settleFallbacks([lists], isTrusted: !isGivenUp)
            )
            #expect(cycle.end(count).1.first == .settleItems(isGivenUp ? [] : [failed]))
        }
    }

    @Test func `an item that vanishes is told so even in a cycle that fails`() {
        var cycle = PollCycle(.full(nil), at: start)
        _ = cycle.take([
            .accessRenewed, makeTodos([]), .swept([makeProspect(3)]), .failed(.notFound(isRoute: false)),
        ])
        _ = cycle.take(makeReading(makeDue(3), .notFound(isRoute: false)))
        _ = cycle.take([.failed(.unavailable(status: 502))])
        let (outcome, actions) = cycle.end()
        #expect(outcome == .failed)
        let missing = PollCycle.ItemVerdict(watch: WatchID(rawValue: 3), reading: .missing)
        #expect(actions == [.settleItems([missing]), .settleTrouble(isAnswered: false)])
    }

    @Test func `an item whose watch is gone leaves its to-dos to the next cycle`() {
        var cycle = PollCycle.opened()
        _ = cycle.take([makeTodos([makeTodo(21, on: 3)]), .swept([makeProspect(3)])])
        _ = cycle.nextItem()
        // Nobody read it.
        #expect(cycle.take([.itemsRead(makeCount()), .feedsRead]) == [.extendWatchList, .checkToken, .end])
    }

    @Test(arguments: [
        (GitLabError.unavailable(status: 502), PollPolicy.Outcome.failed), (.undecodable(.notJSON), .failed),
        (.forbidden(.scope), .refused), (.forbidden(.accountState), .refused), (.unreachable(.timedOut), .failed),
    ])
    func `a cycle without an answer is trouble, after its kind`(error: GitLabError, outcome: PollPolicy.Outcome) {
        var cycle = PollCycle(.full(nil), at: start)
        _ = cycle.take([.accessRenewed, .failed(error), .todosFailed(error)])
        let end = cycle.end()
        #expect(end.outcome == outcome)
        #expect(end.1 == [.settleItems([]), .settleTrouble(isAnswered: false)])
    }

    @Test func `one answer is enough for the trouble to end`() {
        var cycle = PollCycle.opened()
        _ = cycle.take([.failed(.unavailable(status: 502))])
        let end = cycle.end()
        #expect(end.outcome == .answered)
        #expect(end.1 == [.settleItems([]), .clearDeaths, .settleTrouble(isAnswered: true), .recordPoll])
    }

    @Test(arguments: [nil, Duration.seconds(30)])
    func `a rate limit outweighs every answer and leaves trouble as it is`(retryAfter: Duration?) {
        var cycle = PollCycle.opened()
        #expect(cycle.take([.failed(.rateLimited(retryAfter: retryAfter))]).isEmpty)
        let end = cycle.end(makeCount(limit: .some(retryAfter)))
        #expect(end.outcome == .rateLimited(retryAfter: retryAfter))
        #expect(end.1 == [.settleItems([])])
    }

    @Test func `a cycle tells what its requests take to earn, and when it ended`() {
        var cycle = PollCycle.opened()
        let actions = cycle.end(makeEnding(makeCount(120), interval: .milliseconds(600)), at: at(10))
        guard case .plan(let report, _)? = actions.first else {
            Issue.record("nothing is planned")
            return
        }
        #expect(report.budgetInterval == .seconds(72) && report.quotaInterval == .seconds(60))
        #expect(report.startedAt == start && report.endedAt == at(10))
    }

    // MARK: Tokens

    @Test func `a 401 is looked into once, whoever meets it`() {
        var cycle = PollCycle.opened()
        #expect(cycle.take([.failed(.unauthorized(.unknown))]) == [.confirmToken])
        #expect(cycle.take([.failed(.unauthorized(.unknown))]).isEmpty)
        #expect(cycle.take([.tokenJudged(.tokenWorks)]).isEmpty)
        #expect(cycle.take([.failed(.unauthorized(.unknown))]).isEmpty)
    }

    @Test func `a 401 that could not be looked into is looked into again`() {
        var cycle = PollCycle.opened()
        #expect(cycle.take([.failed(.unauthorized(.unknown)), .tokenJudged(nil)]).isEmpty)
        #expect(cycle.take([.failed(.unauthorized(.unknown))]) == [.confirmToken])
    }

    @Test(arguments: [
        (AccountHealth.Verdict.tokenDead(.expired), PollCycle.Conclusion.expire(.expired)),
        (.askAgain(at: at(60)), .probeAgain(at: at(60))),
    ])
    func `a token refused in the middle holds the rest back and outweighs all that was answered`(
        verdict: AccountHealth.Verdict,
        conclusion: PollCycle.Conclusion
    ) {
        var cycle = PollCycle.opened()
        _ = cycle.take([makeTodos([]), .swept([makeProspect(3), makeProspect(4)]), .failed(.unauthorized(.unknown))])
        #expect(cycle.take([.tokenJudged(verdict)]) == [.holdBack])
        #expect(cycle.end().1 == [.settleItems([]), conclusion])
        var named = PollCycle.opened(.named([makeDue(3, .named)]))
        _ = named.take([.failed(.unauthorized(.unknown)), .tokenJudged(verdict)])
        #expect(named.end(makeEnding(), at: at(10)) == [.logNamed(count: 1), .settleItems([]), conclusion])
    }

    @Test(arguments: [
        PollCycle.Kind.full(policy), .full(nil), .named([makeDue(3, .named)]), .probe,
    ])
    func `a grant that has ended ends the cycle before it asks anything`(kind: PollCycle.Kind) {
        var cycle = PollCycle(kind, at: start)
        #expect(cycle.take([.accessEnded]) == [.holdBack, .end])
        let end = cycle.end(makeCount(0))
        #expect(end.outcome == .failed)
        #expect(end.1 == [.settleItems([]), .expire(.revoked)])
    }

    @Test func `a grant that ends in the middle expires the account at the end`() {
        var cycle = PollCycle.opened()
        #expect(cycle.take([.failed(.unauthorized(.revoked))]) == [.confirmToken])
        #expect(cycle.take([.accessEnded]) == [.holdBack])
        #expect(cycle.end().1 == [.settleItems([]), .expire(.revoked)])
    }

    @Test func `a renewal that GitLab does not answer is trouble, not the end`() {
        var cycle = PollCycle(.full(nil), at: start)
        #expect(cycle.take([.accessUnavailable(.unavailable(status: 502))]) == [.holdBack, .end])
        #expect(cycle.end(makeCount(0)).1 == [.settleItems([]), .settleTrouble(isAnswered: false)])
    }

    // MARK: The end

    @Test func `a cycle that was cancelled draws no conclusion, whatever comes after`() {
        var cycle = PollCycle.opened()
        _ = cycle.take([.failed(.unauthorized(.expired)), .tokenJudged(.tokenDead(.expired)), .cancelled])
        #expect(cycle.end(makeEnding(), at: at(10)).isEmpty)
        #expect(cycle.take([.failed(.unauthorized(.expired))]).isEmpty)
    }

    @Test func `a cycle ends once`() {
        var cycle = PollCycle.opened()
        #expect(!cycle.end(makeEnding(), at: at(10)).isEmpty)
        #expect(cycle.end(makeEnding(), at: at(10)).isEmpty)
    }

    /// Whatever comes in whatever order, an end says what follows, and to-dos are remembered only once.
    @Test func `any events in any order end in a plan`() {
        var random = RandomStream(seed: 20_26)
        let events: [PollCycle.Event] = [
            .accessRenewed, .accessEnded, .accessUnavailable(nil), .answered, .failed(.unauthorized(.unknown)),
            .failed(.unavailable(status: 502)), .tokenJudged(.undecided), .tokenJudged(.tokenWorks), makeTodos([]),
            makeTodos([makeTodo(21, on: 3)]), .todosFailed(.notAsked), .changesSwept, .swept([makeProspect(3)]),
            .itemRefused(hadTodos: true), .itemsRead(makeCount()), .feedsRead, .todosCommitted(true), .probed,
        ]
        for _ in 0..<500 {
            var cycle = PollCycle(random.chance(1, in: 2) ? .full(policy) : .full(nil), at: start)
            for _ in 0..<random.next(below: 20) {
                if random.chance(1, in: 8) { _ = cycle.take(makeReading(makeDue(3))) }
                let event = events[Int(random.next(below: UInt64(events.count)))]
                let actions = cycle.take(event, at: at(10))
                #expect(actions.dropLast().allSatisfy { !$0.isAwaited }, "\(actions)")
            }
            guard case .plan? = cycle.end(makeEnding(), at: at(10)).first else {
                Issue.record("nothing is planned")
                return
            }
        }
    }
}

extension PollCycle.Action {
    fileprivate var isRememberTodos: Bool {
        if case .rememberTodos = self { true } else { false }
    }

    /// True when the cycle waits for what comes of it: nothing may be planned behind such an action.
    fileprivate var isAwaited: Bool {
        switch self {
        case .renewAccess, .readTodos, .sweep, .readItems, .readFeeds, .commitTodos, .probe, .end: true
        default: false
        }
    }
}
