import FoundationEssentials
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// `POST /notifications/ack`, `/notifications/read` and `GET /notifications/unread`: what an app has, and what the person has read.
struct ReadMarkRouteTests {
    private let bench: ServerBench
    private let session: String

    init() throws {
        bench = try ServerBench()
        session = try bench.register()
    }

    private func post(_ verb: String, _ body: String, as session: String? = nil) throws -> HTTPResponse {
        try bench.call(.post, "/notifications/\(verb)", body, session: session ?? self.session)
    }

    private func list(_ ids: [String]) -> String { "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]" }

    private func read(_ ids: [String], _ more: String = "", as session: String? = nil) throws -> HTTPResponse {
        try post("read", #"{"ids": \#(list(ids))\#(more)}"#, as: session)
    }

    private func entry(_ id: String, as session: String? = nil) throws -> JSONValue {
        let response = try bench.call(.get, "/notifications?limit=100", session: session ?? self.session)
        return try #require(ContractBench.json(response)?.entries.first { $0.text("id") == id })
    }

    private func unread(_ session: String? = nil) throws -> HTTPResponse {
        try bench.call(.get, "/notifications/unread", session: session ?? self.session)
    }

    // MARK: Acknowledging

    @Test func `each app acknowledges for itself, with a push token or without`() throws {
        let told = try bench.tell(1, count: 2)
        let phone = try #require(try bench.registerDevice("aa11", bench.register()).text("token"))
        let mac = try bench.register()
        for app in [phone, mac] {
            let body = #"{"notificationIds": \#(list([told[0], told[0], "550e8400-e29b-41d4-a716-446655440099"]))}"#
            #expect(try post("ack", body, as: app).bodyText == #"{"acknowledged":1,"unknown":1}"#)
            #expect(try post("ack", body, as: app).bodyText == #"{"acknowledged":1,"unknown":1}"#)
            #expect(try entry(told[0], as: app)["acknowledged"] == true)
            #expect(try entry(told[1], as: app)["acknowledged"] == false)
        }
        #expect(try entry(told[0])["acknowledged"] == false, "a third app")
        #expect(try entry(told[0])["readAt"] == nil)
        #expect(try unread().number("count") == 2)
        #expect(bench.log.count(.notificationsAcknowledged) == 2)
        #expect(try bench.call(.get, "/metrics").bodyText.contains("notifications_acknowledged_total 2"))
    }

    @Test func `what an app has is not pushed to its device any more, and to another one it is`() throws {
        let phone = try bench.register()
        _ = try bench.registerDevice("aa11", phone)
        _ = try bench.registerDevice("bb22", bench.register())
        let told = try bench.tell(1)
        let store = Store(try bench.openDatabase())
        for device: Int64 in [1, 2] {
            let row = try #require(try store.database.first("SELECT id FROM notifications") { $0.int64(0) })
            try store.insertDelivery(
                of: NotificationID(rawValue: row),
                to: DeviceID(rawValue: device),
                apnsID: "apns-\(device)",
                at: bench.world.wallNow
            )
        }
        #expect(try post("ack", #"{"notificationIds": \#(list(told))}"#, as: phone).status == 200)
        bench.run(for: .minutes(1))
        #expect(bench.apns.requests.map(\.path) == ["/3/device/bb22"])
        let states = try store.database.rows("SELECT state FROM deliveries ORDER BY id") { $0.text(0) }
        #expect(states == ["acknowledged", "accepted"])
        let status = try bench.call(.get, "/status", session: session).bodyText
        #expect(status.contains(#""deadLetters":[]"#) || status.contains(#""deadLetters":0"#), "\(status)")
    }

    @Test(arguments: [503, 410])
    func `what an app has taken over while its push was under way does not go again`(_ status: Int) throws {
        let phone = try bench.register()
        _ = try bench.registerDevice("aa11", phone)
        bench.apns.answer { _, count in count < 1 ? .status(status, after: .seconds(5)) : .status(200) }
        let told = try bench.tell(1, pushedTo: 1)
        bench.run(for: .seconds(2))
        #expect(bench.apns.requests.count == 1)
        // Of a token that was registered since, 410 is no last word.
        _ = try bench.registerDevice("aa11", phone)
        #expect(try post("ack", #"{"notificationIds": \#(list(told))}"#, as: phone).status == 200)
        bench.world.advance(by: .minutes(10))
        #expect(bench.apns.requests.count == 1)
        let store = Store(try bench.openDatabase())
        #expect(try store.database.rows("SELECT state FROM deliveries") { $0.text(0) } == ["acknowledged"])
    }

    @Test func `what is to go again although an app has it is tried until APNs takes it`() throws {
        let phone = try bench.register()
        _ = try bench.registerDevice("aa11", phone)
        let told = try bench.tell(1)
        #expect(try post("ack", #"{"notificationIds": \#(list(told))}"#, as: phone).status == 200)
        let store = Store(try bench.openDatabase())
        let later = bench.world.wallNow.advanced(by: .seconds(10))
        let row = try #require(try store.database.first("SELECT id FROM notifications") { $0.int64(0) })
        try store.insertDelivery(
            of: NotificationID(rawValue: row),
            to: DeviceID(rawValue: 1),
            apnsID: "apns-1",
            at: later
        )
        bench.apns.answer { _, count in .status(count < 1 ? 503 : 200) }
        bench.run(for: .minutes(1))
        #expect(bench.apns.requests.count == 2)
    }

    @Test func `a device that registers is not pushed what an app of the person has`() throws {
        let told = try bench.tell(1, count: 2)
        #expect(try post("ack", #"{"notification_ids": \#(list([told[0]]))}"#).status == 200)
        _ = try bench.registerDevice("aa11", session)
        bench.run(for: .seconds(5))
        #expect(bench.apns.requests.count == 1)
        #expect(bench.apns.requests.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains(told[1]) })
    }

    @Test func `a session that ends takes its acknowledgements along`() throws {
        let told = try bench.tell(1)
        _ = try post("ack", #"{"notificationIds": \#(list(told))}"#)
        let store = Store(try bench.openDatabase())
        #expect(try store.rowCounts()["acknowledgements"] == 1)
        #expect(try bench.call(.post, "/auth/revoke-all", session: session).status == 204)
        #expect(try store.rowCounts()["acknowledgements"] == 0)
        #expect(try entry(told[0], as: bench.register())["acknowledged"] == false)
    }

    @Test(arguments: [
        "{}", #"{"notificationIds": []}"#, #"{"notificationIds": "x"}"#, #"{"notificationIds": [7]}"#,
        #"{"notificationIds": ["\#(String(repeating: "a", count: 65))"]}"#, #"{"notificationIds": [null]}"#,
        #"{"notificationIds": [\#(Array(repeating: "\"a\"", count: 101).joined(separator: ","))]}"#,
    ])
    func `an acknowledgement of nothing, or of too much, is refused`(_ body: String) throws {
        let response = try post("ack", body)
        #expect(response.status == 400 && response.bodyText.contains("notificationIds"), "\(response.bodyText)")
    }

    // MARK: Reading

    @Test func `what is read on one device is read on all, and they learn of it`() throws {
        let told = try bench.tell(1, count: 3)
        let mac = try bench.register()
        let before = try bench.call(.get, "/ping", session: mac)
        bench.world.advance(by: .minutes(1))
        let answer = try read([told[0], told[2], "550e8400-e29b-41d4-a716-446655440099"])
        #expect(answer.number("changed") == 2 && answer.number("unknown") == 1 && answer.number("unreadCount") == 1)
        let after = try bench.call(.get, "/ping", session: mac)
        #expect(after.number("dataVersion") == answer.number("dataVersion"))
        #expect(after.number("dataVersion") > before.number("dataVersion"))
        #expect(after.number("notificationVersion") == before.number("notificationVersion"))
        #expect(try entry(told[0], as: mac)["readAt"] == "2026-03-02T09:01:00.000Z")
        #expect(try unread(mac).number("count") == 1)
        bench.world.advance(by: .minutes(1))
        let again = try read([told[0], told[2]])
        #expect(again.number("changed") == 0 && again.number("dataVersion") == answer.number("dataVersion"))
        #expect(try entry(told[0])["readAt"] == "2026-03-02T09:01:00.000Z", "the first instant stays")
    }

    @Test func `what is opened is read, for all devices`() throws {
        let told = try bench.tell(1)
        let before = try bench.call(.get, "/ping", session: session)
        #expect(
            try bench.call(.post, "/notifications/\(told[0])/received", #"{"type": "opened"}"#, session: session).status
                == 200
        )
        #expect(
            try bench.call(.get, "/ping", session: session).number("dataVersion") == before.number("dataVersion") + 1
        )
        #expect(
            try bench.call(.post, "/notifications/\(told[0])/received", #"{"type": "opened"}"#, session: session).status
                == 200
        )
        #expect(
            try bench.call(.get, "/ping", session: session).number("dataVersion") == before.number("dataVersion") + 1
        )
        #expect(try unread().number("count") == 0)
    }

    @Test func `one subject is read, and all, as far as they had been made`() throws {
        let first = try bench.tell(1, count: 2)
        let other = try bench.tell(11, iid: 5)
        bench.world.advance(by: .minutes(10))
        let late = try bench.tell(21)
        let subject = try entry(first[0]).text("subject")
        let past = #", "readAt": "2026-03-02T09:05:00Z"}"#
        #expect(try post("read", #"{"subject": "\#(subject)"\#(past)"#).number("changed") == 2)
        #expect(try entry(other[0])["readAt"] == nil && entry(late[0])["readAt"] == nil)
        #expect(try post("read", #"{"all": true\#(past)"#).number("changed") == 1)
        #expect(try entry(late[0])["readAt"] == nil, "it came after the person said so")
        #expect(try post("read", #"{"subject": "nothing"}"#).number("changed") == 0)
        #expect(try post("read", #"{"all": false}"#).number("changed") == 0)
        #expect(try post("read", #"{"all": true}"#).number("unreadCount") == 0)
    }

    @Test func `who reads all means all there is, also what a clock made that was ahead`() throws {
        _ = try bench.tell(1)
        bench.world.advance(by: .minutes(10))
        try bench.change("UPDATE notifications SET created_at = created_at + 720000000")
        #expect(try post("read", #"{"all": true, "readAt": "2026-03-02T09:09:59Z"}"#).number("changed") == 1)
    }

    @Test func `who reads all means all they knew although the device's clock is behind, and nothing later`() throws {
        let told = try bench.tell(1)
        bench.world.advance(by: .minutes(10))
        let late = try bench.tell(11)
        let past = #", "readAt": "2026-03-02T08:58:00Z"}"#
        #expect(try post("read", #"{"all": true\#(past)"#).number("changed") == 0)
        #expect(try post("read", #"{"all": true, "upTo": "nothing"\#(past)"#).number("changed") == 0)
        #expect(try post("read", #"{"all": true, "upTo": "\#(told[0])"\#(past)"#).number("changed") == 1)
        #expect(try entry(late[0])["readAt"] == nil, "it was made before the choice arrived, and nobody had seen it")
        // It stands against other choices by its time.
        #expect(try read(told, #", "read": false, "readAt": "2026-03-02T09:05:00Z""#).number("changed") == 1)
    }

    @Test func `what comes while the choice waits is not read with the rest`() throws {
        let store = Store(try bench.openDatabase())
        let account = try #require(try store.activeAccounts().first).id
        _ = try bench.tell(1)
        let last = try #require(try store.lastNotification(of: account))
        let now = bench.world.wallNow
        bench.world.advance(by: .seconds(5))
        _ = try bench.tell(11)
        #expect(try store.markRead(.all, of: account, upTo: last, chosenAt: now, at: now) == 1)
        #expect(try store.unreadCount(of: account) == 1)
    }

    @Test func `the last choice wins, whichever arrives last`() throws {
        let told = try bench.tell(1, count: 2)
        bench.world.advance(by: .hours(1))
        func at(_ minute: Int, _ isRead: Bool) -> String {
            #", "read": \#(isRead), "readAt": "2026-03-02T09:\#(minute):00Z""#
        }
        #expect(try read([told[0]], at(20, true)).number("changed") == 1)
        #expect(try read([told[0]], at(10, false)).number("changed") == 0, "an older choice")
        #expect(try read([told[0]], at(30, false)).number("changed") == 1)
        #expect(try entry(told[0])["readAt"] == nil)
        #expect(try read([told[0]], at(25, true)).number("changed") == 0)
        #expect(try post("read", #"{"all": true, "readAt": "2026-03-02T09:40:00Z"}"#).number("changed") == 2)
        #expect(try read([told[1]], at(35, false)).number("changed") == 0, "older than that all are read")
        // Said again of one that is read, so that what lies between the two does not undo it.
        #expect(try post("read", #"{"all": true, "readAt": "2026-03-02T09:50:00Z"}"#).number("changed") == 0)
        #expect(try read([told[1]], at(45, false)).number("changed") == 0)
        #expect(try read([told[1]], at(55, false)).number("changed") == 1)
    }

    @Test func `a clock that is wrong counts only between the making and now`() throws {
        bench.world.advance(by: .hours(1))
        let told = try bench.tell(1, count: 2)
        bench.world.advance(by: .hours(1))
        _ = try read([told[0]], #", "readAt": "1999-01-01T00:00:00Z""#)
        #expect(try entry(told[0])["readAt"] == "2026-03-02T10:00:00.000Z")
        _ = try read([told[1]], #", "readAt": "2999-01-01T00:00:00Z""#)
        #expect(try entry(told[1])["readAt"] == "2026-03-02T11:00:00.000Z")
        bench.world.advance(by: .minutes(1))
        #expect(try read([told[1]], #", "read": false"#).number("changed") == 1, "it did not outdo what comes later")
    }

    @Test func `what somebody chose to be unread stays so although its to-do is done`() throws {
        let store = Store(try bench.openDatabase())
        let account = try #require(try store.activeAccounts().first).id
        let told = try bench.tell(1)
        try bench.change("UPDATE notifications SET source = 'todo', source_id = 71")
        let later = bench.world.wallNow.advanced(by: .minutes(1))
        #expect(try store.unreadTodos(of: account, before: later, at: later).count == 1)
        bench.world.advance(by: .seconds(10))
        _ = try read(told)
        bench.world.advance(by: .seconds(10))
        _ = try read(told, #", "read": false"#)
        #expect(try store.unreadTodos(of: account, before: later, at: later).isEmpty)
    }

    @Test func `another person's notifications are unknown`() throws {
        let told = try bench.tell(1)
        let bert = try bench.register("glpat-bert")
        #expect(try read(told, as: bert).number("unknown") == 1)
        #expect(try post("read", #"{"all": true}"#, as: bert).number("changed") == 0)
        let subject = try entry(told[0]).text("subject")
        #expect(try post("read", #"{"subject": "\#(subject)"}"#, as: bert).number("changed") == 0)
        #expect(try post("ack", #"{"notificationIds": \#(list(told))}"#, as: bert).number("unknown") == 1)
        #expect(try unread(bert).number("count") == 0 && unread().number("count") == 1)
    }

    @Test(arguments: [
        "{}", #"{"all": null}"#, #"{"ids": []}"#, #"{"ids": ["a"], "all": true}"#, #"{"ids": ["a"], "subject": "x"}"#,
        #"{"subject": "x", "all": true}"#, #"{"subject": ""}"#,
        #"{"subject": "\#(String(repeating: "a", count: 65))"}"#,
        #"{"all": true, "read": false}"#, #"{"subject": "x", "read": false}"#, #"{"ids": ["a"], "readAt": "soon"}"#,
        #"{"ids": ["a"], "read": "no"}"#, #"{"all": 1}"#,
    ])
    func `a choice that says nothing, or two things, is refused`(_ body: String) throws {
        let response = try post("read", body)
        #expect(response.status == 400 && response.text("code") == "invalid_field", "\(response.bodyText)")
    }

    // MARK: Unread

    @Test func `what is unread is counted by subject, the newest first, and is the number on the badge`() throws {
        _ = try bench.tell(1, count: 2)
        let other = try bench.tell(11, iid: 5)
        let last = try bench.tell(21)
        let store = Store(try bench.openDatabase())
        let account = try #require(try store.activeAccounts().first).id
        let outbox = Outbox(entropy: SeededEntropy(seed: 99), expiration: .hours(24))
        try outbox.enqueue(
            NotificationDraft(account: account, subject: .serviceTrouble(since: deliveryStart)),
            at: deliveryStart,
            in: store
        )
        let answer = try #require(ContractBench.json(try unread()))
        guard case .array(let subjects) = answer["bySubject"] else { return #expect(Bool(false), "no list") }
        #expect(answer["count"] == 4 && answer["moreSubjects"] == 0)
        #expect(try store.unreadCount(of: account) == 4)
        #expect(subjects.map { $0["count"] } == [3, 1])
        #expect(subjects.map { $0.text("newestId") } == [last[0], other[0]])
        #expect(subjects.map { $0["itemIid"] } == [847, 5])
        let versions = try bench.call(.get, "/ping", session: session)
        #expect(answer["notificationVersion"] == .integer(versions.number("notificationVersion")))
    }

    @Test func `of many subjects so many are listed and the others counted`() throws {
        for iid: Int64 in 1...203 { _ = try bench.tell(iid * 10, iid: iid) }
        let answer = try #require(ContractBench.json(try unread()))
        guard case .array(let subjects) = answer["bySubject"] else { return #expect(Bool(false), "no list") }
        #expect(subjects.count == 200 && answer["moreSubjects"] == 3 && answer["count"] == 203)
        #expect(subjects.first?["itemIid"] == 203)
    }

    @Test func `who never read what is forgotten learns that there is less to read`() throws {
        _ = try bench.tell(1, count: 2)
        let store = Store(try bench.openDatabase())
        let before = try bench.call(.get, "/ping", session: session)
        #expect(try store.purgeNotifications(before: deliveryStart.advanced(by: .hours(1)), limit: 1) == 1)
        let between = try bench.call(.get, "/ping", session: session)
        #expect(between.number("dataVersion") == before.number("dataVersion") + 1)
        try bench.change("UPDATE notifications SET read_at = 1, read_changed_at = 1")
        let read = try bench.call(.get, "/ping", session: session)
        #expect(try store.purgeNotifications(before: deliveryStart.advanced(by: .hours(1)), limit: 9) == 1)
        #expect(try bench.call(.get, "/ping", session: session).body == read.body, "that one was read")
    }
}
