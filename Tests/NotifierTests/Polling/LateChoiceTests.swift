import Configuration
import Platform
import SQLite
import Testing

@testable import Notifier

private let labels = "/api/v4/projects/1/merge_requests/3/resource_label_events"

private func label(_ id: Int64, at time: String = "08:00:00") -> MiniGitLab.Row {
    let (user, name) = (#"{"id":9,"username":"user9","name":"User"}"#, #"{"id":1,"name":"bug"}"#)
    let time = "2027-01-15T\(time).000Z"
    return MiniGitLab.Row(
        id: id,
        json: #"{"id":\#(id),"user":\#(user),"created_at":"\#(time)","action":"add","label":\#(name)}"#
    )
}

/// Lists whose kind is chosen after the watch began, and that are first read some time after that, maybe by another process.
@Suite(.timeLimit(.minutes(1)))
struct LateChoiceTests {
    private func makeWorld() async throws -> PollingWorld {
        let world = try await PollingWorld { $0.activities = "labels" }
        world.gitlab.set([], at: labels)
        return world
    }

    @Test(arguments: [false, true])
    func `a kind that is chosen right after a watch began is known to be late also after a start`(
        isChosenLate: Bool
    ) async throws {
        let world = try await makeWorld()
        world.gitlab.add(label(1), at: labels)
        world.time.advance(by: .minutes(1))
        if isChosenLate { try await world.forgetReadings(of: [.labels]) }
        world.time.advance(by: .minutes(2))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:02:58 GMT")
        let poller = try await world.makePoller()
        try await poller.runCycle()
        #expect(try await world.notified() == (isChosenLate ? [] : [["label/1/1"]]))
        world.gitlab.add(label(2), at: labels)
        world.time.advance(by: .minutes(1))
        try await poller.runCycle()
        #expect(try await world.notified().last == ["label/1/2"])
    }

    @Test(arguments: [false, true])
    func `what came since the choice is told by the first reading, however late`(isRestarted: Bool) async throws {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        world.time.advance(by: .minutes(10))
        try await world.forgetReadings(of: [.labels])
        try await learn(poller, in: world)
        for (id, time) in [(1, "08:05:00"), (2, "08:20:00")] as [(Int64, String)] {
            world.gitlab.add(label(id, at: time), at: labels)
        }
        world.time.advance(by: .minutes(30))
        // Who has learnt of the choice by then counts by a clock that nobody sets, however often it hears of it.
        if !isRestarted {
            world.time.stepWall(by: .hours(1))
            try await learn(poller, in: world)
        }
        world.gitlab.setDate("Fri, 15 Jan 2027 08:39:58 GMT")
        let next = try await isRestarted ? world.makePoller() : poller
        try await next.runCycle()
        #expect(try await world.notified() == [["label/1/2"]])
        #expect(try await world.number("SELECT chosen_at IS NULL FROM first_readings WHERE list = 'label_events'") == 1)
    }

    @Test func `a choice that the clock on the wall has yet to come to was made just now`() async throws {
        let world = try await makeWorld()
        world.time.advance(by: .minutes(10))
        try await world.forgetReadings(of: [.labels])
        world.gitlab.add(label(1, at: "08:05:00"), at: labels)
        world.time.stepWall(by: .hours(-1))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:09:58 GMT")
        try await world.makePoller().runCycle()
        #expect(try await world.number("SELECT count(*) FROM seen_rows") == 1)
        #expect(try await world.notified() == [])
    }

    @Test func `a list that GitLab does not offer when it answers begins with its first reading`() async throws {
        let world = try await makeWorld()
        let poller = try await world.makePoller()
        try await world.forgetReadings(of: [.labels])
        try await learn(poller, in: world)
        world.gitlab.setDate("Fri, 15 Jan 2027 07:59:58 GMT")
        await poller.offer(labels: false)
        try await poller.runCycle()
        world.gitlab.add(label(1, at: "08:00:30"), at: labels)
        await poller.offer(labels: true)
        world.time.advance(by: .minutes(1))
        world.gitlab.setDate("Fri, 15 Jan 2027 08:00:58 GMT")
        try await poller.runCycle()
        #expect(try await world.number("SELECT count(*) FROM seen_rows") == 1)
        #expect(try await world.notified() == [])
    }

    /// What loading does when the person has chosen other kinds.
    private func learn(_ poller: AccountPoller, in world: PollingWorld) async throws {
        let stored = try await world.store.read { [account = world.account] store in
            try StoredAccount(account, polled: [], withTodos: false, from: store)
        }
        let chosen = try #require(stored)
        await poller.choose(chosen)
    }
}

extension AccountPoller {
    fileprivate func choose(_ stored: StoredAccount) {
        polled?.takeActivities(stored, context: context)
    }

    fileprivate func offer(labels: Bool) {
        polled?.capabilities.labelEvents = labels
    }
}
