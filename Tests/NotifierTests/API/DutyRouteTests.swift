import HTTP
import JSON
import Platform
import SQLite
import Testing

@testable import Notifier

/// `/duties` and `/occurrences`: what people do in turn, by the routes.
struct DutyRouteTests {
    private let bench: DutyBench

    init() throws { bench = try DutyBench() }

    // MARK: Turns

    @Test func `people take turns for two months ahead, and the list shows the next`() throws {
        let duty = try bench.makeDuty(["Carla", "Dora"])
        #expect(DutyBench.turns(duty, 4) == ["Anna", "Carla", "Dora", "Anna"])
        // The sixtieth day's is due later than sixty days from now.
        #expect(duty.list("occurrences").count == 60)
        #expect(duty.list("occurrences").first?.text("dueAt") == "2026-03-02T14:30:00.000Z")
        let list = try bench.call(.get, "/duties", as: bench.anna).list("duties")
        #expect(list.count == 1 && list.first?.list("occurrences").count == RESTAPI.nextOccurrences)
        #expect(duty.list("members").map { $0["isYou"] } == [true, false, false])
    }

    @Test func `due at one time of the clock, also where it changes`() throws {
        let body = """
            {"title": "x", "everyDays": 1, "startOn": "2026-03-28", "timeOfDay": "09:00", "timeZone": "Europe/Berlin", \
            "members": [{"name": "Anna", "isYou": true}]}
            """
        let duty = try bench.call(.post, "/duties", body, as: bench.anna, 201)
        let due = duty.list("occurrences").prefix(2).map { $0.text("dueAt") }
        #expect(due == ["2026-03-28T08:00:00.000Z", "2026-03-29T07:00:00.000Z"])
    }

    @Test func `who does another's turn comes later, and what is over stays so`() throws {
        let duty = try bench.makeDuty(["Carla", "Dora"])
        let first = DutyBench.occurrence(duty, 0)
        let dora = DutyBench.member(duty, "Dora")
        let done = try bench.call(
            .post,
            "/occurrences/\(first)/complete",
            #"{"by": "\#(dora)", "at": "2026-03-02T08:30:00Z", "note": "mind the step"}"#,
            as: bench.anna
        )
        #expect(done["stands"] == true && done["occurrence"]?["status"] == "completed")
        #expect(DutyBench.turns(try bench.read(duty, as: bench.anna), 4) == ["Dora", "Anna", "Carla", "Dora"])
        // Later does not undo it, earlier does.
        let later = try bench.call(.post, "/occurrences/\(first)/skip", "{}", as: bench.anna)
        #expect(later["stands"] == false && later["occurrence"]?["status"] == "completed")
        let given = try bench.call(.post, "/occurrences/\(first)/reassign", #"{"to": "\#(dora)"}"#, as: bench.anna)
        #expect(given["stands"] == false)
        let earlier = try bench.call(
            .post,
            "/occurrences/\(first)/skip",
            #"{"at": "2026-03-02T08:00:00Z"}"#,
            as: bench.anna
        )
        #expect(earlier["stands"] == true && earlier["occurrence"]?["status"] == "skipped")
        #expect(DutyBench.turns(try bench.read(duty, as: bench.anna), 4) == ["Anna", "Carla", "Dora", "Anna"])
    }

    @Test func `what is given away is the other's, and what is said again is said once`() throws {
        let duty = try bench.makeDuty(["Carla"])
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        let carla = DutyBench.member(duty, "Carla")
        let target = "/occurrences/\(DutyBench.occurrence(duty, 0))/reassign"
        let body = #"{"reassignmentId": "\#(id)", "to": "\#(carla)", "at": "2026-03-02T08:30:00Z"}"#
        for _ in 0..<2 {
            let given = try bench.call(.post, target, body, as: bench.anna)
            #expect(given["stands"] == true && given["occurrence"]?["status"] == "reassigned")
        }
        #expect(DutyBench.turns(try bench.read(duty, as: bench.anna), 4) == ["Carla", "Anna", "Carla", "Anna"])
        let other = #"{"reassignmentId": "\#(id)", "to": "\#(DutyBench.member(duty, "Anna"))"}"#
        #expect(try bench.refusal(.post, target, other, as: bench.anna) == "id_taken")
        let done = #"{"completionId": "\#(id)"}"#
        let end = "/occurrences/\(DutyBench.occurrence(duty, 1))/complete"
        #expect(try bench.refusal(.post, end, done, as: bench.anna) == "id_taken")
        let nobody = #"{"to": "3f2504e0-4f89-41d3-9a0c-0305e82c33ff"}"#
        #expect(try bench.refusal(.post, target, nobody, as: bench.anna) == "member_not_found")
    }

    @Test func `who joined after it was due cannot be given it`() throws {
        let duty = try bench.makeDuty(["Carla"])
        bench.server.world.advance(by: .hours(6))
        try bench.join(duty)
        let joined = try bench.read(duty, as: bench.anna)
        let body = #"{"to": "\#(DutyBench.member(joined, "Bert"))"}"#
        let (over, next) = (
            "/occurrences/\(DutyBench.occurrence(duty, 0))", "/occurrences/\(DutyBench.occurrence(duty, 1))"
        )
        #expect(try bench.refusal(.post, "\(over)/reassign", body, as: bench.anna) == "member_absent")
        #expect(try bench.call(.post, "\(next)/reassign", body, as: bench.anna)["stands"] == true)
    }

    @Test func `a completion of a clock that runs ahead may come again`() throws {
        let duty = try bench.makeDuty()
        let target = "/occurrences/\(DutyBench.occurrence(duty, 0))/complete"
        let body = #"{"completionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "at": "2026-03-02T10:00:00Z"}"#
        let first = try bench.call(.post, target, body, as: bench.anna)
        #expect(first["occurrence"]?.text("decidedAt") == "2026-03-02T09:00:00.000Z")
        bench.server.world.advance(by: .seconds(10))
        #expect(try bench.call(.post, target, body, as: bench.anna) == first)
    }

    @Test func `a duty is changed by who takes part, and its rhythm is not`() throws {
        let duty = try bench.makeDuty()
        let target = "/duties/\(duty.text("dutyId"))"
        let body = #"{"timeOfDay": "08:00", "mode": "fixed", "changedAt": "2026-03-02T08:59:00Z"}"#
        let changed = try bench.call(.patch, target, body, as: bench.anna)
        // It was made later than that.
        #expect(changed["timeOfDay"] == "14:30")
        let now = try bench.call(.patch, target, #"{"timeOfDay": "08:00", "mode": "fixed"}"#, as: bench.anna)
        #expect(now["timeOfDay"] == "08:00" && DutyBench.turns(now, 3) == ["Anna", "Anna", "Anna"])
        #expect(now.list("occurrences").first?.text("dueAt") == "2026-03-02T08:00:00.000Z")
        for field in [#""everyDays": 2"#, #""startOn": "2026-03-05""#, #""weekdays": ["mon"]"#] {
            #expect(try bench.refusal(.patch, target, "{\(field)}", as: bench.anna) == "invalid_field")
        }
    }

    @Test func `what is changed once the server's clock was set back stands, and nothing from before it`() throws {
        let duty = try bench.makeDuty()
        let target = "/duties/\(duty.text("dutyId"))"
        try bench.call(.patch, target, #"{"timeOfDay": "08:00"}"#, as: bench.anna)
        bench.server.world.stepWallClock(by: .minutes(-30))
        let early = #"{"timeOfDay": "09:00", "changedAt": "2026-03-02T08:20:00Z"}"#
        #expect(try bench.call(.patch, target, early, as: bench.anna)["timeOfDay"] == "08:00")
        #expect(try bench.call(.patch, target, #"{"timeOfDay": "10:00"}"#, as: bench.anna)["timeOfDay"] == "10:00")
    }

    // MARK: Sharing

    @Test func `an invitation lets one other account take part, once and for an hour`() throws {
        let duty = try bench.makeDuty()
        let target = "/duties/\(duty.text("dutyId"))"
        #expect(try bench.refusal(.get, target, as: bench.bert) == "duty_not_found")
        let code = try bench.call(.post, target + "/invitations", as: bench.anna, 201).text("invitationCode")
        let body = #"{"invitationCode": "\#(code.lowercased())", "name": "Bert"}"#
        let joined = try bench.call(.post, "/duties/join", body, as: bench.bert, 201)
        #expect(DutyBench.turns(joined, 4) == ["Anna", "Carla", "Bert", "Anna"])
        #expect(joined.list("members").map { $0["isYou"] } == [false, false, true])
        #expect(try bench.refusal(.post, "/duties/join", body, as: bench.bert) == "invitation_unknown")
        // Both do the same with it.
        try bench.call(.post, "/occurrences/\(DutyBench.occurrence(duty, 0))/complete", "{}", as: bench.bert)
        #expect(DutyBench.turns(try bench.read(duty, as: bench.anna), 3) == ["Bert", "Anna", "Carla"])
        #expect(try bench.refusal(.post, "/duties/join", try invitation(duty), as: bench.bert) == "already_member")
        bench.server.world.stepWallClock(by: .minutes(61))
        #expect(try bench.refusal(.post, "/duties/join", body, as: bench.bert) == "invitation_unknown")
    }

    private func invitation(_ duty: JSONValue) throws -> String {
        let target = "/duties/\(duty.text("dutyId"))/invitations"
        let code = try bench.call(.post, target, as: bench.anna, 201).text("invitationCode")
        return #"{"invitationCode": "\#(code)", "name": "Bert"}"#
    }

    @Test func `an invitation ends after an hour, and a later one takes its place`() throws {
        let duty = try bench.makeDuty()
        let first = try invitation(duty)
        let second = try invitation(duty)
        #expect(try bench.refusal(.post, "/duties/join", first, as: bench.bert) == "invitation_unknown")
        bench.server.world.stepWallClock(by: .minutes(61))
        #expect(try bench.refusal(.post, "/duties/join", second, as: bench.bert) == "invitation_unknown")
        try bench.call(.post, "/duties/join", try invitation(duty), as: bench.bert, 201)
    }

    @Test func `a code dies with the membership of whoever is let go`() throws {
        let duty = try bench.makeDuty()
        let target = "/duties/\(duty.text("dutyId"))"
        let joined = try bench.call(.post, "/duties/join", try invitation(duty), as: bench.bert, 201)
        let code = try bench.call(.post, target + "/invitations", as: bench.bert, 201).text("invitationCode")
        try bench.call(.delete, target + "/members/\(DutyBench.member(joined, "Bert"))", as: bench.anna, 204)
        let body = #"{"invitationCode": "\#(code)", "name": "Bert"}"#
        #expect(try bench.refusal(.post, "/duties/join", body, as: bench.bert) == "invitation_unknown")
    }

    @Test func `a right code that leads nowhere counts as no guess`() throws {
        let duty = try bench.makeDuty()
        try bench.call(.post, "/duties/join", try invitation(duty), as: bench.bert, 201)
        let code = try invitation(duty)
        for _ in 0..<8 {
            #expect(try bench.refusal(.post, "/duties/join", code, as: bench.bert) == "already_member")
        }
    }

    @Test func `codes are guessed so often and no more`() throws {
        _ = try invitation(bench.makeDuty())
        let codes = (0..<8).map { _ in
            try? bench.refusal(.post, "/duties/join", #"{"invitationCode": "AAAAAA", "name": "B"}"#, as: bench.bert)
        }
        #expect(codes.prefix(5).allSatisfy { $0 == "invitation_unknown" })
        #expect(codes.suffix(3).allSatisfy { $0 == "too_many_attempts" })
    }

    @Test func `nobody can use or learn of what is another's`() throws {
        let duty = try bench.makeDuty()
        let occurrence = DutyBench.occurrence(duty, 0)
        let event = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        try bench.call(.post, "/occurrences/\(occurrence)/complete", #"{"completionId": "\#(event)"}"#, as: bench.anna)
        let before = try bench.read(duty, as: bench.anna)
        let target = "/duties/\(duty.text("dutyId"))"
        for (method, path) in [
            (HTTPMethod.get, target), (.patch, target), (.delete, target), (.post, target + "/invitations"),
            (.delete, target + "/members/\(DutyBench.member(duty, "Carla"))"),
        ] {
            let body = method == .patch ? #"{"title": "mine"}"# : ""
            #expect(try bench.refusal(method, path, body, as: bench.bert) == "duty_not_found")
        }
        for act in ["complete", "skip"] {
            #expect(
                try bench.refusal(.post, "/occurrences/\(occurrence)/\(act)", "{}", as: bench.bert)
                    == "occurrence_not_found"
            )
        }
        // As ids of his own, whatever they are ids of.
        for id in [duty.text("dutyId"), DutyBench.member(duty, "Anna"), event] {
            let own = """
                {"dutyId": "\(id)", "title": "x", "everyDays": 1, "startOn": "2026-03-02", "timeOfDay": "09:00", \
                "timeZone": "UTC", "members": [{"name": "Bert", "isYou": true}]}
                """
            #expect(try bench.refusal(.post, "/duties", own, as: bench.bert) == "id_taken")
        }
        #expect(try bench.call(.get, "/duties", as: bench.bert).list("duties").isEmpty)
        #expect(try bench.read(duty, as: bench.anna) == before)
    }

    @Test func `who leaves sees it no more, and with the last account it ends`() throws {
        let duty = try bench.makeDuty()
        let joined = try bench.join(duty)
        let target = "/duties/\(duty.text("dutyId"))"
        let anna = DutyBench.member(joined, "Anna")
        try bench.call(.delete, target + "/members/\(anna)", as: bench.anna, 204)
        #expect(try bench.refusal(.get, target, as: bench.anna) == "duty_not_found")
        let rest = try bench.read(duty, as: bench.bert)
        #expect(DutyBench.turns(rest, 3) == ["Carla", "Bert", "Carla"])
        #expect(rest.list("members").first?["hasAccount"] == false)
        try bench.call(.delete, target + "/members/\(DutyBench.member(rest, "Bert"))", as: bench.bert, 204)
        #expect(try bench.server.openDatabase().first("SELECT count(*) FROM duties") { $0.int(0) } == 0)
    }

    @Test func `who disconnects leaves every duty, and their name goes`() throws {
        let duty = try bench.makeDuty()
        try bench.join(duty)
        try bench.call(.delete, "/account", as: bench.anna, 204)
        let rest = try bench.read(duty, as: bench.bert)
        #expect(rest.list("members").map { $0.text("name") } == ["?", "Carla", "Bert"])
        #expect(!DutyBench.turns(rest, 60).contains("?"))
        #expect(try !bench.server.dump().contains("'Anna'"))
    }

    // MARK: Bounds

    @Test func `there are only so many duties, members, events and characters`() throws {
        for number in 1..<DutyPolicy.dutyLimit { _ = try bench.makeDuty([], title: "\(number)") }
        let last = try bench.makeDuty((2...DutyPolicy.memberLimit).map { "m\($0)" })
        let one = """
            {"title": "x", "everyDays": 1, "startOn": "2026-03-02", "timeOfDay": "09:00", "timeZone": "UTC", \
            "members": [{"name": "Anna", "isYou": true}]}
            """
        #expect(try bench.refusal(.post, "/duties", one, as: bench.anna) == "duty_limit")
        let target = "/duties/\(last.text("dutyId"))/members"
        #expect(try bench.refusal(.post, target, #"{"name": "more"}"#, as: bench.anna) == "member_limit")
        let occurrence = "/occurrences/\(DutyBench.occurrence(last, 0))/complete"
        for _ in 0..<DutyPolicy.eventLimit { try bench.call(.post, occurrence, "{}", as: bench.anna) }
        #expect(try bench.refusal(.post, occurrence, "{}", as: bench.anna) == "event_limit")
        let note = String(repeating: "n", count: 501)
        let long = try bench.refusal(.post, occurrence, #"{"note": "\#(note)"}"#, as: bench.anna)
        #expect(long == "invalid_field")
        let old = try bench.refusal(.post, occurrence, #"{"at": "2025-11-01T00:00:00Z"}"#, as: bench.anna)
        #expect(old == "change_too_old")
    }

    @Test func `too many weeks are told of by their own name`() throws {
        let body = #"""
            {"title": "x", "startOn": "2026-03-02", "timeOfDay": "09:00", "timeZone": "UTC", "weekdays": ["mon"],
            "everyWeeks": 53, "members": [{"name": "Anna", "isYou": true}]}
            """#
        let response = try bench.server.call(.post, "/duties", body, session: bench.anna)
        #expect(response.status == 400 && response.text("message")?.contains("everyWeeks") == true)
    }

    @Test(arguments: [
        #""everyDays": 0"#, #""everyDays": 367"#, #""everyDays": 1, "weekdays": ["mon"]"#, #""weekdays": []"#,
        #""weekdays": ["mon", "mon"]"#, #""weekdays": ["lun"]"#, #""weekdays": ["mon"], "everyWeeks": 53"#,
        #""everyDays": 1, "startOn": "2026-01-01""#, #""everyDays": 1, "startOn": "2027-06-01""#,
        #""everyDays": 1, "timeOfDay": "24:00""#, #""everyDays": 1, "timeZone": "Mars/Base""#,
        #""everyDays": 1, "leadHours": 337"#, #""everyDays": 1, "mode": "random""#, #""everyDays": 1, "title": """#,
        #""everyDays": 1, "members": [{"name": "B"}]"#, #""everyDays": 1, "members": []"#,
        #""everyDays": 1, "members": [{"name": "B", "isYou": true}, {"name": "C", "isYou": true}]"#,
        #""everyDays": 1, "dutyId": "7""#, #""x": 1"#,
    ])
    func `what is no duty is refused`(changed: String) throws {
        var reader = JSONReader(bytes: Array("{\(changed)}".utf8))
        let members = try #require(try reader.read().value.members)
        let duty: JSONValue = [
            "title": "x", "startOn": "2026-03-02", "timeOfDay": "09:00", "timeZone": "UTC",
            "members": [["name": "Anna", "isYou": true]],
        ]
        let body = members.reduce(duty) { $0.with($1.key, $1.value) }.text(indented: false)
        #expect(try bench.refusal(.post, "/duties", body, as: bench.anna) == "invalid_field")
    }

    @Test func `days of the week are those of every other week`() throws {
        let duty = try bench.makeDuty(rhythm: #""weekdays": ["fri", "mon"], "everyWeeks": 2"#)
        #expect(duty["weekdays"] == ["mon", "fri"] && duty["everyWeeks"] == 2)
        let days = duty.list("occurrences").prefix(4).map { String($0.text("dueAt").prefix(10)) }
        #expect(days == ["2026-03-02", "2026-03-06", "2026-03-16", "2026-03-20"])
    }
}
