import Testing

@testable import Notifier

/// GitLab facts §8.2, supplement §3: REST gives the words of a system note and nothing else, and they change with the release.
struct SystemNoteTests {
    @Test(arguments: [
        ("assigned to @a, @b, and @c and unassigned @d", ["a", "b", "c"]), ("assigned to @a and @b", ["a", "b"]),
        ("assigned to @a, @b and @c", ["a", "b", "c"]), ("unassigned @d", []),
    ])
    func `people who are assigned are read from every way to join them`(body: String, added: [String]) {
        #expect(SystemNote(body: body) == .assignees(added: added, text: body))
    }

    @Test(arguments: [
        ("requested review from @a, @b, and @c", ["a", "b", "c"]),
        ("requested review from @a and removed approval", ["a"]),
        ("requested review from @a and removed review request for @b", ["a"]), ("removed review request for @b", []),
    ])
    func `so are reviewers, whatever follows`(body: String, added: [String]) {
        #expect(SystemNote(body: body) == .reviewers(added: added, text: body))
    }

    @Test(arguments: [
        "changed title from **Fix {-old-}** to **Fix {+new+}**", "changed title from **assigned to @a** to **x**",
        "<p>changed title from <code class=\"idiff\">approved this merge request</code> to <code class=\"idiff\">x</code></p>",
        "mentioned in merge request !2", "mentioned in commit 0123456789012345678901234567890123456789",
        "mentioned in issue group/proj#3", "resolved all threads", "changed due date to September 20, 2018",
        "removed due date September 20, 2018", "moved from ns/p#3", "locked the discussion in this issue",
        "enabled an automatic merge when all merge checks for 0123456789012345678901234567890123456789 pass",
        "aborted the automatic merge because source branch was updated", "added 2h of time spent at 2026-03-02",
        "added #12 as child task", "marked the checklist item **x** as completed",
    ])
    func `what another source tells, or nobody, is nothing here`(body: String) {
        #expect(SystemNote(body: body) == .other)
    }

    @Test(arguments: [
        ("moved to team/ops#31", "team/ops", 31), ("moved to ops#31", "ops", 31),
        ("moved to a/b.c/d_e-f#1", "a/b.c/d_e-f", 1),
    ])
    func `a move names where the issue goes on`(body: String, project: String, iid: Int64) {
        #expect(SystemNote(body: body) == .moved(to: IssueDestination(project: project, iid: iid)))
    }

    @Test(arguments: [
        "moved to ", "moved to #3", "moved to team/ops", "moved to team/ops#", "moved to team/ops#0",
        "moved to team/ops#-1",
        "moved to team//ops#3", "moved to ../ops#3", "moved to team/..#3", "moved to team/ops?x=y#3",
        "moved to te am/ops#3",
        "moved to team%2Fops#3", "moved to team/ops#3x", "moved to " + String(repeating: "a", count: 1_100) + "#3",
    ])
    func `what is no path leads nowhere`(body: String) {
        #expect(SystemNote(body: body) == .other)
    }

    @Test func `a name alone lies in the group of the issue that was moved`() {
        let short = IssueDestination(project: "ops", iid: 31)
        #expect(short.resolved(from: "team/backend") == IssueDestination(project: "team/ops", iid: 31))
        #expect(short.resolved(from: "a/b/backend") == IssueDestination(project: "a/b/ops", iid: 31))
        #expect(short.resolved(from: nil) == short)
        let whole = IssueDestination(project: "other/ops", iid: 31)
        #expect(whole.resolved(from: "team/backend") == whole)
    }
}
