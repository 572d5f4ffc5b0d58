import Platform
import Testing

@testable import Notifier

private let start = MonotonicInstant(nanoseconds: 0)

private func at(_ seconds: Int64) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

/// Both lists were read at the start and are due from end to end after an hour.
private func makeReconciliation() -> Reconciliation { Reconciliation(completeAt: start, dueAt: at(3_600)) }

struct ReconciliationTests {
    @Test func `a list is due when nobody has read it to its end for long`() {
        var item = makeReconciliation()
        #expect(item.due(at: at(3_599)).isEmpty)
        #expect(item.due(at: at(3_600)) == Reconciliation.Lists(notes: true, stateEvents: true))
        item.takeNotes(from: at(3_000), isWhole: true, next: .hours(1))
        #expect(item.due(at: at(3_600)) == Reconciliation.Lists(notes: false, stateEvents: true))
        item.takeStateEvents(from: at(3_600), isWhole: true, next: .hours(1))
        #expect(item.due(at: at(6_599)).isEmpty)
        #expect(item.due(at: at(6_600)) == Reconciliation.Lists(notes: true, stateEvents: false))
    }

    @Test func `a look that did not reach the end of a list puts nothing off`() {
        var item = makeReconciliation()
        item.takeNotes(from: at(3_000), isWhole: false, next: .hours(1))
        item.takeStateEvents(from: at(3_000), isWhole: false, next: .hours(1))
        #expect(item.due(at: at(3_600)) == Reconciliation.Lists(notes: true, stateEvents: true))
        #expect(item.completeAt == at(3_000))
    }

    @Test func `an item is complete as far as the list goes that was looked at longer ago`() {
        var item = makeReconciliation()
        item.takeNotes(from: at(100), isWhole: true, next: .hours(1))
        #expect(item.completeAt == start)
        item.takeStateEvents(from: at(60), isWhole: true, next: .hours(1))
        #expect(item.completeAt == at(60) && item.stateEventsLookedAt == at(60))
        // A look that began before the last says nothing new.
        item.takeStateEvents(from: at(30), isWhole: true, next: .hours(1))
        #expect(item.completeAt == at(60))
    }

    @Test func `a list of which only a part could be held is due at once`() {
        var item = makeReconciliation()
        item.requireNotes(at: at(60))
        #expect(item.due(at: at(60)) == Reconciliation.Lists(notes: true, stateEvents: false))
    }

    @Test func `an item that was missing at the start is due from end to end at once, and others in their time`()
        async throws
    {
        let world = try await PollingWorld()
        var context = world.context
        context.entropy = FixedEntropy(value: .max)
        let stored = try await world.store.read { [account = world.account] store in
            try StoredAccount(account, polled: [], withTodos: true, from: store)
        }
        let now = world.time.monotonicNow
        let gate = RequestGate(budget: RequestBudget(limitPerHour: 1_000, now: now), time: world.time)
        for missingSince in [nil, world.time.wallNow] {
            var account = try #require(stored)
            account.watches[0].missingSince = missingSince
            let items = try PolledAccount(account, gate: gate, context: context).items
            #expect(items.map { $0.prospect(at: now).mustReconcile } == [missingSince != nil])
        }
    }
}
