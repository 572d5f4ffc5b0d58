import Platform
import ScenarioFixtures
import Scenarios
import Testing

@testable import Verdict

/// A push of several facts tells of each of them in its own words, the oldest first; one of a single comment leaves no words away.
struct PushBatchTests {
    /// What a test makes of a sound push.
    private typealias Change = (inout PushContent) -> Void

    private static let said = [
        "The timeout is too short for a slow disk.", "Then let us double it.\nOr make it a setting of its own.",
    ]
    private static let lines =
        "Jonas: The timeout is too short for a slow disk.\nTom: Then let us double it.\nJonas: approved"

    private func broken(_ builder: RecordBuilder) -> [Violation] {
        Assessment.assess(builder.record).violations.filter { $0.invariant == .pushMisstates }
    }

    /// A sound push of a comment by Jonas, one by Tom, and an approval, ten seconds apart, then changed.
    private func makeBatch(by change: Change = { _ in }) -> RecordBuilder {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        builder.activity(at: 110, by: RecordBuilder.tom, noteID: 42)
        for (index, words) in Self.said.enumerated() { builder.record.activities[index].body = words }
        builder.activity(.approved, at: 120, noteID: 43)
        push(["note/7/41", "note/7/42", "note/7/43"], "MR !847: 2 comments, 1 approval", Self.lines, in: &builder) {
            $0.label?.actionType = "approved"
            change(&$0)
        }
        return builder
    }

    private func push(
        _ keys: [String],
        _ title: String,
        _ text: String,
        in builder: inout RecordBuilder,
        by change: Change
    ) {
        builder.push(keys, at: 131)
        var content = RecordBuilder.content(keys, id: "n1")
        content.title = title
        content.text = "Retry logic\n" + text
        content.label = PushLabel(type: "activity", actionType: "commented", actor: "Jonas", count: keys.count)
        change(&content)
        builder.record.pushes[0].content = content
    }

    private func said(_ builder: RecordBuilder, _ words: String) -> Bool {
        let found = broken(builder)
        return found.count == 1 && found[0].detail.contains(words)
    }

    @Test func `a batch that tells of each in its words breaks nothing`() {
        #expect(broken(makeBatch()).isEmpty)
        let cut: Change = { $0.text = "Retry logic\nJonas: The timeout is too short for a slow disk.\nTom: Jonas: Th…" }
        #expect(broken(makeBatch(by: cut)).isEmpty, "it was cut")
    }

    @Test func `a line has the words of its own fact, and its own name`() {
        let first = "The timeout is too short for a slow disk."
        #expect(
            said(
                makeBatch { $0.text = "Retry logic\nJonas: \(first)\nTom: \(first)\nJonas: approved" },
                "the line of something else"
            )
        )
        #expect(
            said(
                makeBatch { $0.text = "Retry logic\nTom: \(first)\nJonas: Then let us double it.\nJonas: approved" },
                "the line of something else"
            )
        )
    }

    @Test func `a batch counts each kind in its title, and what it does not tell one by one`() {
        #expect(said(makeBatch { $0.title = "MR !847: 3 comments, 1 approval" }, "2 times something was commented"))
        func comments(_ count: Int, title: String, earlier: String?) -> RecordBuilder {
            var builder = RecordBuilder()
            for index in 0..<count { builder.activity(at: 100 + Double(index), noteID: 41 + Int64(index)) }
            let keys = (0..<count).map { "note/7/\(41 + $0)" }
            let told = Array(repeating: "Jonas: a", count: min(count, 4))
            let text = ((earlier.map { [$0] } ?? []) + told).joined(separator: "\n")
            push(keys, title, text, in: &builder) { _ in }
            return builder
        }
        #expect(broken(comments(3, title: "3 new comments on MR !847", earlier: nil)).isEmpty)
        #expect(said(comments(3, title: "2 new comments on MR !847", earlier: nil), "counts otherwise"))
        #expect(broken(comments(6, title: "6 new comments on MR !847", earlier: "2 earlier")).isEmpty)
        #expect(said(comments(6, title: "6 new comments on MR !847", earlier: "3 earlier"), "2 came earlier"))
        #expect(said(comments(6, title: "6 new comments on MR !847", earlier: nil), "2 came earlier"))
    }

    @Test func `a batch names the oldest first, as far as times tell`() {
        func makeTurned() -> RecordBuilder {
            makeBatch {
                $0.factKeys = ["note/7/42", "note/7/41", "note/7/43"]
                let words = Self.said[1].prefix { !$0.isNewline }
                $0.text = "Retry logic\nTom: \(words)\nJonas: \(Self.said[0])\nJonas: approved"
            }
        }
        #expect(said(makeTurned(), "the oldest first"))
        var late = makeTurned()
        late.record.activities[0].readableFrom = .seconds(115)
        #expect(broken(late).isEmpty, "it was committed late")
        var set = makeTurned()
        set.fault(.clockStep, id: "clock", from: 105, until: 106)
        #expect(broken(set).isEmpty, "a clock was set")
        var together = makeTurned()
        together.record.activities[1].at = .seconds(101)
        together.record.activities[1].claimedAt = .seconds(101)
        together.record.activities[1].readableFrom = .seconds(101)
        #expect(broken(together).isEmpty, "within a second")
    }

    @Test func `what nobody did is told as nobody's deed`() {
        func makeFailure(_ line: String, actor: String? = nil) -> RecordBuilder {
            var builder = RecordBuilder()
            builder.activity(at: 100, noteID: 41)
            builder.record.activities[0].body = Self.said[0]
            let todo = ActivityRecord.Todo(person: RecordBuilder.maria, id: 61, action: "build_failed")
            builder.activity(.pipelineFinished, at: 110, note: false, todos: [todo])
            let lines = "Jonas: \(Self.said[0])\n\(line)"
            push(["note/7/41", "todo/61"], "MR !847: 1 comment, 1 failed pipeline", lines, in: &builder) {
                $0.label?.actionType = "build_failed"
                $0.label?.actor = actor
            }
            return builder
        }
        #expect(broken(makeFailure("Pipeline failed")).isEmpty)
        #expect(said(makeFailure("Jonas: pipeline failed"), "something else"))
        #expect(said(makeFailure("Pipeline failed", actor: "Jonas"), "says that Jonas did it"))
    }

    @Test func `a single comment has all of its words, unless there is no room for them`() {
        func makeComment(_ text: String, size: Int?) -> RecordBuilder {
            var builder = RecordBuilder()
            builder.activity(at: 100, noteID: 41)
            builder.record.activities[0].body = Self.said[1]
            push(["note/7/41"], "Jonas commented on MR !847", text, in: &builder) { $0.size = size }
            return builder
        }
        #expect(broken(makeComment(Self.said[1], size: 500)).isEmpty)
        #expect(said(makeComment("Then let us double it.", size: 500), "words away"))
        #expect(said(makeComment("Then let us double it.\nOr…", size: 500), "words away"))
        #expect(said(makeComment("Then let us double it.\nOr", size: 4_090), "words away"))
        #expect(broken(makeComment("Then let us double it.\nOr…", size: 4_090)).isEmpty)
        #expect(broken(makeComment("Then let us double it.\nOr…", size: nil)).isEmpty, "nobody knows how long it was")
    }
}
