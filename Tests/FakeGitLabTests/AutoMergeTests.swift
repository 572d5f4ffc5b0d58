import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Supplement §3, §4: auto-merge and conflicts")
struct AutoMergeTests {
    private func armed(version: GitLabVersion = GitLabVersion(17, 11)) throws -> Fixture {
        let fixture = try Fixture(version: version)
        try fixture.gitLab.finishPipeline(on: fixture.mergeRequest, status: .running)
        try fixture.gitLab.enableAutoMerge(by: "omar", on: fixture.mergeRequest)
        return fixture
    }

    private func mergeRequest(_ fixture: Fixture) throws -> JSON { try fixture.get(fixture.path(fixture.mergeRequest)) }

    private func notes(_ fixture: Fixture) throws -> [String] {
        try fixture.get(fixture.path(fixture.mergeRequest, "/notes?sort=asc")).array.compactMap { $0["body"]?.string }
    }

    @Test func `an armed merge request names who armed it, and is open still`() throws {
        let fixture = try armed()
        let item = try mergeRequest(fixture)
        #expect(item["state"]?.string == "opened")
        #expect(item["merge_when_pipeline_succeeds"]?.bool == true)
        #expect(item["merge_user"]?["username"]?.string == "omar")
        #expect(item["merged_by"] == .null)
        let sha = try #require(item["sha"]?.string)
        #expect(try notes(fixture) == ["enabled an automatic merge when all merge checks for \(sha) pass"])
        let older = try armed(version: GitLabVersion(16, 1))
        let head = try #require(mergeRequest(older)["sha"]?.string)
        #expect(try notes(older) == ["enabled an automatic merge when the pipeline for \(head) succeeds"])
    }

    @Test func `it is merged in the name of who armed it (trap 30)`() throws {
        let fixture = try armed()
        try fixture.gitLab.finishPipeline(on: fixture.mergeRequest, status: .success)
        let item = try mergeRequest(fixture)
        #expect(item["state"]?.string == "merged")
        #expect(item["merged_by"]?["username"]?.string == "omar")
        let events = try fixture.get(fixture.path(fixture.mergeRequest, "/resource_state_events"))
        #expect(events.row(0)["user"]?["username"]?.string == "omar")
        let kinds: [Activity.Kind] = [.pipelineFinished, .autoMergeEnabled, .pipelineFinished, .merged]
        #expect(fixture.gitLab.ledger.map(\.kind) == kinds)
        #expect(fixture.gitLab.ledger.last?.actor.username == "omar")
    }

    @Test func `a draft waits until it is ready`() throws {
        let fixture = try armed()
        try fixture.gitLab.setDraft(by: "maria", on: fixture.mergeRequest, true)
        try fixture.gitLab.finishPipeline(on: fixture.mergeRequest, status: .success)
        #expect(try mergeRequest(fixture)["state"]?.string == "opened")
        try fixture.gitLab.setDraft(by: "maria", on: fixture.mergeRequest, false)
        #expect(try mergeRequest(fixture)["merged_by"]?["username"]?.string == "omar")
    }

    @Test func `a push takes it back, in the pusher's name and as a note of its own`() throws {
        let fixture = try armed()
        let push = try fixture.gitLab.push(by: "maria", to: fixture.mergeRequest, commits: ["a"])
        #expect(push.noteIDs.count == 1)
        #expect(try notes(fixture).last == "aborted the automatic merge because source branch was updated")
        #expect(fixture.gitLab.ledger.last?.kind == .autoMergeAborted)
        #expect(fixture.gitLab.ledger.last?.actor.username == "maria")
        try fixture.gitLab.finishPipeline(on: fixture.mergeRequest, status: .success)
        #expect(try mergeRequest(fixture)["state"]?.string == "opened")
        #expect(try mergeRequest(fixture)["merge_user"] == .null)
    }

    @Test func `a close takes it back, and a blocked person merges nothing`() throws {
        let closed = try armed()
        try closed.gitLab.close(by: "maria", on: closed.mergeRequest)
        #expect(try notes(closed).last == "aborted the automatic merge because merge request was closed")
        let blocked = try armed()
        try blocked.gitLab.setAccountState(of: "omar", to: .blocked)
        try blocked.gitLab.finishPipeline(on: blocked.mergeRequest, status: .success)
        #expect(try mergeRequest(blocked)["state"]?.string == "opened")
    }

    @Test func `it needs a pipeline that runs, and can be armed once`() throws {
        let fixture = try Fixture()
        #expect(throws: FakeGitLabError.self) {
            try fixture.gitLab.enableAutoMerge(by: "omar", on: fixture.mergeRequest)
        }
        let armed = try armed()
        #expect(throws: FakeGitLabError.self) {
            try armed.gitLab.enableAutoMerge(by: "maria", on: armed.mergeRequest)
        }
    }

    @Test func `conflicts are told to the author and to who armed it, until a push`() throws {
        let fixture = try armed()
        let activity = try fixture.gitLab.reportUnmergeable(fixture.mergeRequest)
        #expect(activity.todos.map(\.person) == ["maria", "omar"])
        #expect(activity.todos.allSatisfy { $0.action == .unmergeable })
        var item = try mergeRequest(fixture)
        #expect(item["has_conflicts"]?.bool == true)
        #expect(item["merge_status"]?.string == "cannot_be_merged")
        #expect(item["detailed_merge_status"]?.string == "conflict")
        try fixture.gitLab.finishPipeline(on: fixture.mergeRequest, status: .success)
        #expect(try mergeRequest(fixture)["state"]?.string == "opened")
        #expect(throws: FakeGitLabError.self) { try fixture.gitLab.merge(by: "omar", on: fixture.mergeRequest) }
        try fixture.gitLab.push(by: "maria", to: fixture.mergeRequest, commits: ["a"])
        item = try mergeRequest(fixture)
        #expect(item["detailed_merge_status"]?.string == "mergeable")
    }
}
