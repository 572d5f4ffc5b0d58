import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// A push disturbs as much as what it tells of asks for, has its buttons, and is filed with what belongs to it.
struct PushMannerTests {
    /// What a test makes of a sound push.
    private typealias Change = (inout PushContent) -> Void

    /// What is said of a push of one fact of which the verdict knows nothing, about the merge request, sound but for the change.
    private func said(_ type: String = "activity", _ action: String = "commented", by change: Change) -> [String] {
        var builder = RecordBuilder()
        builder.push(["note/7/99"], at: 131)
        var content = RecordBuilder.content(["note/7/99"], id: "n1")
        content.target = PushTarget(itemType: "merge_request", itemNumber: 847, projectPath: nil, webAddress: nil)
        content.label = PushLabel(type: type, actionType: action, actor: "Jonas", count: 1)
        content.label?.projectID = 7
        content.manner = Self.manner()
        change(&content)
        builder.record.pushes[0].content = content
        return found(builder)
    }

    private func found(_ builder: RecordBuilder) -> [String] {
        Assessment.assess(builder.record).violations.filter { $0.invariant == .pushMisstates }.map(\.detail)
    }

    private static func manner(
        _ level: String = "active",
        audible: Bool = true,
        _ category: String = "GITLAB_ACTIVITY",
        thread: String = "7/merge_request/847"
    ) -> PushManner {
        PushManner(isAudible: audible, level: level, category: category, thread: thread)
    }

    private static func come(_ manner: PushManner) -> Change { { $0.manner = manner } }

    @Test func `a push comes as what it tells of has to`() {
        #expect(said { _ in }.isEmpty)
        #expect(said { $0.manner = nil }.isEmpty, "what came by no push")
        #expect(said("activity", "mentioned", by: Self.come(Self.manner("time-sensitive"))).isEmpty)
        let wrong: [(String, Change)] = [
            ("makes no sound", Self.come(Self.manner(audible: false))),
            ("disturbs wrongly", Self.come(Self.manner("time-sensitive"))),
            ("disturbs wrongly", Self.come(Self.manner(""))),
            ("has the buttons of GITLAB_ASK", Self.come(Self.manner("active", "GITLAB_ASK"))),
            ("has the buttons of GITLAB_ACTIVITY", { $0.label?.isNewMention = true }),
            ("has the buttons of GITLAB_ACTIVITY", { $0.label?.hasAsk = true }),
            ("is filed under 7/issue/847", Self.come(Self.manner(thread: "7/issue/847"))),
            ("is filed under", { $0.label?.projectID = nil }),
        ]
        for (why, change) in wrong {
            let found = said(by: change)
            #expect(found.count == 1 && found[0].contains(why), "\(why): \(found)")
        }
        #expect(said("activity", "mentioned") { _ in }.count == 1, "whoever is asked has to notice")
    }

    @Test func `news about the service is quiet when it is good, and pressing when nothing comes any more`() {
        func said(_ type: String, _ manner: PushManner) -> [String] {
            self.said(type, "") {
                $0.factKeys = []
                $0.target = nil
                $0.type = type
                $0.manner = manner
            }
        }
        let service = { (level: String, audible: Bool) in Self.manner(level, audible: audible, thread: "service") }
        #expect(said("service_recovered", service("passive", false)).isEmpty)
        #expect(said("service_recovered", service("passive", true)).count == 1)
        #expect(said("service_trouble", service("active", true)).isEmpty)
        #expect(said("auth_expired", service("time-sensitive", true)).isEmpty)
        #expect(said("auth_expired", service("active", true)).count == 1)
        #expect(said("test", Self.manner()).count == 1)
    }

    @Test func `reminders have the buttons of what waits, and programs and duties threads of their own`() {
        let waiting = Self.manner("time-sensitive", "GITLAB_ASK")
        #expect(self.said("reminder", "", by: Self.come(waiting)).isEmpty)
        #expect(self.said("reminder", "", by: Self.come(Self.manner("time-sensitive"))).count == 1)
        func said(_ key: String, _ thread: String, run: String? = nil, duty: String? = nil) -> [String] {
            self.said("signal", "run_failed") {
                $0.factKeys = [key]
                $0.target = nil
                $0.label?.run = run
                $0.label?.duty = duty
                $0.manner?.thread = thread
            }
        }
        #expect(said("signal/4/run_failed/a", "signal/4").isEmpty)
        #expect(said("signal/4/run_failed/a", "signal/4/night", run: "night").isEmpty)
        #expect(said("signal/4/run_failed/a", "signal/4/ni…", run: "night").isEmpty)
        #expect(said("signal/4/run_failed/a", "signal/5", run: nil).count == 1)
        #expect(said("signal/4/run_failed/a", "signal/4/day", run: "night").count == 1)
        #expect(said("duty/d/o/turn", "duty/d", duty: "d").isEmpty)
        #expect(said("duty/d/o/turn", "duty/e", duty: "d").count == 1)
        #expect(said("todo/4", "project/team/backend").isEmpty)
    }

    @Test func `a batch disturbs when one of its facts has to`() {
        func found(_ level: String, isMentioned: Bool, cut: Bool = false) -> Int {
            var builder = RecordBuilder()
            builder.activity(at: 100, noteID: 41, mentions: isMentioned ? [RecordBuilder.maria] : [])
            builder.activity(.approved, at: 105, noteID: 42)
            let keys = ["note/7/41", "note/7/42"]
            builder.push(keys, at: 131)
            var content = RecordBuilder.content(keys, id: "n1", isTruncated: cut)
            content.title = "MR !847: 1 \(isMentioned ? "mention" : "comment"), 1 approval"
            content.text = "Retry logic\nJonas: a\nJonas: approved"
            content.label = PushLabel(type: "activity", actionType: "approved", actor: "Jonas", count: cut ? 9 : 2)
            content.label?.projectID = 7
            content.target = PushTarget(itemType: "merge_request", itemNumber: 847, projectPath: nil, webAddress: nil)
            content.manner = Self.manner(level)
            builder.record.pushes[0].content = content
            return self.found(builder).count
        }
        #expect(found("active", isMentioned: false) == 0)
        #expect(found("time-sensitive", isMentioned: false) == 1)
        #expect(found("active", isMentioned: true) == 1)
        #expect(found("time-sensitive", isMentioned: true) == 0)
        #expect(found("time-sensitive", isMentioned: false, cut: true) == 0, "nobody knows what was left out")
    }
}
