import Configuration
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// Reminders over the whole server: told once each, in their time, and never after it was settled.
struct ReminderServiceTests {
    private static let reminding = {
        var configuration = ServerBench.unhurried
        configuration.remindersEnabled = true
        return configuration
    }()

    /// A person with a phone, and a review request that the phone had at once, unless APNs was made to answer otherwise.
    private func start(_ prepare: (ServerBench) -> Void = { _ in }) throws -> (ServerBench, String) {
        let bench = try ServerBench(Self.reminding)
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        prepare(bench)
        let store = Store(try bench.openDatabase())
        let account = try #require(try store.activeAccounts().first).id
        let outbox = Outbox(entropy: SeededEntropy(seed: 77), expiration: .hours(24))
        let pipeline = makeReminderPipeline(outbox, seed: 78)
        let item = ItemReference(project: ProjectID(rawValue: 42), kind: .mergeRequest, iid: 847)
        var fact = makeFact(.reviewRequested, note: 71, item: item)
        (fact.key, fact.source, fact.sourceID) = (.todo(71), .todo, 71)
        var commit = FactCommit(account: account)
        commit.candidates = [Candidate(fact: fact)]
        _ = try pipeline.take(commit, at: bench.world.wallNow, in: store)
        // The list of to-do items is empty here, and would end it.
        try bench.change("UPDATE asks SET todo_id = NULL")
        bench.run(for: .seconds(10))
        return (bench, session)
    }

    private func titles(_ bench: ServerBench) -> [String] {
        bench.apns.requests.compactMap { request in
            let text = String(decoding: request.body, as: UTF8.self)
            return text.contains("Still waiting") ? "still" : text.contains("\"Reminder: ") ? "last" : "first"
        }
    }

    @Test func `somebody is told after a quarter of an hour, a last time after an hour, then no more`() throws {
        let (bench, session) = try start()
        #expect(titles(bench) == ["first"])
        bench.world.advance(by: .minutes(14))
        #expect(titles(bench) == ["first"])
        bench.world.advance(by: .minutes(2))
        #expect(titles(bench) == ["first", "still"])
        bench.world.advance(by: .minutes(43))
        #expect(titles(bench) == ["first", "still"])
        bench.world.advance(by: .minutes(3))
        #expect(titles(bench) == ["first", "still", "last"])
        bench.world.advance(by: .hours(20))
        #expect(titles(bench).count == 3)
        let collapse = Set(bench.apns.requests.compactMap { $0.fields["apns-collapse-id"] })
        #expect(collapse.count == 1, "each takes the place of the one before")
        // An app that shows them by itself lets each take the place of the one before, too.
        for query in ["after=", "limit=3"] {
            let answer = try bench.call(.get, "/notifications?\(query)", session: session)
            let page = try #require(ContractBench.json(answer))
            let told = page.entries
            #expect(told.count == 3)
            #expect(Set(told.map { $0["collapseId"] == nil ? $0.text("id") : $0.text("collapseId") }) == collapse)
            #expect(told.count { $0["collapseId"] == nil } == 1, "the first has its own place")
        }
        let unread = try bench.call(.get, "/notifications/unread", session: session)
        #expect(
            unread.number("count") == 0,
            "its to-do item is gone from the list, and a reminder is no news of its own"
        )
    }

    @Test func `a restart between what is due and its push neither loses nor doubles it`() throws {
        let (first, _) = try start()
        first.world.advance(by: .minutes(14))
        first.world.crash()
        let second = try ServerBench(Self.reminding, continuing: first, secrets: first.secrets)
        second.world.advance(by: .minutes(20))
        second.run(for: .minutes(2))
        #expect(titles(second) == ["still"])
        second.world.crash()
        let third = try ServerBench(Self.reminding, continuing: second, secrets: first.secrets)
        third.world.advance(by: .minutes(25))
        third.run(for: .minutes(5))
        #expect(titles(third) == [])
    }

    @Test func `who says done is told no more, and who says later is told later`() throws {
        let (bench, session) = try start()
        let asks = try #require(ContractBench.json(try bench.call(.get, "/asks", session: session)))
        guard case .array(let entries)? = asks["asks"], case .string(let ask)? = entries.first?["askId"] else {
            Issue.record("\(asks)")
            return
        }
        let bert = try bench.register("glpat-bert")
        #expect(try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "done"}"#, session: bert).status == 404)
        #expect(try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "no"}"#, session: session).status == 400)
        #expect(try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "later"}"#, session: session).status == 200)
        bench.world.advance(by: .minutes(50))
        #expect(titles(bench) == ["first"])
        bench.world.advance(by: .minutes(15))
        #expect(titles(bench) == ["first", "last"])
        let none = try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "later"}"#, session: session)
        #expect(none.status == 200 && none.bodyText == #"{"settled":false}"#, "three are enough")
        #expect(try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "done"}"#, session: session).status == 200)
        #expect(try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "done"}"#, session: session).status == 404)
        #expect(try bench.call(.get, "/asks", session: session).bodyText == #"{"asks":[]}"#)
    }

    @Test func `who says later of what waits for APNs is reminded from when a device has it`() throws {
        let (bench, session) = try start { server in server.apns.answer { _, _ in .status(503) } }
        // That its to-do item is gone would read it.
        try bench.change("UPDATE notifications SET source_id = NULL")
        func reminders() -> [String] { titles(bench).filter { $0 != "first" } }
        let asks = try #require(ContractBench.json(try bench.call(.get, "/asks", session: session)))
        let ask = try #require(asks.list("asks").first).text("askId")
        #expect(try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "later"}"#, session: session).status == 200)
        bench.world.advance(by: .minutes(70))
        #expect(bench.log.count(.reminderQueued) == 0, "nobody has the news")
        bench.apns.answer { _, _ in .status(200) }
        bench.world.advance(by: .minutes(5))
        #expect(reminders() == [])
        bench.world.advance(by: .minutes(17))
        #expect(reminders() == ["still"])
        bench.world.advance(by: .minutes(45))
        #expect(reminders() == ["still", "last"])
    }

    @Test func `who switches reminders off is told once, also of what waits for its push`() throws {
        let (bench, session) = try start()
        bench.apns.answer { _, _ in .status(503) }
        bench.world.advance(by: .minutes(16))
        #expect(bench.log.count(.reminderQueued) == 1)
        let off = try bench.call(.put, "/settings", #"{"reminders": false}"#, session: session)
        #expect(off.status == 200 && off.bodyText.contains(#""reminders":false"#))
        #expect(try !bench.call(.get, "/asks", session: session).bodyText.contains("remindAt"))
        bench.apns.answer { _, _ in .status(200) }
        let before = bench.apns.requests.count
        bench.world.advance(by: .hours(3))
        #expect(bench.apns.requests.count == before, "neither the one that waited nor the last one")
        #expect(
            try bench.call(.get, "/asks", session: session).bodyText.contains("askId"),
            "somebody waits all the same"
        )
    }

    @Test func `who waits and what is due is told to the operator and to the person`() throws {
        let (bench, session) = try start()
        func page() throws -> [String] {
            try bench.call(.get, "/metrics").bodyText.split(separator: "\n").map(String.init)
        }
        let status = try bench.call(.get, "/status", session: session).bodyText
        #expect(
            status.contains(#""asks":{"oldestAt":"2026-03-02T09:0"#) && status.contains(#""open":1,"remindAt":"2026-"#)
        )
        let before = try page()
        #expect(before.contains("asks_open 1") && before.contains("reminders_due 0"))
        let due = try #require(before.first { $0.hasPrefix("reminders_next_due_timestamp_seconds ") })
        #expect(bench.world.wallNow.secondsSinceEpoch < Int64(Double(due.split(separator: " ")[1]) ?? 0))

        // GitLab's to-do items cannot be read, so nobody knows whether it was dealt with.
        try bench.change("UPDATE accounts SET trouble_since = 1")
        bench.world.advance(by: .minutes(16))
        let held = try page()
        #expect(held.contains("reminders_due 1") && held.contains("reminders_held_total 1"), "\(held)")
        _ = try bench.call(.put, "/settings", #"{"reminders": false}"#, session: session)
        bench.world.advance(by: .hours(1))
        let after = try page()
        #expect(after.contains("asks_open 1") && after.contains("reminders_due 0"))
        #expect(!after.contains { $0.hasPrefix("reminders_next_due_timestamp_seconds ") }, "nothing is left")
    }

    private static let quiet = #"{"timeZone": "UTC", "quietHours": [{"from": "09:00", "until": "18:00"}]}"#

    @Test func `what quiet hours have put off comes at once when they are switched off, and at another end with it`()
        throws
    {
        for (change, delay) in [("[]", 0), (#"[{"from": "09:00", "until": "11:00"}]"#, 30)] {
            let (bench, session) = try start()
            #expect(try bench.call(.put, "/settings", Self.quiet, session: session).status == 200)
            bench.world.advance(by: .minutes(90))
            #expect(titles(bench) == ["first"], "both are put off")
            let changed = try bench.call(.put, "/settings", #"{"quietHours": \#(change)}"#, session: session)
            #expect(changed.status == 200)
            bench.world.advance(by: .minutes(max(0, delay - 2)))
            #expect(delay == 0 || titles(bench) == ["first"])
            bench.world.advance(by: .minutes(4))
            #expect(titles(bench) == ["first", "last"], "\(change)")
            bench.world.advance(by: .hours(12))
            #expect(titles(bench).count == 2, "nor does an earlier one follow")
        }
    }

    @Test func `who says later in quiet hours is told then, also where they are over by then`() throws {
        let (bench, session) = try start()
        _ = try bench.call(.put, "/settings", Self.quiet, session: session)
        bench.world.advance(by: .minutes(90))
        let asks = try #require(ContractBench.json(try bench.call(.get, "/asks", session: session)))
        let ask = try #require(asks.list("asks").first).text("askId")
        #expect(try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "later"}"#, session: session).status == 200)
        _ = try bench.call(.put, "/settings", #"{"quietHours": []}"#, session: session)
        bench.world.advance(by: .minutes(58))
        #expect(titles(bench) == ["first"])
        bench.world.advance(by: .minutes(4))
        #expect(titles(bench) == ["first", "last"])
    }

    @Test func `as long as nobody is to be reminded nobody is`() throws {
        let bench = try ServerBench()
        _ = try bench.register()
        bench.run(for: .hours(3))
        #expect(try Store(bench.openDatabase()).rowCounts()["asks"] == 0)
        #expect(bench.log.count(.reminderQueued) == 0)
    }
}
