import FakeGitLab
import HTTP
import Platform
import Testing

@Suite("Supplement §1.2 sub-resources of merge requests")
struct DiffTests {
    @Test func `versions are newest first and name the merge request by its global id`() throws {
        let fixture = try Fixture { $0.largeIDs = true }
        fixture.clock.advance(.minutes(1))
        try fixture.gitLab.push(by: "maria", to: fixture.mergeRequest, commits: ["Fix typo", "Add test"])
        let path = try fixture.path(fixture.mergeRequest, "/versions")
        let versions = try fixture.get(path)
        #expect(versions.array.count == 2)
        for version in versions.array {
            expectFields(
                version,
                [
                    "id": "int", "head_commit_sha": "string", "base_commit_sha": "string",
                    "start_commit_sha": "string", "created_at": "time", "merge_request_id": "int",
                    "state": "string", "real_size": "string", "patch_id_sha": "string",
                ]
            )
        }
        let request = try fixture.get(fixture.path(fixture.mergeRequest))
        #expect(versions.row(0)["merge_request_id"] == request["id"])
        #expect(versions.row(0)["head_commit_sha"] == request["sha"])
        let base = try #require(request["diff_refs"]?["base_sha"]?.string)
        #expect(base.utf8.count == 40)
        for version in versions.array {
            #expect(version["base_commit_sha"]?.string == base && version["start_commit_sha"]?.string == base)
            #expect(version["head_commit_sha"]?.string != base, "the branch has left its target")
        }
        #expect(request["diff_refs"]?["start_sha"]?.string == base)
        #expect(request["diff_refs"]?["head_sha"] == request["sha"])
        let ids = try fixture.ids(path)
        #expect(ids[0] > ids[1])
        let one = try fixture.get("\(path)/\(ids[0])")
        #expect(one["commits"]?.array.count == 3)
        #expect(try fixture.get("\(path)/\(ids[1])")["commits"]?.array.count == 1, "before the push")
        #expect(one["diffs"]?.array.count == 1)
        #expect(fixture.send(.get, path + "/1").response.status == 404)
    }

    @Test func `commits are newest first, in the committer's own time zone`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.push(by: "omar", to: fixture.mergeRequest, commits: ["Fix typo", "Add test"])
        let commits = try fixture.get(fixture.path(fixture.mergeRequest, "/commits"))
        #expect(commits.array.map { $0["title"]?.string } == ["Add test", "Fix typo", "Add cache"])
        expectFields(
            commits.row(0),
            [
                "id": "string", "short_id": "string", "created_at": "time", "parent_ids": "array", "title": "string",
                "message": "string", "author_name": "string", "author_email": "string", "authored_date": "time",
                "committer_name": "string", "committer_email": "string", "committed_date": "time",
                "trailers": "object", "extended_trailers": "object", "web_url": "string",
            ]
        )
        #expect(commits.row(0)["committed_date"]?.string == "2026-03-02T04:00:00.225-05:00")
        #expect(commits.row(0)["id"] == (try fixture.get(fixture.path(fixture.mergeRequest))["sha"]))
    }

    @Test(arguments: [("page=0&per_page=2", 2), ("per_page=0", 3), ("per_page=-1", 3), ("per_page=1000", 3)])
    func `the list of commits forgives a page that is none`(query: String, count: Int) throws {
        let fixture = try Fixture()
        try fixture.gitLab.push(by: "omar", to: fixture.mergeRequest, commits: ["a", "b"])
        #expect(try fixture.get(fixture.path(fixture.mergeRequest, "/commits?" + query)).array.count == count)
    }

    @Test(arguments: ItemKind.allCases)
    func `participants are author, assignees and those who take part, once each`(kind: ItemKind) throws {
        let fixture = try Fixture()
        let item = kind == .issue ? fixture.issue : fixture.mergeRequest
        try fixture.gitLab.comment(by: "maria", on: item, body: "cc @ines and @maria")
        let names = try fixture.get(fixture.path(item, "/participants")).array.map { $0["username"]?.string }
        #expect(names == (kind == .issue ? ["ines", "maria"] : ["maria", "omar", "ines"]))
    }

    @Test func `a reviewer's state follows the review`() throws {
        let fixture = try Fixture()
        let path = try fixture.path(fixture.mergeRequest, "/reviewers")
        #expect(try fixture.get(path).array.isEmpty)
        try fixture.gitLab.requestReview(by: "maria", on: fixture.mergeRequest, from: ["omar"])
        func state() throws -> String? { try fixture.get(path).row(0)["state"]?.string }
        expectFields(try fixture.get(path).row(0), ["user": "object", "state": "string", "created_at": "time"])
        #expect(try state() == "unreviewed")
        try fixture.gitLab.publishReview(by: "omar", on: fixture.mergeRequest, bodies: ["Why?"])
        #expect(try state() == "reviewed")
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        #expect(try state() == "approved")
        try fixture.gitLab.unapprove(by: "omar", on: fixture.mergeRequest)
        #expect(try state() == "unapproved")
        try fixture.gitLab.requestReview(by: "maria", on: fixture.mergeRequest, from: ["omar"])
        #expect(try state() == "unreviewed")
        try fixture.gitLab.removeReviewRequest(by: "maria", on: fixture.mergeRequest, from: ["omar"])
        #expect(try fixture.get(path).array.isEmpty)
    }
}
