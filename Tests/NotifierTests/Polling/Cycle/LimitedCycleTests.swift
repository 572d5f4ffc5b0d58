import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)
private let policy = DuePolicy(pace: .seconds(90), cycleInterval: .seconds(30))

private func at(_ seconds: Int64) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

private func makeProspect(_ iid: Int64) -> ItemProspect {
    let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: iid)
    return ItemProspect(watch: WatchID(rawValue: iid), item: item, attention: ItemAttention.State())
}

/// A quiet merge request that is due for a patrol.
private func makeQuietProspect(_ iid: Int64) -> ItemProspect {
    var attention = ItemAttention(kind: .mergeRequest)
    attention.appear(as: ItemFingerprint(commentCount: 1), age: .hours(1), at: at(-600))
    attention.take(from: at(120), isComplete: true, isOfEveryList: true, patrol: .minutes(4))
    var prospect = makeProspect(iid)
    prospect.attention = attention.state
    return prospect
}

/// A cycle that reads an item with news and one that is due for a patrol.
private func makeCycle(areRoundsFirst: Bool = false) -> PollCycle {
    var cycle = PollCycle(.full(policy), at: at(600), areRoundsFirst: areRoundsFirst)
    let todos = ListReading(scan: TodosScan(), beginning: nil, requests: 1, isUnchanged: false)
    let askedAt = WallTime(secondsSinceEpoch: 1_000)
    let events: [PollCycle.Event] = [
        .accessRenewed, .swept([makeQuietProspect(4), makeProspect(3)]),
        .todosRead(PollCycle.TodosReading(reading: todos, askedAt: askedAt)),
    ]
    for event in events { _ = cycle.take(event, at: at(600)) }
    return cycle
}

extension PollCycle {
    /// Reads the next item, to whose notes GitLab answers or a limit does; why it is read.
    fileprivate mutating func readNext(isAnswered: Bool) -> DueReason? {
        guard let due = nextItem() else { return nil }
        let lists = Reconciliation.Lists()
        var reading = ItemReading(due, hasNewState: false, reconciling: lists, resume: nil, at: at(600))
        if isAnswered {
            let scan = NotesScan(extent: .untilKnown)
            reading.take(ListReading(scan: scan, beginning: nil, requests: 1, isUnchanged: false))
        } else {
            reading.take(GitLabError.rateLimited(retryAfter: nil))
        }
        _ = take(reading)
        return due.reason
    }
}

/// Which items come first where a limit ends each cycle.
struct LimitedCycleTests {
    @Test func `rounds that a limit keeps back behind news come first in the next cycle, and only there`() {
        var first = makeCycle()
        #expect(first.readNext(isAnswered: true) == .unread)
        #expect(first.readNext(isAnswered: false) == .patrol)
        #expect(first.owesRounds)
        var refused = makeCycle(areRoundsFirst: true)
        for _ in 1...2 { _ = refused.readNext(isAnswered: false) }
        #expect(refused.owesRounds)
        var second = makeCycle(areRoundsFirst: first.owesRounds)
        #expect(second.readNext(isAnswered: true) == .patrol)
        #expect(second.readNext(isAnswered: false) == .unread)
        #expect(!second.owesRounds)
    }

    @Test func `where a limit lets nothing through, or no round waits, news comes first`() {
        var refused = makeCycle()
        for _ in 1...2 { _ = refused.readNext(isAnswered: false) }
        #expect(!refused.owesRounds)
        var answered = makeCycle()
        for _ in 1...2 { _ = answered.readNext(isAnswered: true) }
        #expect(!answered.owesRounds)
    }
}
