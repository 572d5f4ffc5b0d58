import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// What a push says has to be what happened.
struct PushTextChecksTests {
    /// What a test makes of a sound push.
    private typealias Change = (inout PushContent) -> Void

    private static let words = "The timeout is too short for a slow disk."
    private static let keys = ["note/7/41", "note/7/42", "note/7/43", "note/7/44", "note/7/45"]

    private func broken(_ builder: RecordBuilder) -> [Violation] {
        Assessment.assess(builder.record).violations.filter { $0.invariant == .pushMisstates }
    }

    /// A sound push that tells of one comment of Jonas, then changed.
    private func makeComment(by change: Change = { _ in }) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.record.activities[0].body = Self.words
        push([Self.keys[0]], "Jonas commented on MR !847", Self.words, "commented", in: &builder, by: change)
        return builder
    }

    /// A sound push that tells of five comments, the newest four of them one by one, then changed.
    private func makeBatch(by change: Change = { _ in }) -> RecordBuilder {
        var builder = RecordBuilder()
        for (index, author) in [RecordBuilder.jonas, RecordBuilder.tom, RecordBuilder.jonas, RecordBuilder.jonas]
            .enumerated()
        {
            builder.activity(at: 100 + Double(index), by: author, noteID: 41 + Int64(index))
        }
        builder.activity(.approved, at: 105, noteID: 45)
        let lines = "1 earlier\nTom: a\nJonas: b\nJonas: c\nJonas: approved"
        push(Self.keys, "MR !847: 4 comments, 1 approval", lines, "approved", in: &builder, by: change)
        return builder
    }

    private func push(
        _ keys: [String],
        _ title: String,
        _ text: String,
        _ actionType: String,
        in builder: inout RecordBuilder,
        by change: Change
    ) {
        builder.push(keys, at: 131)
        var content = builder.record.pushes[0].content ?? RecordBuilder.content(keys, id: "n1")
        content.title = title
        content.text = "Retry logic\n" + text
        content.label = PushLabel(type: "activity", actionType: actionType, actor: "Jonas", count: keys.count)
        change(&content)
        builder.record.pushes[0].content = content
    }

    @Test func `a push that says what happened breaks nothing`() {
        #expect(broken(makeComment()).isEmpty)
        #expect(broken(makeBatch()).isEmpty)
        #expect(broken(makeComment { $0.text = "Retry logic\n" + Self.words.prefix(25) + "…" }).isEmpty, "it was cut")
    }

    @Test func `a push that says otherwise is found, whatever it is that it gets wrong`() {
        let wrong: [(String, Change)] = [
            ("does not name who did it", { $0.title = "Tom commented on MR !847" }),
            ("does not say where", { $0.title = "Jonas commented on MR !84" }),
            ("does not say where", { $0.title = "Jonas commented on MR !8471" }),
            ("does not say where", { $0.title = "Jonas commented on issue #847" }),
            ("has not the item's title", { $0.text = Self.words }),
            ("calls it mentioned", { $0.label?.actionType = "mentioned" }),
            ("says that Tom did it", { $0.label?.actor = "Tom" }),
            ("says that it tells of 2", { $0.label?.count = 2 }),
            ("has other words", { $0.text = "Retry logic\nSomething else." }),
        ]
        for (why, change) in wrong {
            let found = broken(makeComment(by: change))
            #expect(found.count == 1 && found[0].detail.contains(why), "\(why): \(found)")
        }
    }

    @Test func `the title of a push of one fact says what happened`() {
        func found(_ kind: ActivityKind, _ action: String, _ title: String) -> [Violation] {
            var builder = RecordBuilder()
            builder.activity(kind, at: 100, noteID: 41)
            push([Self.keys[0]], title, "", action, in: &builder) { _ in }
            return broken(builder)
        }
        #expect(found(.approved, "approved", "Jonas approved MR !847").isEmpty)
        #expect(found(.unapproved, "unapproved", "Jonas withdrew their approval of MR !847").isEmpty)
        #expect(found(.approved, "approved", "Jonas withdrew their approval of MR !847").count == 1)
        #expect(found(.unapproved, "unapproved", "Jonas approved MR !847").count == 1)
        #expect(found(.reopened, "reopened", "Jonas closed MR !847").count == 1)
        #expect(found(.approved, "approved", "Jonas withdrew their approval of MR !847 and…").isEmpty, "it was cut")
        #expect(found(.titleChanged, "renamed", "Jonas updated MR !847").isEmpty, "no word for it is known")
    }

    @Test func `a reminder says for what the person is waited`() {
        func found(_ title: String) -> [Violation] {
            var builder = makeComment {
                $0.title = title
                $0.label?.type = "reminder"
                $0.label?.actionType = ""
                $0.reminder = ReminderContent(ask: "a", step: 1)
            }
            builder.record.activities[0].mentions = [RecordBuilder.maria]
            return broken(builder)
        }
        #expect(found("Reminder: Jonas mentioned you on MR !847").isEmpty)
        #expect(found("Reminder: Jonas requested your review on MR !847").count == 1)
    }

    @Test func `a batch names who did each of the newest, and counts all`() {
        #expect(
            broken(makeBatch { $0.text = "Retry logic\n2 earlier\nJonas: b\nJonas: c\nJonas: approved" }).count == 1
        )
        let wrong: [(String, Change)] = [
            ("four of five", { $0.label?.count = 4 }),
            ("the newest is the approval", { $0.label?.actionType = "commented" }),
            ("five keys of five are all", { $0.isTruncated = true }),
        ]
        for (why, change) in wrong { #expect(broken(makeBatch(by: change)).count == 1, "\(why)") }
        let cut = makeBatch {
            $0.isTruncated = true
            $0.label?.count = 9
        }
        #expect(broken(cut).isEmpty)
    }

    @Test func `whoever is mentioned is told so, and a reminder says what it reminds of`() {
        let called: Change = {
            $0.label?.actionType = "mentioned"
            $0.title = "Jonas mentioned you on MR !847"
        }
        var builder = makeComment(by: called)
        #expect(broken(builder).count == 1)
        builder.record.activities[0].mentions = [RecordBuilder.maria]
        #expect(broken(builder).isEmpty)
        builder.record.activities[0].mentions = []
        builder.record.activities[0].named = [RecordBuilder.maria]
        #expect(broken(builder).isEmpty, "who could not read it at first finds their name in it later")
        let remind: (String) -> RecordBuilder = { title in
            makeComment {
                $0.title = title
                $0.label?.type = "reminder"
                $0.reminder = ReminderContent(ask: "a", step: 1)
            }
        }
        #expect(broken(remind("Still waiting: Jonas mentioned you on MR !847")).isEmpty)
        #expect(broken(remind("Still waiting: Jonas mentioned you on MR !848")).count == 1)
    }

    @Test func `what the verdict does not know is not judged`() {
        #expect(broken(makeComment { $0.factKeys = ["note/7/99"] }).isEmpty)
        #expect(broken(makeComment { $0.label = nil }).isEmpty)
        let digest: Change = {
            $0.factKeys[0] = "note/7/99"
            $0.title = "3 things"
        }
        #expect(broken(makeDigest(by: digest)).isEmpty)
    }

    @Test func `an item may be called as it was lately, and words as they were at any time`() {
        var builder = makeComment { $0.text = "Retry\nOther words than before." }
        #expect(broken(builder).count == 1)
        builder.activity(.titleChanged, at: 101, noteID: 50)
        builder.record.activities[1].itemTitle = "Retry"
        builder.activity(.editedComment, at: 102, noteID: 41)
        builder.record.activities[2].body = "Other words than before."
        #expect(broken(builder).isEmpty)
    }

    @Test(arguments: [("Please look.", 0), ("@maria, please look.", 1)])
    func `whose name an edit has taken out may be told of a comment`(edited: String, count: Int) {
        var builder = makeComment { $0.text = "Retry logic\n" + edited }
        builder.record.activities[0].body = "@maria please look."
        builder.record.activities[0].mentions = [RecordBuilder.maria]
        builder.activity(.editedComment, at: 102, noteID: 41)
        builder.record.activities[1].body = edited
        #expect(broken(builder).count == count)
    }

    @Test func `what an item was called long before may be told no more, unless something stood in the way`() {
        func told(after minutes: Double, by change: (inout RecordBuilder) -> Void = { _ in }) -> [Violation] {
            var builder = RecordBuilder()
            builder.activity(.titleChanged, at: 100, noteID: 50)
            builder.activity(at: 100 + minutes * 60, noteID: 41)
            for index in 0...1 { builder.record.activities[index].itemTitle = "Mend it" }
            builder.record.activities[1].body = Self.words
            push([Self.keys[0]], "Jonas commented on MR !847", Self.words, "commented", in: &builder) { _ in }
            change(&builder)
            return broken(builder)
        }
        #expect(told(after: 9).isEmpty)
        let late = told(after: 11)
        #expect(late.count == 1 && late[0].detail.contains("has not the item's title"), "\(late)")
        let excuses: [(String, (inout RecordBuilder) -> Void)] = [
            ("it is called so now", { $0.record.pushes[0].content?.text = "Mend it\n" + Self.words }),
            ("a fault", { $0.fault(.replicaLag, id: "lag", from: 200, until: 300) }),
            ("a clock that was set before", { $0.fault(.clockStep, id: "step", from: 50, until: 50) }),
            ("a downtime", { $0.record.downtimes = [Span(from: .seconds(200), until: .seconds(300))] }),
            ("the change was committed late", { $0.record.activities[0].readableFrom = .seconds(400) }),
        ]
        for (why, change) in excuses { #expect(told(after: 11, by: change).isEmpty, "\(why)") }
        #expect(told(after: 11) { $0.fault(.replicaLag, id: "lag", from: 20, until: 90) }.count == 1)
    }

    // MARK: digests

    /// A sound digest of three comments on one item and an approval and a comment on others, then changed.
    private func makeDigest(by change: Change = { _ in }) -> RecordBuilder {
        var builder = RecordBuilder()
        for index in 0...2 { builder.activity(at: 100 + Double(index), noteID: 41 + Int64(index)) }
        builder.activity(.approved, at: 105, noteID: 44)
        builder.activity(at: 106, on: RecordBuilder.issue, noteID: 45)
        let lines = "MR !847 Retry logic: 3 comments, 1 approval\nissue #234 Leak: 1 comment"
        push(Self.keys, "5 updates on 2 items in your quiet hours", "", "digest", in: &builder) { content in
            content.text = lines
            content.label?.type = "digest"
            change(&content)
        }
        return builder
    }

    @Test func `a digest that says what happened breaks nothing`() {
        #expect(broken(makeDigest()).isEmpty)
        #expect(broken(makeDigest { $0.text = "MR !847 Retry logic: 3 comm…" }).isEmpty, "it was cut")
    }

    @Test func `a digest that counts or names otherwise breaks the rule`() {
        let issue = "\nissue #234 Leak: 1 comment"
        let wrong: [(Change, String)] = [
            ({ $0.title = "4 updates on 2 items in your quiet hours" }, "counts otherwise"),
            ({ $0.title = "5 updates on 3 items in your quiet hours" }, "counts otherwise"),
            ({ $0.label?.count = 4 }, "tells of 4"),
            ({ $0.text = "MR !847 Retry logic: 3 comments, 1 approval" }, "no line for issue #234"),
            ({ $0.text = "MR !847: 3 comments, 1 approval" + issue }, "no line for MR !847"),
            ({ $0.text = "MR !8471 Retry logic: 3 comments, 1 approval" + issue }, "no line for MR !847"),
            ({ $0.text = "MR !847 Retry logic: 2 comments, 1 approval" + issue }, "3 times something was commented"),
        ]
        for (change, words) in wrong {
            let found = broken(makeDigest(by: change))
            #expect(found.count == 1 && found[0].detail.contains(words), "\(words): \(found)")
        }
    }

    /// A sound digest of mentions on two commits, then changed.
    private func makeDigestOfCommits(by change: Change = { _ in }) -> RecordBuilder {
        var builder = RecordBuilder()
        let keys = ["todo/61", "todo/62"]
        for index in 0...1 {
            let todo = ActivityRecord.Todo(person: RecordBuilder.maria, id: 61 + Int64(index), action: "mentioned")
            builder.activity(.other, at: 100 + Double(index), on: nil, note: false, todos: [todo])
            builder.record.activities[index].project = ProjectPath("team/backend")
            builder.record.activities[index].body = "Look at this, number \(index)"
        }
        let lines = keys.indices.map { "team/backend Look at this, number \($0): 1 mention" }
        push(keys, "2 updates on 2 items in your quiet hours", "", "digest", in: &builder) { content in
            content.text = lines.joined(separator: "\n")
            content.label?.type = "digest"
            change(&content)
        }
        return builder
    }

    /// A sound digest of mentions on nine commits, of which seven have a line, then changed.
    private func makeCrowdedDigest(by change: Change = { _ in }) -> RecordBuilder {
        var builder = RecordBuilder()
        let keys = (61...69).map { "todo/\($0)" }
        for index in keys.indices {
            let todo = ActivityRecord.Todo(person: RecordBuilder.maria, id: 61 + Int64(index), action: "mentioned")
            builder.activity(.other, at: 100 + Double(index), on: nil, note: false, todos: [todo])
            builder.record.activities[index].project = ProjectPath("team/backend")
            builder.record.activities[index].body = "Look at this, number \(index)"
        }
        let lines = (0..<7).map { "team/backend Look at this, number \($0): 1 mention\n" }
        push(keys, "9 updates on 9 items in your quiet hours", "", "digest", in: &builder) { content in
            content.text = lines.joined() + "and 2 more items"
            content.label?.type = "digest"
            change(&content)
        }
        return builder
    }

    @Test func `a digest of many items says how many have no line`() {
        #expect(broken(makeCrowdedDigest()).isEmpty)
        let other = broken(makeCrowdedDigest { $0.text = $0.text.replacing("and 2 more", with: "and 1 more") })
        #expect(other.map { $0.detail.contains("does not say that there are 2 more items") } == [true])
        let lineOfThird = "team/backend Look at this, number 3: 1 mention\n"
        let fewer = broken(makeCrowdedDigest { $0.text = $0.text.replacing(lineOfThird, with: "") })
        #expect(fewer.map { $0.detail.contains("has no lines for 7 of its items") } == [true])
    }

    @Test func `commits that a digest makes one of break the rule`() {
        #expect(broken(makeDigestOfCommits()).isEmpty)
        let found = broken(
            makeDigestOfCommits {
                $0.title = "2 updates on 1 item in your quiet hours"
                $0.text = "team/backend Look at this, number 0: 2 mentions"
            }
        )
        #expect(found.count == 1 && found[0].detail.contains("counts otherwise"))
    }
}
