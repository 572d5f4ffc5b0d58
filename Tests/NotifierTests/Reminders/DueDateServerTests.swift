import Configuration
import HTTP
import Platform
import Testing

@testable import Notifier

/// Due dates over the whole server: from the row of a list to the push, and over restarts. It is Monday, 2 March 2026, at nine (UTC).
struct DueDateServerTests {
    private static let items = "/api/v4/projects/42/merge_requests"

    /// A person with a phone, who watches a merge request that is theirs and due on Wednesday by its milestone.
    private func start(_ configuration: NotifierConfiguration = ServerBench.unhurried) throws -> ServerBench {
        let bench = try ServerBench(configuration)
        let session = try bench.register()
        _ = try bench.registerDevice("aa11", session)
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: session).status == 201)
        show("2026-03-04", bench)
        bench.run(for: .minutes(2))
        return bench
    }

    private func show(_ day: String?, _ bench: ServerBench) {
        let row = MiniGitLab.Row.item(847, updated: "2026-03-02T08:00:00.000Z", assignee: 7, due: day)
        bench.gitlab.set([row], at: Self.items)
    }

    private func titles(_ bench: ServerBench) -> [String] {
        let known = ["is due tomorrow", "was due yesterday", "is due in 2 days"]
        return bench.apns.requests.map { request in
            let text = String(decoding: request.body, as: UTF8.self)
            return known.first { text.contains("MR !847 \($0)") } ?? text
        }
    }

    @Test func `the day before, at nine, and the day after, once each`() throws {
        let bench = try start()
        bench.world.advance(by: .hours(24) - .minutes(2))
        #expect(titles(bench) == [])
        bench.world.advance(by: .minutes(3))
        #expect(titles(bench) == ["is due tomorrow"])
        bench.world.advance(by: .hours(48) - .minutes(4))
        #expect(titles(bench) == ["is due tomorrow"])
        bench.world.advance(by: .minutes(3))
        #expect(titles(bench) == ["is due tomorrow", "was due yesterday"])
        bench.world.advance(by: .hours(72))
        #expect(titles(bench).count == 2)
    }

    @Test func `a restart between what is due and its push neither loses nor doubles it`() throws {
        let first = try start()
        first.world.advance(by: .hours(24) - .minutes(2))
        first.world.crash()
        let second = try ServerBench(continuing: first, secrets: first.secrets)
        show("2026-03-04", second)
        second.world.advance(by: .hours(25))
        second.run(for: .minutes(3))
        #expect(titles(second) == ["is due tomorrow"])
        second.world.crash()
        let third = try ServerBench(continuing: second, secrets: first.secrets)
        show("2026-03-04", third)
        third.world.advance(by: .hours(26))
        third.run(for: .minutes(3))
        #expect(titles(third) == [])
    }

    @Test func `what waits for its push until after midnight speaks of the day on which it is sent`() throws {
        var configuration = ServerBench.unhurried
        configuration.dueLeadTime = .hours(1)
        let bench = try start(configuration)
        bench.world.advance(by: .hours(37) + .minutes(50))
        bench.apns.answer { _, _ in .status(503) }
        bench.world.advance(by: .minutes(30))
        #expect(Set(titles(bench)) == ["is due tomorrow"])
        bench.world.advance(by: .minutes(50))
        let before = bench.apns.requests.count
        bench.apns.answer { _, _ in .status(200) }
        bench.world.advance(by: .hours(3))
        let sent = bench.apns.requests.dropFirst(before).map { String(decoding: $0.body, as: UTF8.self) }
        #expect(sent.count == 1 && sent.allSatisfy { $0.contains("MR !847 is due today") })
    }

    @Test func `a day that GitLab shows to be moved in the last minute is not told`() throws {
        let bench = try start()
        bench.world.advance(by: .hours(24) - .minutes(2) - .seconds(1))
        show("2026-03-20", bench)
        bench.world.advance(by: .minutes(10))
        #expect(titles(bench) == [])
    }

    @Test func `an operator who wants none, or reads item by item, sends none`() throws {
        for change in [{ $0.dueRemindersEnabled = false }, { $0.changeDetection = .perItem }]
            as [(inout NotifierConfiguration) -> Void]
        {
            var configuration = ServerBench.unhurried
            change(&configuration)
            let bench = try start(configuration)
            bench.world.advance(by: .hours(25))
            #expect(titles(bench) == [])
        }
    }

    @Test func `what sweeps had read is not told any more once items are read one by one`() throws {
        let first = try start()
        first.world.crash()
        var configuration = ServerBench.unhurried
        configuration.changeDetection = .perItem
        let second = try ServerBench(configuration, continuing: first, secrets: first.secrets)
        second.run(for: .hours(25))
        #expect(titles(second) == [])
    }

    @Test func `another lead time of the operator's holds from the next start on`() throws {
        let first = try start()
        first.world.crash()
        var configuration = ServerBench.unhurried
        configuration.dueLeadTime = .hours(39)
        let second = try ServerBench(configuration, continuing: first, secrets: first.secrets)
        show("2026-03-04", second)
        second.run(for: .minutes(3))
        #expect(titles(second) == ["is due in 2 days"])
    }
}
