import JSON
import Platform
import ScenarioFixtures
import Scenarios
import Simulation
import Testing

@testable import Harness
@testable import Verdict

struct ExplanationTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var path: String { "\(folder.path)/report" }

    private func write(_ record: RunRecord, trace: [String] = []) throws {
        try ReportBuilder.write(ReportBuilder.make([record]), record: record, trace: trace, to: path)
    }

    private func at(_ seconds: Double, _ event: TraceEvent) -> String {
        TraceFile.line(event, at: MonotonicInstant(nanoseconds: Int64(seconds * 1_000_000_000)), node: 1)
    }

    private func makeRetried() -> RunRecord {
        var builder = RecordBuilder()
        builder.fault(.gitlabOutage, id: "outage", from: 105, until: 140)
        builder.activity(at: 100, readableAfter: 2, noteID: 41)
        builder.enqueue(["note/7/41"], at: 150)
        builder.push(["note/7/41"], at: 151, status: 503, reason: "ServiceUnavailable")
        builder.push(["note/7/41"], at: 160)
        builder.event(.displayed, ["note/7/41"], at: 161)
        return builder.record
    }

    private var polls: [String] {
        let target = "/api/v4/projects/7/merge_requests/847/notes?page=1"
        return [
            at(90, .requestSent(exchange: 1, link: "gitlab", method: "GET", target: target, bodyBytes: 0)),
            at(105, .faultBegan(id: "outage", kind: "gitlab-outage")),
            at(120, .requestSent(exchange: 2, link: "gitlab", method: "GET", target: target, bodyBytes: 0)),
            at(120, .requestSent(exchange: 3, link: "gitlab", method: "GET", target: "/api/v4/other", bodyBytes: 0)),
            at(120.1, .replySent(exchange: 2, status: 502, bodyBytes: 9, fault: "outage")),
            at(120.2, .exchangeEnded(exchange: 2, status: 502, failure: nil)),
            at(140, .faultEnded(id: "outage")),
            at(149, .requestSent(exchange: 4, link: "gitlab", method: "GET", target: target, bodyBytes: 0)),
            at(149.1, .exchangeEnded(exchange: 4, status: 200, failure: nil)),
        ]
    }

    @Test func `a story is told in order, from the action to the display`() throws {
        try write(makeRetried(), trace: polls)
        let story = try Explanation.story(of: 1, in: path)
        let parts = [
            "activity 1", "@maria  expected", "00:01:40.000  gitlab", "it could be read", "outage begins",
            "-> 502 (fault outage)",
            "outage ends", "-> 200", "enqueued as n1", "503 ServiceUnavailable", "pushed to phone: 200", "displayed",
            "shown after 61.0 s",
        ]
        var rest = story[...]
        for part in parts {
            let range = rest.ranges(of: part).first
            #expect(range != nil, "\(part) is missing or out of order")
            if let range { rest = rest[range.upperBound...] }
        }
        #expect(!story.contains("/other"))
        #expect(story.ranges(of: "GET").count == 2)
    }

    @Test func `a miss ends with its cause`() throws {
        var builder = RecordBuilder()
        builder.activity(at: 100, noteID: 41)
        try write(builder.record)
        #expect(try Explanation.story(of: 1, in: path).contains("missed: not-detected."))
    }

    @Test func `what never became possible is no scene of a story`() throws {
        var builder = RecordBuilder()
        builder.activity(at: 700, noteID: 41)
        builder.record.registrations[0].tokenDead = [Span(from: .seconds(600), until: .days(40_000))]
        try write(builder.record)
        let story = try Explanation.story(of: 1, in: path)
        #expect(story.contains("missed: token-dead."))
        #expect(!story.contains("nothing stood in the way") && !story.contains("36500d"), "\(story)")
    }

    @Test func `somebody who had nothing to learn is told why`() throws {
        var builder = RecordBuilder()
        builder.activity(at: 100, by: RecordBuilder.maria)
        try write(builder.record)
        #expect(try Explanation.story(of: 1, in: path).contains("@maria  not-for-them: They did it themselves."))
    }

    @Test func `an unknown activity names the known ones`() throws {
        try write(makeRetried())
        #expect(throws: ReportError.unknownActivity(2, known: 1...1)) { try Explanation.story(of: 2, in: path) }
    }

    @Test func `a seed that the report does not have is blamed, and no activity`() throws {
        try write(makeRetried())
        #expect(throws: ReportError.unknownSeed(9, known: 1...1)) {
            try Explanation.story(of: 1, in: path, seed: 9)
        }
        let days = [ReportBuilder.makeFailingDay(seed: 41), ReportBuilder.makeFailingDay(seed: 42)]
        try ReportBuilder.write(ReportBuilder.make(days), to: path)
        #expect(throws: ReportError.unknownSeed(9, known: 41...42)) {
            try Explanation.story(of: 3, in: path, seed: 9)
        }
    }

    @Test func `the report of one seed knows every activity, also when all are abnormal`() throws {
        var builder = RecordBuilder()
        builder.activity(at: 100, readableAfter: 2, noteID: 41)
        try write(builder.record)
        #expect(throws: ReportError.unknownActivity(42, known: 1...1)) { try Explanation.story(of: 42, in: path) }
    }

    @Test func `what is not a report is refused`() throws {
        #expect(throws: ReportError.missingFile(path: folder.path, name: "summary.json")) {
            try Explanation.story(of: 1, in: folder.path)
        }
        try folder.write("x", to: "file")
        #expect(throws: ReportError.notADirectory(path: "\(folder.path)/file")) {
            try Explanation.story(of: 1, in: "\(folder.path)/file")
        }
    }

    @Test func `a damaged ledger is named with its line`() throws {
        try write(makeRetried())
        try folder.write(folder.read("report/ledger.jsonl") + "{\"half\":", to: "report/ledger.jsonl")
        #expect(throws: ReportError.damaged(path: "\(path)/ledger.jsonl", line: 2)) {
            try Explanation.story(of: 1, in: path)
        }
    }

    @Test func `a story at the end of all time ends`() throws {
        try write(makeRetried())
        let text = try folder.read("report/ledger.jsonl")
        let line = try #require(try LedgerFile.lines(text).first)
        var far = line
        (far.atNanoseconds, far.knownNanoseconds) = (.max, nil)
        try folder.write(DeterministicJSON.line(far) + "\n", to: "report/ledger.jsonl")
        #expect(try Explanation.story(of: 1, in: path).contains("activity 1"))
    }

    @Test func `a report of several seeds without anything abnormal has activities all the same`() throws {
        let days = [ReportBuilder.makeFailingDay(seed: 41), ReportBuilder.makeFailingDay(seed: 42)]
        try ReportBuilder.write(ReportBuilder.make(days), to: path)
        try folder.write("", to: "report/ledger.jsonl")
        #expect(throws: ReportError.notInLedger(300)) { try Explanation.story(of: 300, in: path) }
        #expect(throws: ReportError.unknownActivity(0, known: nil)) { try Explanation.story(of: 0, in: path) }
    }

    @Test func `a report of a later program is refused, whatever its lines seem to say`() throws {
        try write(makeRetried())
        let text = try folder.read("report/summary.json")
        let later = text.replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 2")
        #expect(later != text)
        try folder.write(later, to: "report/summary.json")
        #expect(throws: ReportError.newer(path: "\(path)/summary.json", version: 2)) {
            try Explanation.story(of: 1, in: path)
        }
    }

    @Test func `several seeds keep what was abnormal only`() throws {
        let days = [ReportBuilder.makeFailingDay(seed: 41), ReportBuilder.makeFailingDay(seed: 42)]
        try ReportBuilder.write(ReportBuilder.make(days), to: path)
        #expect(throws: ReportError.notInLedger(300)) { try Explanation.story(of: 300, in: path) }
        #expect(try Explanation.story(of: 3, in: path, seed: 42).contains("seed 42"))
    }
}
