import HTTP
import JSON
import Platform
import Testing

@testable import Notifier

/// Duties by `GET` and `POST /sync`: what the devices of everybody who takes part hear, and that they come to the same.
struct DutySyncTests {
    private let bench: DutyBench

    init() throws { bench = try DutyBench() }

    private func pull(_ since: Int64 = 0, as session: String, _ more: String = "") throws -> JSONValue {
        try bench.call(.get, "/sync?since=\(since)\(more)", as: session)
    }

    private func push(_ changes: [String], _ id: String, as session: String) throws -> JSONValue {
        let body =
            #"{"baseRevision": 0, "clientChangeId": "\#(id)", "changes": [\#(changes.joined(separator: ","))]}"#
        return try bench.call(.post, "/sync", body, as: session)
    }

    private func change(_ id: Int, _ entity: String, at time: String = "2026-03-02T08:00:00Z", _ rest: String) -> String
    {
        #"{"id": "\#(id)", "entity": "\#(entity)", "changedAt": "\#(time)", \#(rest)}"#
    }

    private static let dutyID = "3f2504e0-4f89-41d3-9a0c-0305e82c3300"

    private static func made(_ others: String = "") -> String {
        #""dutyId": "\#(dutyID)", "duty": {"title": "Triage", "everyDays": 1, "startOn": "2026-03-02", "#
            + #""timeOfDay": "14:30", "timeZone": "UTC"}, "members": [{"name": "Anna", "isYou": true}\#(others)]"#
    }

    @Test func `everybody who takes part hears of each change in the revision of it`() throws {
        let duty = try bench.makeDuty()
        try bench.join(duty)
        let revisions = try [bench.anna, bench.bert].map { session in
            let all = try pull(as: session)
            #expect(all.list("changes", "duties").count == 1 && all.list("changes", "members").count == 3)
            #expect(all.list("changes", "occurrences").count == 60 && all.list("changes", "completions").isEmpty)
            return try #require(all.whole("revision"))
        }
        let target = "/occurrences/\(DutyBench.occurrence(duty, 0))/complete"
        try bench.call(.post, target, #"{"note": "done"}"#, as: bench.bert)
        for (session, revision) in zip([bench.anna, bench.bert], revisions) {
            let next = try pull(revision, as: session)
            #expect(next["reset"] == false && next.list("changes", "duties").isEmpty)
            #expect(next.list("changes", "completions").map { $0.text("note") } == ["done"])
            #expect(!next.list("changes", "occurrences").isEmpty)
            #expect(try pull(next.whole("revision") ?? 0, as: session).list("changes", "completions").isEmpty)
        }
    }

    @Test func `who leaves hears that it is no more, who stays that somebody left, and who comes hears all`() throws {
        let duty = try bench.makeDuty()
        let joined = try bench.join(duty)
        let (anna, bert) = (try pull(as: bench.anna).whole("revision"), try pull(as: bench.bert).whole("revision"))
        let target = "/duties/\(duty.text("dutyId"))/members/\(DutyBench.member(joined, "Bert"))"
        try bench.call(.delete, target, as: bench.anna, 204)
        let left = try pull(try #require(bert), as: bench.bert)
        #expect(left.list("deleted") == [["entity": "duty", "dutyId": .string(duty.text("dutyId"))]])
        #expect(left.list("changes", "occurrences").isEmpty && left.list("changes", "members").isEmpty)
        let stayed = try pull(try #require(anna), as: bench.anna)
        #expect(stayed.list("changes", "members").map { $0.text("name") } == ["Bert"])
        #expect(!stayed.list("changes", "members")[0].text("leftAt").isEmpty)
        // A fresh device of his has nothing of it, and if he comes again he hears all.
        #expect(try pull(as: bench.bert).list("changes", "members").isEmpty)
        try bench.join(duty, name: "Bert again")
        let back = try pull(left.whole("revision") ?? 0, as: bench.bert)
        #expect(back.list("changes", "duties").count == 1 && back.list("changes", "members").count == 4)
        #expect(back.list("changes", "occurrences").count == 60 && back["reset"] == false)
    }

    @Test func `a duty that ended is no more for anybody`() throws {
        let duty = try bench.makeDuty()
        try bench.join(duty)
        let revisions = try [bench.anna, bench.bert].map { try pull(as: $0).whole("revision") ?? 0 }
        try bench.call(.delete, "/duties/\(duty.text("dutyId"))", as: bench.bert, 204)
        for (session, revision) in zip([bench.anna, bench.bert], revisions) {
            #expect(try pull(revision, as: session).list("deleted").map { $0.text("entity") } == ["duty"])
            let anew = try pull(as: session)
            #expect(anew.list("changes", "occurrences").isEmpty && anew.list("changes", "members").isEmpty)
        }
    }

    @Test func `a device makes a duty and ends an occurrence without a network, and hears what came of it`() throws {
        let occurrence = "33e2d87e-1d5c-5bd1-b9ef-b0a4a8e7c1ae"
        let first = try push([change(1, "duty", Self.made(#", {"name": "Carla"}"#))], "e-1", as: bench.anna)
        #expect(first.list("refused").isEmpty && first.list("applied").map { $0.text("id") } == ["1"])
        #expect(first.list("recomputed").count == 60)
        let id = first.list("recomputed")[0].text("occurrenceId")
        #expect(id != occurrence)
        let carla = try pull(as: bench.anna).list("changes", "members").first { $0.text("name") == "Carla" }
        let event = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        let end = change(
            2,
            "completion",
            #""completionId": "\#(event)", "occurrenceId": "\#(id)", "kind": "done", "by": "\#(carla?.text("memberId") ?? "")""#
        )
        let second = try push([end], "e-2", as: bench.anna)
        #expect(second.list("applied").first?["value"]?["status"] == "completed")
        // Carla has had her turn: all that follows has changed hands.
        #expect(second.list("recomputed").count == 60)
        // Again, and under another envelope.
        #expect(try push([end], "e-2", as: bench.anna).list("recomputed").isEmpty)
        #expect(try push([end], "e-3", as: bench.anna).list("applied").count == 1)
        let other = end.replacing("done", with: "skip")
        #expect(try push([other], "e-4", as: bench.anna).list("refused").map { $0.text("code") } == ["id_taken"])
        let late = change(
            5,
            "completion",
            at: "2026-03-02T08:30:00Z",
            #""completionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3302", "occurrenceId": "\#(id)", "kind": "skip""#
        )
        let lost = try push([late], "e-5", as: bench.anna)
        #expect(lost.list("conflicts").map { $0.text("winner") } == ["theirs"])
        #expect(lost.list("conflicts").first?["theirs"]?["status"] == "completed")
    }

    @Test func `another's ids are refused one by one, and nothing else of the envelope`() throws {
        _ = try push([change(1, "duty", Self.made())], "e-1", as: bench.anna)
        let before = try bench.read(["dutyId": .string(Self.dutyID)], as: bench.anna)
        let occurrence = DutyBench.occurrence(before, 0)
        let member = DutyBench.member(before, "Anna")
        let event = #""completionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "occurrenceId": "\#(occurrence)""#
        let answer = try push(
            [
                change(1, "duty", Self.made()), change(2, "duty", #""dutyId": "\#(Self.dutyID)", "deleted": true"#),
                change(3, "duty", #""dutyId": "\#(Self.dutyID)", "duty": {"title": "mine"}"#),
                change(4, "dutyMember", #""dutyId": "\#(Self.dutyID)", "memberId": "\#(member)", "name": "x""#),
                change(5, "dutyMember", #""dutyId": "\#(Self.dutyID)", "memberId": "\#(member)", "deleted": true"#),
                change(6, "completion", event + #", "kind": "done""#),
                change(7, "deniedActor", #""gitlabUserId": 5, "denied": true"#), change(8, "occurrence", #""x": 1"#),
            ],
            "e-1",
            as: bench.bert
        )
        #expect(
            answer.list("refused").map { $0.text("code") } == [
                "id_taken", "duty_not_found", "duty_not_found", "duty_not_found", "duty_not_found",
                "occurrence_not_found", "invalid_field",
            ]
        )
        #expect(answer.list("applied").map { $0.text("id") } == ["7"])
        #expect(try bench.read(["dutyId": .string(Self.dutyID)], as: bench.anna) == before)
    }

    @Test(arguments: [#""deleted": true"#, #""memberId": "MEMBER", "deleted": true"#])
    func `who leaves or ends a duty and does not get the answer is told the same again`(_ rest: String) throws {
        _ = try push([change(1, "duty", Self.made())], "e-1", as: bench.anna)
        let duty = try bench.read(["dutyId": .string(Self.dutyID)], as: bench.anna)
        let wish = rest.replacing("MEMBER", with: DutyBench.member(duty, "Anna"))
        let entity = rest.contains("MEMBER") ? "dutyMember" : "duty"
        let end = change(2, entity, #""dutyId": "\#(Self.dutyID)", "# + wish)
        let first = try push([end], "e-2", as: bench.anna)
        #expect(first.list("applied").count == 1)
        let again = try push([end], "e-2", as: bench.anna)
        #expect(again.list("applied") == first.list("applied") && again.list("refused").isEmpty)
        // Under another envelope it is about nothing that there is.
        #expect(try push([end], "e-3", as: bench.anna).list("refused").map { $0.text("code") } == ["duty_not_found"])
    }

    @Test func `of two changes of a duty the later stands, in whatever order they come`() throws {
        _ = try push([change(1, "duty", Self.made())], "e-1", as: bench.anna)
        func title(_ id: Int, _ title: String, _ time: String) -> String {
            change(id, "duty", at: time, #""dutyId": "\#(Self.dutyID)", "duty": {"title": "\#(title)"}"#)
        }
        _ = try push([title(2, "late", "2026-03-02T08:40:00Z")], "e-2", as: bench.anna)
        let early = try push([title(3, "early", "2026-03-02T08:30:00Z")], "e-3", as: bench.anna)
        #expect(early.list("conflicts").first?["theirs"]?["title"] == "late")
        #expect(try pull(as: bench.anna).list("changes", "duties").map { $0["title"] } == ["late"])
    }

    // MARK: Convergence

    /// What a device of either account may say, about few occurrences and few instants, so that much meets.
    private static func event(_ id: Int, _ duty: JSONValue, _ random: inout RandomStream) -> String {
        let time = ISO8601.text(
            WallTime(secondsSinceEpoch: 1_772_438_400 + Int64(random.next(below: 6)) * 1_000)
        )
        let occurrence = DutyBench.occurrence(duty, Int(random.next(below: 4)))
        let members = duty.list("members")
        let one = members[Int(random.next(below: UInt64(members.count)))].text("memberId")
        let name = "3f2504e0-4f89-41d3-9a0c-0305e82c\(4_000 + id)"
        let head = #"{"id": "\#(id)", "changedAt": "\#(time)", "occurrenceId": "\#(occurrence)", "entity": "#
        switch random.next(below: 3) {
        case 0: return head + #""reassignment", "reassignmentId": "\#(name)", "to": "\#(one)"}"#
        case 1: return head + #""completion", "completionId": "\#(name)", "kind": "skip"}"#
        default: return head + #""completion", "completionId": "\#(name)", "kind": "done", "by": "\#(one)"}"#
        }
    }

    private func state(_ duty: JSONValue, of bench: DutyBench) throws -> [JSONValue] {
        try [bench.anna, bench.bert].map { session in
            JSONValue.array(try bench.read(duty, as: session).list("occurrences"))
        }
    }

    @Test(arguments: 0..<8) func `any order and repetition of envelopes comes to one state`(seed: UInt64) throws {
        var expected: JSONValue?
        for order in 0..<3 {
            // The same ids in each run: what the server draws is drawn from one seed.
            let bench = try DutyBench()
            let duty = try bench.makeDuty(["Carla", "Dora"])
            let joined = try bench.join(duty)
            var random = RandomStream(seed: seed, stream: "events")
            let events = (0..<14).map { Self.event($0, joined, &random) }
            var shuffle = RandomStream(seed: seed * 10 + UInt64(order), stream: "order")
            var rest = events.enumerated().map { ($0.offset % 2, $0.element) }
            rest += rest.prefix(4)
            while !rest.isEmpty {
                let (account, event) = rest.remove(at: Int(shuffle.next(below: UInt64(rest.count))))
                let session = account == 0 ? bench.anna : bench.bert
                let id = "e-\(rest.count)"
                let body = #"{"baseRevision": 0, "clientChangeId": "\#(id)", "changes": [\#(event)]}"#
                let answer = try bench.call(.post, "/sync", body, as: session)
                #expect(answer.list("refused").isEmpty, "\(answer)")
            }
            let states = try state(duty, of: bench)
            #expect(states[0] == states[1])
            if let expected { #expect(states[0] == expected, "seed \(seed), order \(order)") }
            expected = states[0]
            let pulled = try bench.call(.get, "/sync?limit=1000", as: bench.bert).list("changes", "occurrences")
            #expect(Set(pulled.map { $0.text(indented: false) }) == Set(bench.list(states[0])))
        }
    }
}

extension DutyBench {
    fileprivate func list(_ value: JSONValue) -> [String] {
        guard case .array(let elements) = value else { return [] }
        return elements.map { $0.text(indented: false) }
    }
}
