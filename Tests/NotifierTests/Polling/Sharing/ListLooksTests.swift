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
        looks.take("a", after: nil, look(60))
        #expect(looks.standing(of: "a", since: at(0)) == .current(look(60)))
        #expect(looks.standing(of: "a", since: at(60)) == .unknown)
        #expect(looks.standing(of: "b", since: at(0)) == .unknown)
        looks.take("a", after: "a", look(30))
        #expect(looks.standing(of: "a", since: at(0)) == .current(look(60)))
    }

    @Test func `a change is told to those who saw what was before, until they have looked`() {
        var looks = ListLooks()
        looks.take("a", after: nil, look(10))
        looks.take("b", after: "a", look(60))
        #expect(looks.standing(of: "a", since: at(10)) == .outdated)
        #expect(looks.standing(of: "a", since: at(60)) == .unknown)
        #expect(looks.standing(of: "b", since: at(10)) == .current(look(60)))
    }

    @Test func `who looked while another's look was under way is told what it showed`() {
        var looks = ListLooks()
        looks.take("a", after: nil, look(10))
        looks.take("b", after: "a", ListLooks.Look(at: at(60), answeredAt: at(62)))
        #expect(looks.standing(of: "a", since: at(61)) == .outdated)
        #expect(looks.standing(of: "a", since: at(62)) == .unknown)
    }

    @Test func `a change is believed before a later look that did not show it, as a replica's may be`() {
        var looks = ListLooks()
        looks.take("a", after: nil, look(10))
        looks.take("b", after: "a", look(60))
        looks.take("a", after: "a", look(70))
        #expect(looks.standing(of: "a", since: at(50)) == .outdated)
        #expect(looks.standing(of: "a", since: at(60)) == .current(look(70)))
    }

    @Test func `people who see different things of a list tell each other nothing`() {
        var looks = ListLooks()
        for minute in 1...5 as ClosedRange<Int64> {
            looks.take("internal", after: "internal", look(minute * 60))
            looks.take("public", after: "public", look(minute * 60 + 1))
            #expect(looks.standing(of: "internal", since: at(minute * 60)) == .unknown)
            #expect(looks.standing(of: "public", since: at(minute * 60 + 1)) == .unknown)
        }
        looks.take("internal 2", after: "internal", look(400))
        #expect(looks.standing(of: "public", since: at(301)) == .unknown)
    }

    @Test func `of many states the ones seen last are kept`() {
        var looks = ListLooks()
        for state in 0..<9 as Range<Int64> { looks.take("\(state)", after: nil, look(state)) }
        let known = (0..<9).filter { looks.standing(of: "\($0)", since: at(-1)) != .unknown }
        #expect(known == [5, 6, 7, 8])
        #expect(looks.lastAt == at(8))
    }

    @Test func `lists of two GitLabs are two lists`() {
        let looks = SharedLooks()
        let lists = ["a.example", "b.example"].map { host in
            SharedLooks.List(
                origin: HTTPOrigin(scheme: "https", host: host),
                target: "/api/v4/projects/1/issues/1/notes"
            )
        }
        looks.take("x", after: nil, look(5), at: lists[0])
        #expect(looks.standing(of: "x", since: at(0), at: lists[0]) == .current(look(5)))
        #expect(looks.standing(of: "x", since: at(0), at: lists[1]) == .unknown)
    }

    @Test func `so many lists are remembered, and those nobody looks at make room`() {
        let looks = SharedLooks(limit: 2)
        func list(_ number: Int) -> SharedLooks.List {
            SharedLooks.List(origin: HTTPOrigin(scheme: "https", host: "a.example"), target: "/\(number)")
        }
        func isKnown(_ number: Int) -> Bool { looks.standing(of: "x", since: at(-1), at: list(number)) != .unknown }
        for number in 1...3 { looks.take("x", after: nil, look(Int64(number)), at: list(number)) }
        #expect([1, 2, 3].map(isKnown) == [true, true, false])
        looks.take("x", after: "x", look(3_000), at: list(2))
        looks.take("x", after: nil, look(3_700), at: list(4))
        #expect([1, 2, 3, 4].map(isKnown) == [false, true, false, true])
    }
}
