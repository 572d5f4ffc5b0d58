import Platform
import SQLite
import Testing

@testable import Notifier

/// By what asks end that notes had told of.
struct AskEndTests {
    private let store: Store
    private let account: AccountID
    private let pipeline: NotificationPipeline
    private let item = ItemReference(project: ProjectID(rawValue: 42), kind: .mergeRequest, iid: 847)

    init() throws { (store, account, _, pipeline) = try makeAskedPerson() }

    private func take(_ candidate: Candidate, serverTime: WallTime? = nil) throws {
        var commit = FactCommit(account: account)
        commit.candidates = [candidate]
        commit.serverTime = serverTime
        _ = try pipeline.take(commit, at: deliveryStart, in: store)
    }

    /// Somebody asks for a review, as that source tells it.
    private func request(
        _ source: EventSource,
        note: Int64 = 5,
        todo: Int64 = 71,
        after delay: Duration = .zero
    ) -> Candidate {
        var fact = makeFact(.reviewRequested, note: note, item: item)
        fact.occurredAt = deliveryStart.advanced(by: delay)
        if source == .todo { (fact.key, fact.source, fact.sourceID) = (.todo(todo), .todo, todo) }
        var candidate = Candidate(fact: fact)
        let key = EventKey(item: item, kind: .reviewRequested, actor: fact.actor.id)
        candidate.report = EventReport(key: key, source: source)
        return candidate
    }

    private func open() throws -> Int {
        try store.database.first("SELECT count(*) FROM asks WHERE settled_at IS NULL") { $0.int(0) } ?? 0
    }

    @Test func `a to-do item that comes after the note stands for what the note asked`() throws {
        try take(request(.item))
        try take(request(.todo))
        #expect(try open() == 1)
        #expect(try store.database.first("SELECT todo_id FROM asks") { $0.int(0) } == 71)
    }

    /// What stands of asks: their keys, to-do items and how many reminders wait.
    private func standing() throws -> [String] {
        try store.database.rows(
            """
            SELECT ask_key || ' ' || coalesce(todo_id, '-') || ' ' || (
                SELECT count(*) FROM reminders WHERE ask_id = asks.id AND state = 'waiting'
            ) FROM asks WHERE settled_at IS NULL ORDER BY id
            """
        ) { $0.text(0) }
    }

    private func waiting() throws -> Int? {
        try store.database.first("SELECT count(*) FROM reminders WHERE state = 'waiting'") { $0.int(0) }
    }

    @Test func `who is asked again for a review is asked for one, and it ends with the to-do item of the first`() throws
    {
        try take(request(.item))
        try take(request(.todo))
        try take(request(.item, note: 6, after: .minutes(10)))
        let again = FactKey.note(item.project, 6).text
        #expect(try standing() == ["\(again) 71 2"])
        #expect(try waiting() == 2, "those of the former are off")
        let former = try store.database.first("SELECT settled_by FROM asks ORDER BY id") { $0.text(0) }
        #expect(former == "asked_again")
        // The first was done, and what asked again has one of its own after all.
        try take(request(.todo, todo: 72, after: .minutes(10)))
        #expect(try standing() == ["\(again) 72 2"])
    }

    @Test(arguments: [(EventSource.item, EventSource.todo), (.todo, .item)])
    func `who is asked again a minute later hears of it, whichever source told of the first`(
        first: EventSource,
        second: EventSource
    ) throws {
        try take(request(first))
        try take(request(second, note: 6, todo: 72, after: .minutes(1)))
        #expect(try store.database.first("SELECT count(*) FROM notifications") { $0.int(0) } == 2)
    }

    @Test func `what a list has left out stands for nothing that is asked again`() throws {
        try take(request(.todo))
        try store.database.execute("UPDATE asks SET missing_since = 1")
        try take(request(.item, note: 6, after: .minutes(10)))
        #expect(try standing() == ["\(FactKey.note(item.project, 6).text) - 2"])
    }

    @Test func `a request that is read late does not take the place of a newer one`() throws {
        try take(request(.item, note: 6, after: .minutes(10)))
        try take(request(.item))
        #expect(try standing() == ["\(FactKey.note(item.project, 6).text) - 2"])
        #expect(try waiting() == 2)
    }

    @Test func `what was asked before GitLab set its clock back gives way to what is asked since`() throws {
        try take(request(.item, after: .hours(1)))
        try take(request(.item, note: 6), serverTime: deliveryStart.advanced(by: .hours(1)))
        #expect(try standing() == ["\(FactKey.note(item.project, 5).text) - 2"], "read late")
        try take(request(.item, note: 7), serverTime: deliveryStart)
        #expect(try standing() == ["\(FactKey.note(item.project, 7).text) - 2"])
    }

    @Test func `an end that is dated after GitLab set its clock back ends what was asked before`() throws {
        let later = deliveryStart.advanced(by: .hours(2))
        try take(request(.item, after: .hours(1)))
        try take(Candidate(fact: makeFact(.merged, note: 100, item: item)), serverTime: later)
        #expect(try open() == 1, "it is read late")
        try take(Candidate(fact: makeFact(.merged, note: 101, item: item)), serverTime: deliveryStart)
        #expect(try open() == 0)
    }

    @Test(arguments: [(nil, 0), (2, 0), (0, 1)] as [(Int?, Int)])
    func `an answer of before GitLab set its clock back is none to what is asked since`(
        hours: Int?,
        count: Int
    ) throws {
        var commit = FactCommit(account: account)
        commit.candidates = [request(.item)]
        commit.answer = (item, deliveryStart.advanced(by: .hours(1)))
        commit.serverTime = hours.map { deliveryStart.advanced(by: .hours($0)) }
        _ = try pipeline.take(commit, at: deliveryStart, in: store)
        #expect(try open() == count)
    }

    @Test(arguments: [
        (TodoEnding(itemEndedAt: deliveryStart.advanced(by: .minutes(5))), "item_ended"),
        (TodoEnding(withdrawnAt: deliveryStart.advanced(by: .minutes(5))), "withdrawn"),
    ])
    func `a to-do item that shows that it is over ends what was asked before`(ending: TodoEnding, reason: String) throws
    {
        try take(request(.todo))
        try store.settleAsks(endedBy: [72: ending], of: account, at: deliveryStart)
        #expect(try open() == 1, "another to-do item")
        try store.settleAsks(endedBy: [71: ending], of: account, at: deliveryStart)
        #expect(try open() == 0)
        #expect(try waiting() == 0)
        #expect(try store.database.first("SELECT settled_by FROM asks") { $0.text(0) } == reason)
        try take(request(.todo, todo: 73, after: .minutes(10)))
        try store.settleAsks(endedBy: [73: ending], of: account, at: deliveryStart)
        #expect(try open() == 1, "asked since")
    }

    @Test func `the to-do item of a request that was withdrawn stands for the next one`() throws {
        try take(request(.todo))
        let withdrawn = TodoEnding(withdrawnAt: deliveryStart.advanced(by: .minutes(5)))
        try store.settleAsks(endedBy: [71: withdrawn], of: account, at: deliveryStart)
        try take(request(.item, note: 6, after: .minutes(10)))
        #expect(try standing() == ["\(FactKey.note(item.project, 6).text) 71 2"])
    }

    @Test(arguments: [([[71]], "71"), ([[]], "-"), ([[], [71]], "71")] as [([Set<Int64>], String)])
    func `a withdrawn request's to-do item stands for the next one while it is listed`(
        lists: [Set<Int64>],
        todo: String
    ) throws {
        try take(request(.todo))
        let withdrawn = TodoEnding(withdrawnAt: deliveryStart.advanced(by: .minutes(5)))
        try store.settleAsks(endedBy: [71: withdrawn], of: account, at: deliveryStart)
        for pending in lists {
            _ = try store.reviewAsks(pending: pending, of: account, readAt: deliveryStart, at: deliveryStart)
        }
        try take(request(.item, note: 6, after: .minutes(10)))
        #expect(try standing() == ["\(FactKey.note(item.project, 6).text) \(todo) 2"])
    }

    @Test func `a to-do item that is found when it is over asks for nothing`() throws {
        var candidate = request(.todo)
        candidate.ending = TodoEnding(itemEndedAt: deliveryStart)
        try take(candidate)
        #expect(try open() == 0)
    }

    @Test func `a comment in which somebody names themselves is an answer`() throws {
        try take(request(.item))
        try take(Candidate(fact: makeFact(.mentioned, note: 100, item: item), suppression: .ownAction))
        #expect(try open() == 0)
    }
}
