import Platform
import Testing

@testable import Notifier

private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

private func current(_ seconds: Int64) -> ListLooks.Standing {
    .current(ListLooks.Look(at: at(seconds), answeredAt: at(seconds)))
}

/// An item that was read at the start and has changed since.
private func makeChanged(state: String = "opened", again: Bool = false) -> ItemAttention.State {
    var item = ItemAttention(kind: .mergeRequest)
    item.appear(as: ItemFingerprint(), age: .hours(1), at: at(0))
    item.take(from: at(0), isComplete: true, isOfEveryList: true, patrol: .minutes(4))
    item.appear(as: ItemFingerprint(commentCount: 1, state: state), age: .zero, at: at(60))
    if again { item.appear(as: ItemFingerprint(commentCount: 2, state: state), age: .zero, at: at(90)) }
    return item.state
}

private func take(
    _ standing: ListLooks.Standing,
    _ attention: ItemAttention.State = makeChanged(),
    reason: DueReason = .changed,
    rowSeenAt: MonotonicInstant? = at(50)
) -> MonotonicInstant? {
    StateEventsSubstitute(reason: reason, attention: attention, rowSeenAt: rowSeenAt).take(standing)
}

struct StateEventsSubstituteTests {
    @Test func `a look that began after somebody saw the change stands for one's own`() {
        #expect(take(current(50)) == at(50))
        #expect(take(current(49)) == nil)
        #expect(take(.outdated) == nil && take(.unknown) == nil)
        #expect(take(current(50), rowSeenAt: nil) == nil)
    }

    @Test func `what was closed, or has changed twice unread, is looked at in any case`() {
        #expect(take(current(50), makeChanged(state: "closed")) == nil)
        #expect(take(current(50), makeChanged(again: true)) == nil)
    }

    @Test(arguments: DueReason.allCases)
    func `only a reading for a change can be spared`(reason: DueReason) {
        #expect((take(current(50), reason: reason) != nil) == (reason == .changed))
    }
}
