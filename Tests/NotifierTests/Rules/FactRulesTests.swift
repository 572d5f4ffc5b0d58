import Configuration
import Platform
import Testing

@testable import Notifier

private let now = FactFixtures.now
private let moment = FactFixtures.moment
private let project = FactFixtures.project
private let watched = FactFixtures.watched
private let rules = FactFixtures.rules

struct FactRulesTests {
    @Test func `a comment is told with its text and place`() {
        let candidate = rules.candidate(makeNote(), on: watched, at: moment)
        #expect(candidate?.fact.action == .commented)
        #expect(candidate?.fact.key == .note(project, 11))
        #expect(candidate?.fact.source == .note)
        #expect(candidate?.fact.body == "Looks good")
        #expect(candidate?.fact.webURL == "https://gitlab.example.com/mr/3#note_11")
        #expect(candidate?.suppression == nil)
    }

    @Test func `trap 10: a comment that names the person is a mention, to-do or not`() {
        let candidate = rules.candidate(makeNote("ping @alice"), on: watched, at: moment)
        #expect(candidate?.fact.action == .mentioned)
        #expect(candidate?.mention == .mention(project, note: 11))
    }

    /// GitLab facts §8.2.
    @Test(arguments: [
        ("approved this merge request", Action.approved), ("unapproved this merge request", .unapproved),
        ("requested changes", .changesRequested),
        ("added 2 commits\n\n<ul><li>abcd1234 - Title</li></ul>", .pushed), ("added 1 commit", .pushed),
    ])
    func `trap 13: approvals and pushes come from system notes`(body: String, action: Action) {
        let candidate = rules.candidate(makeNote(body, isSystem: true), on: watched, at: moment)
        #expect(candidate?.fact.action == action)
        #expect(candidate?.fact.source == .activity)
        #expect(candidate?.fact.body == nil)
    }

    @Test(arguments: [
        "closed", "merged", "reopened", "changed the description", "approved this",
        "added ~12 label",
        "added 1h of time spent at 2024-01-02", "mentioned in merge request !2", "changed title from **a** to **b**",
    ])
    func `trap 16: other system notes say nothing`(body: String) {
        #expect(rules.candidate(makeNote(body, isSystem: true), on: watched, at: moment) == nil)
    }

    /// GitLab facts §8.2. Those concerned have a to-do, so that it is off unless chosen.
    @Test(arguments: [
        ("assigned to @ben and unassigned @carl", ActivityKind.assignees, Action.assigneesChanged),
        ("unassigned @alice", .assignees, .assigneesChanged), ("assigned to @Alice", .assignees, .assigned),
        ("requested review from @ben, @carl and @alice", .reviewers, .reviewRequested),
        ("removed review request for @alice", .reviewers, .reviewersChanged),
        ("requested review from @ben and removed review request for @alice", .reviewers, .reviewersChanged),
    ])
    func `changes of people are told to who wants to hear of them`(body: String, kind: ActivityKind, action: Action) {
        let note = makeNote(body, isSystem: true)
        #expect(rules.candidate(note, on: watched, at: moment)?.suppression == .switchedOff)
        let curious = FactRules(person: rules.person, activities: [kind])
        let candidate = curious.candidate(note, on: watched, at: moment)
        #expect(candidate?.suppression == nil)
        #expect(candidate?.fact.action == action)
        #expect(candidate?.fact.body == body)
    }

    @Test func `what is switched off is not told, but what is addressed to the person is`() {
        let quiet = FactRules(person: rules.person, activities: [])
        #expect(quiet.candidate(makeNote(), on: watched, at: moment)?.suppression == .switchedOff)
        #expect(quiet.candidate(makeNote("ping @alice"), on: watched, at: moment)?.suppression == nil)
        let closed = StateEventRow(id: 1, user: makeUser(9), createdAt: now, state: "closed")
        #expect(quiet.candidate(closed, on: watched, at: moment).suppression == .switchedOff)
        #expect(quiet.candidate(makeTodo(21, "assigned"), at: moment).suppression == nil)
        // A comment that somebody else's rule makes a to-do is still told by it.
        let merge = FactMerge(
            [quiet.candidate(makeNote(), on: watched, at: moment), quiet.candidate(makeTodo(note: 11), at: moment)]
                .compactMap { $0 },
            notified: { _ in nil }
        )
        #expect(merge.facts.map(\.source) == [.todo])
        #expect(merge.suppressed.mapValues(\.count) == [.switchedOff: 1])
    }

    @Test func `an assignment told by note and to-do is one fact`() throws {
        let curious = FactRules(person: rules.person, activities: [.assignees])
        let note = try #require(
            curious.candidate(makeNote("assigned to @alice", isSystem: true), on: watched, at: moment)
        )
        let merge = FactMerge([note, curious.candidate(makeTodo(21, "assigned"), at: moment)], notified: { _ in nil })
        #expect(merge.facts.map(\.key) == [.note(project, 11)])
        #expect(merge.records.map(\.key) == [.note(project, 11), .todo(21)])
    }

    /// GitLab facts §6.1.
    @Test func `a job that fails, and its pipeline that has failed long afterwards, are one fact`() {
        let curious = FactRules(person: rules.person, activities: [.pipelines])
        let begin = now.advanced(by: .zero - .minutes(30))
        let row = PipelineRow(id: 6, status: "failed", updatedAt: now)
        let ended = curious.candidate(EndedRun(row: row, run: 1, since: begin), on: watched, at: moment)
        let failedAt = now.advanced(by: .zero - .minutes(20))
        let todo = curious.candidate(makeTodo(21, "build_failed", by: 7, at: failedAt), at: moment)
        for (candidates, told) in [([todo, ended], FactKey.todo(21)), ([ended, todo], ended.fact.key)] {
            let merge = FactMerge(candidates, notified: { _ in nil })
            #expect(merge.facts.map(\.key) == [told])
            #expect(merge.correlatedCount == 1)
        }
    }

    @Test func `trap 5: backdated and imported rows are silent, a row of an outage is not`() {
        let old = makeNote(at: now.advanced(by: .zero - .hours(25)))
        #expect(rules.candidate(old, on: watched, at: moment)?.suppression == .backdated)
        #expect(rules.candidate(makeNote(isImported: true), on: watched, at: moment)?.suppression == .backdated)
        let afterTwoDays = FactRules.Moment(now: now, backdatedBefore: now.advanced(by: .zero - .hours(72)))
        #expect(rules.candidate(old, on: watched, at: afterTwoDays)?.suppression == nil)
        #expect(rules.candidate(makeNote(at: nil), on: watched, at: moment)?.suppression == nil)
    }

    @Test func `trap 6: an old to-do is news when it is seen first`() {
        let todo = makeTodo(at: now.advanced(by: .zero - .days(30)))
        #expect(rules.candidate(todo, at: moment).suppression == nil)
    }

    @Test func `trap 30: each source names its actor in its own way`() {
        let own = makeUser(7)
        #expect(rules.candidate(makeNote(by: own), on: watched, at: moment)?.suppression == .ownAction)
        #expect(
            rules.candidate(makeNote("approved this merge request", by: own, isSystem: true), on: watched, at: moment)?
                .suppression == .ownAction
        )
        let event = StateEventRow(id: 1, user: own, createdAt: now, state: "merged")
        #expect(rules.candidate(event, on: watched, at: moment).suppression == .ownAction)
        #expect(rules.candidate(makeTodo(21, "marked", by: 7), at: moment).suppression == .ownAction)
        #expect(rules.candidate(makeTodo(21, "assigned", by: 7), at: moment).suppression == .ownAction)
        // GitLab facts §6.1: the author of such a to-do is the author of the merge request.
        #expect(rules.candidate(makeTodo(21, "build_failed", by: 7), at: moment).suppression == nil)
        let nobody = StateEventRow(id: 1, user: nil, createdAt: now, state: "closed")
        #expect(rules.candidate(nobody, on: watched, at: moment).suppression == nil)
        #expect(rules.candidate(nobody, on: watched, at: moment).fact.actor.name == "Someone")
    }

    @Test func `what the person did is theirs, and an answer, also where they want to hear of no such thing`() throws {
        let quiet = FactRules(person: rules.person, activities: [])
        let note = makeNote(by: makeUser(7))
        let candidate = try #require(quiet.candidate(note, on: watched, at: moment))
        #expect(candidate.suppression == .ownAction)
        #expect(AskRecord.isAnswer(candidate))
        #expect(quiet.isAnswer(note, on: watched))
        let review = makeNote("requested changes", by: makeUser(7), isSystem: true)
        let asked = try #require(quiet.candidate(review, on: watched, at: moment))
        #expect(AskRecord.isAnswer(asked))
        let other = makeNote()
        #expect(!quiet.isAnswer(other, on: watched))
    }

    @Test(arguments: [("closed", Action.closed), ("reopened", .reopened), ("merged", .merged), ("new", .other("new"))])
    func `state events tell closes, reopens and merges`(state: String, action: Action) {
        let event = StateEventRow(id: 1, user: makeUser(9), createdAt: now, state: state)
        let candidate = rules.candidate(event, on: watched, at: moment)
        #expect(candidate.fact.action == action)
        #expect(candidate.fact.key == .stateEvent(project, 1))
    }

    @Test(arguments: [
        ("mentioned", Action.mentioned), ("directly_addressed", .mentioned), ("assigned", .assigned),
        ("review_requested", .reviewRequested), ("build_failed", .buildFailed),
        ("approval_required", .approvalRequired),
        ("merge_train_removed", .mergeTrainRemoved), ("ssh_key_expired", .keyExpired),
        ("ssh_key_expiring_soon", .keyExpiresSoon), ("member_access_requested", .accessRequested),
        ("review_submitted", .reviewSubmitted),
        ("unmergeable", .unmergeable), ("okr_checkin_requested", .other("okr_checkin_requested")),
    ])
    func `trap 20: to-do actions are mapped by GitLab's real names`(name: String, action: Action) {
        #expect(rules.candidate(makeTodo(21, name), at: moment).fact.action == action)
    }

    @Test func `what nobody did is no deed of the receiver, whom GitLab writes as its author`() {
        for name in ["build_failed", "unmergeable", "merge_train_removed", "ssh_key_expired", "ssh_key_expiring_soon"] {
            let candidate = rules.candidate(makeTodo(21, name, by: 7), at: moment)
            #expect(candidate.fact.actor == Actor(nil))
            #expect(candidate.suppression == nil)
        }
        #expect(rules.candidate(makeTodo(21, "approval_required", by: 9), at: moment).fact.actor.id == 9)
        #expect(rules.candidate(makeTodo(21, "assigned", by: 9), at: moment).fact.actor.id == 9)
    }

    @Test func `a list tells nothing of before it was there, unless that seems yet to come`() {
        let note = makeNote(at: now.advanced(by: .minutes(-30)))
        let begun = moment.notBefore(now.advanced(by: .minutes(-10)))
        #expect(rules.candidate(note, on: watched, at: begun)?.suppression == .backdated)
        // GitLab's clock was set back since.
        let ahead = moment.notBefore(now.advanced(by: .minutes(10)))
        #expect(rules.candidate(note, on: watched, at: ahead)?.suppression == nil)
        // An answer tells whole seconds.
        let present = moment.notBefore(now.advanced(by: .milliseconds(900)))
        #expect(rules.candidate(note, on: watched, at: present)?.suppression == .backdated)
    }

    @Test func `trap 31: a to-do on anything is told with its address`() {
        for type in ["Commit", "Key", "Namespace", "DesignManagement::Design", "Epic", "Unheard::Of"] {
            let candidate = rules.candidate(makeTodo(21, "mentioned", type: type, iid: nil, project: nil), at: moment)
            #expect(candidate.fact.item == nil)
            #expect(candidate.fact.key == .todo(21))
            #expect(candidate.fact.webURL == "https://gitlab.example.com/mr/3")
        }
        #expect(makeTodo(type: "Issue").item == ItemReference(project: project, kind: .issue, iid: 3))
        #expect(makeTodo(type: "WorkItem").item == ItemReference(project: project, kind: .issue, iid: 3))
        #expect(makeTodo(type: "Epic").item == nil)
    }
}
