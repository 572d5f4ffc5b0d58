import Platform
import Testing

@testable import Notifier

private let now = WallTime(secondsSinceEpoch: 1_800_000_000)
private let item = ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: 3)

private func makeTestimony(
    _ witness: Witness,
    _ kind: Happening.Kind = .closed,
    by actor: Int64 = 9,
    since: WallTime? = nil
) -> Testimony {
    Testimony(happening: Happening(item: item, kind: kind, actor: actor), witness: witness, since: since)
}

private func at(_ seconds: Int) -> WallTime { now.advanced(by: .seconds(seconds)) }

struct HappeningLedgerTests {
    @Test func `what another witness has told is told once, in either order`() {
        for pair in [(Witness.item, Witness.feed), (.feed, .item)] {
            var ledger = HappeningLedger()
            #expect(ledger.take(makeTestimony(pair.0), at: at(0)) == true)
            #expect(ledger.take(makeTestimony(pair.1), at: at(2)) == false)
            #expect(ledger.known.count == 1)
            #expect(ledger.known[0].witnesses == 3)
        }
    }

    @Test func `a list read by a clock that was set back finds what was stamped before`() {
        var ledger = HappeningLedger()
        _ = ledger.take(makeTestimony(.item, .approved), at: at(2_700))
        #expect(ledger.take(makeTestimony(.approvals, .approved, since: at(-86_400)), at: at(60)) == false)
        #expect(ledger.take(makeTestimony(.approvals, .approved, since: at(-86_400)), at: at(60)) == true)
        // A row with a time of its own that much later is another happening.
        #expect(ledger.take(makeTestimony(.item, .approved), at: at(2_700)) == true)
    }

    @Test func `two rows of one witness are two happenings`() {
        var ledger = HappeningLedger()
        #expect(ledger.take(makeTestimony(.feed), at: at(0)) == true)
        #expect(ledger.take(makeTestimony(.feed), at: at(1)) == true)
    }

    @Test func `a close, a reopening and another close stay three`() {
        var ledger = HappeningLedger()
        for (seconds, kind) in [(0, Happening.Kind.closed), (10, .reopened), (20, .closed)] {
            #expect(ledger.take(makeTestimony(.item, kind), at: at(seconds)) == true)
        }
        // The feed tells of them newest first; each finds its own.
        for (seconds, kind) in [(21, Happening.Kind.closed), (11, .reopened), (1, .closed)] {
            #expect(ledger.take(makeTestimony(.feed, kind), at: at(seconds)) == false)
        }
        #expect(ledger.take(makeTestimony(.feed, .closed), at: at(30)) == true)
    }

    @Test func `another person, kind or item is another happening`() {
        var ledger = HappeningLedger()
        _ = ledger.take(makeTestimony(.item), at: at(0))
        #expect(ledger.take(makeTestimony(.feed, by: 8), at: at(0)) == true)
        #expect(ledger.take(makeTestimony(.feed, .merged), at: at(0)) == true)
        let other = ItemReference(project: item.project, kind: .issue, iid: 3)
        let testimony = Testimony(happening: Happening(item: other, kind: .closed, actor: 9), witness: .feed)
        #expect(ledger.take(testimony, at: at(0)) == true)
    }

    @Test(arguments: Happening.Kind.allCases)
    func `beyond the tolerance it is another happening`(kind: Happening.Kind) {
        var ledger = HappeningLedger()
        let late = now.advanced(by: kind.tolerance + .milliseconds(1))
        _ = ledger.take(makeTestimony(.item, kind), at: now)
        #expect(ledger.take(makeTestimony(.feed, kind), at: late) == true)
        var other = HappeningLedger()
        _ = other.take(makeTestimony(.item, kind), at: now)
        #expect(other.take(makeTestimony(.feed, kind), at: now.advanced(by: kind.tolerance)) == false)
    }

    @Test func `a witness that knows a span only is matched within it`() {
        var ledger = HappeningLedger()
        #expect(ledger.take(makeTestimony(.approvals, .approved, since: at(-3_600)), at: at(0)) == true)
        #expect(ledger.take(makeTestimony(.item, .approved), at: at(-1_800)) == false)
    }

    @Test func `only what changed is written, and it is found again`() throws {
        let database = try makeDeliveryDatabase()
        let store = Store(database)
        let account = try store.makeAccount()
        var ledger = HappeningLedger()
        _ = ledger.take(makeTestimony(.item), at: at(0))
        try store.store(ledger, of: account)
        var second = HappeningLedger(known: try store.happenings(on: item, of: account))
        #expect(second.known.count == 1)
        #expect(second.changed.isEmpty)
        #expect(second.take(makeTestimony(.feed), at: at(1)) == false)
        try store.store(second, of: account)
        #expect(try store.happenings(on: item, of: account).map(\.witnesses) == [3])
        var later = HappeningLedger(known: try store.happenings(on: item, of: account))
        _ = later.take(makeTestimony(.feed), at: at(9 * 86_400))
        try store.store(later, of: account)
        #expect(try store.happenings(on: item, of: account).map(\.occurredAt) == [at(9 * 86_400)])
    }
}
