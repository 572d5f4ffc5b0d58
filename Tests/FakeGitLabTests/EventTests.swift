import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §12 activity feed")
struct EventTests {
    static let fields = [
        "id": "int", "project_id": "int", "action_name": "string", "target_id": "int", "target_iid": "int",
        "target_type": "string", "target_title": "string", "author_id": "int", "author": "object",
        "author_username": "string", "created_at": "time", "imported": "bool", "imported_from": "string",
    ]

    private func events(_ fixture: Fixture, _ query: String = "", as person: String = "maria") throws -> [JSON] {
        try fixture.get("/projects/\(fixture.id())/events" + query, as: person).array
    }

    @Test func `a comment's event comes later and carries the note's id as iid (trap 19)`() throws {
        let fixture = try Fixture()
        for number in 1...3 { try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "note \(number)") }
        #expect(try events(fixture).isEmpty)
        fixture.clock.advance(.milliseconds(1_399))
        #expect(try events(fixture).isEmpty)
        fixture.clock.advance(.milliseconds(1))
        let event = try #require(try events(fixture).first)
        expectFields(event, Self.fields.merging(["note": "object"]) { $1 })
        #expect(event["action_name"]?.string == "commented on")
        #expect(event["target_type"]?.string == "Note")
        #expect(event["target_iid"]?.integer == 3)
        #expect(event["target_id"]?.integer == 3)
        #expect(event["target_title"]?.string == "Slow")
        #expect(event["note"]?["noteable_iid"]?.integer == 3)
        #expect(event["note"]?["noteable_type"]?.string == "Issue")
        #expect(event["created_at"]?.string == "2026-03-02T09:00:01.625Z")
    }

    @Test func `a comment's event gets its id when it is written, so the feed is in the order of time`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x")
        fixture.clock.advance(.milliseconds(500))
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        fixture.clock.advance(.seconds(2))
        let list = try events(fixture)
        #expect(list.compactMap { $0["action_name"]?.string } == ["commented on", "closed"])
        #expect(list.compactMap { $0["id"]?.integer } == [2, 1])
    }

    @Test func `a note deleted at once leaves no event`() throws {
        let fixture = try Fixture()
        let id = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x").noteIDs[0]
        try fixture.gitLab.deleteNote(by: "omar", on: fixture.issue, note: id)
        fixture.clock.advance(.seconds(2))
        #expect(try events(fixture).isEmpty)
    }

    @Test func `action names are words for people (trap 20)`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.close(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.reopen(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.push(by: "maria", to: fixture.mergeRequest, commits: ["a", "b"])
        try fixture.gitLab.merge(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.open(NewItem(project: "team/backend", kind: .issue, title: "New", author: "omar"))
        let names = try events(fixture, "?sort=asc").compactMap { $0["action_name"]?.string }
        #expect(names == ["closed", "opened", "approved", "pushed to", "accepted", "opened"])
        let push = try #require(try events(fixture, "?action=pushed").first)
        #expect(push["target_id"]?.type == "null")
        expectFields(
            try #require(push["push_data"]),
            [
                "commit_count": "int", "action": "string", "ref_type": "string", "commit_from": "string",
                "commit_to": "string", "ref": "string", "commit_title": "string", "ref_count": "null",
            ]
        )
        #expect(push["push_data"]?["ref"]?.string == "feature-7")
        #expect(push["push_data"]?["commit_title"]?.string == "b")
    }

    @Test func `labels, milestones, people and system notes make no events`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.mergeRequest, adding: ["bug"])
        try fixture.gitLab.setMilestone(by: "omar", on: fixture.mergeRequest, to: "v1")
        try fixture.gitLab.assign(by: "omar", on: fixture.mergeRequest, to: ["ines"])
        try fixture.gitLab.requestReview(by: "omar", on: fixture.mergeRequest, from: ["ines"])
        try fixture.gitLab.changeTitle(by: "omar", on: fixture.mergeRequest, to: "T")
        fixture.clock.advance(.seconds(10))
        #expect(try events(fixture).isEmpty)
    }

    @Test func `after and before are dates, exclusive, and a time is truncated (trap 18)`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        fixture.clock.advance(.days(1))
        try fixture.gitLab.reopen(by: "omar", on: fixture.issue)
        #expect(try events(fixture, "?after=2026-03-01").count == 2)
        #expect(try events(fixture, "?after=2026-03-02").count == 1)
        #expect(try events(fixture, "?after=2026-03-03T00:00:00Z").isEmpty)
        #expect(try events(fixture, "?before=2026-03-03").count == 1)
        #expect(try events(fixture, "?before=2026-03-02").isEmpty)
        let reply = fixture.send(.get, "/events?after=yesterday").response
        #expect(reply.status == 400)
        #expect(reply.text == "{\"error\":\"after is invalid\"}")
    }

    @Test func `days begin in the time zone of the instance`() throws {
        let fixture = try Fixture { $0.timeZoneOffsetSeconds = 7_200 }
        fixture.clock.advance(.hours(13) + .minutes(30))
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        #expect(try events(fixture, "?after=2026-03-02").count == 1)
        #expect(try events(fixture, "?after=2026-03-03").isEmpty)
    }

    @Test func `without a scope one's own events are listed`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        try fixture.gitLab.reopen(by: "maria", on: fixture.issue)
        #expect(try fixture.get("/events").array.compactMap { $0["author_username"]?.string } == ["maria"])
        #expect(try fixture.get("/users/2/events").array.compactMap { $0["author_username"]?.string } == ["omar"])
        #expect(try fixture.ids("/events?scope=all").count == 2)
        #expect(try fixture.ids("/events?scope=all", as: "eve").isEmpty)
    }

    @Test(arguments: [(Int?.some(20), 20, 10), (nil, 30, 20)])
    func `scope=all reaches the newest 20 rows only, before any filter`(cap: Int?, all: Int, comments: Int) throws {
        let fixture = try Fixture { $0.eventScopeAllCap = cap }
        for _ in 0..<20 { try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x") }
        fixture.clock.advance(.seconds(10))
        for _ in 0..<5 {
            try fixture.gitLab.close(by: "omar", on: fixture.issue)
            try fixture.gitLab.reopen(by: "omar", on: fixture.issue)
        }
        #expect(try fixture.ids("/events?scope=all&per_page=100").count == all)
        #expect(try fixture.ids("/events?scope=all&per_page=100&action=commented").count == comments)
        #expect(try events(fixture, "?per_page=100").count == 30)
    }

    @Test func `target_type note matches plain notes only`() throws {
        let fixture = try Fixture()
        let note = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "x").noteIDs[0]
        try fixture.gitLab.reply(by: "maria", on: fixture.mergeRequest, to: note, body: "y")
        try fixture.gitLab.diffNote(
            by: "omar",
            on: fixture.mergeRequest,
            body: "z",
            position: DiffPosition(path: "a", line: 1)
        )
        fixture.clock.advance(.seconds(5))
        #expect(try events(fixture, "?target_type=note").count == 1)
        let types = try events(fixture, "?action=commented&sort=asc").compactMap { $0["target_type"]?.string }
        #expect(types == ["Note", "DiscussionNote", "DiffNote"])
    }

    @Test func `an edited note shows in the event that was listed before`() throws {
        let fixture = try Fixture()
        let note = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "old").noteIDs[0]
        fixture.clock.advance(.seconds(5))
        #expect(try events(fixture)[0]["note"]?["body"]?.string == "old")
        try fixture.gitLab.editNote(by: "omar", on: fixture.issue, note: note, body: "new")
        #expect(try events(fixture)[0]["note"]?["body"]?.string == "new")
    }

    @Test func `what one cannot see is dropped after paging`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        try fixture.gitLab.setConfidential(by: "omar", on: fixture.issue, true)
        let reply = fixture.send(.get, "/projects/\(try fixture.id())/events", as: "gast").response
        #expect(reply.text == "[]")
        #expect(reply.fields["X-Total"] == "1")
    }
}
