import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Supplement §4 due dates")
struct DueDateTests {
    @Test func `an issue tells its due date in list, single answer and to-do`() throws {
        let fixture = try Fixture()
        let single = try fixture.path(fixture.issue)
        #expect(try fixture.get(single)["due_date"] == .null)
        try fixture.gitLab.setDueDate(
            by: "omar",
            on: fixture.issue,
            to: CivilDate(year: 2026, month: 3, day: 9)
        )
        try fixture.gitLab.comment(by: "omar", on: fixture.issue, body: "@maria, by then?")
        #expect(try fixture.get(single)["due_date"]?.string == "2026-03-09")
        let list = try fixture.get("/projects/\(try fixture.id())/issues")
        #expect(list.row(0)["due_date"]?.string == "2026-03-09")
        #expect(try fixture.get("/todos").row(0)["target"]?["due_date"]?.string == "2026-03-09")
    }

    @Test(arguments: [
        (GitLabVersion(15, 0), "removed due date"), (GitLabVersion(17, 11), "removed due date September 5, 2026"),
    ])
    func `a changed due date leaves a system note in the release's words`(version: GitLabVersion, removed: String)
        throws
    {
        let fixture = try Fixture(version: version)
        let date = CivilDate(year: 2026, month: 9, day: 5)
        let activity = try fixture.gitLab.setDueDate(by: "omar", on: fixture.issue, to: date)
        #expect(activity.kind == .dueDateChanged)
        #expect(activity.systemNoteIDs.count == 1)
        try fixture.gitLab.setDueDate(by: "omar", on: fixture.issue, to: nil)
        let notes = try fixture.get(fixture.path(fixture.issue, "/notes?sort=asc")).array
        #expect(notes.map { $0["body"]?.string } == ["changed due date to September 5, 2026", removed])
        #expect(notes.allSatisfy { $0["system"]?.bool == true })
    }

    @Test func `a milestone that is moved touches itself alone, and its items are due by the new day`() throws {
        let fixture = try Fixture()
        let gitLab = fixture.gitLab
        let (first, last) = (CivilDate(year: 2026, month: 3, day: 9), CivilDate(year: 2026, month: 3, day: 20))
        let milestone = try gitLab.addMilestone("v2", in: "team/backend", dueDate: first)
        try gitLab.assign(by: "omar", on: fixture.issue, to: ["maria"])
        try gitLab.setMilestone(by: "omar", on: fixture.issue, to: "v2")
        try gitLab.setMilestone(by: "omar", on: fixture.mergeRequest, to: "v2")
        let notes = try fixture.get(fixture.path(fixture.issue, "/notes"))
        let (before, count) = (try fixture.get(fixture.path(fixture.issue)), gitLab.activityCount)
        fixture.clock.advance(.minutes(5))
        let moved = try gitLab.moveMilestone(by: "omar", "v2", in: "team/backend", to: last)
        #expect(moved.contains { $0.item.iid == fixture.mergeRequest.iid } && moved.count == 2)
        let due = Activity.DueState(date: last, assignees: ["maria"], isOpen: true)
        #expect(moved.first { $0.item.kind == .issue }?.due == due)
        let after = try fixture.get(fixture.path(fixture.issue))
        #expect(after["milestone"]?["due_date"]?.string == "2026-03-20")
        #expect(after["updated_at"] == before["updated_at"] && gitLab.activityCount == count)
        #expect(after["milestone"]?["updated_at"] != before["milestone"]?["updated_at"])
        #expect(
            try fixture.get("/projects/\(try fixture.id())/milestones/\(milestone)")["due_date"]?.string == "2026-03-20"
        )
        #expect(try fixture.get(fixture.path(fixture.issue, "/notes")).array.count == notes.array.count)
        // What has a day of its own is due by that.
        try gitLab.setDueDate(by: "omar", on: fixture.issue, to: first)
        let none = try gitLab.moveMilestone(by: "omar", "v2", in: "team/backend", to: nil)
        #expect(none.map(\.item.iid) == [fixture.mergeRequest.iid] && none.map(\.due.date) == [nil])
        #expect(throws: FakeGitLabError.self) {
            try gitLab.moveMilestone(by: "omar", "v2", in: "team/backend", to: nil)
        }
    }

    @Test func `the ledger says who has to have it done by when, for as long as anybody has`() throws {
        let fixture = try Fixture()
        let gitLab = fixture.gitLab
        let day = CivilDate(year: 2026, month: 3, day: 9)
        let last = CivilDate(year: 2026, month: 3, day: 20)
        #expect(try gitLab.assign(by: "omar", on: fixture.issue, to: ["maria"]).dueState == nil)
        let first = try gitLab.setDueDate(by: "omar", on: fixture.issue, to: day).dueState
        #expect(first == Activity.DueState(date: day, assignees: ["maria"], isOpen: true))
        try gitLab.addMilestone("v2", in: "team/backend", dueDate: last)
        #expect(try gitLab.setMilestone(by: "omar", on: fixture.issue, to: "v2").dueState?.date == day, "its own first")
        #expect(try gitLab.setDueDate(by: "omar", on: fixture.issue, to: nil).dueState?.date == last)
        #expect(try gitLab.unassign(by: "omar", on: fixture.issue, from: ["maria"]).dueState?.assignees == [])
        #expect(try gitLab.close(by: "omar", on: fixture.issue).dueState?.isOpen == false)
        #expect(try gitLab.setMilestone(by: "omar", on: fixture.mergeRequest, to: "v2").dueState?.date == last)
        let none = try gitLab.setMilestone(by: "omar", on: fixture.mergeRequest, to: nil).dueState
        #expect(none != nil && none?.date == nil)
        #expect(try gitLab.comment(by: "omar", on: fixture.mergeRequest, body: "Fine").dueState == nil)
    }

    @Test func `a due date that would not change is not an activity`() throws {
        let fixture = try Fixture()
        #expect(throws: FakeGitLabError.self) {
            try fixture.gitLab.setDueDate(by: "omar", on: fixture.issue, to: nil)
        }
        #expect(throws: FakeGitLabError.self) {
            try fixture.gitLab.setDueDate(by: "omar", on: fixture.mergeRequest, to: nil)
        }
        #expect(fixture.gitLab.ledger.isEmpty)
    }

    @Test(arguments: [(0, "2026-03-03T23:59:59"), (7_200, "2026-03-03T21:59:59")])
    func `a milestone expires at midnight after its last day, wherever it is shown`(
        offset: Int,
        lastSecond: String
    ) throws {
        let fixture = try Fixture { $0.timeZoneOffsetSeconds = offset }
        try fixture.gitLab.addMilestone(
            "v2",
            in: "team/backend",
            startDate: CivilDate(year: 2026, month: 3, day: 1),
            dueDate: CivilDate(year: 2026, month: 3, day: 3)
        )
        try fixture.gitLab.setMilestone(by: "omar", on: fixture.issue, to: "v2")
        let path = try fixture.path(fixture.issue)
        let list = "/projects/\(try fixture.id())/issues"
        let milestone = try fixture.get(path)["milestone"]
        #expect(milestone?["due_date"]?.string == "2026-03-03")
        #expect(milestone?["start_date"]?.string == "2026-03-01")
        let end = CivilDate(year: 2026, month: 3, day: 3, hour: 23, minute: 59, second: 59)
            .wallTime(offsetSeconds: offset)
        #expect(CivilDate(end).hour == Int(lastSecond.dropFirst(11).prefix(2)))
        fixture.clock.advance(fixture.clock.wallNow.duration(to: end))
        #expect(try fixture.get(list).row(0)["milestone"]?["expired"]?.bool == false)
        #expect(try fixture.get(path)["milestone"]?["expired"]?.bool == false)
        fixture.clock.advance(.seconds(1))
        #expect(try fixture.get(list).row(0)["milestone"]?["expired"]?.bool == true)
        #expect(try fixture.get(path)["milestone"]?["expired"]?.bool == true)
    }
}
