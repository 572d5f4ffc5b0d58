import Duties
import FoundationEssentials
import Testing

@testable import NotifierKit

/// Duties on a device: what is asked and sent, and that it computes the turns that the server tells.
struct DutyTests {
    private static let id = "6f1d2c3a-0b4e-4d5f-8a6b-7c8d9e0f1a2b"
    private static let members = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"]

    private static func member(_ place: Int, isYou: Bool) -> String {
        """
        {"memberId":"\(members[place])","dutyId":"\(id)","name":"\(place)","position":\(place + 1),"hasAccount":\(isYou),\
        "isYou":\(isYou),"joinedAt":"2026-03-02T08:00:00.000Z","changedAt":"2026-03-02T08:00:00.000Z"}
        """
    }

    /// As the server tells it; the two occurrences are its own.
    private static let text = """
        {"dutyId":"\(id)","title":"Triage","everyDays":1,"startOn":"2026-03-02","timeOfDay":"14:30","timeZone":"UTC",\
        "leadHours":24,"mode":"alternate","escalates":false,"baseIndex":0,"baseQueue":[],\
        "changedAt":"2026-03-02T08:00:00.000Z","members":[\(member(0, isYou: true)),\(member(1, isYou: false))],\
        "occurrences":[{"occurrenceId":"cec3dbe3-7ace-5bbd-87e9-859bc0d62dc6","dutyId":"\(id)","index":0,\
        "dueAt":"2026-03-02T14:30:00.000Z","assignee":"\(members[0])","status":"pending"},\
        {"occurrenceId":"2b2637af-d9c8-5216-a767-73632ab208cf","dutyId":"\(id)","index":1,\
        "dueAt":"2026-03-03T14:30:00.000Z","assignee":"\(members[1])","status":"pending"}]}
        """

    @Test func `a device computes the turns that the server tells, without a network`() async throws {
        let device = try await SignedIn.make { _ in .json(200, #"{"duties":[\#(Self.text)]}"#) }
        let shared = try #require(try await device.client.duties().first)
        #expect(shared.ownMember?.name == "0" && shared.member(shared.occurrences[1].assignee)?.name == "1")
        let duty = try #require(shared.duty)
        let zone = try #require(SystemZone("UTC"))
        let engine = AssignmentEngine(duty: duty, events: DutyEvents(), zone: zone)
        let computed = engine.occurrences(before: 1_772_634_600)
        #expect(computed.map(\.id) == shared.occurrences.map(\.occurrenceId))
        #expect(computed.map(\.assignee) == shared.occurrences.map(\.assignee))
        let due = computed.map { Date.start.addingTimeInterval(Double($0.dueAt - 1_772_442_000)) }
        #expect(due == shared.occurrences.map(\.dueAt))
        // What it does meanwhile counts at once.
        var events = DutyEvents()
        let end = Completion(
            id: duty.id,
            occurrence: computed[0].id,
            by: computed[1].assignee ?? duty.id,
            at: 1,
            kind: .done
        )
        _ = events.take(end)
        let after = AssignmentEngine(duty: duty, events: events, zone: zone).occurrences(before: 1_772_634_600)
        #expect(after.map(\.assignee) == [computed[1].assignee, computed[0].assignee])
    }

    @Test func `who knows no zones decides the turns that the server has told, with what waits, and no others`() throws
    {
        let shared = try WireCoding.decode(SharedDuty.self, Data(Self.text.utf8))
        var copy = DutyCopy()
        copy.duties[shared.id] = shared
        for member in shared.members { copy.members[member.id] = member }
        for turn in shared.occurrences { copy.turns[turn.id] = turn }
        let zone = try #require(SystemZone("UTC"))
        let end = shared.occurrences[1].dueAt + 1
        #expect(copy.turns(of: shared.id) == shared.occurrences)
        let first = shared.occurrences[0]
        copy.apply(
            PendingChange(
                number: 1,
                wanted: .duty(.give(shared.id, of: first.id, to: shared.members[1].id)),
                changedAt: .start
            )
        )
        let turns = copy.turns(of: shared.id)
        #expect(turns == copy.turns(of: shared.id, zone: zone, before: end))
        #expect(turns.map(\.assignee) == [shared.members[1].id, shared.members[0].id])
        #expect(turns.map(\.decidedBy) == [shared.id, nil])
        copy.turns = [:]
        #expect(copy.turns(of: shared.id).isEmpty)
    }

    @Test func `what a newer server says is not computed wrongly`() async throws {
        let device = try await SignedIn.make { _ in
            .json(200, Self.text.replacing("alternate", with: "by-karma"))
        }
        let shared = try await device.client.duty(try #require(EntityID(Self.id)))
        #expect(shared.mode == "by-karma" && shared.duty == nil)
    }

    @Test func `a mute waits, the later takes its place, it shows at once, and goes with the duty`() throws {
        let shared = try WireCoding.decode(SharedDuty.self, Data(Self.text.utf8))
        var state = SyncState()
        state.copy.rota.duties[shared.id] = shared
        let (soon, late) = (Date.start.addingTimeInterval(60), Date.start.addingTimeInterval(90))
        for wish in [
            DutyWish.mute(shared.id, until: soon), .change(shared.id, DutyChanges()), .mute(shared.id, until: late),
        ] {
            _ = state.choose(.duty(wish), at: .start)
        }
        #expect(state.pending.map(\.wanted).last == .duty(.mute(shared.id, until: late)) && state.pending.count == 2)
        #expect(state.shown.rota.list.map(\.mutedUntil) == [late] && state.copy.rota.list.map(\.mutedUntil) == [nil])
        let held = SyncReceipt.Held.dutyMute(DutyMute(dutyId: shared.id, mutedUntil: soon))
        state.copy.take(held, after: state.pending[1])
        #expect(state.copy.rota.mutes == [shared.id: soon])
        _ = state.choose(.duty(.mute(shared.id, until: nil)), at: .start)
        #expect(state.shown.rota.mutes.isEmpty)
        state.copy.rota.forget(duty: shared.id)
        #expect(state.copy.rota.mutes.isEmpty && state.shown.rota.mutes.isEmpty)
    }

    @Test func `each call is the route's`() async throws {
        let id = try #require(EntityID(Self.id))
        let turn =
            #"{"occurrence":{"occurrenceId":"\#(Self.id)","dutyId":"\#(Self.id)","index":0,"#
            + #""dueAt":"2026-03-02T14:30:00.000Z","status":"completed"},"stands":true}"#
        let device = try await SignedIn.make { request in
            if request.target.contains("/occurrences/") { return .json(200, turn) }
            if request.target.hasSuffix("/invitations") {
                return .json(201, #"{"invitationCode":"K7M2QX","expiresAt":"2026-03-02T10:00:00.000Z"}"#)
            }
            if request.target.hasSuffix("/mute") { return .json(200, "{}") }
            return request.method == "DELETE" ? .success(.init(status: 204)) : .json(200, Self.text)
        }
        let client = device.client
        #expect(try await client.end(id, .done, id: id, at: .start, note: "n").occurrence.isOver)
        _ = try await client.end(id, .skip, id: id, at: .start)
        _ = try await client.give(id, to: id, id: id, at: .start)
        #expect(try await client.invite(to: id).invitationCode == "K7M2QX")
        _ = try await client.joinDuty(code: "k7m2qx", as: "Bert")
        _ = try await client.addMember(id, named: "Carla", to: id)
        try await client.removeMember(id, of: id)
        var changes = DutyChanges()
        changes.title = "x"
        _ = try await client.change(id, changes)
        _ = try await client.muteDuty(id, until: .start.addingTimeInterval(60))
        _ = try await client.unmuteDuty(id)
        try await client.endDuty(id)
        let new = NewDuty(
            id: id,
            title: "Triage",
            everyDays: 1,
            startOn: try #require(CivilDay("2026-03-02")),
            timeOfDay: "14:30",
            timeZone: "UTC",
            members: [NewDuty.Member(name: "Anna", isYou: true)]
        )
        _ = try await client.make(new)
        #expect(
            await device.transport.lines == [
                "POST /occurrences/\(Self.id)/complete", "POST /occurrences/\(Self.id)/skip",
                "POST /occurrences/\(Self.id)/reassign", "POST /duties/\(Self.id)/invitations", "POST /duties/join",
                "POST /duties/\(Self.id)/members", "DELETE /duties/\(Self.id)/members/\(Self.id)",
                "PATCH /duties/\(Self.id)", "POST /duties/\(Self.id)/mute", "DELETE /duties/\(Self.id)/mute",
                "DELETE /duties/\(Self.id)", "POST /duties",
            ]
        )
        #expect(
            await device.transport.requests.last?.text == """
                {"dutyId":"\(Self.id)","everyDays":1,"members":[{"isYou":true,"name":"Anna"}],"startOn":"2026-03-02",\
                "timeOfDay":"14:30","timeZone":"UTC","title":"Triage"}
                """
        )
    }
}
