import Platform
import Testing

@testable import Notifier

private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

private func look(
    _ list: ItemLooks.List = .approvals,
    knownBy validator: String = "a",
    of watcher: LookWatcher.ID = 1,
    since seconds: Int64 = 100,
    begunAt begun: Int64? = nil
) -> LooksUnderWay.Look {
    LooksUnderWay.Look(
        list: list,
        validator: validator,
        watcher: watcher,
        since: at(seconds),
        begunAt: at(begun ?? seconds)
    )
}

extension LooksUnderWay {
    /// Until when an account waits for another's look.
    fileprivate mutating func join(
        _ watcher: LookWatcher.ID,
        _ list: ItemLooks.List = .approvals,
        knownBy validator: String = "a",
        since seconds: Int64 = 100,
        at now: Int64 = 101,
        signal: WakeSignal = WakeSignal(time: ManualTime())
    ) -> MonotonicInstant? {
        join(look(list, knownBy: validator, of: watcher, since: seconds, begunAt: now), signal)
    }
}

struct LooksUnderWayTests {
    @Test func `a look that has begun is waited for by who knows the list alike, but not for long`() {
        var looks = LooksUnderWay()
        #expect(looks.join(2) == nil)
        looks.begin(look(begunAt: 101))
        #expect(looks.join(2) == at(106))
        #expect(looks.join(2, at: 105) == at(106))
        #expect(looks.join(2, at: 106) == nil)
        #expect(looks.join(2, .row) == nil)
        #expect(looks.join(2, knownBy: "b") == nil)
        // Nobody waits for themselves.
        #expect(looks.join(1) == nil)
    }

    @Test func `a look that began before what is asked about is not waited for`() {
        var looks = LooksUnderWay()
        looks.begin(look(since: 100))
        #expect(looks.join(2, since: 101) == nil)
        #expect(looks.join(2, since: 100) != nil)
    }

    @Test func `its end wakes who waits, once, whether there was an answer or not`() {
        var looks = LooksUnderWay()
        let signals = (0..<2).map { _ in WakeSignal(time: ManualTime()) }
        looks.begin(look())
        for signal in signals { _ = looks.join(2, signal: signal) }
        #expect(looks.end(look(of: 3)).isEmpty)
        #expect(looks.end(look(.row)).isEmpty)
        #expect(looks.end(look()).map(ObjectIdentifier.init) == signals.map(ObjectIdentifier.init))
        #expect(looks.end(look()).isEmpty)
        #expect(looks.join(2) == nil)
    }

    @Test func `the first of two looks is waited for, and the second where that takes too long or its account leaves`()
    {
        var looks = LooksUnderWay()
        looks.begin(look(of: 1))
        looks.begin(look(of: 2, since: 103))
        #expect(looks.join(3, since: 103, at: 104) == nil)
        #expect(looks.join(3, at: 104) == at(105))
        looks.begin(look(of: 2, since: 105))
        #expect(looks.join(3, at: 105) == at(110))
        looks.leave(2)
        #expect(looks.join(3, at: 105) == nil)
    }

    @Test func `of very many looks at one item only some are known`() {
        var looks = LooksUnderWay()
        for number in 0...LooksUnderWay.limit { looks.begin(look(.page(target: "\(number)"))) }
        #expect(looks.join(2, .page(target: "\(LooksUnderWay.limit - 1)")) != nil)
        #expect(looks.join(2, .page(target: "\(LooksUnderWay.limit)")) == nil)
    }
}
