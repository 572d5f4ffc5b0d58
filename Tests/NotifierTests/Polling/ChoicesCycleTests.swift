import Configuration
import HTTP
import Platform
import SQLite
import Testing

@testable import Notifier

private let notes = PollingWorld.notes(3)

/// What people choose, seen by a poller with a small GitLab.
@Suite(.timeLimit(.minutes(1)))
struct ChoicesCycleTests {
    private let watch = WatchID(rawValue: 1)

    @Test func `a muted item is silent, and what it kept silent does not come later`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        let end = world.time.wallNow.advanced(by: .minutes(30))
        let now = world.time.wallNow
        _ = try await world.store.transaction { [watch] in try $0.setMute(until: end, of: watch, changedAt: now) }
        world.gitlab.add(.note(11, "@alice please look"), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        #expect(world.log.count(of: .factMuted) == 1)
        world.time.stepWall(by: .minutes(31))
        // The to-do of the same comment comes to light only when the mute is over.
        world.gitlab.add(.todo(5, note: 11), at: PollingWorld.todos)
        world.gitlab.add(.note(12), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/12"]])
    }

    @Test func `an actor on the deny-list is silent everywhere, and heard again when allowed`() async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        let now = world.time.wallNow
        let account = world.account
        _ = try await world.store.transaction { try $0.denyActor(DeniedActor(gitlabUserID: 9), of: account, at: now) }
        world.gitlab.add(.note(11, by: 9), at: notes)
        world.gitlab.add(.note(12, by: 10), at: notes)
        world.gitlab.add(.todo(5, "assigned", on: 44, by: 9), at: PollingWorld.todos)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/12"]])
        #expect(world.log.count(of: .factDeniedActor) == 2)
        #expect(try await world.store.transaction { try $0.allowActor(9, of: account, at: now) })
        world.gitlab.add(.note(13, by: 9), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/12"], ["note/1/13"]])
    }

    @Test(arguments: [["comments"], ["states"]])
    func `what a cycle reads counts by the kinds that are stored as it is recorded`(chosen: [String]) async throws {
        let world = try await PollingWorld { $0.activities = chosen == ["comments"] ? "states" : "comments" }
        let poller = try await world.makePoller()
        let (account, now) = (world.account, world.time.wallNow)
        // The poller does not know of it, as in the middle of a cycle.
        try await world.store.transaction { store in
            var settings = try store.settings(of: account)
            settings.activityKinds = chosen
            try store.setSettings(settings, of: account, at: now)
        }
        world.gitlab.add(.note(11), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 0)
        let plannedAt = await poller.plan.at
        _ = try await poller.load()
        #expect(await poller.plan.at < plannedAt)
        try await poller.runCycle()
        #expect(try await world.notified() == (chosen == ["comments"] ? [["note/1/11"]] : []))
        #expect(try await world.number("SELECT count(*) FROM seen_notes") == 1)
    }

    @Test func `quiet hours hold news, let mentions through, and a restart forgets nothing`() async throws {
        let world = try await PollingWorld()
        try await keepQuiet(world)
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: notes)
        world.gitlab.add(.note(12, "@alice?"), at: notes)
        world.gitlab.add(.stateEvent(4, "merged"), at: PollingWorld.events(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [["note/1/12"]])
        #expect(world.log.count(of: .factHeld) == 1)
        // Another process, and nothing new in GitLab.
        try await world.makePoller().runCycle()
        let digests = makeDigests(world)
        #expect(await digests.work() == DigestService.longestWait)
        #expect(try await world.notified() == [["note/1/12"]])
        world.time.stepWall(by: .hours(8))
        #expect(await digests.work() == nil)
        #expect(try await world.notified() == [["note/1/12"], ["digest"]])
        #expect(await digests.work() == nil)
        let text = try await world.store.read { store in
            try store.database.first(
                "SELECT title || '|' || body || '|' || fact_keys FROM notifications WHERE kind = 'digest'"
            ) {
                $0.text(0)
            }
        }
        #expect(
            text == "2 updates on 1 item in your quiet hours|MR !3 Fix it: 1 comment, merged|note/1/11 state/1/4"
        )
        #expect(try await world.number("SELECT count(*) FROM held_facts") == 0)
    }

    @Test(arguments: [true, false])
    func `a mention that its to-do shows only after its note was held is judged anew, once`(isUrgent: Bool)
        async throws
    {
        let world = try await PollingWorld()
        try await keepQuiet(world, isUrgent: isUrgent)
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11, "@all please"), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.time.advance(by: .minutes(1))
        world.gitlab.add(.todo(5, note: 11), at: PollingWorld.todos)
        try await poller.runCycle()
        #expect(try await world.notified() == (isUrgent ? [["note/1/11"]] : []))
        #expect(try await world.number("SELECT count(*) FROM held_facts") == (isUrgent ? 0 : 1))
        try await world.makePoller().runCycle()
        world.time.stepWall(by: .hours(8))
        _ = await makeDigests(world).work()
        #expect(try await world.notified() == (isUrgent ? [["note/1/11"]] : [["digest"]]))
        guard !isUrgent else { return }
        let body = try await world.store.read { store in
            try store.database.first("SELECT body FROM notifications WHERE kind = 'digest'") { $0.text(0) }
        }
        #expect(body == "MR !3 Fix it: 1 mention")
    }

    @Test func `a mention that comes to light while its item is muted leaves the held comment to the digest`()
        async throws
    {
        let world = try await PollingWorld()
        try await keepQuiet(world)
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11, "@all please"), at: notes)
        try await poller.runCycle()
        let now = world.time.wallNow
        _ = try await world.store.transaction { [watch] in
            try $0.setMute(until: now.advanced(by: .minutes(30)), of: watch, changedAt: now)
        }
        world.time.advance(by: .minutes(1))
        world.gitlab.add(.todo(5, note: 11), at: PollingWorld.todos)
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.time.stepWall(by: .hours(8))
        _ = await makeDigests(world).work()
        #expect(try await world.notified() == [["digest"]])
    }

    @Test func `what is muted while it is held is not told in the digest`() async throws {
        let world = try await PollingWorld(watching: [3, 4])
        try await keepQuiet(world)
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: notes)
        world.gitlab.add(.note(12), at: PollingWorld.notes(4))
        try await poller.runCycle()
        let now = world.time.wallNow
        _ = try await world.store.transaction { [watch] in
            try $0.setMute(until: now.advanced(by: .hours(24)), of: watch, changedAt: now)
        }
        world.time.stepWall(by: .hours(8))
        _ = await makeDigests(world).work()
        let keys = try await world.store.read { store in
            try store.database.rows("SELECT fact_keys FROM notifications") { $0.text(0) }
        }
        #expect(keys == ["note/1/12"])
        #expect(world.log.count(of: .digestDropped) == 1)
        #expect(try await world.number("SELECT count(*) FROM notified_facts WHERE silenced = 'muted'") == 1)
    }

    @Test func `settings that end the quiet release what is held`() async throws {
        let world = try await PollingWorld()
        try await keepQuiet(world)
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: notes)
        try await poller.runCycle()
        let account = world.account
        let now = world.time.wallNow
        try await world.store.transaction { try $0.setSettings(PersonSettings(), of: account, at: now) }
        _ = await makeDigests(world).work()
        #expect(try await world.notified() == [["digest"]])
    }

    @Test func `more than fits into one digest makes another`() async throws {
        let world = try await PollingWorld()
        try await keepQuiet(world)
        let poller = try await world.makePoller()
        world.gitlab.set((1...130).map { .note($0) }, at: notes)
        try await poller.runCycle()
        world.time.stepWall(by: .hours(8))
        _ = await makeDigests(world).work()
        #expect(try await world.notified() == [["digest"], ["digest"]])
        #expect(try await world.number("SELECT max(length(payload)) <= 4096 FROM notifications") == 1)
        let isCut = try await world.store.read { store in
            try store.database.rows("SELECT CAST(payload AS TEXT) FROM notifications") {
                $0.text(0).contains("Truncated")
            }
        }
        #expect(isCut == [false, false])
    }

    @Test func `a kind of activity that is switched off is not told, and mentions are`() async throws {
        let world = try await PollingWorld()
        var settings = PersonSettings()
        settings.activityKinds = ["states"]
        let (account, now) = (world.account, world.time.wallNow)
        try await world.store.transaction { [settings] in try $0.setSettings(settings, of: account, at: now) }
        let poller = try await world.makePoller()
        world.gitlab.add(.note(11), at: notes)
        world.gitlab.add(.note(12, "@alice?"), at: notes)
        world.gitlab.add(.stateEvent(4, "merged"), at: PollingWorld.events(3))
        try await poller.runCycle()
        #expect(try await world.notified() == [["state/1/4", "note/1/12"]])
    }

    // MARK: Unread

    @Test func `the badge counts what is unread, and a to-do done elsewhere counts as read`() async throws {
        let world = try await PollingWorld(watching: [])
        world.gitlab.add(.todo(5, "assigned", on: 44), at: PollingWorld.todos)
        world.gitlab.add(.todo(6, "assigned", on: 45), at: PollingWorld.todos)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await badges(world) == [1, 2])
        world.time.stepWall(by: .minutes(1))
        world.gitlab.remove(5, at: PollingWorld.todos)
        world.gitlab.add(.todo(7, "assigned", on: 46), at: PollingWorld.todos)
        // Another process: what is pending is compared with what is stored.
        let next = try await world.makePoller()
        try await next.runCycle()
        // A replica that is behind would say the same.
        #expect(world.log.count(of: .readElsewhere) == 0)
        world.time.advance(by: .minutes(1))
        try await next.runCycle()
        #expect(try await badges(world) == [1, 2, 3])
        #expect(world.log.count(of: .readElsewhere) == 1)
        #expect(
            try await world.number("SELECT count(*) FROM notifications WHERE read_at IS NOT NULL AND source_id = 5")
                == 1
        )
        #expect(try await world.number("SELECT count(*) FROM notifications WHERE read_at IS NULL") == 2)
    }

    @Test func `a to-do that a list has left out and the next one has again counts as read by neither`() async throws {
        let world = try await PollingWorld(watching: [])
        world.gitlab.add(.todo(5, "assigned", on: 44), at: PollingWorld.todos)
        world.gitlab.add(.todo(6, "assigned", on: 45), at: PollingWorld.todos)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        for isBehind in [true, false, true] {
            world.time.advance(by: .minutes(1))
            if isBehind {
                world.gitlab.remove(6, at: PollingWorld.todos)
            } else {
                world.gitlab.add(.todo(6, "assigned", on: 45), at: PollingWorld.todos)
            }
            try await poller.runCycle()
        }
        #expect(world.log.count(of: .readElsewhere) == 0)
        #expect(try await world.number("SELECT count(*) FROM notifications WHERE read_at IS NULL") == 2)
    }

    @Test func `an unchanged or unreadable list of to-dos says nothing about what was read`() async throws {
        let world = try await PollingWorld(watching: [])
        world.gitlab.add(.todo(5, "assigned", on: 44), at: PollingWorld.todos)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.stepWall(by: .minutes(1))
        try await poller.runCycle()
        world.gitlab.trouble { _ in .response(makeText(502, "GitLab is not responding")) }
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM notifications WHERE read_at IS NULL") == 1)
        #expect(world.log.count(of: .readElsewhere) == 0)
    }

    @Test func `a to-do behind a page that has not changed counts as read once it was done`() async throws {
        let world = try await PollingWorld(watching: []) { $0.perPage = 2 }
        for id in 5...7 as ClosedRange<Int64> {
            world.gitlab.add(.todo(id, "assigned", on: 40 + id), at: PollingWorld.todos)
        }
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.gitlab.remove(5, at: PollingWorld.todos)
        for _ in 1...2 {
            world.time.advance(by: .minutes(2))
            try await poller.runCycle()
        }
        #expect(world.log.count(of: .scanNotModified) == 2)
        #expect(
            try await world.number("SELECT sum(source_id) FROM notifications WHERE read_at IS NOT NULL") == 5
        )
    }

    private func badges(_ world: PollingWorld) async throws -> [Int64] {
        try await world.store.read { store in
            try store.database.rows(
                "SELECT json_extract(CAST(payload AS TEXT), '$.aps.badge') FROM notifications ORDER BY id"
            ) { $0.int64(0) }
        }
    }

    // MARK: New mentions

    @Test(arguments: ["mentioned", "assigned", "review_requested"])
    func `a tag on an item that is not watched offers Watch and Dismiss`(action: String) async throws {
        let world = try await PollingWorld()
        let poller = try await world.makePoller()
        world.gitlab.add(.todo(5, action, on: 44), at: PollingWorld.todos)
        world.gitlab.add(.todo(6, action, on: 3), at: PollingWorld.todos)
        try await poller.runCycle()
        let pushes = try await world.store.read { store in
            try store.database.rows(
                "SELECT item_iid, category, CAST(payload AS TEXT) FROM notifications ORDER BY item_iid"
            ) {
                ($0.int64(0), $0.text(1), $0.text(2))
            }
        }
        #expect(pushes.map(\.0) == [3, 44])
        #expect(pushes.map(\.1) == ["GITLAB_ACTIVITY", "GITLAB_NEW_MENTION"])
        #expect(pushes.map { $0.2.contains(#""category":"GITLAB_NEW_MENTION""#) } == [false, true])
        #expect(pushes.map { $0.2.contains(#""isNewMention":true"#) } == [false, true])
        #expect(try await world.number("SELECT count(*) FROM watches") == 1)
    }

    /// Quiet from the hour before now until eight hours from now, UTC.
    private func keepQuiet(_ world: PollingWorld, isUrgent: Bool = true) async throws {
        let now = world.time.wallNow
        let minute = Int(now.secondsSinceEpoch / 60 % 1_440)
        let (from, until) = ((minute + 1_380) % 1_440, (minute + 479) % 1_440 + 1)
        var settings = PersonSettings()
        settings.isUrgentBypassOn = isUrgent
        settings.quietWindows = (1...7).map { QuietHours.Window(weekday: $0, from: from, until: until) }
        let account = world.account
        try await world.store.transaction { [settings] in try $0.setSettings(settings, of: account, at: now) }
    }

    private func makeDigests(_ world: PollingWorld) -> DigestService { DigestService(world.context) }
}
