import HTTP
import Platform
import Testing

@testable import Notifier

private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

private func reference(_ iid: Int64) -> ItemReference {
    ItemReference(project: ProjectID(rawValue: 1), kind: .mergeRequest, iid: iid)
}

private func item(_ iid: Int64, at host: String = "a.example") -> SharedLooks.Item {
    SharedLooks.Item(origin: HTTPOrigin(scheme: "https", host: host), item: reference(iid))
}

/// Looks of some accounts, and what each of them is told.
private struct Accounts {
    let looks = SharedLooks()
    let watchers: [LookWatcher]

    init(_ count: Int) {
        let time = ManualTime()
        watchers = (0..<count).map { [looks] _ in
            let inbox = PollerInbox(named: NamedItems(perMinute: 0, now: time.monotonicNow))
            return looks.makeWatcher(inbox, WakeSignal(time: time))
        }
    }

    @discardableResult
    func watch(_ items: [SharedLooks.Item], by number: Int) -> [SharedLooks.Place] {
        looks.watch(items, by: watchers[number])
    }

    func take(
        _ validator: String,
        after previous: String?,
        at seconds: Int64,
        of item: SharedLooks.Item,
        by number: Int
    ) {
        let row = SharedLooks.List(item: item, list: .row)
        let look = ListLooks.Look(at: at(seconds), answeredAt: at(seconds), watcher: watchers[number].id)
        looks.take([SharedLooks.Sight(list: row, validator: validator, previous: previous)], look)
    }

    func standing(_ validator: String, of item: SharedLooks.Item) -> ListLooks.Standing {
        looks.standing(of: validator, since: at(-1), at: SharedLooks.List(item: item, list: .row))
    }

    /// Which items each was told of since this was asked last.
    func told() -> [Set<ItemReference>] { watchers.map { $0.inbox.takeSeen() } }
}

struct SharedLooksTests {
    @Test func `an item is left to whoever's round has come to it, but not for long`() {
        let accounts = Accounts(3)
        for number in 0...1 { accounts.watch([item(3)], by: number) }
        accounts.watch([item(4)], by: 2)
        func begin(_ iid: Int64, _ number: Int, _ seconds: Int64) -> Bool {
            accounts.looks.beginRound(of: accounts.watchers[number].id, at: item(iid), at: at(seconds))
        }
        #expect(begin(3, 0, 1) && begin(3, 0, 2))
        #expect(!begin(3, 1, 11))
        #expect(begin(3, 1, 12))
        // Who does not hold it ends nothing.
        accounts.looks.endRound(of: accounts.watchers[0].id, at: item(3))
        #expect(!begin(3, 0, 13))
        accounts.looks.endRound(of: accounts.watchers[1].id, at: item(3))
        #expect(begin(3, 0, 13))
        // Nobody waits for whoever watches no more, nor alone.
        accounts.watch([], by: 0)
        #expect(begin(3, 1, 14))
        #expect(begin(4, 2, 14) && begin(4, 0, 14))
    }

    @Test func `a change wakes who watches the item, but not who saw it, once`() {
        let accounts = Accounts(4)
        for number in 0...2 { accounts.watch([item(3)], by: number) }
        accounts.watch([item(4)], by: 3)
        accounts.take("x", after: nil, at: 1, of: item(3), by: 0)
        #expect(accounts.told() == [[], [], [], []])
        accounts.take("y", after: "x", at: 2, of: item(3), by: 0)
        #expect(accounts.told() == [[], [reference(3)], [reference(3)], []])
        accounts.take("y", after: "x", at: 3, of: item(3), by: 1)
        #expect(accounts.told() == [[], [], [], []])
    }

    @Test func `items of two GitLabs are two items`() {
        let accounts = Accounts(4)
        for number in 0...1 { accounts.watch([item(3)], by: number) }
        for number in 2...3 { accounts.watch([item(3, at: "b.example")], by: number) }
        accounts.take("x", after: nil, at: 5, of: item(3), by: 0)
        #expect(accounts.standing("x", of: item(3)) != .unknown)
        #expect(accounts.standing("x", of: item(3, at: "b.example")) == .unknown)
        accounts.take("y", after: "x", at: 6, of: item(3), by: 0)
        #expect(accounts.told() == [[], [reference(3)], [], []])
    }

    @Test func `what only one watches is not remembered, nor what the last but one has left`() {
        let accounts = Accounts(2)
        accounts.watch([item(3)], by: 0)
        accounts.take("x", after: nil, at: 1, of: item(3), by: 0)
        accounts.watch([item(3)], by: 1)
        #expect(accounts.standing("x", of: item(3)) == .unknown)
        accounts.take("x", after: nil, at: 2, of: item(3), by: 0)
        #expect(accounts.standing("x", of: item(3)) != .unknown)
        accounts.watch([], by: 1)
        accounts.watch([item(3)], by: 1)
        #expect(accounts.standing("x", of: item(3)) == .unknown)
        #expect(accounts.looks.watcherCount(of: item(3)) == 2)
        for number in 0...1 { accounts.watch([item(4)], by: number) }
        #expect(accounts.looks.watcherCount(of: item(3)) == 0)
    }

    @Test func `of an item's many lists those looked at last are remembered`() {
        let accounts = Accounts(2)
        for number in 0...1 { accounts.watch([item(3)], by: number) }
        let lists = (0..<12).map { SharedLooks.List(item: item(3), list: .page(target: "/\($0)")) }
        for (number, list) in lists.enumerated() {
            let look = ListLooks.Look(at: at(Int64(number)), answeredAt: at(Int64(number)))
            accounts.looks.take([SharedLooks.Sight(list: list, validator: "x", previous: nil)], look)
        }
        let known = lists.indices.filter { accounts.looks.standing(of: "x", since: at(-1), at: lists[$0]) != .unknown }
        #expect(known == Array(4..<12))
    }

    @Test func `a mark of an item's lists is current until one is looked at, or others watch`() throws {
        let accounts = Accounts(3)
        for number in 0...1 { accounts.watch([item(3), item(4)], by: number) }
        func mark() throws -> LookRevision.Mark {
            let mark = accounts.looks.look(at: item(3)) { $0.listsMark }
            return try #require(mark)
        }
        func lookAtApprovals(of item: SharedLooks.Item) {
            let list = SharedLooks.List(item: item, list: .approvals)
            let look = ListLooks.Look(at: at(2), answeredAt: at(2))
            accounts.looks.take([SharedLooks.Sight(list: list, validator: "x", previous: nil)], look)
        }
        let first = try mark()
        accounts.take("x", after: nil, at: 1, of: item(3), by: 0)
        lookAtApprovals(of: item(4))
        #expect(first.isCurrent)
        lookAtApprovals(of: item(3))
        #expect(!first.isCurrent)
        let second = try mark()
        accounts.watch([item(3)], by: 2)
        #expect(!second.isCurrent)
        let third = try mark()
        for number in 0...2 { accounts.watch([], by: number) }
        for number in 0...2 { accounts.watch([item(3)], by: number) }
        #expect(!third.isCurrent)
        #expect(try mark().isCurrent)
    }

    @Test func `where an item lay is nothing to go by once another lies there`() {
        let accounts = Accounts(3)
        func watchers(of iid: Int64, in place: SharedLooks.Place) -> [LookWatcher.ID]? {
            accounts.looks.look(at: item(iid), in: place) { $0.watchers.map(\.id) }
        }
        let former = accounts.watch([item(3)], by: 0)[0]
        #expect(accounts.watch([item(3)], by: 1) == [former])
        #expect(watchers(of: 3, in: former) == accounts.watchers[0...1].map(\.id))
        accounts.watch([], by: 0)
        #expect(watchers(of: 3, in: former) == [accounts.watchers[1].id])
        accounts.watch([], by: 1)
        accounts.watch([item(4)], by: 2)
        #expect(watchers(of: 3, in: former) == nil)
        accounts.watch([item(3)], by: 1)
        #expect(watchers(of: 3, in: former) == [accounts.watchers[1].id])
    }

    @Test func `a mark of an item's row is current until somebody is shown another`() throws {
        let accounts = Accounts(2)
        for number in 0...1 { accounts.watch([item(3)], by: number) }
        func mark() throws -> LookRevision.Mark {
            let mark = accounts.looks.look(at: item(3)) { $0.rowMark }
            return try #require(mark)
        }
        accounts.take("x", after: nil, at: 1, of: item(3), by: 0)
        let first = try mark()
        accounts.take("x", after: nil, at: 2, of: item(3), by: 1)
        accounts.take("x", after: "x", at: 3, of: item(3), by: 0)
        #expect(first.isCurrent)
        accounts.take("y", after: nil, at: 4, of: item(3), by: 1)
        #expect(!first.isCurrent)
        // What both have been shown is over for whoever is shown the other again.
        let second = try mark()
        accounts.take("x", after: "y", at: 5, of: item(3), by: 1)
        #expect(!second.isCurrent)
        let third = try mark()
        for number in 0...ItemLooks.limit {
            let list = SharedLooks.List(item: item(3), list: .page(target: "/\(number)"))
            let look = ListLooks.Look(at: at(6), answeredAt: at(6))
            accounts.looks.take([SharedLooks.Sight(list: list, validator: "x", previous: nil)], look)
        }
        #expect(!third.isCurrent)
        let fourth = try mark()
        accounts.watch([], by: 1)
        #expect(!fourth.isCurrent)
    }
}

struct SweepSubstituteTests {
    private func look(_ seconds: Int64, seconded: Int64?) -> ListLooks.Standing {
        var looks = ListLooks()
        if let seconded {
            _ = looks.take("x", after: nil, ListLooks.Look(at: at(seconded), answeredAt: at(seconded), watcher: 1))
        }
        _ = looks.take("x", after: "x", ListLooks.Look(at: at(seconds), answeredAt: at(seconds), watcher: 2))
        return looks.standing(of: "x", since: at(-1))
    }

    private func lookedAt(_ standings: [ListLooks.Standing], askedAt: Int64 = 1_000) -> MonotonicInstant? {
        var substitute = SweepSubstitute(cycleInterval: .seconds(30), askedAt: at(askedAt), now: at(1_000))
        for standing in standings where !substitute.take(standing) { return nil }
        return substitute.lookedAt
    }

    @Test func `looks at every row stand for a sweep, as old as the oldest of them`() {
        #expect(lookedAt([look(990, seconded: 985), look(985, seconded: 950)]) == at(985))
        #expect(lookedAt([look(990, seconded: 985), .unknown]) == nil)
        #expect(lookedAt([look(990, seconded: 985), .outdated]) == nil)
        #expect(lookedAt([]) == nil)
    }

    @Test func `who has looked a moment ago need not ask again while nobody has seen a change`() {
        func lookedAt(_ standing: ListLooks.Standing, since seconds: Int64?) -> MonotonicInstant? {
            var substitute = SweepSubstitute(cycleInterval: .seconds(30), askedAt: at(1_000), now: at(1_000))
            return substitute.take(standing, since: seconds.map(at)) ? substitute.lookedAt : nil
        }
        #expect(lookedAt(.unknown, since: 982) == at(982))
        #expect(lookedAt(.unknown, since: 981) == nil)
        #expect(lookedAt(.unknown, since: nil) == nil)
        #expect(lookedAt(.outdated, since: 999) == nil)
        // Somebody else's look that nobody seconds takes nothing from that, nor adds to it.
        #expect(lookedAt(look(990, seconded: nil), since: 985) == at(985))
        #expect(lookedAt(look(990, seconded: nil), since: 970) == nil)
        #expect(lookedAt(look(990, seconded: 985), since: 985) == at(990))
    }

    @Test func `a look stands for three fifths of the time between two cycles`() {
        #expect(lookedAt([look(982, seconded: 970)]) == at(982))
        #expect(lookedAt([look(981, seconded: 970)]) == nil)
    }

    @Test func `who has waited longer than that takes what was seen since they came, and nothing older`() {
        #expect(lookedAt([look(930, seconded: 920)], askedAt: 930) == at(930))
        #expect(lookedAt([look(929, seconded: 920)], askedAt: 930) == nil)
        #expect(lookedAt([look(930, seconded: 840)], askedAt: 930) == at(930))
        #expect(lookedAt([look(930, seconded: 839)], askedAt: 930) == nil)
        // Whoever has waited for less has what they would have had without.
        #expect(lookedAt([look(982, seconded: 970)], askedAt: 995) == at(982))
    }

    @Test func `nobody is believed alone for longer than a minute and a half`() {
        #expect(lookedAt([look(990, seconded: 910)]) == at(990))
        #expect(lookedAt([look(990, seconded: 909)]) == nil)
        #expect(lookedAt([look(990, seconded: nil)]) == nil)
    }
}

struct TurnSubstituteTests {
    private func standing(lookAt seconds: Int64) -> ListLooks.Standing {
        .current(ListLooks.Look(at: at(seconds), answeredAt: at(seconds)))
    }

    @Test func `a look that began after this one had come to ask, and showed the same, stands for it`() {
        let substitute = TurnSubstitute(askedAt: at(100))
        #expect(substitute.take(standing(lookAt: 100)) && substitute.take(standing(lookAt: 170)))
        #expect(!substitute.take(standing(lookAt: 99)))
        #expect(!substitute.take(.outdated) && !substitute.take(.unknown))
    }
}
