import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("GitLab facts §7.1 single item")
struct ItemTests {
    static let common: [String: String] = [
        "id": "int", "iid": "int", "project_id": "int", "title": "string", "description": "null/string",
        "state": "string", "created_at": "time", "updated_at": "time", "closed_at": "null/time",
        "closed_by": "null/object", "author": "object", "assignees": "array", "assignee": "null/object",
        "labels": "array", "milestone": "null/object", "user_notes_count": "int", "upvotes": "int", "downvotes": "int",
        "discussion_locked": "null", "web_url": "string", "references": "object", "time_stats": "object",
        "task_completion_status": "object", "imported": "bool", "imported_from": "string",
    ]
    static let issue: [String: String] = [
        "type": "string", "issue_type": "string", "confidential": "bool", "merge_requests_count": "int",
        "due_date": "null/date", "moved_to_id": "null/int", "has_tasks": "bool", "task_status": "string",
        "severity": "string", "_links": "object",
    ]
    static let mergeRequest: [String: String] = [
        "source_project_id": "int", "target_project_id": "int", "source_branch": "string", "target_branch": "string",
        "draft": "bool", "work_in_progress": "bool", "prepared_at": "time", "merged_at": "null/time",
        "merge_after": "null", "reviewers": "array", "merge_user": "null/object", "merged_by": "null/object",
        "merge_status": "string", "detailed_merge_status": "string", "sha": "string",
        "merge_commit_sha": "null/string", "squash_commit_sha": "null", "should_remove_source_branch": "null",
        "force_remove_source_branch": "null", "has_conflicts": "bool", "blocking_discussions_resolved": "bool",
        "squash": "bool", "squash_on_merge": "bool", "merge_when_pipeline_succeeds": "bool", "reference": "string",
    ]
    static let singleMergeRequest: [String: String] = [
        "subscribed": "bool", "changes_count": "string", "head_pipeline": "null/object", "pipeline": "null/object",
        "latest_build_started_at": "null/time", "latest_build_finished_at": "null/time",
        "first_deployed_to_production_at": "null", "diff_refs": "object", "merge_error": "null", "user": "object",
    ]

    @Test func `an issue has every field of the table with its type`() throws {
        let fixture = try Fixture()
        let expected = Self.common.merging(Self.issue) { $1 }
        expectFields(
            try fixture.get(fixture.path(fixture.issue)),
            expected.merging(["subscribed": "bool"]) { $1 }
        )
        expectFields(try #require(try fixture.get("/issues?scope=all").array.first), expected)
    }

    @Test func `a merge request has every field of the table with its type`() throws {
        let fixture = try Fixture()
        let expected = Self.common.merging(Self.mergeRequest) { $1 }
        expectFields(
            try fixture.get(fixture.path(fixture.mergeRequest)),
            expected.merging(Self.singleMergeRequest) { $1 }
        )
        expectFields(try #require(try fixture.get("/merge_requests?scope=all").array.first), expected)
    }

    @Test func `fields that came later are absent before`() throws {
        let fixture = try Fixture(version: GitLabVersion(15, 0))
        let keys = try fixture.get(fixture.path(fixture.mergeRequest)).keys
        for name in ["detailed_merge_status", "prepared_at", "imported"] { #expect(!keys.contains(name), "\(name)") }
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x")
        let note = try fixture.get(fixture.path(fixture.issue, "/notes")).row(0)
        #expect(!note.keys.contains("project_id") && !note.keys.contains("imported"))
        #expect(note["author"]?.keys.contains("locked") == false)
    }

    @Test func `a merged merge request tells by whom and when`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.merge(by: "omar", on: fixture.mergeRequest)
        let item = try fixture.get(fixture.path(fixture.mergeRequest))
        #expect(item["state"]?.string == "merged")
        #expect(item["merge_user"]?["username"]?.string == "omar")
        #expect(item["merged_at"]?.type == "time")
        #expect(item["merge_commit_sha"]?.string?.count == 40)
        #expect(item["detailed_merge_status"]?.string == "not_open")
    }

    @Test func `a closed issue tells by whom, and moving names the successor (trap 23)`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.moveIssue(by: "omar", on: fixture.issue, to: "team/other")
        let item = try fixture.get(fixture.path(fixture.issue))
        #expect(item["state"]?.string == "closed")
        #expect(item["closed_by"]?["username"]?.string == "omar")
        let successor = try fixture.get("/projects/\(try fixture.id("team/other"))/issues/1", as: "omar")
        #expect(item["moved_to_id"] == successor["id"])
        let notes = try fixture.get(fixture.path(fixture.issue, "/notes"), as: "omar")
        #expect(notes.array.first?["body"]?.string == "moved to other#1")
    }

    @Test func `a deleted item is not found, nor anything on it`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "hi @maria")
        _ = try fixture.get(fixture.path(fixture.issue))
        try fixture.gitLab.deleteItem(by: "omar", on: fixture.issue)
        for rest in ["", "/notes", "/resource_state_events"] {
            let reply = fixture.send(.get, try fixture.path(fixture.issue, rest)).response
            #expect(reply.text == "{\"message\":\"404 Not found\"}")
        }
        #expect(try fixture.ids("/todos").isEmpty)
        #expect(try fixture.ids("/issues?scope=all").isEmpty)
    }

    @Test func `head_pipeline is there for those who may read pipelines`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.finishPipeline(on: fixture.mergeRequest, status: .failed)
        let item = try fixture.get(fixture.path(fixture.mergeRequest))
        #expect(item["head_pipeline"]?["status"]?.string == "failed")
        #expect(item["head_pipeline"]?["ref"]?.string == "refs/merge-requests/7/head")
        #expect(item["head_pipeline"]?["detailed_status"]?["text"]?.string == "failed")
    }

    private func updatedAt(_ fixture: Fixture, _ item: ItemReference) throws -> String? {
        try fixture.get(fixture.path(item))["updated_at"]?.string
    }

    @Test func `a note touches its item at most once a minute`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "one")
        #expect(try updatedAt(fixture, fixture.issue) == "2026-03-02T09:00:00.225Z")
        fixture.clock.advance(.seconds(60))
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "two")
        #expect(try updatedAt(fixture, fixture.issue) == "2026-03-02T09:00:00.225Z")
        #expect(try fixture.get(fixture.path(fixture.issue))["user_notes_count"]?.integer == 2)
        fixture.clock.advance(.milliseconds(1))
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "three")
        #expect(try updatedAt(fixture, fixture.issue) == "2026-03-02T09:01:00.226Z")
    }

    @Test func `a real edit is not throttled, a cross reference touches nothing`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.changeTitle(by: "omar", on: fixture.issue, to: "Slower")
        fixture.clock.advance(.seconds(10))
        try fixture.gitLab.changeLabels(by: "omar", on: fixture.issue, adding: ["bug"])
        #expect(try updatedAt(fixture, fixture.issue) == "2026-03-02T09:00:10.225Z")
        fixture.clock.advance(.hours(1))
        try fixture.gitLab.crossReference(by: "omar", on: fixture.issue, from: fixture.mergeRequest)
        #expect(try updatedAt(fixture, fixture.issue) == "2026-03-02T09:00:10.225Z")
    }

    /// An approval and a push are no edits of the merge request's row: their notes touch it.
    @Test func `an approval and a push within a minute of a touch move nothing`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "one")
        let touched = try updatedAt(fixture, fixture.mergeRequest)
        fixture.clock.advance(.seconds(30))
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.push(by: "omar", to: fixture.mergeRequest, commits: ["Fix"])
        #expect(try updatedAt(fixture, fixture.mergeRequest) == touched)
        fixture.clock.advance(.seconds(31))
        try fixture.gitLab.unapprove(by: "omar", on: fixture.mergeRequest)
        #expect(try updatedAt(fixture, fixture.mergeRequest) == "2026-03-02T09:01:01.225Z")
    }

    @Test func `the count of notes leaves system notes out`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        #expect(try fixture.get(fixture.path(fixture.mergeRequest))["user_notes_count"]?.integer == 0)
    }
}

@Suite("GitLab facts §7.2 lists of items")
struct ItemListTests {
    private func makeFixture(_ version: GitLabVersion = GitLabVersion(17, 11)) throws -> Fixture {
        let fixture = try Fixture(version: version)
        for (iid, author) in [(8, "omar"), (9, "maria")] as [(Int64, String)] {
            fixture.clock.advance(.minutes(10))
            try fixture.gitLab.addItem(
                NewItem(
                    project: "team/backend",
                    kind: .mergeRequest,
                    iid: iid,
                    title: "MR \(iid)",
                    author: author,
                    assignees: ["ines"],
                    reviewers: ["maria"],
                    labels: iid == 8 ? ["bug"] : []
                )
            )
        }
        return fixture
    }

    private func iids(_ fixture: Fixture, _ path: String, as person: String = "maria") throws -> [Int64] {
        try fixture.get(path, as: person).array.compactMap { $0["iid"]?.integer }
    }

    @Test(arguments: [
        ("", [9, 7]), ("?scope=created_by_me", [9, 7]), ("?scope=all", [9, 8, 7]), ("?scope=assigned_to_me", []),
        ("?scope=all&sort=asc", [7, 8, 9]), ("?scope=all&state=opened", [9, 8, 7]), ("?scope=all&state=merged", []),
        ("?scope=all&author_username=omar", [8]), ("?scope=all&author_id=2", [8]),
        ("?scope=all&assignee_username=ines", [9, 8]), ("?scope=all&assignee_id=None", []),
        ("?scope=all&reviewer_username=maria", [9, 8]), ("?scope=all&reviewer_id=None", [7]),
        ("?scope=all&labels=bug", [8]), ("?scope=all&iids[]=7&iids[]=8", [8, 7]),
        ("?scope=all&created_after=2026-03-02T09:10:00Z", [9, 8]),
        ("?scope=all&updated_after=2026-03-02T09:10:00.225900Z", [9, 8]),
        ("?scope=all&updated_after=2026-03-02T09:10:00.226Z", [9]),
        ("?scope=all&updated_after=2026-03-02T11:20:00%2B02:00", [9]),
        ("?scope=all&updated_before=2026-03-02T09:00:00Z", [7]), ("?scope=all&order_by=title&sort=asc", [7, 8, 9]),
    ])
    func `parameters select and order`(query: String, expected: [Int64]) throws {
        #expect(try iids(makeFixture(), "/merge_requests" + query) == expected)
    }

    @Test func `a project's list shows all authors`() throws {
        let fixture = try makeFixture()
        #expect(try iids(fixture, "/projects/\(fixture.id())/merge_requests") == [9, 8, 7])
        #expect(try iids(fixture, "/projects/\(fixture.id("team/other"))/merge_requests", as: "omar").isEmpty)
    }

    @Test(arguments: [(GitLabVersion(18, 3), 400), (GitLabVersion(18, 4), 200)])
    func `reviews_for_me is known from 18.4 on`(version: GitLabVersion, status: Int) throws {
        let reply = try makeFixture(version).send(.get, "/merge_requests?scope=reviews_for_me").response
        #expect(reply.status == status)
        if status == 200 { #expect(try reply.json().array.count == 2) }
    }

    @Test func `updated_after finds what a comment touched, most recent first`() throws {
        let fixture = try makeFixture()
        let path = "/merge_requests?scope=all&order_by=updated_at&updated_after="
        fixture.clock.advance(.minutes(10))
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "x")
        #expect(try iids(fixture, path + "2026-03-02T09:25:00Z") == [7])
        #expect(try iids(fixture, path + "2026-03-02T09:15:00Z") == [7, 9])
    }

    @Test func `an unchanged list of what moved since an instant is answered with 304, a throttled comment changes it`()
        throws
    {
        let fixture = try makeFixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "x")
        let query = "order_by=updated_at&updated_after=2026-03-02T09:20:00Z&iids%5B%5D=\(fixture.issue.iid)"
        let path = "/projects/\(try fixture.id())/issues?\(query)"
        let first = fixture.send(.get, path).response
        let tag = try #require(first.fields["ETag"])
        #expect(first.status == 200)
        #expect(fixture.send(.get, path, fields: ["If-None-Match": tag]).response.status == 304)
        fixture.clock.advance(.seconds(20))
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "y")
        let second = fixture.send(.get, path, fields: ["If-None-Match": tag]).response
        #expect(second.status == 200)
        #expect(try second.json().row(0)["user_notes_count"]?.integer == 2)
    }

    @Test func `a project's list keeps rows of merge requests, in which a throttled comment does not count`() throws {
        let fixture = try makeFixture()
        let path = "/projects/\(try fixture.id())/merge_requests?iids%5B%5D=\(fixture.mergeRequest.iid)"
        func counted(_ path: String, as person: String = "maria") throws -> Int64? {
            try fixture.send(.get, path, as: person).response.json().row(0)["user_notes_count"]?.integer
        }
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "x")
        #expect(try counted(path) == 1)
        fixture.clock.advance(.seconds(20))
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "y")
        #expect(try counted(path) == 1)
        #expect(try counted(path, as: "omar") == 2, "who had not asked before")
        #expect(try counted("/merge_requests?scope=all&iids%5B%5D=\(fixture.mergeRequest.iid)") == 2)
        #expect(try fixture.get(fixture.path(fixture.mergeRequest))["user_notes_count"]?.integer == 2)
        fixture.clock.advance(.seconds(60))
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "z")
        #expect(try counted(path) == 3)
        try fixture.gitLab.react(by: "omar", on: fixture.mergeRequest)
        fixture.clock.advance(.hours(9))
        #expect(try counted(path) == 3)
    }

    @Test(arguments: [
        ("/merge_requests?reviewer_id=maria", "reviewer_id should be an integer, none, or any, however got maria"),
        ("/issues?assignee_id=me", "assignee_id should be an integer, none, or any, however got me"),
        ("/issues?author_id=omar", "author_id is invalid"),
        ("/issues?state=merged", "state does not have a valid value"),
        ("/issues?scope=reviews_for_me", "scope does not have a valid value"),
        ("/issues?updated_before=soon", "updated_before is invalid"),
        ("/issues?order_by=merged_at", "order_by does not have a valid value"),
    ])
    func `a filter with a bad value is refused (GitLab facts §1, §7.2)`(_ path: String, _ text: String) throws {
        let reply = try makeFixture().send(.get, path)
        #expect(reply.response.status == 400)
        #expect(reply.response.text == "{\"error\":\"\(text)\"}")
    }

    @Test func `exclusive parameters exclude each other`() throws {
        let reply = try makeFixture().send(.get, "/merge_requests?author_id=1&author_username=omar")
        #expect(reply.response.status == 400)
        #expect(reply.response.text == "{\"error\":\"author_id, author_username are mutually exclusive\"}")
    }

    @Test func `labels come with details when asked for`() throws {
        let fixture = try makeFixture()
        let item = try fixture.get("/merge_requests?scope=all&labels=bug&with_labels_details=true").row(0)
        #expect(item["labels"]?.row(0)["name"]?.string == "bug")
        #expect(try fixture.get("/merge_requests?scope=all&labels=bug").row(0)["labels"]?.array == [.string("bug")])
    }

    @Test func `what one may not see is not listed`() throws {
        let fixture = try makeFixture()
        #expect(try iids(fixture, "/merge_requests?scope=all", as: "eve").isEmpty)
        #expect(try iids(fixture, "/merge_requests?scope=all", as: "gast").isEmpty)
    }
}
