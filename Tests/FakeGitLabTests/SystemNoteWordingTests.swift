import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Supplement §3: system notes by release")
struct SystemNoteWordingTests {
    private func bodies(_ fixture: Fixture, _ item: ItemReference, as person: String = "maria") throws -> [String] {
        try fixture.get(fixture.path(item, "/notes?sort=asc"), as: person).array.filter { $0["system"]?.bool == true }
            .compactMap { $0["body"]?.string }
    }

    @Test(arguments: [
        ("Fix old", "Fix new", "**Fix {-old-}** to **Fix {+new+}**"), ("Fix", "Fix it", "**Fix** to **Fix{+ it+}**"),
        ("aa", "a", "**a{-a-}** to **a**"), ("abab", "ab", "**ab{-ab-}** to **ab**"),
        ("A", "B", "**{-A-}** to **{+B+}**"), ("🏳️‍🌈 x", "🏳️‍🌈 y", "**🏳️‍🌈 {-x-}** to **🏳️‍🌈 {+y+}**"),
    ])
    func `a changed title marks the stretch that differs`(old: String, new: String, words: String) throws {
        let fixture = try Fixture()
        try fixture.gitLab.changeTitle(by: "omar", on: fixture.issue, to: old)
        try fixture.gitLab.changeTitle(by: "omar", on: fixture.issue, to: new)
        #expect(try bodies(fixture, fixture.issue).last == "changed title from \(words)")
    }

    @Test func `from 18 on it does so in HTML`() throws {
        let fixture = try Fixture(version: GitLabVersion(18, 0))
        try fixture.gitLab.changeTitle(by: "omar", on: fixture.issue, to: "Slow <b> & \"co\"")
        #expect(
            try bodies(fixture, fixture.issue) == [
                "<p>changed title from <code class=\"idiff\">Slow</code> to <code class=\"idiff\">Slow"
                    + "<span class=\"idiff left right addition\"> &lt;b&gt; &amp; &quot;co&quot;</span></code></p>"
            ]
        )
    }

    @Test func `a mark in the title makes a draft, and is no change of the title by itself`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.changeTitle(by: "maria", on: fixture.mergeRequest, to: "[Draft] Add cache")
        #expect(try bodies(fixture, fixture.mergeRequest) == ["marked this merge request as **draft**"])
        try fixture.gitLab.changeTitle(by: "maria", on: fixture.mergeRequest, to: "Add a cache")
        #expect(try fixture.get(fixture.path(fixture.mergeRequest))["title"]?.string == "Draft: Add a cache")
        #expect(try bodies(fixture, fixture.mergeRequest).count == 2)
        #expect(try fixture.get(fixture.path(fixture.mergeRequest))["draft"]?.bool == true)
    }

    @Test func `people are joined as a sentence`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.assign(by: "omar", on: fixture.issue, to: ["maria", "ines", "omar"])
        try fixture.gitLab.unassign(by: "omar", on: fixture.issue, from: ["maria", "ines"])
        #expect(
            try bodies(fixture, fixture.issue) == [
                "assigned to @maria, @ines, and @omar", "unassigned @maria and @ines",
            ]
        )
    }

    @Test(arguments: [(GitLabVersion(15, 11), 1, ""), (GitLabVersion(16, 0), 0, " and removed approval")])
    func `another request for review takes the approval back`(version: GitLabVersion, left: Int, end: String) throws {
        let fixture = try Fixture(version: version)
        try fixture.gitLab.requestReview(by: "maria", on: fixture.mergeRequest, from: ["omar"])
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.requestReview(by: "maria", on: fixture.mergeRequest, from: ["omar"])
        #expect(try bodies(fixture, fixture.mergeRequest).last == "requested review from @omar" + end)
        let approvals = try fixture.get(fixture.path(fixture.mergeRequest, "/approvals"))
        #expect(approvals["approved_by"]?.array.count == left)
    }

    @Test func `who has approved and becomes a reviewer keeps the approval`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.approve(by: "omar", on: fixture.mergeRequest)
        try fixture.gitLab.requestReview(by: "maria", on: fixture.mergeRequest, from: ["omar"])
        #expect(try bodies(fixture, fixture.mergeRequest).last == "requested review from @omar")
        let approvals = try fixture.get(fixture.path(fixture.mergeRequest, "/approvals"))
        #expect(approvals["approved_by"]?.array.count == 1)
    }

    @Test(arguments: [
        (GitLabVersion(15, 0), "removed due date"), (GitLabVersion(17, 11), "removed due date March 9, 2026"),
    ])
    func `due dates come and go`(version: GitLabVersion, removed: String) throws {
        let fixture = try Fixture(version: version)
        let day = CivilDate(year: 2026, month: 3, day: 9)
        try fixture.gitLab.setDueDate(by: "omar", on: fixture.issue, to: day)
        try fixture.gitLab.setDueDate(by: "omar", on: fixture.issue, to: nil)
        #expect(try bodies(fixture, fixture.issue) == ["changed due date to March 9, 2026", removed])
        #expect(throws: FakeGitLabError.self) {
            try fixture.gitLab.setDueDate(by: "omar", on: fixture.issue, to: nil)
        }
    }

    @Test func `a reference in a comment is told to what it names, once`() throws {
        let fixture = try Fixture()
        let words = "See #3, and not `!7`; team/other#1 is none"
        let comment = try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: words)
        #expect(comment.noteIDs.count == 1)
        try fixture.gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "#3 again, #99, a#3, #3x")
        #expect(try bodies(fixture, fixture.issue) == ["mentioned in merge request !7"])
        #expect(fixture.gitLab.ledger.map(\.kind) == [.commented, .crossReferenced, .commented])
        let note = try fixture.get(fixture.path(fixture.issue, "/notes")).row(0)
        #expect(note["author"]?["username"]?.string == "omar")
        // Guests see no merge requests, so that they do not see who mentions one.
        #expect(try bodies(fixture, fixture.issue, as: "gast").isEmpty)
        #expect(try fixture.get(fixture.path(fixture.issue))["updated_at"]?.string == "2026-02-28T09:00:00.225Z")
    }

    @Test func `foreign ones carry the path, code and internal notes none`() throws {
        let fixture = try Fixture()
        let other = try fixture.gitLab.addItem(
            NewItem(project: "team/other", kind: .issue, title: "Far", author: "omar")
        )
        try fixture.gitLab.comment(by: "omar", on: other, body: "team/backend#3")
        #expect(try bodies(fixture, fixture.issue, as: "omar") == ["mentioned in issue other#1"])
        #expect(try bodies(fixture, fixture.issue, as: "maria").isEmpty)
        // Who may not read an item leaves nothing on it.
        try fixture.gitLab.comment(by: "maria", on: fixture.issue, body: "team/other#1")
        #expect(try bodies(fixture, other, as: "omar").isEmpty)
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "team/other#1")
        #expect(try bodies(fixture, other, as: "omar") == ["mentioned in issue backend#3"])
        let quiet = try Fixture()
        try quiet.gitLab.comment(by: "omar", on: quiet.mergeRequest, body: "#3", isInternal: true)
        try quiet.gitLab.comment(by: "omar", on: quiet.mergeRequest, body: "```\n#3\n```")
        #expect(try bodies(quiet, quiet.issue).isEmpty)
    }

    @Test func `descriptions and commits refer too`() throws {
        let fixture = try Fixture()
        let push = try fixture.gitLab.push(by: "maria", to: fixture.mergeRequest, commits: ["Closes #3"])
        #expect(push.systemNoteIDs.count == 1)
        let sha = try #require(try fixture.get(fixture.path(fixture.mergeRequest))["sha"]?.string)
        try fixture.gitLab.open(
            NewItem(project: "team/backend", kind: .issue, title: "New", author: "ines", description: "As #3")
        )
        #expect(try bodies(fixture, fixture.issue) == ["mentioned in commit \(sha)", "mentioned in issue #4"])
        let far = try fixture.gitLab.addItem(
            NewItem(project: "team/other", kind: .mergeRequest, title: "Far", author: "omar")
        )
        try fixture.gitLab.push(by: "omar", to: far, commits: ["Closes team/backend#3"])
        let farSHA = try #require(try fixture.get(fixture.path(far), as: "omar")["sha"]?.string)
        #expect(try bodies(fixture, fixture.issue, as: "omar").last == "mentioned in commit other@\(farSHA)")
    }

    @Test func `the last thread that is resolved says that all are`() throws {
        let fixture = try Fixture()
        let threads = try (1...2).map { line in
            try fixture.gitLab.diffNote(
                by: "omar",
                on: fixture.mergeRequest,
                body: "?",
                position: DiffPosition(path: "a", line: line)
            ).noteIDs[0]
        }
        try fixture.gitLab.resolveThread(by: "maria", on: fixture.mergeRequest, of: threads[0])
        #expect(try bodies(fixture, fixture.mergeRequest).isEmpty)
        let last = try fixture.gitLab.resolveThread(by: "maria", on: fixture.mergeRequest, of: threads[1])
        #expect(try bodies(fixture, fixture.mergeRequest) == ["resolved all threads"])
        #expect(last.noteIDs == [threads[1]] + last.systemNoteIDs)
    }

    @Test func `a moved issue says so on both sides, to those who see the other one`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.moveIssue(by: "omar", on: fixture.issue, to: "team/other")
        #expect(try bodies(fixture, fixture.issue, as: "omar") == ["moved to other#1"])
        #expect(try bodies(fixture, fixture.issue).isEmpty)
        let successor = ItemReference(project: "team/other", kind: .issue, iid: 1)
        #expect(try bodies(fixture, successor, as: "omar") == ["moved from backend#3"])
    }

    @Test func `people's notes are copied with their times, under new ids`() throws {
        let fixture = try Fixture()
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "What is this?")
        fixture.clock.advance(.minutes(5))
        try fixture.gitLab.moveIssue(by: "omar", on: fixture.issue, to: "team/other", iid: 9)
        func notes(_ item: ItemReference) throws -> [JSON] {
            try fixture.get(fixture.path(item, "/notes"), as: "omar").array.filter { $0["system"]?.bool == false }
        }
        let (old, copy) = (
            try notes(fixture.issue), try notes(ItemReference(project: "team/other", kind: .issue, iid: 9))
        )
        #expect(copy.map { $0["body"]?.string } == ["What is this?"])
        #expect(copy.map { $0["created_at"] } == old.map { $0["created_at"] })
        #expect(copy.map { $0["id"] } != old.map { $0["id"] })
    }
}
