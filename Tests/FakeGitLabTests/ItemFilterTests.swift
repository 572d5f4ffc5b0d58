import HTTP
import Platform
import Testing

@testable import FakeGitLab

@Suite("Supplement §2: list filters of issues and merge requests")
struct ItemFilterTests {
    /// Today is Monday, 2 March 2026.
    private func makeFixture(
        _ version: GitLabVersion = GitLabVersion(17, 11),
        edition: GitLabEdition = .community
    ) throws -> Fixture {
        let fixture = try Fixture(version: version) { $0.edition = edition }
        let gitLab = fixture.gitLab
        func day(_ month: Int, _ day: Int) -> CivilDate { CivilDate(year: 2026, month: month, day: day) }
        try gitLab.addMilestone("soon", in: "team/backend", startDate: day(2, 1), dueDate: day(3, 9))
        try gitLab.addMilestone("later", in: "team/backend", startDate: day(3, 20), dueDate: day(4, 9))
        try gitLab.addMilestone("past", in: "team/backend", startDate: day(2, 10), dueDate: day(2, 20))
        // (iid, title, description, labels, milestone, due, assignees)
        let issues: [(Int64, String, String?, [String], String?, CivilDate?, [String])] = [
            (11, "Fix uploads", "They fail at night", ["bug"], "soon", day(3, 2), ["maria"]),
            (12, "Uploading is slow", nil, ["bug", "urgent"], "later", day(3, 3), ["omar"]),
            (13, "Ünïcode 世界地図", "x", [], "past", day(3, 8), []),
            (14, "Old", nil, [], nil, day(2, 27), ["maria"]),
            (15, "Next month", nil, ["urgent"], "v1", day(4, 30), []),
        ]
        for (iid, title, description, labels, milestone, due, assignees) in issues {
            try gitLab.addItem(
                NewItem(
                    project: "team/backend",
                    kind: .issue,
                    iid: iid,
                    title: title,
                    author: "omar",
                    description: description,
                    assignees: assignees,
                    labels: labels,
                    milestone: milestone,
                    dueDate: due
                )
            )
        }
        for (iid, isDraft) in [(21, true), (22, false)] as [(Int64, Bool)] {
            try gitLab.addItem(
                NewItem(
                    project: "team/backend",
                    kind: .mergeRequest,
                    iid: iid,
                    title: "MR \(iid)",
                    author: "omar",
                    reviewers: isDraft ? ["maria"] : [],
                    isDraft: isDraft
                )
            )
        }
        return fixture
    }

    private func iids(_ fixture: Fixture, _ query: String, _ folder: String = "issues") throws -> [Int64] {
        let path = "/projects/\(try fixture.id())/\(folder)?sort=asc&\(query)"
        return try fixture.get(path).array.compactMap { $0["iid"]?.integer }
    }

    @Test(arguments: [
        ("labels=bug", [11, 12]), ("labels=bug,urgent", [12]), ("labels[]=bug&labels[]=urgent", [12]),
        ("labels=None", [3, 13, 14]), ("labels=none", [3, 13, 14]), ("labels=ANY", [11, 12, 15]),
        ("labels=bug,Any", [11, 12, 15]), ("labels=Any,None", [3, 13, 14]), ("labels=", [3, 11, 12, 13, 14, 15]),
        ("labels=bug,unheard-of", []), ("not[labels]=bug", [3, 13, 14, 15]),
        ("not[labels]=bug,unheard-of", [3, 13, 14, 15]), ("not[labels][]=bug&not[labels][]=urgent", [3, 13, 14]),
    ])
    func `labels`(query: String, expected: [Int64]) throws {
        #expect(try iids(makeFixture(), query) == expected)
    }

    @Test(arguments: [
        ("milestone=soon", [11]), ("milestone=Soon", []), ("milestone=unheard-of", []), ("milestone=None", [3, 14]),
        ("milestone=none", [3, 14]), ("milestone=any", [11, 12, 13, 15]), ("milestone=%23upcoming", [11]),
        ("milestone=%23started", [11, 13]), ("milestone_id=None", [3, 14]), ("milestone_id=Any", [11, 12, 13, 15]),
        ("milestone_id=Upcoming", [11]), ("milestone_id=Started", [11, 13]),
        ("not[milestone]=soon", [3, 12, 13, 14, 15]), ("not[milestone_id]=Upcoming", [13]),
        ("not[milestone_id]=Started", [12]), ("not[milestone_id]=Any", [3, 14]),
    ])
    func `milestones`(query: String, expected: [Int64]) throws {
        #expect(try iids(makeFixture(), query) == expected)
    }

    @Test(arguments: [
        ("due_date=0", [3]), ("due_date=any", [11, 12, 13, 14, 15]), ("due_date=today", [11]),
        ("due_date=tomorrow", [12]), ("due_date=overdue", [14]), ("due_date=week", [11, 12, 13]),
        ("due_date=month", [11, 12, 13]), ("due_date=next_month_and_previous_two_weeks", [11, 12, 13, 14, 15]),
        ("due_date=", [3, 11, 12, 13, 14, 15]),
    ])
    func `due dates`(query: String, expected: [Int64]) throws {
        #expect(try iids(makeFixture(), query) == expected)
    }

    @Test func `what is due today is another tomorrow, though nothing has changed`() throws {
        let fixture = try makeFixture()
        #expect(try iids(fixture, "due_date=today") == [11])
        fixture.clock.advance(.days(1))
        #expect(try iids(fixture, "due_date=today") == [12])
    }

    @Test(arguments: [
        ("search=upload", [11, 12]), ("search=UPLOADS+fixed", [11]), ("search=night", [11]),
        ("search=night&in=title", []), ("search=night&in=title,description", [11]), ("search=ds", []),
        ("search=%E4%B8%96%E7%95%8C%E5%9C%B0", [13]), ("search=unheard-of", []),
    ])
    func `search`(query: String, expected: [Int64]) throws {
        #expect(try iids(makeFixture(), query) == expected)
    }

    @Test(arguments: [
        ("issue_type=issue", [3, 11, 12, 13, 14, 15]), ("issue_type=incident", []), ("author_username=nobody", []),
        ("author_username=ines", [3]), ("not[author_username]=omar", [3]), ("not[author_id]=2", [3]),
        ("assignee_id=ANY", [11, 12, 14]), ("assignee_username[]=maria", [11, 14]),
        ("not[assignee_username]=maria", [3, 12, 13, 15]), ("not[assignee_id]=1", [3, 12, 13, 15]),
        ("not[iids][]=3&not[iids][]=11", [12, 13, 14, 15]), ("iids=3,11", [3, 11]),
    ])
    func `people, types and numbers`(query: String, expected: [Int64]) throws {
        #expect(try iids(makeFixture(), query) == expected)
    }

    @Test(arguments: [
        ("order_by=due_date&iids=11,12,14,3", [14, 11, 12, 3]),
        ("order_by=milestone_due&iids=11,12,13,3", [13, 11, 12, 3]),
        ("order_by=priority&iids=11,12,13", [13, 11, 12]), ("order_by=popularity&iids=3,11", [3, 11]),
        ("order_by=label_priority&iids=11,3", [3, 11]), ("order_by=relative_position&iids=11,3", [3, 11]),
    ])
    func `issues are ordered by what GitLab declares`(query: String, expected: [Int64]) throws {
        #expect(try iids(makeFixture(), query) == expected)
    }

    @Test func `my reactions are mine, whatever others feel`() throws {
        let fixture = try makeFixture()
        for (person, iid) in [("maria", 11), ("omar", 12), ("ines", 12)] {
            let path = "/projects/\(try fixture.id())/issues/\(iid)/award_emoji?name=thumbsup"
            #expect(fixture.send(.post, path, as: person).response.status == 201)
        }
        #expect(try iids(fixture, "my_reaction_emoji=thumbsup") == [11])
        #expect(try iids(fixture, "my_reaction_emoji=Any") == [11])
        #expect(try iids(fixture, "my_reaction_emoji=None") == [3, 12, 13, 14, 15])
        #expect(try iids(fixture, "not[my_reaction_emoji]=thumbsup") == [3, 12, 13, 14, 15])
        #expect(try iids(fixture, "my_reaction_emoji=heart").isEmpty)
        #expect(try iids(fixture, "order_by=popularity&iids=11,12,13") == [13, 11, 12], "thumbs of everybody")
    }

    @Test func `a label that was deleted finds nothing`() throws {
        let fixture = try makeFixture()
        let path = "/projects/\(try fixture.id())/labels/bug"
        #expect(fixture.send(.delete, path, as: "omar").response.status == 204)
        #expect(try iids(fixture, "labels=bug").isEmpty)
        #expect(try iids(fixture, "not[labels]=bug") == [3, 11, 12, 13, 14, 15])
        #expect(try iids(fixture, "labels=Any") == [12, 15])
        #expect(try iids(fixture, "labels=None") == [3, 11, 13, 14])
    }

    @Test func `confidential issues are found by that`() throws {
        let fixture = try makeFixture()
        let issue = ItemReference(project: "team/backend", kind: .issue, iid: 12)
        try fixture.gitLab.setConfidential(by: "omar", on: issue, true)
        #expect(try iids(fixture, "confidential=true") == [12])
        #expect(try iids(fixture, "confidential=false") == [3, 11, 13, 14, 15])
    }

    @Test(arguments: [
        ("wip=yes", [21]), ("wip=no", [7, 22]), ("draft=true", [7, 21, 22]), ("reviewer_id=any", [21]),
        ("not[reviewer_id]=Any", [7, 22]), ("not[reviewer_username]=maria", [7, 22]),
        ("source_branch=feature-22", [22]),
        ("target_branch=main", [7, 21, 22]), ("target_branch=other", []), ("search=MR+22", [22]),
        ("environment=production", []), ("source_project_id=99", []), ("approved_by_ids=Any", [7, 21, 22]),
    ])
    func `merge requests`(query: String, expected: [Int64]) throws {
        #expect(try iids(makeFixture(), query, "merge_requests") == expected)
    }

    @Test func `draft is a filter from 19.0 on, and excludes wip`() throws {
        let fixture = try makeFixture(GitLabVersion(19, 0))
        #expect(try iids(fixture, "draft=true", "merge_requests") == [21])
        #expect(try iids(fixture, "draft=false", "merge_requests") == [7, 22])
        let path = "/projects/\(try fixture.id())/merge_requests?wip=yes&draft=true"
        #expect(fixture.send(.get, path).response.text == "{\"error\":\"wip, draft are mutually exclusive\"}")
    }

    @Test func `merges and approvals are filters where they exist`() throws {
        let fixture = try makeFixture(edition: .enterprise)
        try fixture.gitLab.approve(
            by: "maria",
            on: ItemReference(project: "team/backend", kind: .mergeRequest, iid: 22)
        )
        try fixture.gitLab.merge(by: "omar", on: fixture.mergeRequest)
        #expect(try iids(fixture, "approved_by_ids=Any", "merge_requests") == [22])
        #expect(try iids(fixture, "approved_by_ids=None", "merge_requests") == [7, 21])
        #expect(try iids(fixture, "approved_by_ids[]=1", "merge_requests") == [22])
        #expect(try iids(fixture, "merged_after=2026-03-01", "merge_requests") == [7])
        #expect(try iids(fixture, "merged_before=2026-03-01", "merge_requests").isEmpty)
        #expect(try iids(fixture, "merge_user_username=omar", "merge_requests") == [7])
        #expect(try iids(fixture, "merge_user_id=1", "merge_requests").isEmpty)
    }

    @Test func `the simple view has neither author nor sha`() throws {
        let fixture = try makeFixture()
        let row = try fixture.get("/projects/\(fixture.id())/merge_requests?view=simple").row(0)
        expectFields(
            row,
            [
                "id": "int", "iid": "int", "project_id": "int", "title": "string", "description": "null/string",
                "state": "string", "created_at": "time", "updated_at": "time", "web_url": "string",
            ]
        )
    }

    @Test(arguments: [
        ("/issues?milestone=v1&milestone_id=None", "milestone, milestone_id are mutually exclusive"),
        ("/issues?milestone_id=none", "milestone_id does not have a valid value"),
        ("/issues?in=title,body&search=x", "in does not have a valid value"),
        ("/issues?due_date=soon", "due_date does not have a valid value"),
        ("/issues?issue_type=bug", "issue_type does not have a valid value"),
        ("/issues?not[author_id]=omar", "not[author_id] is invalid"),
        ("/issues?not[assignee_id]=Any", "not[assignee_id] is invalid"),
        ("/issues?author_id=Any", "author_id is invalid"), ("/issues?iids[]=x", "iids is invalid"),
        (
            "/issues?assignee_username=a,b",
            "assignee_username allows one value, but found 2: a, b"
        ),
        ("/issues?assignee_id=Me", "assignee_id should be an integer, none, or any, however got Me"),
        ("/merge_requests?wip=true", "wip does not have a valid value"),
        ("/merge_requests?view=full", "view does not have a valid value"),
        ("/merge_requests?order_by=due_date", "order_by does not have a valid value"),
        ("/issues?order_by=weight", "order_by does not have a valid value"),
        (
            "/issues?state=x&sort=y&author_id=z",
            "sort does not have a valid value, state does not have a valid value, author_id is invalid"
        ),
    ])
    func `a bad value is refused in the framework's words`(path: String, text: String) throws {
        let reply = try makeFixture().send(.get, path).response
        #expect(reply.status == 400)
        #expect(reply.text == "{\"error\":\"\(text)\"}")
    }

    @Test func `merged_at orders from 17.2 on, weight in the Enterprise Edition`() throws {
        for (version, status) in [(GitLabVersion(17, 1), 400), (GitLabVersion(17, 2), 200)] {
            let reply = try makeFixture(version).send(.get, "/merge_requests?order_by=merged_at").response
            #expect(reply.status == status)
        }
        #expect(try makeFixture(edition: .enterprise).send(.get, "/issues?order_by=weight").response.status == 200)
    }

    @Test func `dates of issues and milestones are told everywhere (supplement §4)`() throws {
        let fixture = try makeFixture()
        let item = try fixture.get("/projects/\(fixture.id())/issues/11")
        #expect(item["due_date"]?.string == "2026-03-02")
        #expect(item["milestone"]?["due_date"]?.string == "2026-03-09")
        #expect(item["milestone"]?["start_date"]?.string == "2026-02-01")
        #expect(item["milestone"]?["expired"]?.bool == false)
        try fixture.gitLab.comment(
            by: "ines",
            on: ItemReference(project: "team/backend", kind: .issue, iid: 13),
            body: "@maria"
        )
        let target = try fixture.get("/todos").row(0)["target"]
        #expect(target?["due_date"]?.string == "2026-03-08")
        #expect(target?["milestone"]?["expired"]?.bool == true)
    }

    @Test func `four hundred numbers in an address are all looked for`() throws {
        let fixture = try makeFixture()
        let query = (100..<500).map { "iids[]=\($0)" }.joined(separator: "&") + "&iids[]=11"
        #expect(try iids(fixture, query) == [11])
        let many = (0..<5_000).map { "iids[]=\($0)" }.joined(separator: "&")
        #expect(fixture.send(.get, "/issues?\(many)").response.status == 414)
    }
}
