import Platform
import Testing

@testable import Notifier

private let now = WallTime(secondsSinceEpoch: 1_800_000_000)
private let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 3)

private func makeEventReport(
    _ source: EventSource,
    _ kind: EventKey.Kind = .closed,
    by actor: Int64 = 9,
    since: WallTime? = nil
) -> EventReport {
    EventReport(key: EventKey(item: item, kind: kind, actor: actor), source: source, since: since)
}

private func at(_ seconds: Int) -> WallTime { now.advanced(by: .seconds(seconds)) }

struct EventCorrelatorTests {
    @Test func `what another source has told is told once, in either order`() {
        for pair in [(EventSource.item, EventSource.feed), (.feed, .item)] {
            var ledger = EventCorrelator()
            #expect(ledger.take(makeEventReport(pair.0), at: at(0)) == true)
            #expect(ledger.take(makeEventReport(pair.1), at: at(2)) == false)
            #expect(ledger.known.count == 1)
            #expect(ledger.known[0].sources == 3)
        }
    }

    @Test func `a list read by a clock that was set back finds what was stamped before`() {
        var ledger = EventCorrelator()
        _ = ledger.take(makeEventReport(.item, .approved), at: at(2_700))
        #expect(ledger.take(makeEventReport(.approvals, .approved, since: at(-86_400)), at: at(60)) == false)
        #expect(ledger.take(makeEventReport(.approvals, .approved, since: at(-86_400)), at: at(60)) == true)
        // A row with a time of its own that much later is another event.
        #expect(ledger.take(makeEventReport(.item, .approved), at: at(2_700)) == true)
    }

    @Test func `two rows of one source are two events`() {
        var ledger = EventCorrelator()
        #expect(ledger.take(makeEventReport(.feed), at: at(0)) == true)
        #expect(ledger.take(makeEventReport(.feed), at: at(1)) == true)
    }

    @Test func `a close, a reopening and another close stay three`() {
        var ledger = EventCorrelator()
        for (seconds, kind) in [(0, EventKey.Kind.closed), (10, .reopened), (20, .closed)] {
            #expect(ledger.take(makeEventReport(.item, kind), at: at(seconds)) == true)
        }
        // The feed tells of them newest first; each finds its own.
        for (seconds, kind) in [(21, EventKey.Kind.closed), (11, .reopened), (1, .closed)] {
            #expect(ledger.take(makeEventReport(.feed, kind), at: at(seconds)) == false)
        }
        #expect(ledger.take(makeEventReport(.feed, .closed), at: at(30)) == true)
    }

    @Test(arguments: [[0, 6], [6, 0]])
    func `what lies nearer to a row that is to come is left to it`(seconds: [Int]) {
        var ledger = EventCorrelator()
        #expect(ledger.take(makeEventReport(.todo, .reviewRequested), at: at(6)) == true)
        ledger.prepare(
            for: seconds.map { EventPairing.Row(report: makeEventReport(.item, .reviewRequested), occurredAt: at($0)) }
        )
        let first = seconds.filter { ledger.take(makeEventReport(.item, .reviewRequested), at: at($0)) }
        #expect(first == [0])
    }

    @Test func `rows of a source that is late find each its own`() {
        var ledger = EventCorrelator()
        for seconds in [10, 20] { _ = ledger.take(makeEventReport(.todo, .reviewRequested), at: at(seconds)) }
        ledger.prepare(
            for: [4, 12].map { EventPairing.Row(report: makeEventReport(.item, .reviewRequested), occurredAt: at($0)) }
        )
        #expect(ledger.take(makeEventReport(.item, .reviewRequested), at: at(4)) == false)
        #expect(ledger.take(makeEventReport(.item, .reviewRequested), at: at(12)) == false)
        #expect(ledger.known.map(\.sources) == [5, 5])
    }

    @Test func `another person, kind or item is another event`() {
        var ledger = EventCorrelator()
        _ = ledger.take(makeEventReport(.item), at: at(0))
        #expect(ledger.take(makeEventReport(.feed, by: 8), at: at(0)) == true)
        #expect(ledger.take(makeEventReport(.feed, .merged), at: at(0)) == true)
        let other = ItemReference(project: item.project, kind: .issue, iid: 3)
        let report = EventReport(key: EventKey(item: other, kind: .closed, actor: 9), source: .feed)
        #expect(ledger.take(report, at: at(0)) == true)
    }

    @Test(arguments: EventKey.Kind.allCases)
    func `beyond the tolerance it is another event`(kind: EventKey.Kind) {
        var ledger = EventCorrelator()
        let late = now.advanced(by: kind.tolerance + .milliseconds(1))
        _ = ledger.take(makeEventReport(.item, kind), at: now)
        #expect(ledger.take(makeEventReport(.feed, kind), at: late) == true)
        var other = EventCorrelator()
        _ = other.take(makeEventReport(.item, kind), at: now)
        #expect(other.take(makeEventReport(.feed, kind), at: now.advanced(by: kind.tolerance)) == false)
    }

    @Test func `a source that knows a span only is matched within it`() {
        var ledger = EventCorrelator()
        #expect(ledger.take(makeEventReport(.approvals, .approved, since: at(-3_600)), at: at(0)) == true)
        #expect(ledger.take(makeEventReport(.item, .approved), at: at(-1_800)) == false)
    }

    /// GitLab facts §6.1.
    @Test func `a to-do item of the first job that fails is of the run that has failed long afterwards`() {
        let run = makeEventReport(.item, .pipelineFailed, since: at(300))
        let todo = makeEventReport(.todo, .pipelineFailed)
        var ledger = EventCorrelator()
        #expect(ledger.take(todo, at: at(600)) == true)
        let former = makeEventReport(.item, .pipelineFailed, since: at(0))
        #expect(ledger.take(former, at: at(200)) == true, "it was over before")
        #expect(ledger.take(run, at: at(1_800)) == false)
        #expect(ledger.take(run, at: at(1_800)) == true, "each tells of one")
        for (seconds, isNews) in [(600, false), (1_800, false), (300, true)] {
            var other = EventCorrelator()
            #expect(other.take(run, at: at(1_800)) == true)
            #expect(other.take(todo, at: at(seconds)) == isNews)
        }
    }

    /// Of two that have failed the to-do item is of the one whose end lies next to it.
    @Test func `a run that ended next to a to-do item is told by it, and not one that went on`() {
        var ledger = EventCorrelator()
        #expect(ledger.take(makeEventReport(.todo, .pipelineFailed), at: at(600)) == true)
        let rows = [(300, 600), (500, 660)].map { begin, end in
            EventPairing.Row(
                report: makeEventReport(.item, .pipelineFailed, since: at(begin)),
                occurredAt: at(end)
            )
        }
        ledger.prepare(for: rows)
        let isNews = rows.map { ledger.take($0.report, at: $0.occurredAt) }
        #expect(isNews == [false, true])
    }

    @Test func `only what changed is written, and it is found again`() throws {
        let database = try makeDeliveryDatabase()
        let store = Store(database)
        let account = try store.makeAccount()
        var ledger = EventCorrelator()
        _ = ledger.take(makeEventReport(.item), at: at(0))
        try store.store(ledger, of: account)
        var second = EventCorrelator(known: try store.correlatedEvents(on: item, of: account))
        #expect(second.known.count == 1)
        #expect(second.changed.isEmpty)
        #expect(second.take(makeEventReport(.feed), at: at(1)) == false)
        try store.store(second, of: account)
        #expect(try store.correlatedEvents(on: item, of: account).map(\.sources) == [3])
        var later = EventCorrelator(known: try store.correlatedEvents(on: item, of: account))
        _ = later.take(makeEventReport(.feed), at: at(9 * 86_400))
        try store.store(later, of: account)
        #expect(try store.correlatedEvents(on: item, of: account).map(\.occurredAt) == [at(9 * 86_400)])
    }
}
