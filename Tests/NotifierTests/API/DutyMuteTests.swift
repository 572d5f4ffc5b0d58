import Configuration
import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// A duty that one of those who take part has muted, over the whole server. It is Monday, 2 March 2026, at nine (UTC).
struct DutyMuteTests {
    private let bench: DutyBench
    /// Every day at half past two, Anna's first, reminded of two hours ahead and asked for.
    private let duty: JSONValue

    init() throws {
        var configuration = ServerBench.unhurried
        configuration.remindersEnabled = true
        bench = try DutyBench(configuration)
        try bench.registerPhones()
        duty = try bench.makeDuty([], extra: #", "leadHours": 2, "escalates": true"#)
        try bench.join(duty)
        bench.server.run(for: .minutes(1))
    }

    private var id: String { duty.text("dutyId") }

    @discardableResult
    private func mute(_ body: String, as session: String) throws -> JSONValue {
        try bench.call(.post, "/duties/\(id)/mute", body, as: session)
    }

    private func pull(_ since: Int64 = 0, as session: String) throws -> JSONValue {
        try bench.call(.get, "/sync?since=\(since)", as: session)
    }

    private func send(_ changes: [String], _ envelope: String, as session: String) throws -> JSONValue {
        let list = changes.joined(separator: ",")
        let body = #"{"baseRevision": 0, "clientChangeId": "\#(envelope)", "changes": [\#(list)]}"#
        return try bench.call(.post, "/sync", body, as: session)
    }

    private func change(_ number: Int, at time: String, until end: String?) -> String {
        let end = end.map { #", "mutedUntil": "\#($0)""# } ?? ""
        return """
            {"id": "\(number)", "entity": "dutyMute", "changedAt": "2026-03-02T\(time)Z", "dutyId": "\(id)"\(end)}
            """
    }

    @Test func `who has muted it hears nothing by the clock nor of others, and everybody else does`() throws {
        try mute(#"{"until": "2026-03-03T12:00:00Z"}"#, as: bench.anna)
        try bench.wait("15:00:00")
        #expect(bench.pushed(bench.anna) == [], "neither reminded nor asked")
        try bench.say(of: duty, 0, "skip", as: bench.bert)
        bench.server.world.advance(by: .minutes(1))
        #expect(bench.pushed(bench.anna) == [])
        try bench.say(of: duty, 2, "complete", as: bench.anna)
        bench.server.world.advance(by: .minutes(1))
        #expect(bench.pushed(bench.bert) == ["Anna has done it: Triage"])
        #expect(bench.server.log.count(.factMutedDuty) == 3, "two reminders at two instants; news of Bert")
        let page = try bench.server.call(.get, "/metrics").bodyText
        #expect(page.contains(#"facts_silenced_total{reason="mutedDuty"} 3"#))
        // Turns and lists are what they were.
        let shown = try bench.read(duty, as: bench.anna)
        #expect(shown.text("mutedUntil") == "2026-03-03T12:00:00.000Z" && shown.list("occurrences").count > 10)
        #expect(try bench.read(duty, as: bench.bert)["mutedUntil"] == nil)
    }

    @Test func `what the mute kept silent does not come later, and what comes later is told`() throws {
        try mute(#"{"until": "2026-03-02T14:31:00Z"}"#, as: bench.anna)
        try bench.wait("16:00:00")
        #expect(bench.pushed(bench.anna) == [])
        #expect(try bench.call(.get, "/asks", as: bench.anna).list("asks").isEmpty)
        try bench.wait("15:00:00", day: 4)
        #expect(bench.pushed(bench.anna).prefix(2) == ["Don't forget: Triage", "Triage is due"])
    }

    @Test func `what fell due while it lasted does not come after a stop over its end`() throws {
        try mute(#"{"until": "2026-03-02T14:31:00Z"}"#, as: bench.anna)
        try bench.wait("12:00:00")
        bench.server.world.crash()
        var configuration = ServerBench.unhurried
        configuration.remindersEnabled = true
        let second = try DutyBench(configuration, continuing: bench)
        second.server.world.advance(by: .hours(3))
        second.server.run(for: .minutes(5))
        #expect(second.pushed(bench.anna) == [])
        #expect(second.server.log.count(.factMutedDuty) == 1, "the reminder and the ask together")
    }

    @Test func `what it asks already is over with the mute, and told no more`() throws {
        try bench.wait("14:31:00")
        #expect(bench.pushed(bench.anna).last == "Triage is due")
        try mute(#"{"minutes": 30}"#, as: bench.anna)
        #expect(try bench.call(.get, "/asks", as: bench.anna).list("asks").isEmpty)
        #expect(try bench.call(.get, "/notifications/unread", as: bench.anna)["count"] == 0)
        let settled = try bench.server.openDatabase().rows("SELECT settled_by FROM asks") { $0.text(0) }
        #expect(settled == ["silenced"])
        try bench.wait("16:00:00")
        #expect(bench.pushed(bench.anna).count == 2)
    }

    @Test func `a reminder whose push waits is not sent once the duty is muted`() throws {
        bench.server.apns.answer { _, _ in .status(503) }
        try bench.wait("12:30:10")
        try mute(#"{"minutes": 600}"#, as: bench.anna)
        bench.server.apns.answer { _, _ in .status(200) }
        try bench.wait("13:30:00")
        #expect(bench.server.log.count(.deliveryMoot) == 1)
    }

    @Test func `news that waits for the end of quiet hours is left out where the duty is muted by then`() throws {
        let quiet = #"{"quietHours": [{"from": "08:00", "until": "10:00"}]}"#
        try bench.call(.put, "/settings", quiet, as: bench.bert)
        try bench.say(of: duty, 0, "complete", as: bench.anna)
        try mute(#"{"minutes": 120}"#, as: bench.bert)
        try bench.wait("10:30:00")
        #expect(bench.pushed(bench.bert) == [])
    }

    @Test func `the later choice stands, on whatever device, and a mute that is over has undone what was before`()
        throws
    {
        let late = try send([change(1, at: "08:30:00", until: "2026-03-02T18:00:00Z")], "e-1", as: bench.anna)
        #expect(late.list("applied").first?["value"]?.text("mutedUntil") == "2026-03-02T18:00:00.000Z")
        let other = try bench.server.register()
        let early = try send([change(1, at: "08:00:00", until: nil)], "e-1", as: other)
        #expect(early.list("conflicts").first?.text("winner") == "theirs")
        #expect(early.list("conflicts").first?["theirs"]?.text("mutedUntil") == "2026-03-02T18:00:00.000Z")
        let over = try send([change(2, at: "08:40:00", until: "2026-03-02T08:50:00Z")], "e-2", as: other)
        #expect(over.list("applied").count == 1)
        #expect(try bench.read(duty, as: bench.anna)["mutedUntil"] == nil)
        try bench.wait("12:31:00")
        #expect(bench.pushed(bench.anna) == ["Don't forget: Triage"])
    }

    @Test func `the person's devices hear of a mute and of its end, and nobody else does`() throws {
        let (anna, bert) = (try pull(as: bench.anna).whole("revision"), try pull(as: bench.bert).whole("revision"))
        try mute(#"{"until": "2026-03-04T12:00:00Z"}"#, as: bench.anna)
        let begun = try pull(try #require(anna), as: bench.anna)
        #expect(begun.list("changes", "dutyMutes").map { $0.text("mutedUntil") } == ["2026-03-04T12:00:00.000Z"])
        #expect(begun.list("changes", "dutyMutes").map { $0.text("dutyId") } == [id])
        #expect(try pull(as: bench.anna).list("changes", "dutyMutes").count == 1, "also a fresh one")
        bench.server.world.advance(by: .seconds(1))
        try bench.call(.delete, "/duties/\(id)/mute", as: bench.anna)
        let ended = try pull(try #require(begun.whole("revision")), as: bench.anna)
        #expect(ended.list("deleted") == [["entity": "dutyMute", "dutyId": .string(id)]])
        #expect(ended.list("changes", "dutyMutes").isEmpty)
        #expect(try pull(try #require(bert), as: bench.bert).list("changes", "dutyMutes").isEmpty)
    }

    @Test func `who leaves and comes back hears of it, and no device of theirs has it muted`() throws {
        try mute(#"{"minutes": 6000}"#, as: bench.bert)
        let before = try #require(try pull(as: bench.bert).whole("revision"))
        let member = DutyBench.member(try bench.read(duty, as: bench.bert), "Bert")
        try bench.call(.delete, "/duties/\(id)/members/\(member)", as: bench.bert, 204)
        #expect(try bench.refusal(.post, "/duties/\(id)/mute", #"{"minutes": 5}"#, as: bench.bert) == "duty_not_found")
        let gone = try send([change(1, at: "08:30:00", until: nil)], "e-1", as: bench.bert)
        #expect(gone.list("refused").map { $0.text("code") } == ["duty_not_found"])
        try bench.join(duty, name: "Bert again")
        let back = try pull(before, as: bench.bert)
        #expect(back.list("deleted").contains(["entity": "dutyMute", "dutyId": .string(id)]))
        try bench.say(of: duty, 0, "complete", as: bench.anna)
        bench.server.world.advance(by: .minutes(1))
        #expect(bench.pushed(bench.bert).count == 1)
    }

    @Test(arguments: [#"{}"#, #"{"minutes": 0}"#, #"{"until": "2028-03-02T09:00:00Z"}"#, #"{"until": "yesterday"}"#])
    func `a mute without an end within a year is refused`(body: String) throws {
        #expect(try bench.refusal(.post, "/duties/\(id)/mute", body, as: bench.anna) == "invalid_field")
    }
}
