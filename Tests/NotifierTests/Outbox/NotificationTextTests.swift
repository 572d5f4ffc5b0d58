import Platform
import Testing

@testable import Notifier

struct NotificationTextTests {
    private func title(_ facts: [Fact]) -> String {
        NotificationText(.activity(facts), at: deliveryStart).title
    }

    @Test(arguments: [
        (Action.mentioned, "Maria mentioned you on MR !847"),
        (.assigned, "Maria assigned you to MR !847"),
        (.reviewRequested, "Maria requested your review on MR !847"),
        (.commented, "Maria commented on MR !847"),
        (.approved, "Maria approved MR !847"),
        (.merged, "Maria merged MR !847"),
        (.closed, "Maria closed MR !847"),
        (.reopened, "Maria reopened MR !847"),
        (.pushed, "Maria pushed to MR !847"),
        (.other("cherry_picked"), "Maria updated MR !847"),
        (.reviewSubmitted, "Maria reviewed MR !847"),
        (.changesRequested, "Maria requested changes on MR !847"),
        (.mergeTrainRemoved, "MR !847 was removed from the merge train"),
        (.keyExpiresSoon, "Your SSH key expires soon"),
        (.keyExpired, "Your SSH key has expired"),
    ])
    func `a single fact has the title of the action table`(_ action: Action, _ expected: String) {
        #expect(title([makeFact(action)]) == expected)
    }

    @Test func `an issue is named as GitLab writes it`() {
        let issue = ItemReference(project: ProjectID(rawValue: 1), kind: .issue, iid: 234)
        #expect(title([makeFact(item: issue)]) == "Maria commented on issue #234")
    }

    @Test func `comments of a batch are counted`() {
        #expect(title((1...3).map { makeFact(note: $0) }) == "3 new comments on MR !847")
    }

    @Test func `kinds of a mixed batch are named in the order in which they came`() {
        let facts = [makeFact(note: 1), makeFact(.approved, note: 2), makeFact(note: 3), makeFact(.merged, note: 4)]
        #expect(title(facts) == "MR !847: 2 comments, 1 approval, merged")
    }

    @Test func `a batch tells its newest facts and counts the others`() {
        let facts = (1...6).map { makeFact(note: $0, body: "text \($0)\nmore") }
        let body = NotificationText(.activity(facts), at: deliveryStart).body
        #expect(body == "2 earlier\nMaria: text 3\nMaria: text 4\nMaria: text 5\nMaria: text 6")
    }

    @Test func `a long paragraph leaves room for what came behind it`() {
        let long = String(repeating: "The upload begins anew. ", count: 400)
        let facts = [makeFact(note: 1, body: long), makeFact(note: 2, actor: "Tom", body: "Stop it now.")]
        let lines = NotificationText(.activity(facts), at: deliveryStart).body.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("Maria: The upload begins anew.") && lines[0].hasSuffix("…"))
        #expect(lines[0].utf8.count <= 320)
        #expect(lines[1] == "Tom: Stop it now.")
        #expect(NotificationText(.activity([facts[0]]), at: deliveryStart).body == long)
    }

    @Test func `a long name leaves room for what was done, and where`() {
        let title = title([makeFact(actor: String(repeating: "工程部门", count: 28))])
        #expect(title.hasPrefix("工程部门") && title.hasSuffix("… commented on MR !847"))
        #expect(title.utf8.count <= 160)
    }

    @Test func `long titles leave room for the other lines of a digest`() {
        let facts = (Int64(1)...3).map { number in
            let item = ItemReference(project: ProjectID(rawValue: 42), kind: .issue, iid: number)
            return makeFact(note: number, item: item, title: String(repeating: "漢", count: 250))
        }
        let lines = Digest(facts: facts.map { HeldFact($0) }).body.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.utf8.count < 160 && $0.hasSuffix("…: 1 comment") })
    }

    @Test func `what nobody did begins with no name`() {
        let facts = [makeFact(note: 1, body: "Please look."), makeFact(.buildFailed, note: 2, body: nil)]
        let text = NotificationText(.activity(facts), at: deliveryStart)
        #expect(text.title == "MR !847: 1 comment, 1 failed pipeline")
        #expect(text.body == "Maria: Please look.\nPipeline failed")
    }

    @Test func `what has no name of its own is counted together`() {
        let facts = [
            makeFact(.other("okr"), note: 1), makeFact(.other("more"), note: 2), makeFact(.buildFailed, note: 3),
            makeFact(.pipelineFailed, note: 4),
        ]
        #expect(title(facts) == "MR !847: 2 updates, 2 failed pipelines")
        let digest = Digest(facts: facts.map { HeldFact($0) })
        #expect(digest.body == "MR !847 Auth refactor: 2 updates, 2 failed pipelines")
    }

    @Test func `who asks for access says to what`() {
        var fact = makeFact(.accessRequested, item: nil)
        #expect(title([fact]) == "Maria asks for access to team/backend")
        fact.projectPath = nil
        #expect(title([fact]) == "Maria asks for access to a group")
    }

    @Test func `a digest has a line for each thing that is no item`() {
        let commits = ["abc", "def", "def"]
        let facts = commits.map { commit in
            var fact = makeFact(.mentioned, item: nil, title: "Look at \(commit)")
            fact.webURL = "https://gitlab.example.com/team/backend/-/commit/\(commit)#note_1"
            return HeldFact(fact)
        }
        let digest = Digest(facts: facts)
        #expect(digest.title == "3 updates on 2 items in your quiet hours")
        #expect(digest.body == "team/backend Look at abc: 1 mention\nteam/backend Look at def: 2 mentions")
    }

    @Test func `what is in no project goes by its address`() {
        func thread(_ address: String) -> String {
            var fact = makeFact(.mentioned, item: nil)
            fact.projectPath = nil
            fact.webURL = address
            return NotificationDraft.Subject.activity([fact]).threadID
        }
        let epic = thread("https://gitlab.example.com/groups/alpha/-/epics/1")
        #expect(epic.hasPrefix("address/") && epic.utf8.count == 24)
        #expect(epic == thread("https://gitlab.example.com/groups/alpha/-/epics/1#note_7"))
        #expect(epic != thread("https://gitlab.example.com/groups/alpha/-/epics/2"))
        #expect(NotificationDraft.Subject.activity([makeFact(item: nil)]).threadID == "project/team/backend")
    }

    @Test func `what cannot be watched is named by its project`() {
        #expect(title([makeFact(.mentioned, item: nil)]) == "Maria mentioned you on team/backend")
    }

    @Test func `trouble says how long`() {
        let text = NotificationText(.serviceTrouble(since: deliveryStart), at: deliveryStart.advanced(by: .minutes(65)))
        #expect(text.body == "GitLab has been unavailable for 1h5m. We'll keep trying.")
    }
}
