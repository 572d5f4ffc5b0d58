import HTTP
import JSON
import Platform
import Testing

@testable import Notifier

/// Who is told what of duties, and who is not.
struct DutyNewsTests {
    private let bench: DutyBench
    private let duty: JSONValue

    /// Anna, Carla who has no account, and Bert, in that order.
    init() throws {
        bench = try DutyBench()
        duty = try bench.makeDuty()
        try bench.join(duty)
    }

    /// What somebody was told, the newest first.
    private func told(_ session: String) throws -> [JSONValue] {
        try bench.call(.get, "/notifications", as: session).list("notifications")
    }

    /// The data of the last push about it.
    private func pushed(_ session: String) throws -> JSONValue? {
        try bench.call(.get, "/notifications?after=&limit=100", as: session).list("notifications").last?["payload"]?[
            "data"
        ]
    }

    private func titles(_ session: String) throws -> [String] { try told(session).map { $0.text("title") } }

    @Test func `who takes part hears that another has done it, with the note, and who did it does not`() throws {
        // When Bert joined, a turn of Carla's came to Anna.
        #expect(try titles(bench.anna) == ["Your turn: Triage"] && titles(bench.bert).isEmpty)
        try bench.say(of: duty, 0, "complete", #"{"note": "mind the step"}"#, as: bench.anna)
        // Her own turn it was: nobody's has changed.
        #expect(try titles(bench.bert) == ["Anna has done it: Triage"])
        let news = try #require(try told(bench.bert).first)
        #expect(news.text("body") == "Due 2026-03-02 14:30 (UTC)\nmind the step")
        #expect(news["type"] == "duty" && news["actionType"] == "duty_done" && news["source"] == "duty")
        #expect(news.text("subject") == "duty/\(duty.text("dutyId"))")
        let data = try pushed(bench.bert)
        #expect(data?.text("occurrenceId") == DutyBench.occurrence(duty, 0))
        #expect(data?.text("dueAt") == "2026-03-02T14:30:00.000Z" && data?.text("dutyId") == duty.text("dutyId"))
        #expect(data?.text("assignee") == DutyBench.member(duty, "Anna"))
        #expect(try titles(bench.anna).count == 1)
        // Said once more, later, it is no news.
        bench.server.world.advance(by: .seconds(1))
        try bench.say(of: duty, 0, "skip", as: bench.anna)
        #expect(try titles(bench.bert).count == 1)
    }

    @Test func `whoever a turn comes to hears of the next that came`() throws {
        let joined = try bench.read(duty, as: bench.bert)
        try bench.say(of: duty, 0, "reassign", #"{"to": "\#(DutyBench.member(joined, "Bert"))"}"#, as: bench.anna)
        #expect(try titles(bench.bert) == ["Your turn: Triage"])
        let news = try #require(try told(bench.bert).first)
        #expect(news.text("body") == "Due 2026-03-02 14:30 (UTC)" && news["actionType"] == "duty_turn")
        #expect(try pushed(bench.bert)?.text("assignee") == DutyBench.member(joined, "Bert"))
        #expect(try titles(bench.anna).count == 1)
        // Bert does what is Anna's: her turn is another, and both are told of in one.
        try bench.say(of: duty, 1, "complete", as: bench.bert)
        #expect(try titles(bench.anna) == ["Triage: done, your turn", "Your turn: Triage"])
    }

    @Test func `whoever a turn comes to that is over its time hears so for a day`() throws {
        let due = "Due 2026-03-02 14:30 (UTC)"
        func heard(_ session: String) throws -> Bool {
            try told(session).contains { $0.text("title") == "Your turn: Triage" && $0.text("body") == due }
        }
        let joined = try bench.read(duty, as: bench.bert)
        let (anna, bert) = (DutyBench.member(joined, "Anna"), DutyBench.member(joined, "Bert"))
        try bench.wait("16:00:00")
        try bench.say(of: duty, 0, "reassign", #"{"to": "\#(bert)"}"#, as: bench.anna)
        #expect(try heard(bench.bert))
        bench.server.run(for: .minutes(2))
        #expect(try !titles(bench.bert).contains("Don't forget: Triage"), "once is enough")
        try bench.wait("14:31:00", day: 3)
        try bench.say(of: duty, 0, "reassign", #"{"to": "\#(anna)"}"#, as: bench.bert)
        #expect(try !heard(bench.anna))
    }

    @Test func `what a device says by an envelope is told like any other`() throws {
        let change = """
            {"id": "1", "entity": "completion", "changedAt": "2026-03-02T08:00:00Z", "kind": "skip", \
            "completionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "occurrenceId": "\(DutyBench.occurrence(duty, 0))"}
            """
        for _ in 0..<2 {
            let body = #"{"baseRevision": 0, "clientChangeId": "e", "changes": [\#(change)]}"#
            try bench.call(.post, "/sync", body, as: bench.bert)
        }
        #expect(try titles(bench.anna).first == "Bert left it out: Triage")
        #expect(try titles(bench.anna).count == 2)
        #expect(try titles(bench.bert).isEmpty)
    }

    @Test func `in quiet hours it waits for their end`() throws {
        let quiet = #"{"quietHours": [{"from": "08:00", "until": "10:00"}]}"#
        try bench.call(.put, "/settings", quiet, as: bench.bert)
        try bench.say(of: duty, 0, "complete", as: bench.anna)
        #expect(try titles(bench.bert).isEmpty)
        bench.server.run(for: .hours(2))
        #expect(try titles(bench.bert) == ["1 update on 1 item in your quiet hours"])
        #expect(try told(bench.bert).first?.text("body") == "Triage: done")
    }

    @Test func `who silenced the other hears nothing`() throws {
        try bench.call(.post, "/noise-filter/actors", #"{"gitlabUserId": 7}"#, as: bench.bert)
        try bench.say(of: duty, 0, "complete", as: bench.anna)
        #expect(try titles(bench.bert).isEmpty)
    }

    @Test func `a day more ahead is no news`() throws {
        bench.server.run(for: .hours(50))
        #expect(try titles(bench.bert).isEmpty && titles(bench.anna).count == 1)
    }

    @Test func `a day more that is planned because somebody did something is no news`() throws {
        bench.server.world.advance(by: .hours(48))
        try bench.say(of: duty, 0, "complete", as: bench.anna)
        #expect(try titles(bench.bert) == ["Anna has done it: Triage"])
    }
}
