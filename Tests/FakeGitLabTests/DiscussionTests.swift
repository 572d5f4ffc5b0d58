import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §9 discussions")
struct DiscussionTests {
    @Test func `threads stand in the order of their first note, a reply moves none`() throws {
        let fixture = try Fixture()
        let first = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "first").noteIDs[0]
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "second")
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        fixture.clock.advance(.hours(1))
        let path = try fixture.path(fixture.mergeRequest, "/discussions")
        #expect(try fixture.get(path).row(0)["individual_note"]?.bool == true)
        let reply = try fixture.gitLab.reply(by: "maria", on: fixture.mergeRequest, to: first, body: "a reply")
        let threads = try fixture.get(path).array
        #expect(threads.count == 3)
        expectFields(threads[0], ["id": "string", "individual_note": "bool", "notes": "array"])
        #expect(threads[0]["id"]?.string?.utf8.count == 40)
        #expect(threads[0]["individual_note"]?.bool == false)
        let notes = try #require(threads[0]["notes"]?.array)
        #expect(notes.compactMap { $0["id"]?.integer } == [first, reply.noteIDs[0]])
        #expect(notes.compactMap { $0["type"]?.string } == ["DiscussionNote", "DiscussionNote"])
        #expect(threads[2]["notes"]?.row(0)["system"]?.bool == true)
    }

    @Test func `replies are in the notes list as well`() throws {
        let fixture = try Fixture()
        let first = try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "first").noteIDs[0]
        try fixture.gitLab.reply(by: "maria", on: fixture.issue, to: first, body: "a reply")
        let notes = try fixture.get(fixture.path(fixture.issue, "/notes")).array
        #expect(notes.compactMap { $0["type"]?.string } == ["DiscussionNote", "DiscussionNote"])
    }

    @Test func `pages count threads, and unreadable threads are dropped after paging`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "secret", isInternal: true)
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "public")
        let path = try fixture.path(fixture.issue, "/discussions?per_page=1")
        let first = fixture.send(.get, path, as: "gast").response
        #expect(first.text == "[]")
        #expect(first.fields["X-Next-Page"] == "2")
        #expect(try fixture.get(path + "&page=2", as: "gast").array.count == 1)
    }

    @Test func `threads are started, answered and resolved over the API`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.mergeRequest, "/discussions")
        let created = fixture.send(.post, path, json: "{\"body\":\"why?\"}").response
        #expect(created.status == 201)
        let id = try #require(try created.json()["id"]?.string)
        let reply = fixture.send(.post, path + "/\(id)/notes", as: "omar", json: "{\"body\":\"because\"}").response
        #expect(reply.status == 201)
        #expect(try reply.json()["type"]?.string == "DiscussionNote")
        let resolved = fixture.send(.put, path + "/\(id)?resolved=true").response
        #expect(resolved.status == 200)
        #expect(try resolved.json()["notes"]?.array.compactMap { $0["resolved"]?.bool } == [true, true])
        #expect(try fixture.get(path + "/\(id)")["notes"]?.array.count == 2)
    }
}

@Suite("GitLab facts §10 resource events")
struct ResourceEventTests {
    static let head = [
        "id": "int", "user": "object", "created_at": "time", "resource_type": "string", "resource_id": "int",
    ]

    @Test func `state events have every field of the table`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.issue, "/resource_state_events")
        #expect(fixture.send(.get, path).response.text == "[]")
        try fixture.gitLab.close(by: "omar", on: fixture.issue, throughMergeRequest: fixture.mergeRequest)
        try fixture.gitLab.reopen(by: "maria", on: fixture.issue)
        let events = try fixture.get(path).array
        expectFields(
            events[0],
            Self.head.merging(["source_commit": "null", "source_merge_request_id": "int", "state": "string"]) { $1 }
        )
        #expect(events.compactMap { $0["state"]?.string } == ["closed", "reopened"])
        #expect(events[0]["user"]?["username"]?.string == "omar")
        #expect(events[1]["source_merge_request_id"]?.type == "null")
        let item = try fixture.get(fixture.path(fixture.issue))
        #expect(events[0]["resource_id"] == item["id"])
        #expect(events[0]["resource_type"]?.string == "Issue")
        #expect(try fixture.get(path + "/1")["state"]?.string == "closed")
        #expect(fixture.send(.get, path + "/9").response.text == "{\"message\":\"404 Not found\"}")
    }

    @Test func `merging makes a state event`() throws {
        let fixture = try Fixture()
        let activity = try fixture.gitLab.merge(by: "omar", on: fixture.mergeRequest)
        let events = try fixture.get(fixture.path(fixture.mergeRequest, "/resource_state_events")).array
        #expect(events[0]["state"]?.string == "merged")
        #expect(events[0]["id"]?.integer == activity.stateEventID)
    }

    @Test func `label events come several at one instant, and outlive their label`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["bug", "urgent"])
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, removing: ["urgent"])
        let path = try fixture.path(fixture.issue, "/resource_label_events")
        let events = try fixture.get(path).array
        expectFields(events[0], Self.head.merging(["label": "object", "action": "string"]) { $1 })
        expectFields(
            try #require(events[0]["label"]),
            ["id": "int", "name": "string", "color": "string", "description": "null"]
        )
        #expect(events[0]["created_at"] == events[1]["created_at"])
        #expect(events.compactMap { $0["action"]?.string } == ["add", "add", "remove"])
        try fixture.gitLab.deleteLabel("urgent")
        #expect(try fixture.get(path).array.map { $0["label"]?.type } == ["object", "null", "null"])
        #expect(try fixture.get(path + "/1")["id"]?.integer == 1)
    }

    @Test func `milestone events have every field of the table`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.setMilestone(by: "omar", on: fixture.issue, to: "v1")
        try fixture.gitLab.setMilestone(by: "omar", on: fixture.issue, to: nil)
        let path = try fixture.path(fixture.issue, "/resource_milestone_events")
        let events = try fixture.get(path).array
        expectFields(
            events[0],
            Self.head.merging(["milestone": "object", "action": "string", "state": "string"]) { $1 }
        )
        #expect(events.compactMap { $0["action"]?.string } == ["add", "remove"])
        #expect(try fixture.get(path + "/2")["action"]?.string == "remove")
    }

    @Test func `new rows are on the last page and sort is unknown (trap 14)`() throws {
        let fixture = try Fixture()
        for _ in 0..<60 {
            try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["bug"])
            try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, removing: ["bug"])
        }
        let path = try fixture.path(fixture.issue, "/resource_label_events?per_page=100&sort=desc")
        #expect(try fixture.ids(path) == Array(1...100))
        #expect(try fixture.ids(path + "&page=2") == Array(101...120))
    }

    @Test func `the four tables count for themselves (trap 12)`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x")
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["bug"])
        try fixture.gitLab.setMilestone(by: "omar", on: fixture.issue, to: "v1")
        try fixture.gitLab.close(by: "omar", on: fixture.issue)
        for rest in ["notes", "resource_label_events", "resource_milestone_events", "resource_state_events"] {
            #expect(try fixture.ids(fixture.path(fixture.issue, "/" + rest)) == [1], "\(rest)")
        }
    }
}
