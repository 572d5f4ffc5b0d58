import HTTP
import Platform
import Testing

@testable import Notifier

private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

private func look(_ seconds: Int64) -> ListLooks.Look {
    ListLooks.Look(at: at(seconds), answeredAt: at(seconds))
}

struct ListLooksTests {
    @Test func `a look stands for those who saw the same before it`() {
        var looks = ListLooks()
        _ = looks.take("a", after: nil, look(60))
        #expect(looks.standing(of: "a", since: at(0)) == .current(look(60)))
        #expect(looks.standing(of: "a", since: at(60)) == .unknown)
        #expect(looks.standing(of: "b", since: at(0)) == .unknown)
        _ = looks.take("a", after: "a", look(30))
        #expect(looks.standing(of: "a", since: at(0)) == .current(look(60)))
    }

    @Test func `when a state was first seen is known, and when it came back`() {
        var looks = ListLooks()
        #expect(looks.firstSight(of: "a") == nil)
        _ = looks.take("a", after: nil, ListLooks.Look(at: at(10), answeredAt: at(11)))
        _ = looks.take("a", after: "a", look(30))
        #expect(looks.firstSight(of: "a") == at(11))
        _ = looks.take("b", after: "a", look(40))
        #expect(looks.firstSight(of: "b") == at(40) && looks.firstSight(of: "a") == at(11))
        _ = looks.take("a", after: "b", look(50))
        #expect(looks.firstSight(of: "a") == at(50))
    }

    @Test func `a row moved when the first says so who was shown it`() {
        var looks = ListLooks()
        #expect(looks.movedAt("a") == nil)
        _ = looks.take("a", after: nil, look(60))
        #expect(looks.movedAt("a") == nil)
        _ = looks.take("a", after: nil, look(61), movedAt: at(41))
        _ = looks.take("a", after: "a", look(90), movedAt: at(42))
        #expect(looks.movedAt("a") == at(41))
    }

    @Test func `a change is told to those who saw what was before, until they have looked`() {
        var looks = ListLooks()
        _ = looks.take("a", after: nil, look(10))
        _ = looks.take("b", after: "a", look(60))
        #expect(looks.standing(of: "a", since: at(10)) == .outdated)
        #expect(looks.standing(of: "a", since: at(60)) == .unknown)
        #expect(looks.standing(of: "b", since: at(10)) == .current(look(60)))
    }

    @Test func `who looked while another's look was under way is told what it showed`() {
        var looks = ListLooks()
        _ = looks.take("a", after: nil, look(10))
        _ = looks.take("b", after: "a", ListLooks.Look(at: at(60), answeredAt: at(62)))
        #expect(looks.standing(of: "a", since: at(61)) == .outdated)
        #expect(looks.standing(of: "a", since: at(62)) == .unknown)
    }

    @Test func `a change is believed before a later look that did not show it, as a replica's may be`() {
        var looks = ListLooks()
        _ = looks.take("a", after: nil, look(10))
        _ = looks.take("b", after: "a", look(60))
        _ = looks.take("a", after: "a", look(70))
        #expect(looks.standing(of: "a", since: at(50)) == .outdated)
        #expect(looks.standing(of: "a", since: at(60)) == .current(look(70)))
    }

    @Test func `people who see different things of a list tell each other nothing`() {
        var looks = ListLooks()
        for minute in 1...5 as ClosedRange<Int64> {
            _ = looks.take("internal", after: "internal", look(minute * 60))
            _ = looks.take("public", after: "public", look(minute * 60 + 1))
            #expect(looks.standing(of: "internal", since: at(minute * 60)) == .unknown)
            #expect(looks.standing(of: "public", since: at(minute * 60 + 1)) == .unknown)
        }
        _ = looks.take("internal 2", after: "internal", look(400))
        #expect(looks.standing(of: "public", since: at(301)) == .unknown)
    }

    @Test func `of many states the ones seen last are kept`() {
        var looks = ListLooks()
        for state in 0..<9 as Range<Int64> { _ = looks.take("\(state)", after: nil, look(state)) }
        let known = (0..<9).filter { looks.standing(of: "\($0)", since: at(-1)) != .unknown }
        #expect(known == [5, 6, 7, 8])
    }

    @Test func `a change is news for the others once, and again when they were shown what was before`() {
        var looks = ListLooks()
        let news = [
            looks.take("a", after: nil, look(10)), looks.take("b", after: "a", look(60)),
            looks.take("b", after: "a", look(61)),
            looks.take("a", after: "a", look(70)), looks.take("b", after: "a", look(80)),
            looks.take("b", after: "b", look(90)),
        ]
        #expect(news == [false, true, false, false, true, false])
    }

    @Test func `what a row has become is told to who knew it, while its frame is the same`() {
        var looks = ListLooks()
        _ = looks.take("a", after: nil, look(10), frame: "f")
        #expect(looks.successor(of: "a", since: at(0)) == nil)
        _ = looks.take("b", after: "a", look(20), frame: "f")
        #expect(looks.successor(of: "a", since: at(15)) == "b")
        #expect(looks.successor(of: "a", since: at(20)) == nil)
        #expect(looks.successor(of: "z", since: at(0)) == nil)
        _ = looks.take("c", after: "b", look(30), frame: "f")
        #expect(looks.successor(of: "a", since: at(15)) == "c")
        _ = looks.take("d", after: "c", look(40), frame: "g")
        #expect(looks.successor(of: "a", since: at(15)) == nil && looks.successor(of: "c", since: at(15)) == nil)
    }

    @Test func `nobody follows a row that goes to and fro, nor one without a frame`() {
        var looks = ListLooks()
        _ = looks.take("a", after: nil, look(10), frame: "f")
        _ = looks.take("b", after: "a", look(20), frame: "f")
        _ = looks.take("a", after: "b", look(30), frame: "f")
        #expect(looks.successor(of: "a", since: at(15)) == nil)
        var bare = ListLooks()
        _ = bare.take("a", after: nil, look(10))
        _ = bare.take("b", after: "a", look(20))
        #expect(bare.successor(of: "a", since: at(15)) == nil)
    }

    @Test func `a row that an answer held speaks for itself, until it is over`() {
        var looks = ListLooks()
        _ = looks.take("a", after: nil, look(10))
        #expect(looks.shownAt("a") == nil)
        _ = looks.take("a", after: "a", look(20), isShown: true)
        _ = looks.take("a", after: "a", look(30))
        #expect(looks.shownAt("a") == at(20))
        guard case .current(let look) = looks.standing(of: "a", since: at(0)) else {
            Issue.record("it is as it was")
            return
        }
        #expect(look.at == at(30) && look.secondedAt == at(20))
        _ = looks.take("b", after: "a", ListLooks.Look(at: at(40), answeredAt: at(40)), isShown: true)
        #expect(looks.shownAt("a") == nil && looks.shownAt("b") == at(40))
    }

    @Test func `a look is seconded by the last of somebody else that showed the same`() throws {
        var looks = ListLooks()
        func look(_ seconds: Int64, by watcher: Int) -> ListLooks.Look {
            ListLooks.Look(at: at(seconds), answeredAt: at(seconds), watcher: watcher)
        }
        func seconded() -> MonotonicInstant? {
            guard case .current(let look) = looks.standing(of: "a", since: at(-1)) else { return nil }
            return look.secondedAt
        }
        var seen: [MonotonicInstant?] = []
        for (seconds, watcher) in [(10, 1), (40, 1), (50, 2), (70, 1), (60, 3), (80, 1), (75, 1)] {
            _ = looks.take("a", after: "a", look(Int64(seconds), by: watcher))
            seen.append(seconded())
        }
        #expect(seen == [nil, nil, at(40), at(50), at(60), at(60), at(60)])
    }
}
