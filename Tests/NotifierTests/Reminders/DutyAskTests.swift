import Configuration
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// Turns that are asked for when they are due, over the whole server. It is Monday, 2 March 2026, at nine (UTC).
struct DutyAskTests {
    private let bench: DutyBench
    /// Every day at half past two, Anna's first.
    private let duty: JSONValue
    private static let reminding = {
        var configuration = ServerBench.unhurried
        configuration.remindersEnabled = true
        return configuration
    }()

    init() throws {
        bench = try DutyBench(Self.reminding)
        try bench.registerPhones()
        duty = try bench.makeDuty([], extra: #", "escalates": true"#)
        try bench.join(duty)
        bench.server.run(for: .minutes(1))
    }

    private func asks(_ session: String) throws -> [JSONValue] {
        try bench.call(.get, "/asks", as: session).list("asks")
    }

    private func settlements() throws -> [String] {
        try bench.server.openDatabase().rows("SELECT settled_by FROM asks WHERE settled_by IS NOT NULL ORDER BY id") {
            $0.text(0)
        }
    }

    @Test func `a turn that is not done is told when it is due, after a quarter of an hour, after an hour, no more`()
        throws
    {
        try bench.wait("14:29:59")
        #expect(bench.pushed(bench.anna) == [])
        try bench.wait("14:30:00")
        #expect(bench.pushed(bench.anna) == ["Triage is due"])
        let push = try #require(bench.server.apns.requests.last)
        let body = try #require(ContractBench.json(HTTPResponse(status: 200, body: push.body)))
        #expect(body["aps"]?.text("category") == "GITLAB_ASK" && body["aps"]?["badge"] == 1)
        #expect(body["aps"]?.text("interruption-level") == "time-sensitive")
        let ask = try #require(try asks(bench.anna).first)
        #expect(body["data"]?.text("askId") == ask.text("askId") && body["data"]?["actionType"] == "duty_due")
        #expect(ask["kind"] == "duty_due" && ask.text("subject") == "duty/\(duty.text("dutyId"))")
        #expect(ask.text("itemTitle") == "Triage" && ask.text("remindAt") == "2026-03-02T14:45:00.000Z")
        try bench.wait("14:46:00")
        #expect(bench.pushed(bench.anna).dropFirst() == ["Still waiting: Triage is due"])
        try bench.wait("15:31:00")
        #expect(bench.pushed(bench.anna).dropFirst(2) == ["Reminder: Triage is due"])
        let collapse = Set(bench.server.apns.requests.compactMap { $0.fields["apns-collapse-id"] })
        #expect(collapse.count == 1, "each takes the place of the one before")
        try bench.wait("14:00:00", day: 3)
        #expect(bench.pushed(bench.anna).count == 3 && bench.pushed(bench.bert) == [])
        let page = try bench.server.call(.get, "/metrics").bodyText
        #expect(page.contains(#"duty_reminders_sent_total{step="due"} 1"#) && page.contains("asks_open 1"))
    }

    @Test(arguments: ["complete", "skip"])
    func `whoever ends it, on whatever device, ends the ask, and it counts as read`(act: String) throws {
        try bench.wait("14:31:00")
        try bench.say(of: duty, 0, act, as: bench.bert)
        #expect(try asks(bench.anna).isEmpty && settlements() == ["occurrence_ended"])
        try bench.wait("16:00:00")
        // Done by Bert it makes the next turn Anna's; left out it changes nobody's.
        let news = act == "skip" ? "Bert left it out: Triage" : "Triage: done, your turn"
        #expect(bench.pushed(bench.anna) == ["Triage is due", news])
        #expect(try bench.call(.get, "/notifications/unread", as: bench.anna)["count"] == 1)
    }

    @Test func `what is done in time is never asked for, also where a device says so late`() throws {
        try bench.say(of: duty, 0, "complete", #"{"at": "2026-03-02T08:30:00Z"}"#, as: bench.anna)
        try bench.wait("16:00:00")
        #expect(bench.pushed(bench.anna) == [])
    }

    @Test func `given to another after it was due it is asked of that one at once, and of the first no more`() throws {
        try bench.wait("14:31:00")
        let bert = DutyBench.member(try bench.read(duty, as: bench.anna), "Bert")
        try bench.say(of: duty, 0, "reassign", #"{"to": "\#(bert)"}"#, as: bench.anna)
        #expect(try asks(bench.anna).isEmpty && settlements() == ["turn_passed"])
        try bench.wait("14:33:00")
        // His next turn is another now, too.
        #expect(bench.pushed(bench.bert) == ["Your turn: Triage", "Triage is due"])
        try bench.wait("16:00:00")
        #expect(
            bench.pushed(bench.bert).dropFirst(2) == ["Still waiting: Triage is due", "Reminder: Triage is due"]
        )
        #expect(!bench.pushed(bench.anna).contains { $0.hasPrefix("Still") })
    }

    /// A minute after it is due Anna gives it to Bert, who gives it back four minutes later.
    private func giveAwayAndBack() throws {
        try bench.wait("14:31:00")
        let members = try bench.read(duty, as: bench.anna)
        let (anna, bert) = (DutyBench.member(members, "Anna"), DutyBench.member(members, "Bert"))
        try bench.say(of: duty, 0, "reassign", #"{"to": "\#(bert)"}"#, as: bench.anna)
        try bench.wait("14:35:00")
        try bench.say(of: duty, 0, "reassign", #"{"to": "\#(anna)"}"#, as: bench.bert)
    }

    @Test func `given back it is asked of the first anew, in the place of what asked before`() throws {
        try giveAwayAndBack()
        #expect(try asks(bench.bert).isEmpty && settlements() == ["turn_passed", "turn_passed"])
        try bench.wait("14:37:00")
        #expect(bench.pushed(bench.anna).count { $0 == "Triage is due" } == 2)
        #expect(try asks(bench.anna).count == 1)
        try bench.wait("16:00:00")
        #expect(bench.pushed(bench.anna).suffix(2) == ["Still waiting: Triage is due", "Reminder: Triage is due"])
        let asked = bench.server.apns.requests.filter { request in
            request.target.hasSuffix("aa11")
                && String(decoding: request.body, as: UTF8.self).contains("Triage is due")
        }
        #expect(Set(asked.compactMap { $0.fields["apns-collapse-id"] }).count == 1)
        try bench.say(of: duty, 0, "complete", as: bench.anna)
        #expect(try asks(bench.anna).isEmpty)
    }

    @Test func `given back while APNs takes nothing it is told once`() throws {
        try bench.wait("14:29:00")
        bench.server.apns.answer { _, _ in .status(503) }
        try giveAwayAndBack()
        try bench.wait("14:37:00")
        bench.server.apns.answer { _, _ in .status(200) }
        let before = bench.pushed(bench.anna).count
        try bench.wait("15:10:00")
        #expect(bench.pushed(bench.anna).dropFirst(before).count { $0 == "Triage is due" } == 1)
    }

    @Test func `another time, a duty that asks no more, one that ended and who leaves end the ask`() throws {
        let target = "/duties/\(duty.text("dutyId"))"
        let ends: [(HTTPMethod, String, String, Int)] = [
            (.patch, target, #"{"timeOfDay": "18:00"}"#, 200), (.patch, target, #"{"escalates": false}"#, 200),
            (.delete, "\(target)/members/\(DutyBench.member(duty, "Anna"))", "", 204), (.delete, target, "", 204),
        ]
        for (index, end) in ends.enumerated() {
            let one = try DutyAskTests()
            let path = end.1.replacing(duty.text("dutyId"), with: one.duty.text("dutyId"))
                .replacing(DutyBench.member(duty, "Anna"), with: DutyBench.member(one.duty, "Anna"))
            try one.bench.wait("14:31:00")
            #expect(try one.asks(one.bench.anna).count == 1)
            try one.bench.call(end.0, path, end.2, as: one.bench.anna, end.3)
            #expect(try one.asks(one.bench.anna).isEmpty && one.settlements() == ["turn_passed"], "\(index)")
            try one.bench.wait("16:00:00")
            #expect(one.bench.pushed(one.bench.anna) == ["Triage is due"], "\(index)")
        }
    }

    @Test(arguments: [
        (#"{"timeOfDay": "18:00"}"#, #"{"timeOfDay": "14:30"}"#), (#"{"escalates": false}"#, #"{"escalates": true}"#),
    ])
    func `a slip that is put right asks for the turn anew, but not whoever put it right`(slip: String, right: String)
        throws
    {
        try bench.wait("14:31:00")
        let target = "/duties/\(duty.text("dutyId"))"
        try bench.call(.patch, target, slip, as: bench.bert)
        #expect(try asks(bench.anna).isEmpty && settlements() == ["turn_passed"])
        try bench.wait("14:33:00")
        try bench.call(.patch, target, right, as: bench.bert)
        try bench.wait("14:35:00")
        #expect(try asks(bench.anna).count == 1)
        try bench.wait("16:00:00")
        let told = ["Triage is due", "Triage is due", "Still waiting: Triage is due", "Reminder: Triage is due"]
        #expect(bench.pushed(bench.anna) == told && bench.pushed(bench.bert) == [])
        try bench.call(.patch, target, slip, as: bench.anna)
        try bench.wait("16:02:00")
        try bench.call(.patch, target, right, as: bench.anna)
        try bench.wait("16:10:00")
        try bench.call(.patch, target, #"{"leadHours": 1}"#, as: bench.bert)
        try bench.wait("17:00:00")
        #expect(try asks(bench.anna).isEmpty && bench.pushed(bench.anna) == told, "she has let herself off")
    }

    @Test func `who says done has done it, and the others hear that`() throws {
        try bench.wait("14:31:00")
        let ask = try #require(try asks(bench.anna).first).text("askId")
        let refused = try bench.refusal(.post, "/asks/\(ask)/settle", #"{"action": "done"}"#, as: bench.bert)
        #expect(refused == "ask_not_found")
        let answer = try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "done"}"#, as: bench.anna)
        #expect(answer["settled"] == true)
        try bench.wait("14:32:00")
        #expect(bench.pushed(bench.bert) == ["Anna has done it: Triage"])
        let first = try #require(try bench.read(duty, as: bench.bert).list("occurrences").first)
        #expect(first["status"] == "completed" && first.text("assignee") == DutyBench.member(duty, "Anna"))
        #expect(try settlements() == ["done"])
        let again = try bench.refusal(.post, "/asks/\(ask)/settle", #"{"action": "done"}"#, as: bench.anna)
        #expect(again == "ask_not_found")
        try bench.wait("16:00:00")
        #expect(bench.pushed(bench.anna) == ["Triage is due"] && bench.pushed(bench.bert).count == 1)
    }

    @Test func `who says later is told in an hour, for the last time`() throws {
        try bench.wait("14:31:00")
        let ask = try #require(try asks(bench.anna).first).text("askId")
        let answer = try bench.call(.post, "/asks/\(ask)/settle", #"{"action": "later"}"#, as: bench.anna)
        #expect(answer["settled"] == false && answer.text("remindAt") == "2026-03-02T15:31:00.000Z")
        try bench.wait("15:30:59")
        #expect(bench.pushed(bench.anna).count == 1)
        try bench.wait("15:33:00")
        #expect(bench.pushed(bench.anna) == ["Triage is due", "Reminder: Triage is due"])
        #expect(try bench.read(duty, as: bench.anna).list("occurrences").first?["status"] == "pending")
    }

    @Test func `in quiet hours it waits for their end, without what it was ahead of`() throws {
        try bench.call(.patch, "/duties/\(duty.text("dutyId"))", #"{"leadHours": 1}"#, as: bench.anna)
        let quiet = #"{"quietHours": [{"from": "13:00", "until": "15:00"}], "timeZone": "UTC"}"#
        try bench.call(.put, "/settings", quiet, as: bench.anna)
        try bench.wait("14:59:59")
        #expect(bench.pushed(bench.anna) == [])
        try bench.wait("15:00:00")
        #expect(bench.pushed(bench.anna) == ["Triage is due"])
        #expect(try asks(bench.anna).first?.text("remindAt") == "2026-03-02T15:15:00.000Z")
    }

    @Test func `what waits for its push is not sent once it was done, and the time counts from when it was had`() throws
    {
        bench.server.apns.answer { _, _ in .status(503) }
        try bench.wait("14:31:00")
        #expect(try asks(bench.anna).first?["remindAt"] == nil)
        let before = bench.pushed(bench.anna).count
        try bench.say(of: duty, 0, "complete", as: bench.anna)
        bench.server.apns.answer { _, _ in .status(200) }
        try bench.wait("16:00:00")
        #expect(bench.pushed(bench.anna).count == before)
    }

    @Test func `a restart between the row and the push neither loses nor doubles it`() throws {
        bench.server.apns.answer { _, _ in .silence }
        try bench.wait("14:30:00")
        #expect(try asks(bench.anna).count == 1)
        bench.server.world.crash()
        let second = try DutyBench(Self.reminding, continuing: bench)
        second.server.run(for: .minutes(3))
        #expect(second.pushed(bench.anna) == ["Triage is due"])
        second.server.world.crash()
        let third = try DutyBench(Self.reminding, continuing: second)
        third.server.run(for: .hours(2))
        #expect(third.pushed(bench.anna) == ["Still waiting: Triage is due", "Reminder: Triage is due"])
        #expect(try third.server.openDatabase().first("SELECT count(*) FROM asks") { $0.int(0) } == 1)
    }

    @Test func `where nobody is told again it is told once and asks for nothing`() throws {
        var configuration = ServerBench.unhurried
        configuration.remindersEnabled = false
        let bench = try DutyBench(configuration)
        try bench.registerPhones()
        _ = try bench.makeDuty(extra: #", "escalates": true"#)
        bench.server.run(for: .hours(12))
        #expect(bench.pushed(bench.anna) == ["Triage is due"])
        #expect(try bench.call(.get, "/asks", as: bench.anna).list("asks").isEmpty)
    }

    @Test func `what is past when a duty is made is asked of nobody`() throws {
        _ = try bench.call(
            .post,
            "/duties",
            """
            {"title": "Old", "everyDays": 1, "startOn": "2026-02-20", "timeOfDay": "08:00", "timeZone": "UTC", \
            "escalates": true, "leadHours": 20, "members": [{"name": "Anna", "isYou": true}]}
            """,
            as: bench.anna,
            201
        )
        try bench.wait("09:30:00")
        #expect(bench.pushed(bench.anna) == [])
    }
}
