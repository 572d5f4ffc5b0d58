import Platform
import Testing

@testable import Notifier

private func makeItem(_ iid: Int64) -> ItemReference {
    ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: iid)
}

struct NamedItemsTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    private func instant(_ seconds: Double) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    @Test func `an item that is named is polled at once`() {
        var items = NamedItems(perMinute: 10, now: start)
        #expect(items.nextAt(start) == nil)
        let isNews = items.name(makeItem(1), at: start)
        #expect(isNews)
        #expect(items.nextAt(start) == start)
        let polled = items.take(at: start)
        #expect(polled == [makeItem(1)])
        #expect(items.nextAt(start) == nil)
    }

    @Test func `hooks for one item are one poll`() {
        var items = NamedItems(perMinute: 10, now: start)
        let isNews = items.name(makeItem(1), at: start)
        #expect(isNews)
        let isNewsAgain = items.name(makeItem(1), at: start)
        #expect(!isNewsAgain)
        let polled = items.take(at: start)
        #expect(polled == [makeItem(1)])
        let isNewsLater = items.name(makeItem(1), at: instant(1))
        #expect(isNewsLater)
        let polledEarly = items.take(at: instant(4.9))
        #expect(polledEarly == [])
        #expect(items.nextAt(instant(1)) == instant(5))
        let polledAfterwards = items.take(at: instant(5))
        #expect(polledAfterwards == [makeItem(1)])
    }

    @Test func `what is named within seconds is polled together`() {
        var items = NamedItems(perMinute: 10, now: start)
        _ = items.name(makeItem(1), at: start)
        let first = items.take(at: start)
        #expect(first == [makeItem(1)])
        for number in Int64(2)...4 { _ = items.name(makeItem(number), at: instant(Double(number) / 2)) }
        #expect(items.nextAt(instant(2)) == instant(3))
        let early = items.take(at: instant(2.9))
        #expect(early == [])
        let polled = items.take(at: instant(3))
        #expect(polled == [makeItem(2), makeItem(3), makeItem(4)])
    }

    @Test func `no flood polls more often than the rate allows`() {
        var items = NamedItems(perMinute: 10, now: start)
        var polls = 0
        for step in 0..<36_000 {
            let now = instant(Double(step) / 10)
            for number in 0..<20 { _ = items.name(makeItem(Int64(step * 7 + number)), at: now) }
            polls += items.take(at: now).count
        }
        // A full bucket, and then the rate.
        #expect((600...610).contains(polls))
    }

    @Test func `what waits is bounded, and what finds no room is left to polling`() {
        var items = NamedItems(perMinute: 1, now: start)
        for number in 0..<1_000 { _ = items.name(makeItem(Int64(number)), at: start) }
        var taken = 0
        for minute in 0..<1_000 { taken += items.take(at: instant(Double(minute) * 60)).count }
        #expect(taken == NamedItems.waitingLimit)
    }

    @Test func `what a cycle reads anyway is forgotten`() {
        var items = NamedItems(perMinute: 10, now: start)
        _ = items.name(makeItem(1), at: start)
        _ = items.name(makeItem(2), at: start)
        items.forget([makeItem(1)])
        let polled = items.take(at: start)
        #expect(polled == [makeItem(2)])
    }

    @Test func `a rate of nothing polls nothing`() {
        var items = NamedItems(perMinute: 0, now: start)
        let isNews = items.name(makeItem(1), at: start)
        #expect(!isNews)
        #expect(items.nextAt(start) == nil)
    }
}
