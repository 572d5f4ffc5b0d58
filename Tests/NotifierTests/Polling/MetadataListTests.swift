import Configuration
import HTTP
import Platform
import SQLite
import Synchronization
import Testing

@testable import Notifier

private let item = "/api/v4/projects/1/merge_requests/3"
private let notes = PollingWorld.notes(3)
private let labels = "\(item)/resource_label_events"
private let milestones = "\(item)/resource_milestone_events"
private let pipelines = "\(item)/pipelines"
private let approvals = "\(item)/approvals"
private let time = "2027-01-15T08:00:00.000Z"

extension MiniGitLab.Row {
    fileprivate static func label(_ id: Int64, _ action: String = "add", by user: Int64 = 9) -> Self {
        let user = #"{"id":\#(user),"username":"user\#(user)","name":"User"}"#
        let label = #"{"id":1,"name":"bug"}"#
        return Self(
            id: id,
            json: #"{"id":\#(id),"user":\#(user),"created_at":"\#(time)","action":"\#(action)","label":\#(label)}"#
        )
    }

    fileprivate static func pipeline(_ id: Int64, _ status: String) -> Self {
        Self(id: id, json: #"{"id":\#(id),"status":"\#(status)","updated_at":"\#(time)","web_url":null}"#)
    }
}

/// Lists that are read only for who wants them, and the approvals, with a small GitLab.
@Suite(.timeLimit(.minutes(1)))
struct MetadataListTests {
    private func makeWorld(_ activities: String) async throws -> PollingWorld {
        let world = try await PollingWorld { $0.activities = activities }
        for path in [labels, milestones, pipelines] { world.gitlab.set([], at: path) }
        return world
    }

    /// A world whose person wants approvals and nothing else, and the list that tells of them. `date` is GitLab's clock, as that answer
    /// alone shows it.
    private func makeApprovalWorld(date: String? = nil) async throws -> (PollingWorld, ApprovalList) {
        let world = try await makeWorld("approvals")
        let list = ApprovalList()
        world.gitlab.trouble { request in
            guard request.path == approvals else { return nil }
            return .response(makeJSON(200, list.body, date.map { [("Date", $0)] } ?? []))
        }
        return (world, list)
    }

    /// A cycle of some time later: a sweep shows nothing of pipelines, so they are read by the pace alone.
    private func runNextCycle(
        _ poller: AccountPoller,
        in world: PollingWorld,
        after pause: Duration = .minutes(1)
    ) async throws {
        world.time.advance(by: pause)
        try await poller.runCycle()
    }

    @Test func `lists that nobody wants are not read`() async throws {
        let world = try await makeWorld("comments approvals pushes states")
        try await world.makePoller().runCycle()
        // To-dos, the sweep, notes and state events.
        #expect(world.gitlab.targets.count == 4)
        #expect(NotifierConfiguration().activitySet == ActivityKind.standard)
    }

    @Test func `a label is told once, also by a poller that starts later, and what was there before is not`()
        async throws
    {
        let world = try await makeWorld("labels milestones")
        world.gitlab.add(.label(1), at: labels)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.notified() == [])
        world.gitlab.add(.label(2, "remove"), at: labels)
        world.gitlab.add(.label(3, by: 7), at: labels)
        world.gitlab.add(.label(1), at: milestones)
        try await poller.runCycle()
        try await poller.runCycle()
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["milestone/1/1", "label/1/2"]])
        let body = try await world.store.read { try $0.database.first("SELECT body FROM notifications") { $0.text(0) } }
        #expect(body?.contains("removed ~bug") == true)
    }

    @Test func `a pipeline and its retry are told by how they end`() async throws {
        let world = try await makeWorld("pipelines")
        world.gitlab.set([.pipeline(5, "success")], at: pipelines)
        let poller = try await world.makePoller()
        try await poller.runCycle()
        for status in ["running", "failed", "failed", "running", "success"] {
            world.gitlab.set([.pipeline(5, "success"), .pipeline(6, status)], at: pipelines)
            try await runNextCycle(poller, in: world)
        }
        try await world.makePoller().runCycle()
        #expect(try await world.notified() == [["pipeline/1/6/failed/1"], ["pipeline/1/6/success/2"]])
    }

    @Test func `a watch that begins again counts on from what was told`() async throws {
        let world = try await makeWorld("pipelines")
        let account = world.account
        try await world.store.transaction { store in
            let watch = try #require(try store.watches(of: account).first)
            let (project, iid) = (watch.item.project, watch.item.iid)
            let keys: [FactKey] = [
                .pipeline(project, 6, status: "failed", run: 1), .pipeline(project, 6, status: "success", run: 10),
                .pipeline(project, 6, status: "failed", run: 9), .pipeline(project, 60, status: "failed", run: 20),
                .approval(project, iid: iid, person: 9, ordinal: 2),
                .approval(project, iid: iid, person: 9, ordinal: 11),
                .approval(project, iid: iid * 10, person: 9, ordinal: 20),
            ]
            let (ended, now) = (WallTime(secondsSinceEpoch: 20), WallTime(secondsSinceEpoch: 30))
            for key in keys { try store.insertNotifiedFact(key, to: account, occurredAt: ended, at: now) }
            let runs = try store.toldRuns(of: [6, 7], watch: watch.id)
            #expect(runs == [6: ToldRun(run: 10, endedAt: ended)])
            let approvals = [KnownApproval(person: 9, isListed: false, times: 11)]
            #expect(try store.approvalsToBegin(of: watch.id) == approvals)
        }
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.gitlab.set([.pipeline(6, "running")], at: pipelines)
        try await runNextCycle(poller, in: world)
        world.gitlab.set([.pipeline(6, "failed")], at: pipelines)
        try await runNextCycle(poller, in: world)
        #expect(try await world.notified() == [["pipeline/1/6/failed/11"]])
    }

    @Test func `a failed pipeline and its to-do are one fact`() async throws {
        let world = try await makeWorld("pipelines")
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.gitlab.set([.pipeline(6, "failed")], at: pipelines)
        try await runNextCycle(poller, in: world)
        world.gitlab.add(.todo(21, "build_failed", by: 7, at: time), at: PollingWorld.todos)
        try await runNextCycle(poller, in: world)
        #expect(try await world.notified() == [["pipeline/1/6/failed/1"]])
        #expect(world.log.count(of: .factCorrelated) == 1)
    }

    @Test func `an approval that no note tells of is told once, and one that a note told is not`() async throws {
        let (world, list) = try await makeApprovalWorld()
        let poller = try await world.makePoller()
        let look = { (people: [Int64]) in
            list.set(people)
            try await runNextCycle(poller, in: world, after: .minutes(15))
        }
        try await poller.runCycle()
        try await look([])
        let (ben, eva) = (Int64(9), Int64(8))
        world.gitlab.add(
            .note(11, by: 9, "approved this merge request", at: "2027-01-15T08:20:00.000Z", system: true),
            at: notes
        )
        try await poller.runCycle()
        try await look([ben])
        try await look([ben])
        #expect(try await world.notified() == [["note/1/11"]])
        try await look([ben, eva])
        try await look([ben, eva])
        #expect(try await world.notified() == [["note/1/11"], ["approval/1/3/8/1"]])
        // The note was late.
        world.gitlab.add(
            .note(12, by: 8, "approved this merge request", at: "2027-01-15T09:00:00.000Z", system: true),
            at: notes
        )
        try await poller.runCycle()
        #expect(try await world.notified().count == 2)
        // A look an hour apart is all it costs.
        #expect(world.gitlab.targets.count { $0 == approvals } == 5)
    }

    /// A note of before the first reading, which took what the list showed as known, has no appearance in the list to tell of.
    @Test func `an approval that no note tells of is told though an older note never met its own in the list`()
        async throws
    {
        let (world, list) = try await makeApprovalWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.gitlab.add(
            .note(11, by: 9, "approved this merge request", at: "2027-01-15T08:05:00.000Z", system: true),
            at: notes
        )
        for people in [[9], [], [9], [9]] as [[Int64]] {
            list.set(people)
            try await runNextCycle(poller, in: world, after: .minutes(15))
        }
        #expect(try await world.notified() == [["note/1/11"], ["approval/1/3/9/2"]])
    }

    @Test func `a look that shows nothing new counts as one, too`() async throws {
        let (world, list) = try await makeApprovalWorld()
        let poller = try await world.makePoller()
        try await poller.runCycle()
        try await runNextCycle(poller, in: world, after: .minutes(15))
        // Given and taken back between two looks.
        world.gitlab.add(
            .note(11, by: 9, "approved this merge request", at: "2027-01-15T08:16:00.000Z", system: true),
            at: notes
        )
        for _ in 0..<3 { try await runNextCycle(poller, in: world, after: .minutes(15)) }
        list.set([9])
        for _ in 0..<2 { try await runNextCycle(poller, in: world, after: .minutes(15)) }
        #expect(try await world.notified() == [["note/1/11"], ["approval/1/3/9/1"]])
    }

    @Test(arguments: [("12:00:00", "11:48:00"), ("04:30:00", "04:18:00")])
    func `an approval that a note told is not told again where GitLab's clock is wrong`(
        clock: String,
        noteAt: String
    ) async throws {
        let (world, list) = try await makeApprovalWorld(date: "Fri, 15 Jan 2027 \(clock) GMT")
        let poller = try await world.makePoller()
        try await poller.runCycle()
        try await runNextCycle(poller, in: world, after: .minutes(15))
        world.gitlab.add(
            .note(11, by: 9, "approved this merge request", at: "2027-01-15T\(noteAt).000Z", system: true),
            at: notes
        )
        list.set([9])
        for _ in 0..<3 { try await runNextCycle(poller, in: world, after: .minutes(15)) }
        #expect(try await world.notified() == [["note/1/11"]])
    }

    @Test(arguments: ["comments labels pipelines approvals", "comments"])
    func `what happens while a kind is switched off is not told once it is on again`(meanwhile: String) async throws {
        let world = try await makeWorld("comments labels pipelines approvals")
        let (account, list) = (world.account, ApprovalList())
        world.gitlab.trouble { $0.path == approvals ? .response(makeJSON(200, list.body)) : nil }
        let poller = try await world.makePoller()
        for _ in 0..<3 { try await runNextCycle(poller, in: world, after: .minutes(15)) }
        try await world.forgetReadings(of: [.labels, .pipelines, .approvals])
        world.gitlab.add(.label(1), at: labels)
        world.gitlab.add(.pipeline(7, "failed"), at: pipelines)
        list.set([9])
        // The poller learns of it while they are off, or only when they are on again.
        for activities in [meanwhile, "comments labels pipelines approvals"] {
            var stored = try await world.store.read { store in
                try StoredAccount(account, polled: [], withTodos: false, from: store)
            }
            stored?.activities = ActivityKind.set(activities)
            let chosen = try #require(stored)
            await poller.choose(chosen)
        }
        for _ in 0..<3 { try await runNextCycle(poller, in: world, after: .minutes(15)) }
        #expect(try await world.notified().isEmpty)
        world.gitlab.add(.label(3), at: labels)
        world.gitlab.add(.pipeline(9, "failed"), at: pipelines)
        list.set([9, 10])
        for _ in 0..<3 { try await runNextCycle(poller, in: world, after: .minutes(15)) }
        let keys = Set(try await world.notified().flatMap { $0 })
        #expect(keys == ["label/1/3", "pipeline/1/9/failed/1", "approval/1/3/10/1"])
    }

    @Test func `a list that fails costs the item nothing else`() async throws {
        let world = try await makeWorld("comments labels pipelines")
        world.gitlab.trouble { request in
            request.path == labels || request.path == pipelines
                ? .response(makeText(502, "GitLab is not responding")) : nil
        }
        let poller = try await world.makePoller()
        for id in Int64(11)...14 {
            world.gitlab.add(.note(id), at: notes)
            try await poller.runCycle()
        }
        #expect(try await world.notified() == (11...14).map { ["note/1/\($0)"] })
        #expect(world.log.count(of: .fallbackBegan) == 0)
    }

    @Test func `a kind that is switched on later begins from then on`() async throws {
        let world = try await makeWorld("comments")
        let poller = try await world.makePoller()
        try await poller.runCycle()
        world.time.advance(by: .minutes(3))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:02:58 GMT")
        world.gitlab.add(.label(1), at: labels)
        try await switchOn([.labels], poller, in: world)
        try await poller.runCycle()
        world.gitlab.add(.label(2), at: labels)
        world.gitlab.add(.note(11), at: notes)
        try await poller.runCycle()
        #expect(try await world.notified() == [["label/1/2"]])
    }

    @Test func `so it does after a start, long after the lists that were wanted had been read`() async throws {
        let world = try await makeWorld("comments")
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT is_read FROM watches") == 1)
        world.gitlab.add(.label(1), at: labels)
        world.time.advance(by: .minutes(30))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:29:58 GMT")
        let poller = try await world.makePoller()
        try await switchOn([.labels], poller, in: world)
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM seen_rows") == 1)
        #expect(try await world.notified() == [])
    }

    @Test(arguments: [false, true])
    func `a label that came while GitLab was away, right after the watch began, is told`(isRestarted: Bool)
        async throws
    {
        let world = try await makeWorld("labels")
        let poller = try await world.makePoller()
        world.gitlab.trouble { _ in .response(makeText(502, "GitLab is not responding")) }
        try await poller.runCycle()
        #expect(try await world.number("SELECT is_read FROM watches") == 0)
        world.gitlab.add(.label(1), at: labels)
        world.gitlab.trouble(nil)
        world.time.advance(by: .minutes(30))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:29:58 GMT")
        let next = try await isRestarted ? world.makePoller() : poller
        try await next.runCycle()
        #expect(try await world.notified().contains(["label/1/1"]))
    }

    @Test func `a label list that fails at first is awaited, one that is wanted only later is not`() async throws {
        let world = try await makeWorld("comments labels")
        let poller = try await world.makePoller()
        world.gitlab.trouble { $0.path == labels ? .response(makeText(502, "GitLab is not responding")) : nil }
        try await poller.runCycle()
        #expect(try await world.number("SELECT is_read FROM watches") == 0)
        world.gitlab.add(.label(1), at: labels)
        world.gitlab.add(.label(1), at: milestones)
        try await switchOn([.labels, .milestones], poller, in: world)
        world.gitlab.trouble(nil)
        world.gitlab.setDate("Fri, 15 Jan 2027 08:29:58 GMT")
        try await runNextCycle(poller, in: world, after: .minutes(30))
        #expect(try await world.number("SELECT count(*) FROM seen_rows") == 2)
        #expect(try await world.notified() == [["label/1/1"]])
    }

    @Test func `a list whose kind is switched off in the middle of a cycle does not count as read`() async throws {
        let world = try await makeWorld("comments labels")
        let poller = try await world.makePoller()
        try await poller.runCycle()
        try await store([.comments], in: world)
        try await world.forgetReadings(of: [.labels])
        world.gitlab.add(.label(1), at: labels)
        try await runNextCycle(poller, in: world)
        #expect(try await world.number("SELECT count(read_at) FROM first_readings WHERE list = 'label_events'") == 0)
        _ = try await poller.load()
        world.gitlab.add(.label(2), at: labels)
        try await runNextCycle(poller, in: world)
        try await switchOn([.comments, .labels], poller, in: world)
        try await runNextCycle(poller, in: world)
        #expect(try await world.notified() == [])
        world.gitlab.add(.label(3), at: labels)
        try await runNextCycle(poller, in: world)
        #expect(try await world.notified() == [["label/1/3"]])
    }

    @Test func `nor does one whose kind is switched off and on again there`() async throws {
        let world = try await makeWorld("comments labels pipelines")
        let poller = try await world.makePoller()
        try await poller.runCycle()
        try await world.forgetReadings(of: [.labels, .pipelines])
        world.gitlab.add(.label(1), at: labels)
        world.gitlab.add(.pipeline(7, "failed"), at: pipelines)
        try await runNextCycle(poller, in: world)
        #expect(try await world.number("SELECT count(*) FROM seen_rows") == 0)
        _ = try await poller.load()
        try await runNextCycle(poller, in: world)
        #expect(try await world.number("SELECT count(*) FROM seen_rows") == 1)
        #expect(try await world.notified() == [])
    }

    /// What loading does when the person has chosen other kinds.
    private func switchOn(_ kinds: Set<ActivityKind>, _ poller: AccountPoller, in world: PollingWorld) async throws {
        try await store(kinds, in: world)
        let stored = try await world.store.read { [account = world.account] store in
            try StoredAccount(account, polled: [], withTodos: false, from: store)
        }
        let chosen = try #require(stored)
        await poller.choose(chosen)
    }

    private func store(_ kinds: Set<ActivityKind>, in world: PollingWorld) async throws {
        let now = world.time.wallNow
        try await world.store.transaction { [account = world.account] store in
            var settings = try store.settings(of: account)
            settings.activityKinds = kinds.map(\.rawValue).sorted()
            try store.setSettings(settings, of: account, at: now)
        }
    }
}

extension AccountPoller {
    fileprivate func choose(_ stored: StoredAccount) {
        polled?.takeActivities(stored, context: context)
    }
}
