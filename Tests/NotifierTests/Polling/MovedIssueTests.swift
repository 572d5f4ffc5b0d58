import Configuration
import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

/// The watch of an issue that was moved follows it (GitLab facts §8.2).
struct MovedIssueTests {
    private static let old = "/api/v4/projects/1/issues/3"
    private static let named = "/api/v4/projects/team%2Fops/issues/31"
    private static let new = "/api/v4/projects/2/issues/31"
    private static let item = ItemReference(project: ProjectID(rawValue: 1), kind: .issue, iid: 3)
    private static let movedAt = "2027-01-15T08:00:00.000Z"

    @Test func `the successor is watched, what was copied is known, and what was written since is news`() async throws {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(world.log.count(of: .watchFollowed) == 1)
        #expect(try await world.notified().isEmpty)
        #expect(try await world.number("SELECT count(*) FROM moved_issues") == 0)
        #expect(try await world.number("SELECT count(*) FROM watches WHERE project_id = 2 AND item_iid = 31") == 1)
        #expect(try await world.number("SELECT count(*) FROM watches") == 2)
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["note/2/52"]])
    }

    @Test func `an issue that only bears the name is not followed, and given up after a while`() async throws {
        let world = try await makeWorld(successor: 4_711)
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        #expect(try await world.number("SELECT count(*) FROM moved_issues") == 1)
        world.time.advance(by: .minutes(16))
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        #expect(try await world.number("SELECT count(*) FROM moved_issues") == 0)
        #expect(world.log.count(of: .watchNotFollowed) == 1)
    }

    @Test func `moves that cannot be followed hold up no other`() async throws {
        let world = try await makeWorld(successor: 4_711)
        let (account, now) = (world.account, world.time.wallNow)
        let destination = IssueDestination(project: "team/ops", iid: 31)
        let order = try await world.store.transaction { store in
            for iid in 4...9 as ClosedRange<Int64> {
                let item = ItemReference(project: ProjectID(rawValue: 1), kind: .issue, iid: iid)
                let description = WatchDescription(title: "Slow", projectPath: nil, webURL: nil)
                let watch = try store.insertWatch(publicID: "watch-\(iid)", item, description, of: account, at: now)
                try store.insertMovedIssue(
                    MovedIssue(watch: watch, destination: destination, movedAt: now, noticedAt: now)
                )
            }
            let first = try store.movedIssues(of: account, limit: 5).map(\.watch)
            for watch in first { try store.setTried(watch, at: now) }
            return (first, try store.movedIssues(of: account, limit: 5).map(\.watch))
        }
        #expect(order.1.first.map { !order.0.contains($0) } == true)
        #expect(order.1.dropFirst() == order.0.prefix(4))
    }

    @Test func `what cannot be read now is followed later, also by another process`() async throws {
        let world = try await makeWorld()
        let answers = Self.answer(900)
        world.gitlab.trouble { $0.target == Self.named ? .response(makeText(502, "no")) : answers($0) }
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM moved_issues") == 1)
        world.gitlab.trouble(answers)
        world.time.advance(by: .minutes(40))
        try await world.makePoller().runCycle()
        #expect(world.log.count(of: .watchFollowed) == 1)
    }

    @Test(arguments: [Self.old, Self.named])
    func `an answer that does not say which issue it is gives no move up`(lacking: String) async throws {
        let world = try await makeWorld()
        let answers = Self.answer(900)
        let details = #"{"iid":31,"project_id":2,"title":"Slow","references":{"full":"team/app#3"}}"#
        world.gitlab.trouble { $0.target == lacking ? .response(makeJSON(200, details)) : answers($0) }
        for _ in 0..<2 {
            try await world.makePoller().runCycle()
            world.time.advance(by: .minutes(40))
        }
        #expect(try await world.number("SELECT count(*) FROM moved_issues") == 1)
        #expect(world.log.count(of: .watchNotFollowed) == 0)
        world.gitlab.trouble(answers)
        try await world.makePoller().runCycle()
        #expect(world.log.count(of: .watchFollowed) == 1)
    }

    @Test func `what is forbidden for an hour is followed afterwards, and given up after a day`() async throws {
        for (pause, followed) in [(Duration.hours(1), 1), (Duration.hours(25), 0)] {
            let world = try await makeWorld()
            let answers = Self.answer(900)
            let refusal = #"{"message":"403 Forbidden"}"#
            world.gitlab.trouble { $0.target == Self.named ? .response(makeJSON(403, refusal)) : answers($0) }
            try await world.makePoller().runCycle()
            world.time.advance(by: pause)
            try await world.makePoller().runCycle()
            #expect(try await world.number("SELECT count(*) FROM moved_issues") == Int64(followed))
            world.gitlab.trouble(answers)
            try await world.makePoller().runCycle()
            #expect(world.log.count(of: .watchFollowed) == followed)
            #expect(world.log.count(of: .watchNotFollowed) == 1 - followed)
        }
    }

    @Test func `under a limit of one request a move is followed in turns with the rest`() async throws {
        let world = try await makeWorld()
        let answers = Self.answer(900)
        world.gitlab.trouble { $0.target == Self.named ? .response(makeText(502, "no")) : answers($0) }
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM moved_issues") == 1)
        var cycles = 0
        while world.log.count(of: .watchFollowed) == 0, cycles < 20 {
            let left = Mutex(1)
            world.gitlab.trouble { request in
                let isAnswered = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                return isAnswered ? answers(request) : .response(makeText(429, "Retry later", [("Retry-After", "2")]))
            }
            world.time.advance(by: .minutes(1))
            try await poller.runCycle()
            cycles += 1
        }
        #expect(world.log.count(of: .watchFollowed) == 1)
        #expect(try await world.number("SELECT count(*) FROM watches WHERE project_id = 2 AND item_iid = 31") == 1)
    }

    @Test func `a mute goes along, and who unwatched the old issue follows nothing`() async throws {
        let world = try await makeWorld()
        let end = world.time.wallNow.advanced(by: .hours(2))
        let account = world.account
        try await world.store.transaction { store in
            let watch = try store.watches(of: account)[0]
            _ = try store.setMute(until: end, of: watch.id, changedAt: watch.createdAt)
        }
        try await world.makePoller().runCycle()
        let ends = try await world.store.read { try $0.watches(of: account).map(\.mutedUntil) }
        #expect(ends == [end, end])

        let other = try await makeWorld()
        let answers = Self.answer(900)
        other.gitlab.trouble { $0.target == Self.named ? .response(makeText(502, "no")) : answers($0) }
        try await other.makePoller().runCycle()
        let person = other.account
        let item = Self.item
        try await other.store.transaction { store in
            _ = try store.deleteWatch(item, of: person)
        }
        other.gitlab.trouble(answers)
        try await other.makePoller().runCycle()
        #expect(try await other.number("SELECT count(*) FROM watches") == 0)
    }

    @Test func `a full watch list takes no more, and the move is forgotten`() async throws {
        let world = try await makeWorld { $0.watchLimit = 1 }
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
        #expect(try await world.number("SELECT count(*) FROM moved_issues") == 0)
    }

    /// Watches an issue that GitLab says was moved to one with the global id 900; the one of that name has the id `successor`.
    private func makeWorld(
        successor: Int = 900,
        configure: (inout NotifierConfiguration) -> Void = { _ in }
    ) async throws -> PollingWorld {
        let world = try await PollingWorld(watching: [], by: .perItem, configure: configure)
        let item = Self.item
        let description = WatchDescription(title: "Slow", projectPath: "team/app", webURL: nil)
        let (account, now) = (world.account, world.time.wallNow)
        try await world.store.transaction { store in
            _ = try store.insertWatch(publicID: "watch-3", item, description, of: account, at: now)
        }
        let move = MiniGitLab.Row.note(40, by: 8, "moved to ops#31", at: Self.movedAt, system: true)
        world.gitlab.set([move], at: "\(Self.old)/notes")
        world.gitlab.set([], at: "\(Self.old)/resource_state_events")
        let copied = MiniGitLab.Row.note(50, at: "2027-01-15T07:10:00.000Z")
        let arrival = MiniGitLab.Row.note(51, by: 8, "moved from app#3", at: Self.movedAt, system: true)
        let written = MiniGitLab.Row.note(52, at: "2027-01-15T08:00:01.000Z")
        world.gitlab.set([copied, arrival, written], at: "\(Self.new)/notes")
        world.gitlab.set([], at: "\(Self.new)/resource_state_events")
        world.gitlab.trouble(Self.answer(successor))
        return world
    }

    private static func answer(_ successor: Int) -> @Sendable (HTTPRequest) -> HTTPOutcome? {
        { request in
            switch request.target {
            case old:
                let references = #""references":{"full":"team/app#3"}"#
                return .response(
                    makeJSON(200, #"{"id":800,"iid":3,"project_id":1,"title":"Slow","moved_to_id":900,\#(references)}"#)
                )
            case named:
                return .response(makeJSON(200, #"{"id":\#(successor),"iid":31,"project_id":2,"title":"Slow"}"#))
            default: return nil
            }
        }
    }
}
