import Configuration
import HTTP
import Platform
import SQLite
import SimulatedStorage
import Testing

@testable import Notifier

/// Silent pushes over the whole server: a phone and a Mac of one person.
struct SilentPushTests {
    private let bench: ServerBench
    private let phone: String
    private let mac: String

    init() throws {
        bench = try ServerBench()
        phone = try bench.register()
        mac = try bench.register()
        _ = try bench.registerDevice("aa11", phone)
        _ = try bench.registerDevice("bb22", mac, platform: "macos")
    }

    /// Both devices have fetched all there is, and the server runs.
    private func start() throws {
        for session in [phone, mac] { try pull(session) }
        bench.run(for: .seconds(1))
    }

    private func pull(_ session: String, since revision: Int64 = 0) throws {
        #expect(try bench.call(.get, "/sync?since=\(revision)", session: session).status == 200)
    }

    private func deny(_ user: Int, by session: String, on server: ServerBench? = nil) throws {
        let body = #"{"gitlabUserId": \#(user), "displayName": "Bot"}"#
        #expect(try (server ?? bench).call(.post, "/noise-filter/actors", body, session: session).status == 200)
    }

    /// Which devices got a silent push, in order.
    private func told(_ server: ServerBench? = nil) -> [String] {
        (server ?? bench).apns.requests.filter { $0.fields["apns-push-type"] == "background" }
            .map { String($0.target.dropFirst("/3/device/".count)) }
    }

    @Test func `the other device is told once that somebody changed something, without a word`() throws {
        try start()
        let before = try bench.dump()
        try deny(7, by: mac)
        bench.world.advance(by: .seconds(29))
        #expect(told().isEmpty)
        bench.world.advance(by: .seconds(2))
        #expect(told() == ["aa11"])
        let push = try #require(bench.apns.exchanges.last)
        #expect(push.request.bodyText == #"{"aps":{"content-available":1},"data":{"type":"sync"}}"#)
        #expect(push.request.fields["apns-priority"] == "5" && push.request.fields["apns-collapse-id"] == "sync")
        #expect(push.request.fields["apns-topic"] == "com.example.gitlab-notifier")
        // Kept for a phone that is away it would take the place of news.
        #expect(push.request.fields["apns-expiration"] == "0")
        bench.world.advance(by: .hours(5))
        #expect(told() == ["aa11"])
        // No delivery, no notification.
        for table in ["\ndeliveries", "\nnotifications"] { #expect(before.contains(table)) }
        #expect(try bench.openDatabase().first("SELECT count(*) FROM notifications") { $0.int(0) } == 0)
        #expect(bench.log.count(.silentPushSent) == 1 && bench.log.count(.deliverySent) == 0)
    }

    @Test func `many changes are one push, and there are two of them in an hour at most`() throws {
        try start()
        let begin = bench.world.wallNow
        for user in 1...60 {
            try deny(user, by: mac)
            bench.world.advance(by: .minutes(1))
        }
        bench.world.advance(by: .minutes(31))
        let times = bench.apns.exchanges.filter { $0.request.fields["apns-push-type"] == "background" }
            .map { begin.duration(to: $0.at) }
        #expect(times == [.seconds(30), .seconds(1_830), .seconds(3_630)])
    }

    @Test(arguments: [Duration.hours(2), .days(1)])
    func `what is changed right after a clock was set waits no longer than ever`(_ step: Duration) throws {
        try start()
        bench.world.advance(by: .minutes(5))
        bench.world.stepWallClock(by: step)
        try deny(7, by: mac)
        bench.world.advance(by: .minutes(1))
        #expect(told() == ["aa11"])
        bench.world.advance(by: .hours(3))
        #expect(told() == ["aa11"])
    }

    @Test func `who has fetched it meanwhile is not told`() throws {
        try start()
        try deny(7, by: mac)
        bench.world.advance(by: .seconds(20))
        try pull(phone)
        bench.world.advance(by: .hours(1))
        #expect(told().isEmpty)
        // What is changed after a reading began is not in it.
        try deny(8, by: mac)
        bench.world.advance(by: .minutes(2))
        #expect(told() == ["aa11"])
    }

    @Test func `a device that fetches nothing is told nothing, and nobody of their own choices`() throws {
        try pull(mac)
        bench.run(for: .seconds(1))
        try deny(7, by: mac)
        #expect(try bench.call(.post, "/watch", ServerBench.watchBody, session: mac).status == 201)
        bench.world.advance(by: .hours(1))
        #expect(told().isEmpty)
    }

    @Test func `every kind of choice counts, and what changes nothing does not`() throws {
        try start()
        let watch = try bench.call(.post, "/watch", ServerBench.watchBody, session: mac)
        let id = try #require(watch.text("watchedItemId"))
        let envelope = """
            {"baseRevision": 0, "clientChangeId": "e", "changes": [{"id": "1", "entity": "deniedActor", \
            "changedAt": "2026-03-02T09:00:00Z", "gitlabUserId": 9, "denied": true}]}
            """
        let choices: [(HTTPMethod, String, String)] = [
            (.post, "/watch/\(id)/mute", #"{"minutes": 600}"#), (.delete, "/watch/\(id)/mute", ""),
            (.put, "/settings", #"{"autoWatch": false}"#), (.post, "/sync", envelope),
            (.delete, "/noise-filter/actors/9", ""), (.delete, "/watch/\(id)", ""),
        ]
        for (index, choice) in choices.enumerated() {
            bench.world.advance(by: .minutes(31))
            #expect(told().count == index + 1, "\(choice)")
            #expect(try bench.call(choice.0, choice.1, choice.2, session: mac).status < 300, "\(choice)")
        }
        bench.world.advance(by: .minutes(31))
        #expect(told().count == choices.count + 1)
        #expect(try bench.call(.delete, "/noise-filter/actors/9", session: mac).status == 404)
        bench.world.advance(by: .minutes(31))
        #expect(told().count == choices.count + 1)
    }

    @Test func `a full disk keeps no device from fetching`() throws {
        try start()
        try deny(7, by: mac)
        bench.meet(.full)
        #expect(try bench.call(.get, "/sync?since=0", session: phone).status == 200)
        bench.meet(nil)
        bench.world.advance(by: .minutes(2))
        #expect(told() == ["aa11"], "nobody could note that it had")
    }

    @Test func `a planned push survives a restart, and none is sent twice`() throws {
        try start()
        try deny(7, by: mac)
        bench.world.crash()
        let second = try ServerBench(continuing: bench, secrets: bench.secrets)
        second.world.advance(by: .seconds(20))
        second.run(for: .minutes(2))
        #expect(told(second) == ["aa11"])
        second.world.crash()
        let third = try ServerBench(continuing: second, secrets: bench.secrets)
        third.run(for: .hours(2))
        #expect(told(third).isEmpty)
    }

    @Test func `a refusal says of the device what it says of any, and nothing is tried again`() throws {
        try start()
        bench.apns.answer { _, _ in .refusal(500, "InternalServerError") }
        try deny(7, by: mac)
        bench.world.advance(by: .hours(1))
        #expect(told() == ["aa11"])
        bench.apns.answer { _, _ in .refusal(410, "Unregistered") }
        try deny(8, by: mac)
        bench.world.advance(by: .hours(1))
        #expect(told() == ["aa11", "aa11"])
        #expect(bench.log.count(.deviceDeactivated) == 1)
        try deny(9, by: mac)
        bench.world.advance(by: .hours(1))
        #expect(told() == ["aa11", "aa11"])
    }

    @Test func `that there were too many silent pushes makes no news wait longer`() throws {
        try start()
        bench.apns.answer { request, _ in
            request.target.hasSuffix("aa11") ? .refusal(429, "TooManyRequests") : .status(200)
        }
        #expect(try bench.call(.post, "/notifications/test", session: phone).status == 202)
        try deny(7, by: mac)
        bench.world.advance(by: .seconds(40))
        #expect(told() == ["aa11"])
        bench.apns.answer { _, _ in .status(200) }
        bench.world.advance(by: .seconds(40))
        let news = bench.apns.requests.filter { $0.fields["apns-push-type"] == "alert" }
        #expect(news.count { $0.target.hasSuffix("aa11") } == 2)
    }

    @Test(arguments: [(410, "Unregistered"), (400, "BadDeviceToken")])
    func `what is said of a token that has registered since is not believed`(_ status: Int, _ reason: String) throws {
        try start()
        bench.apns.answer { _, _ in .status(status, "{\"reason\":\"\(reason)\"}", after: .seconds(5)) }
        try deny(7, by: mac)
        bench.world.advance(by: .seconds(32))
        #expect(told() == ["aa11"])
        #expect(try bench.registerDevice("aa11", phone).status == 200)
        bench.world.advance(by: .seconds(10))
        #expect(bench.log.count(.deviceDeactivated) + bench.log.count(.deviceHeld) == 0)
    }

    @Test func `a phone that has another owner is told nothing of the first one's`() throws {
        try start()
        try deny(7, by: mac)
        let bert = try bench.register("glpat-bert")
        _ = try bench.registerDevice("aa11", bert)
        bench.world.advance(by: .hours(1))
        #expect(told().isEmpty)
    }

    @Test(arguments: [
        // The clock was set back by a day since the last one.
        (planned: nil as Duration?, sent: Duration.days(1), due: Duration.minutes(30)),
        (planned: .days(1), sent: .days(1), due: .minutes(30)),
        (planned: nil, sent: .minutes(-10), due: .minutes(20)),
        (planned: .minutes(20), sent: .minutes(-10), due: .minutes(20)),
        (planned: .seconds(-10), sent: .minutes(-90), due: .seconds(-10)),
        (planned: nil, sent: .minutes(-90), due: .seconds(30)),
    ])
    func `the clock decides nothing for longer than the interval`(planned: Duration?, sent: Duration, due: Duration) {
        let now = deliveryStart
        let policy = SilentPushPolicy(NotifierConfiguration())
        let planned = planned.map { now.advanced(by: $0) }
        let found = policy.due(changedAt: now, planned: planned, sentAt: now.advanced(by: sent))
        #expect(found == now.advanced(by: due))
    }
}

extension HTTPRequest {
    fileprivate var bodyText: String { String(decoding: body, as: UTF8.self) }
}
