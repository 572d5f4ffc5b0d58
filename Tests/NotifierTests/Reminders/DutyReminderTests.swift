import Configuration
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// Reminders ahead of turns over the whole server. It is Monday, 2 March 2026, at nine (UTC).
struct DutyReminderTests {
    private let bench: DutyBench
    /// Every day at half past two, Anna's first, reminded of two hours ahead.
    private let duty: JSONValue
    private let noticed = "Don't forget: Triage"

    init() throws {
        bench = try DutyBench()
        try bench.registerPhones()
        duty = try bench.makeDuty([], extra: #", "leadHours": 2"#)
        try bench.join(duty)
        bench.server.run(for: .minutes(1))
    }

    private func toBert() throws -> String {
        #"{"to": "\#(DutyBench.member(try bench.read(duty, as: bench.anna), "Bert"))"}"#
    }

    @Test func `whose turn it is is reminded once, to the second, and nobody else`() throws {
        try bench.wait("12:29:59")
        #expect(bench.pushed(bench.anna) == [])
        try bench.wait("12:30:00")
        #expect(bench.pushed(bench.anna) == [noticed] && bench.pushed(bench.bert) == [])
        try bench.wait("12:29:59", day: 3)
        #expect(bench.pushed(bench.anna) == [noticed] && bench.pushed(bench.bert) == [])
        try bench.wait("14:00:00", day: 3)
        #expect(bench.pushed(bench.anna) == [noticed] && bench.pushed(bench.bert) == [noticed])
        #expect(bench.server.log.count(.dutyReminderQueued) == 2)
        let page = try bench.server.call(.get, "/metrics").bodyText
        #expect(page.contains(#"duty_reminders_sent_total{step="ahead"} 2"#))
    }

    @Test func `when the next is due is told to the operator`() throws {
        let page = try bench.server.call(.get, "/metrics").bodyText.split(separator: "\n")
        let due = try #require(page.first { $0.hasPrefix("reminders_next_due_timestamp_seconds ") })
        // At half past twelve.
        #expect(Double(due.split(separator: " ")[1]) == 1_772_454_600)
    }

    @Test func `the push says what it is about, and leaves what is unread as it is`() throws {
        try bench.wait("12:30:00")
        let push = try #require(bench.server.apns.requests.last)
        let body = try #require(ContractBench.json(HTTPResponse(status: 200, body: push.body)))
        let (aps, data) = (try #require(body["aps"]), try #require(body["data"]))
        #expect(aps["alert"]?.text("body") == "Due 2026-03-02 14:30 (UTC)" && aps["badge"] == nil)
        #expect(aps.text("category") == "GITLAB_ACTIVITY" && aps.text("interruption-level") == "active")
        #expect(data["type"] == "duty" && data["actionType"] == "duty_reminder" && data["askId"] == nil)
        #expect(data.text("occurrenceId") == DutyBench.occurrence(duty, 0))
        #expect(data.text("dueAt") == "2026-03-02T14:30:00.000Z" && data["actor"] == nil)
        #expect(try bench.call(.get, "/notifications/unread", as: bench.anna)["count"] == 0)
    }

    @Test(arguments: ["complete", "skip"])
    func `what is over is not reminded of, whoever ended it`(act: String) throws {
        try bench.wait("12:29:59")
        try bench.say(of: duty, 0, act, as: bench.bert)
        try bench.wait("14:00:00")
        #expect(!bench.pushed(bench.anna).contains(noticed) && !bench.pushed(bench.bert).contains(noticed))
    }

    @Test func `a turn that is given away in time is the other's to be reminded of`() throws {
        try bench.say(of: duty, 0, "reassign", try toBert(), as: bench.anna)
        try bench.wait("14:00:00")
        #expect(bench.pushed(bench.anna) == [] && bench.pushed(bench.bert) == ["Your turn: Triage", noticed])
    }

    @Test func `whoever gets a turn within its lead time hears that alone`() throws {
        try bench.wait("13:00:00")
        try bench.say(of: duty, 0, "reassign", try toBert(), as: bench.anna)
        try bench.wait("14:29:00")
        #expect(bench.pushed(bench.anna) == [noticed] && bench.pushed(bench.bert) == ["Your turn: Triage"])
        // Who takes it back knows, and was told before; the other's next turn is another by that.
        let anna = DutyBench.member(duty, "Anna")
        try bench.say(of: duty, 0, "reassign", #"{"to": "\#(anna)"}"#, as: bench.anna)
        try bench.wait("15:00:00")
        #expect(bench.pushed(bench.anna) == [noticed] && !bench.pushed(bench.bert).contains(noticed))
    }

    @Test func `who silenced the one who gives it away is reminded all the same`() throws {
        try bench.wait("13:00:00")
        try bench.call(.post, "/noise-filter/actors", #"{"gitlabUserId": 7}"#, as: bench.bert)
        try bench.say(of: duty, 0, "reassign", try toBert(), as: bench.anna)
        bench.server.world.advance(by: .minutes(2))
        #expect(bench.pushed(bench.bert) == [noticed])
    }

    @Test(arguments: [true, false])
    func `who silences them before the digest says it is reminded after the quiet hours`(isDenied: Bool) throws {
        let quiet = #"{"quietHours": [{"from": "12:45", "until": "13:30"}], "timeZone": "UTC"}"#
        try bench.call(.put, "/settings", quiet, as: bench.bert)
        try bench.wait("13:00:00")
        try bench.say(of: duty, 0, "reassign", try toBert(), as: bench.anna)
        if isDenied { try bench.call(.post, "/noise-filter/actors", #"{"gitlabUserId": 7}"#, as: bench.bert) }
        try bench.wait("13:29:00")
        #expect(bench.pushed(bench.bert) == [])
        try bench.wait("14:29:00")
        #expect(bench.pushed(bench.bert).count == 1 && bench.pushed(bench.bert).contains(noticed) == isDenied)
    }

    @Test func `another time of day, lead time or zone is followed, and what comes by that within it is told at once`()
        throws
    {
        let target = "/duties/\(duty.text("dutyId"))"
        try bench.call(.patch, target, #"{"timeOfDay": "16:00"}"#, as: bench.bert)
        try bench.wait("13:59:59")
        #expect(bench.pushed(bench.anna) == [])
        try bench.wait("14:00:00")
        #expect(bench.pushed(bench.anna) == [noticed])
        // Told for another instant, it is told again; there and back it is not.
        try bench.call(.patch, target, #"{"timeOfDay": "15:30"}"#, as: bench.bert)
        bench.server.world.advance(by: .minutes(2))
        #expect(bench.pushed(bench.anna) == [noticed, noticed])
        try bench.call(.patch, target, #"{"timeOfDay": "16:00"}"#, as: bench.bert)
        bench.server.world.advance(by: .minutes(2))
        #expect(bench.pushed(bench.anna).count == 2)
        try bench.call(.patch, target, #"{"leadHours": 23}"#, as: bench.bert)
        try bench.wait("16:59:59")
        #expect(bench.pushed(bench.bert) == [])
        try bench.wait("17:01:00")
        #expect(bench.pushed(bench.bert) == [noticed])
        try bench.call(.patch, target, #"{"leadHours": 2, "timeZone": "Europe/Berlin"}"#, as: bench.bert)
        try bench.wait("12:59:59", day: 3)
        #expect(bench.pushed(bench.bert) == [noticed])
        try bench.wait("13:00:00", day: 3)
        #expect(bench.pushed(bench.bert) == [noticed, noticed])
    }

    @Test func `what somebody brings about for themselves is not told to them at once`() throws {
        let other = try bench.makeDuty([], title: "Release", extra: #", "leadHours": 24"#)
        bench.server.world.advance(by: .minutes(2))
        #expect(bench.pushed(bench.anna) == [])
        try bench.call(.patch, "/duties/\(other.text("dutyId"))", #"{"timeOfDay": "10:00"}"#, as: bench.anna)
        bench.server.world.advance(by: .minutes(2))
        #expect(bench.pushed(bench.anna) == [])
        try bench.wait("11:00:00", day: 2)
        #expect(bench.pushed(bench.anna) == ["Don't forget: Release"], "the next is due in 23 hours")
    }

    @Test func `what a device made by an envelope is not told to its person at once either`() throws {
        let made = """
            {"id": "1", "entity": "duty", "changedAt": "2026-03-02T08:00:00Z", "dutyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3300", \
            "duty": {"title": "Release", "everyDays": 2, "startOn": "2026-03-02", "timeOfDay": "14:30", "timeZone": "UTC", \
            "leadHours": 24}, "members": [{"name": "Anna", "isYou": true}]}
            """
        let body = #"{"baseRevision": 0, "clientChangeId": "e", "changes": [\#(made)]}"#
        try bench.call(.post, "/sync", body, as: bench.anna)
        bench.server.world.advance(by: .minutes(2))
        #expect(bench.pushed(bench.anna) == [])
        try bench.wait("14:30:00", day: 3)
        #expect(bench.pushed(bench.anna).contains("Don't forget: Release"))
    }

    @Test func `who left hears no more of it, and neither does anybody of a duty that ended`() throws {
        let anna = DutyBench.member(duty, "Anna")
        try bench.call(.delete, "/duties/\(duty.text("dutyId"))/members/\(anna)", as: bench.anna, 204)
        try bench.wait("13:00:00")
        #expect(bench.pushed(bench.anna) == [] && bench.pushed(bench.bert) == ["Your turn: Triage", noticed])
        try bench.call(.delete, "/duties/\(duty.text("dutyId"))", as: bench.bert, 204)
        try bench.wait("13:00:00", day: 4)
        #expect(bench.pushed(bench.bert).count == 2)
    }

    @Test func `quiet hours put it off to their end, and it is told if it is not over by then`() throws {
        let quiet = #"{"quietHours": [{"from": "12:00", "until": "15:00"}], "timeZone": "UTC"}"#
        try bench.call(.put, "/settings", quiet, as: bench.anna)
        try bench.wait("14:59:59")
        #expect(bench.pushed(bench.anna) == [])
        try bench.wait("15:00:00")
        #expect(bench.pushed(bench.anna) == [noticed], "better late than never")
        try bench.call(.put, "/settings", quiet, as: bench.bert)
        try bench.wait("14:00:00", day: 3)
        try bench.say(of: duty, 1, "complete", as: bench.bert)
        try bench.wait("16:00:00", day: 3)
        #expect(bench.pushed(bench.bert) == [])
    }

    @Test func `quiet hours that are taken back hold nothing back any more`() throws {
        let quiet = #"{"quietHours": [{"from": "12:00", "until": "23:00"}], "timeZone": "UTC"}"#
        try bench.call(.put, "/settings", quiet, as: bench.anna)
        try bench.wait("13:00:00")
        try bench.call(.put, "/settings", #"{"quietHours": []}"#, as: bench.anna)
        bench.server.world.advance(by: .minutes(1))
        #expect(bench.pushed(bench.anna) == [noticed])
    }

    @Test func `who wants none is told none, and what fell due meanwhile is not made up for`() throws {
        try bench.call(.put, "/settings", #"{"dueReminders": false}"#, as: bench.anna)
        try bench.wait("13:00:00")
        try bench.call(.put, "/settings", #"{"dueReminders": true}"#, as: bench.anna)
        try bench.wait("16:00:00")
        #expect(bench.pushed(bench.anna) == [])
        try bench.wait("13:00:00", day: 4)
        #expect(bench.pushed(bench.anna) == [noticed])
    }

    @Test func `what waits for its push is not sent once it is over`() throws {
        bench.server.apns.answer { _, _ in .status(503) }
        try bench.wait("12:31:00")
        #expect(bench.server.log.count(.dutyReminderQueued) == 1)
        bench.server.apns.answer { _, _ in .status(200) }
        let before = bench.pushed(bench.anna).count
        try bench.say(of: duty, 0, "skip", as: bench.bert)
        try bench.wait("14:00:00")
        #expect(bench.pushed(bench.anna).dropFirst(before) == ["Bert left it out: Triage"])
    }

    @Test func `a restart between the row and the push neither loses nor doubles it`() throws {
        bench.server.apns.answer { _, _ in .silence }
        try bench.wait("12:30:00")
        #expect(bench.server.log.count(.dutyReminderQueued) == 1)
        bench.server.world.crash()
        let second = try DutyBench(continuing: bench)
        second.server.run(for: .minutes(10))
        #expect(second.pushed(bench.anna) == [noticed] && second.server.log.count(.dutyReminderQueued) == 0)
        second.server.world.crash()
        let third = try DutyBench(continuing: second)
        third.server.run(for: .minutes(90))
        #expect(third.pushed(bench.anna) == [])
    }

    @Test func `a stop over it is made up for, and one of a day is not`() throws {
        try bench.wait("12:29:00")
        bench.server.world.crash()
        let second = try DutyBench(continuing: bench)
        second.server.world.advance(by: .hours(1))
        second.server.run(for: .minutes(1))
        #expect(second.pushed(bench.anna) == [noticed])
        second.server.world.crash()
        let third = try DutyBench(continuing: second)
        third.server.world.advance(by: .days(3))
        third.server.run(for: .minutes(1))
        // It is Thursday: of Tuesday's nobody speaks any more, Wednesday's was Anna's, and Thursday's is near.
        #expect(third.pushed(bench.anna) == [noticed] && third.pushed(bench.bert) == [noticed])
    }

    @Test func `a clock that was two days ahead for a while keeps nothing back`() throws {
        let world = bench.server.world
        world.stepWallClock(by: .days(2))
        world.advance(by: .minutes(2))
        world.stepWallClock(by: .days(-2))
        world.advance(by: .minutes(2))
        try bench.wait("12:29:59")
        #expect(bench.pushed(bench.anna) == [])
        try bench.wait("12:30:00")
        #expect(bench.pushed(bench.anna) == [noticed])
    }

    @Test func `a process that begins looks at every duty, whatever clock an earlier one had`() throws {
        try bench.server.change("UPDATE duty_reminders SET next_at = 4000000000000000")
        bench.server.world.crash()
        let second = try DutyBench(continuing: bench)
        second.server.run(for: .minutes(1))
        try second.wait("12:30:00")
        #expect(second.pushed(bench.anna) == [noticed])
    }

    @Test func `an operator who wants none sends none`() throws {
        var configuration = ServerBench.unhurried
        configuration.dueRemindersEnabled = false
        let bench = try DutyBench(configuration)
        try bench.registerPhones()
        _ = try bench.makeDuty(extra: #", "leadHours": 2"#)
        bench.server.run(for: .hours(30))
        #expect(bench.pushed(bench.anna) == [])
    }
}
