import Platform
import SQLite
import Testing

@testable import Notifier

/// What is due, from the row in the store to the push.
struct DueDateTests {
    private let store: Store
    private let account: AccountID
    private let outbox = Outbox(entropy: SeededEntropy(), expiration: .hours(24))
    private let status = PollingStatusBoard()
    private let item = ItemReference(project: ProjectID(rawValue: 42), kind: .issue, iid: 7)
    private let watch: WatchID
    private let policy = DueDatePolicy(leadTime: .hours(15), zone: .utc)

    init() throws {
        store = try makeDeliveryStore()
        account = try store.makeAccount()
        _ = try store.makeDevice(of: account)
        watch = try store.insertWatch(
            publicID: "watch-7",
            item,
            WatchDescription(title: "Write it", projectPath: "team/app", webURL: "https://gitlab.example.com/7"),
            of: account,
            at: deliveryStart
        )
    }

    private func day(_ text: String) throws -> DueDay { try #require(DueDay(text)) }

    private func instant(_ text: String) throws -> WallTime { try #require(ISO8601.wallTime(text)) }

    /// GitLab shows that day.
    private func show(_ text: String?, at now: String = "2026-03-02T09:00:00Z") throws {
        try store.setDueDay(text.map(day), of: watch, by: policy, at: instant(now))
    }

    /// The service's look at an instant, just after a sweep unless said otherwise; the titles of what it sent.
    private func look(at now: String, readAt: String? = nil) throws -> [String] {
        let read = try instant(readAt ?? now)
        status.note(
            PollingStatus(lastPollAt: read, nextPollAt: MonotonicInstant(nanoseconds: 0), sweptAt: read),
            of: account
        )
        let before = try titles().count
        while let next = try store.nextDueDate(), try next <= instant(now) {
            _ = try DueDatePass(
                at: instant(now),
                leadTime: .hours(15),
                outbox: outbox,
                zones: FixedZones(),
                status: status,
                in: store
            )
        }
        return Array(try titles().dropFirst(before))
    }

    private func titles() throws -> [String] {
        try store.database.rows("SELECT title FROM notifications WHERE kind = 'due' ORDER BY id") { $0.text(0) }
    }

    private func change(_ change: (inout PersonSettings) -> Void) throws {
        var settings = try store.settings(of: account)
        change(&settings)
        try store.setSettings(settings, of: account, at: deliveryStart)
    }

    @Test func `the day is told ahead and when it is over, and never again`() throws {
        try show("2026-03-10")
        #expect(try look(at: "2026-03-09T08:59:59Z") == [])
        #expect(try look(at: "2026-03-09T09:00:00Z") == ["Issue #7 is due tomorrow"])
        #expect(try look(at: "2026-03-11T08:59:59Z") == [])
        #expect(try look(at: "2026-03-11T09:00:00Z") == ["Issue #7 was due yesterday"])
        #expect(try look(at: "2026-06-01T00:00:00Z") == [])
        #expect(try store.nextDueDate() == nil)
    }

    @Test func `a day that is moved is followed, and one that comes back is not told twice`() throws {
        try show("2026-03-10")
        try show("2026-03-12")
        #expect(try look(at: "2026-03-09T12:00:00Z") == [])
        #expect(try look(at: "2026-03-11T09:00:00Z") == ["Issue #7 is due tomorrow"])
        try show("2026-03-20", at: "2026-03-11T10:00:00Z")
        #expect(try look(at: "2026-03-13T09:00:00Z") == [], "it is not overdue any more")
        try show("2026-03-12", at: "2026-03-13T10:00:00Z")
        #expect(try look(at: "2026-03-13T10:00:00Z") == ["Issue #7 was due yesterday"])
        try show("2026-03-20", at: "2026-03-13T11:00:00Z")
        try show("2026-03-12", at: "2026-03-13T12:00:00Z")
        #expect(try look(at: "2026-03-13T12:00:00Z") == [])
    }

    @Test func `what is taken away, unwatched, muted or unwanted is not told, and later it is not made up for`() throws
    {
        try show("2026-03-10")
        try show(nil)
        #expect(try store.nextDueDate() == nil)
        try show("2026-03-10")
        try change { $0.areDueRemindersOn = false }
        #expect(try look(at: "2026-03-09T09:00:00Z") == [])
        try change { $0.areDueRemindersOn = true }
        #expect(try look(at: "2026-03-09T10:00:00Z") == [])
        try store.database.execute(
            "UPDATE watches SET mute_changed_at = 0, muted_until = ?",
            try instant("2026-03-12T00:00:00Z")
        )
        #expect(try look(at: "2026-03-11T09:00:00Z") == [])
        try show("2026-03-20")
        #expect(try store.deleteWatch(item, of: account))
        #expect(try store.nextDueDate() == nil)
        try show("2026-03-21")
        #expect(try store.nextDueDate() == nil, "nobody watches it")
    }

    @Test func `quiet hours put it off to their end, and the day that is over by then is told as such alone`() throws {
        try change { settings in
            settings.quietWindows = [QuietHours.Window(weekday: 1, from: 480, until: 570)]
        }
        try show("2026-03-10")
        #expect(try look(at: "2026-03-09T09:00:00Z") == [], "a Monday")
        #expect(try store.nextDueDate() == instant("2026-03-09T09:30:00Z"))
        #expect(try look(at: "2026-03-09T09:30:00Z") == ["Issue #7 is due tomorrow"])
    }

    private func mute(_ from: String, _ until: String) throws {
        let (from, until) = (try instant(from), try instant(until))
        try store.database.execute("UPDATE watches SET mute_changed_at = ?, muted_until = ?", from, until)
    }

    @Test func `what fell due while a mute lasted does not come after it, and what fell due before it does`() throws {
        try show("2026-03-10")
        try mute("2026-03-09T08:00:00Z", "2026-03-09T09:10:00Z")
        #expect(try look(at: "2026-03-09T09:20:00Z") == [], "nobody had looked while it lasted")
        #expect(try store.nextDueDate() == instant("2026-03-11T09:00:00Z"))
        try mute("2026-03-11T09:01:00Z", "2026-03-11T09:10:00Z")
        #expect(try look(at: "2026-03-11T09:20:00Z") == ["Issue #7 was due yesterday"])
        try mute("2026-03-19T08:00:00Z", "2026-03-19T10:00:00Z")
        try show("2026-03-20", at: "2026-03-19T11:00:00Z")
        #expect(try look(at: "2026-03-19T11:00:00Z") == ["Issue #7 is due tomorrow"], "it was not due then")
    }

    @Test(arguments: [("09:10", "09:20", 1), ("09:25", "09:40", 0)])
    func `of what quiet hours put off their end counts, too`(from: String, until: String, count: Int) throws {
        try change { settings in
            settings.quietWindows = [QuietHours.Window(weekday: 1, from: 480, until: 570)]
        }
        try show("2026-03-10")
        #expect(try look(at: "2026-03-09T09:05:00Z") == [])
        try mute("2026-03-09T\(from):00Z", "2026-03-09T\(until):00Z")
        #expect(try look(at: "2026-03-09T09:45:00Z").count == count)
    }

    @Test func `what a wrong clock has put off, or thought over, is looked at by the right one`() throws {
        let right = "2026-03-02T09:00:00Z"
        try show("2026-03-10", at: "2026-04-02T09:00:00Z")
        #expect(try store.nextDueDate() == nil)
        try store.lookAtDueDates(at: instant(right), alsoOver: true)
        #expect(try look(at: right) == [])
        #expect(try store.nextDueDate() == instant("2026-03-09T09:00:00Z"))
        try store.lookAtDueDates(at: instant("2026-03-08T09:00:00Z"), alsoOver: false)
        #expect(try look(at: "2026-03-08T09:00:00Z") == [])
        #expect(try store.nextDueDate() == instant("2026-03-09T09:00:00Z"))
        #expect(try look(at: "2026-03-09T09:00:00Z", readAt: "2026-03-09T08:59:30Z") == [], "it is held")
        try store.lookAtDueDates(at: instant("2026-03-09T08:30:00Z"), alsoOver: false)
        let due = try #require(try store.dueWatches(at: instant("2026-03-09T08:30:00Z"), limit: 1).first)
        #expect(try due.heldSince == instant("2026-03-09T08:30:00Z"))
    }

    @Test func `a look at GitLab is waited for, and what GitLab says then holds`() throws {
        try show("2026-03-10")
        #expect(try look(at: "2026-03-09T09:00:00Z", readAt: "2026-03-09T08:59:30Z") == [])
        #expect(try store.nextDueDate() == instant("2026-03-09T09:00:15Z"))
        try show(nil, at: "2026-03-09T09:00:10Z")
        #expect(try look(at: "2026-03-09T09:00:15Z") == [])
        try show("2026-03-10", at: "2026-03-09T09:00:20Z")
        let old = "2026-03-09T08:59:30Z"
        #expect(try look(at: "2026-03-09T09:00:30Z", readAt: old) == [])
        #expect(try look(at: "2026-03-09T09:05:29Z", readAt: old) == [])
        #expect(try look(at: "2026-03-09T09:05:30Z", readAt: old) == ["Issue #7 is due tomorrow"], "GitLab is down")
    }

    @Test func `another zone or lead time plans anew, and says nothing twice`() throws {
        try show("2026-03-10")
        func replan(at now: String, _ change: (inout PersonSettings) -> Void) throws {
            try self.change(change)
            let policy = try store.settings(of: account).dueDatePolicy(FixedZones(), leadTime: .hours(15))
            try store.replanDueDates(of: account, by: policy, at: instant(now))
        }
        try replan(at: "2026-03-02T09:00:00Z") { $0.timeZone = "America/New_York" }
        #expect(try store.nextDueDate() == instant("2026-03-09T13:00:00Z"))
        try replan(at: "2026-03-02T09:00:00Z") { $0.dueLeadHours = 48 }
        #expect(try store.nextDueDate() == instant("2026-03-08T05:00:00Z"), "midnight before the clocks change there")
        #expect(try look(at: "2026-03-08T05:00:00Z") == ["Issue #7 is due in 2 days"])
        try replan(at: "2026-03-08T06:00:00Z") { $0.dueLeadHours = 12 }
        #expect(try look(at: "2026-03-10T12:00:00Z") == [])
        #expect(try store.nextDueDate() == instant("2026-03-11T16:00:00Z"), "noon of the day after")
    }

    @Test(arguments: ["moved", "cleared", "unwatched", "muted", "switched off", "as it was"])
    func `a push that is not on its way yet is not sent once it is not so any more`(change: String) throws {
        try show("2026-03-10")
        #expect(try look(at: "2026-03-09T09:00:00Z").count == 1)
        switch change {
        case "moved": try show("2026-03-11", at: "2026-03-09T09:00:01Z")
        case "cleared": try show(nil)
        case "unwatched": _ = try store.deleteWatch(item, of: account)
        case "muted":
            try store.database.execute(
                "UPDATE watches SET mute_changed_at = 0, muted_until = ?",
                try instant("2026-03-12T00:00:00Z")
            )
        case "switched off": try self.change { $0.areDueRemindersOn = false }
        default: break
        }
        let claimed = try store.claimDue(at: instant("2026-03-09T09:00:02Z"))
        #expect(claimed.moot.count == (change == "as it was" ? 0 : 1))
        #expect(claimed.claimed.count == (change == "as it was" ? 1 : 0))
    }

    @Test func `what waits for its push until after midnight says anew how far off the day is`() throws {
        try show("2026-03-10")
        try change { $0.timeZone = "Europe/Berlin" }
        #expect(try look(at: "2026-03-09T09:00:00Z") == ["Issue #7 is due tomorrow"])
        var claimed = try store.claimDue(at: instant("2026-03-09T22:30:00Z")).claimed
        func words(at now: String) throws -> String {
            try DueWords(zones: FixedZones()).renew(&claimed, at: instant(now), in: store)
            return String(decoding: try #require(claimed.first).payload, as: UTF8.self)
        }
        #expect(try words(at: "2026-03-09T22:59:59Z").contains("Issue #7 is due tomorrow"))
        let anew = try words(at: "2026-03-09T23:00:00Z")
        #expect(anew.contains("Issue #7 is due today") && anew.contains("Due date: 2026-03-10"))
        #expect(try titles() == ["Issue #7 is due today"])
        let stored = try store.database.first("SELECT payload FROM notifications") { $0.blob(0) }
        #expect(try stored == #require(claimed.first).payload)
    }

    @Test func `what was told is remembered beyond the end of its use, however long ahead it came`() throws {
        try change { $0.dueLeadHours = 336 }
        let far = DueDatePolicy(leadTime: .hours(336), zone: .utc)
        try store.setDueDay(day("2026-03-20"), of: watch, by: far, at: instant("2026-03-06T00:00:00Z"))
        #expect(try look(at: "2026-03-06T00:00:00Z") == ["Issue #7 is due in 14 days"])
        let kept = try store.database.first("SELECT notified_at FROM notified_facts WHERE fact_key LIKE 'due/%'") {
            $0.wallTime(0)
        }
        #expect(try kept == instant("2026-03-22T00:00:00Z"))
    }

    @Test func `a push says what is due, when, and where it leads, and leaves the badge alone`() throws {
        try show("2026-03-10")
        _ = try look(at: "2026-03-09T09:00:00Z")
        let payload = try store.database.first("SELECT payload, thread_id, fact_keys FROM notifications") {
            (String(decoding: $0.blob(0), as: UTF8.self), $0.text(1), $0.text(2))
        }
        let (text, thread, keys) = try #require(payload)
        for part in [
            #""type":"due""#, #""dueOn":"2026-03-10""#, #""step":1"#, #""itemType":"issue""#, #""itemId":7"#,
            #""projectPath":"team/app""#, "Write it", "Due date: 2026-03-10",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        #expect(!text.contains("badge"))
        #expect(thread == "42/issue/7" && keys.contains("due/42/issue/7/2026-03-10/1"))
        #expect(try store.unreadCount(of: account) == 0)
    }
}
