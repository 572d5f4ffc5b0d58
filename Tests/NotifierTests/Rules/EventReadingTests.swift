import FoundationEssentials
import Platform
import Testing

@testable import Notifier

private let now = WallTime(secondsSinceEpoch: 1_800_000_000)
private let moment = FactRules.Moment(now: now, backdatedBefore: now.advanced(by: .zero - .hours(24)))
private let long = now.advanced(by: .zero - .hours(12))
private let project = ProjectID(rawValue: 42)
private let rules = FactRules(person: Person(id: 7, username: "alice"))
private let mergeRequest = makeWatched(.mergeRequest, 123)
private let issue = makeWatched(.issue, 456)
private let origin = ItemOrigin(sourceBranch: "feature-123", openedAt: now.advanced(by: .zero - .days(3)))

private func makeWatched(_ kind: ItemKind, _ iid: Int64) -> WatchedItem {
    WatchedItem(
        watch: WatchID(rawValue: iid),
        item: ItemReference(project: project, kind: kind, iid: iid),
        title: "Fix it",
        projectPath: "team/app",
        webURL: "https://gitlab.example.com/\(iid)"
    )
}

private func makeEvent(
    _ id: Int64 = 1,
    _ action: String = "closed",
    on type: String = "MergeRequest",
    _ iid: Int64? = 123,
    in project: Int64? = 42,
    by author: Int64 = 9,
    at time: WallTime = now,
    comment: EventRow.Comment? = nil,
    push: EventRow.Push? = nil
) -> EventRow {
    EventRow(
        id: id,
        projectID: project,
        actionName: action,
        targetType: type,
        targetIID: iid,
        author: UserRow(id: author, username: "user\(author)", name: "User \(author)"),
        createdAt: time,
        comment: comment,
        push: push
    )
}

private func makeComment(_ note: Int64, on type: String = "MergeRequest", _ iid: Int64 = 123) -> EventRow.Comment {
    let author = UserRow(id: 9, username: "user9", name: "User 9")
    return EventRow.Comment(
        note: NoteRow(id: note, body: "Looks good", author: author, createdAt: now),
        noteableType: type,
        noteableIID: iid
    )
}

/// What a reading of the feed makes of `events` for a person who watches `items`: a notification for each list of keys.
private func notifications(
    of events: [EventRow],
    watching items: [WatchedItem] = [mergeRequest, issue],
    notified: Set<FactKey> = []
) -> [[Fact]] {
    let candidates = items.flatMap { watched in
        events.filter { $0.concerns(watched.item, origin) }.compactMap { event in
            rules.candidate(event, on: watched, origin, at: moment, coveredBefore: long)
        }
    }
    let merge = FactMerge(candidates) { notified.contains($0) ? now : nil }
    return Batching.batches(merge.facts)
}

/// The table "Test Cases: /events Filtering" of the architecture, read against GitLab facts §12.
struct EventFilteringTests {
    @Test func `an event on a watched merge request is told`() {
        #expect(notifications(of: [makeEvent()]).map { $0.map(\.key) } == [[.event(project, 1)]])
    }

    @Test func `an event on a watched issue is told`() {
        let notified = notifications(of: [makeEvent(1, "closed", on: "Issue", 456)])
        #expect(notified.map { $0.map(\.item) } == [[issue.item]])
    }

    @Test func `an event on an unwatched item of the same project is skipped`() {
        #expect(notifications(of: [makeEvent(1, "closed", on: "MergeRequest", 999)]).isEmpty)
        // The issue of that number is watched, the merge request is not.
        #expect(notifications(of: [makeEvent(1, "closed", on: "MergeRequest", 456)]).isEmpty)
    }

    @Test func `an event in a project without a watched item is skipped`() {
        #expect(notifications(of: [makeEvent(in: 99)]).isEmpty)
    }

    @Test func `the person's own action on a watched item is skipped`() {
        #expect(notifications(of: [makeEvent(by: 7)]).isEmpty)
    }

    @Test func `an event that has been told is told no more`() {
        #expect(notifications(of: [makeEvent()], notified: [.event(project, 1)]).isEmpty)
    }

    @Test func `an unknown action is told with a title for any`() throws {
        let notified = notifications(of: [makeEvent(1, "cherry_picked")])
        let fact = try #require(notified.first?.first)
        #expect(fact.action == .other("cherry_picked"))
        #expect(NotificationText(.activity([fact]), at: now).title == "User 9 updated MR !123")
    }

    @Test func `three events on one item make one notification`() {
        let notified = notifications(of: [
            makeEvent(1, "closed"), makeEvent(2, "opened", at: now.advanced(by: .minutes(2))),
            makeEvent(3, "approved", at: now.advanced(by: .minutes(3))),
        ])
        #expect(notified.map(\.count) == [3])
    }
}

struct EventReadingTests {
    @Test func `trap 19: a comment is found by its note and never by its target`() {
        // The note's id stands where an item's number would, and is one that is watched.
        let elsewhere = makeEvent(1, "commented on", on: "Note", 123, comment: makeComment(123, on: "MergeRequest", 5))
        #expect(!elsewhere.concerns(mergeRequest.item, origin))
        for type in ["Note", "DiffNote", "DiscussionNote"] {
            let event = makeEvent(1, "commented on", on: type, 88, comment: makeComment(88))
            #expect(event.concerns(mergeRequest.item, origin))
            #expect(!event.concerns(issue.item, origin))
            #expect(!makeEvent(1, "commented on", on: type, 123).concerns(mergeRequest.item, origin))
        }
    }

    @Test func `trap 11: a comment of the feed is the fact of its note`() throws {
        let event = makeEvent(1, "commented on", on: "Note", 88, comment: makeComment(88))
        let notified = notifications(of: [event])
        #expect(notified.map { $0.map(\.key) } == [[.note(project, 88)]])
        let fact = try #require(notified.first?.first)
        #expect(fact.source == .event)
        #expect(fact.sourceID == 1)
        #expect(notifications(of: [event], notified: [.note(project, 88)]).isEmpty)
    }

    /// GitLab facts §12.1, the table of `action_name`.
    @Test(arguments: [
        ("closed", Action.closed), ("accepted", .merged), ("approved", .approved), ("opened", .reopened),
        ("reopened", .reopened),
    ])
    func `trap 20: actions are read by the words GitLab prints`(name: String, action: Action) {
        #expect(notifications(of: [makeEvent(1, name)]).flatMap { $0.map(\.action) } == [action])
    }

    @Test func `trap 20: the opening of an item is no reopening`() {
        let opened = makeEvent(1, "opened", at: origin.openedAt?.advanced(by: .seconds(2)) ?? now)
        #expect(opened.action(origin) == nil)
        #expect(makeEvent(1, "opened").action(origin) == .reopened)
    }

    @Test func `a push is found by the source branch`() {
        let push = makeEvent(1, "pushed to", on: "", nil, push: EventRow.Push(ref: "feature-123"))
        #expect(notifications(of: [push]).flatMap { $0.map(\.action) } == [.pushed])
        #expect(!push.concerns(issue.item, ItemOrigin()))
        #expect(!push.concerns(mergeRequest.item, ItemOrigin(sourceBranch: "feature-1")))
        let tag = makeEvent(1, "pushed to", on: "", nil, push: EventRow.Push(ref: "feature-123", refType: "tag"))
        #expect(!tag.concerns(mergeRequest.item, origin))
        let gone = makeEvent(1, "deleted", on: "", nil, push: EventRow.Push(ref: "feature-123"))
        #expect(!gone.concerns(mergeRequest.item, origin))
    }

    @Test func `what was read from the item's own lists is silent`() {
        let old = makeEvent(1, "closed", at: long.advanced(by: .seconds(-1)))
        let candidate = rules.candidate(old, on: mergeRequest, origin, at: moment, coveredBefore: long)
        #expect(candidate?.suppression == .covered)
    }

    /// GitLab facts §12.1: fields and nulls of the entity.
    @Test func `rows are decoded as GitLab writes them`() throws {
        let json = """
            [{"id":5,"project_id":42,"action_name":"commented on","target_id":88,"target_iid":88,"target_type":"DiffNote",
            "target_title":"Fix it","author":{"id":9,"username":"ben","name":"Ben"},"created_at":"2027-01-15T08:00:00.000Z",
            "note":{"id":88,"body":"Hm","author":{"id":9,"username":"ben","name":"Ben"},"system":false,
            "created_at":"2027-01-15T08:00:00.000Z","noteable_type":"MergeRequest","noteable_iid":123}},
            {"id":6,"project_id":42,"action_name":"pushed to","target_id":null,"target_iid":null,"target_type":null,
            "author":{"id":9,"username":"ben","name":"Ben"},"created_at":"2027-01-15T08:00:00.000Z",
            "push_data":{"commit_count":2,"action":"pushed","ref_type":"branch","ref":"feature-123"}}]
            """
        let rows = try JSONDecoder().decode([EventRow].self, from: Data(json.utf8))
        #expect(rows[0].item(in: project) == mergeRequest.item)
        #expect(rows[0].comment?.note.body == "Hm")
        #expect(rows[1].push == EventRow.Push(ref: "feature-123", commitCount: 2))
        #expect(rows[1].item(in: project) == nil)
    }
}
