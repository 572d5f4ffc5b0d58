import JSON
import ScenarioFixtures
import Testing

@testable import ReportPage
@testable import Scenarios
@testable import Verdict
@testable import Workbench

/// The page of a report: what it says, what it leaves out, what it refuses.
struct ReportCommandTests {
    private let folder = try? TestFolder()

    private func path(_ name: String) throws -> String { "\(try #require(folder).path)/\(name)" }

    private func write(_ days: [RunRecord], to name: String) throws -> String {
        let path = try path(name)
        let report = ReportBuilder.make(days)
        try ReportBuilder.write(report, record: days.count == 1 ? days[0] : nil, to: path)
        return path
    }

    private func page(_ path: String) throws -> String { ReportPage.text(try ReportData(folder: path)) }

    @Test func equalRunsGiveEqualPages() throws {
        let first = try page(write([ReportBuilder.makeFailingDay()], to: "first"))
        let second = try page(write([ReportBuilder.makeFailingDay()], to: "second"))
        #expect(first == second)
        #expect(!first.contains(try path("")))
    }

    @Test func anotherRunGivesAnotherPage() throws {
        let first = try page(write([ReportBuilder.makeFailingDay(seed: 41)], to: "first"))
        let second = try page(write([ReportBuilder.makeFailingDay(seed: 42)], to: "second"))
        #expect(first != second)
    }

    @Test func theVerdictComesFirst() throws {
        let text = try page(write([ReportBuilder.makeFailingDay()], to: "report"))
        let main = try #require(text.split(separator: "<main>", maxSplits: 1).last)
        let verdict = try #require(main.firstIndex(of: "✗"))
        #expect(!main[..<verdict].contains("<h2"))
        #expect(text.contains("simctl run scenarios/fixture.json --seed 41"))
        #expect(text.contains("<section id=\"misses\""))
        #expect(text.contains("Missed 12 of 320"))
    }

    @Test func severalSeedsHaveAStripAndOneHasNone() throws {
        let one = try page(write([RecordBuilder.makeDay(seed: 1, count: 10)], to: "one"))
        let days = (1...3).map { RecordBuilder.makeDay(seed: $0, count: 10, missed: $0 == 2 ? 3 : 0) }
        let several = try page(write(days, to: "several"))
        #expect(!one.contains("id=\"seeds\""))
        #expect(several.contains("<section id=\"seeds\""))
        #expect(several.contains("<tr id=\"seed-2\""))
        #expect(several.contains("--seed 2</code>"))
    }

    @Test func anEmptyRunHasSentencesInsteadOfPictures() throws {
        let text = try page(write([RecordBuilder.makeDay(count: 0)], to: "empty"))
        #expect(text.contains("Nothing was displayed, so there is no latency to show."))
        #expect(text.contains("too few for a curve"))
        #expect(!text.contains("latency-percentiles"))
        #expect(!text.contains("NaN") && !text.contains("inf"))
    }

    @Test func aReportWithoutTimelineSaysSo() throws {
        let path = try write([RecordBuilder.makeDay(count: 10)], to: "old")
        #expect(!(try page(path)).contains("no timeline.json"))
        removeTree("\(path)/timeline.json")
        #expect(try page(path).contains("This report has no timeline.json"))
    }

    @Test func namesOfStrangersAreText() throws {
        let path = try write([ReportBuilder.makeFailingDay()], to: "mean")
        let mean = "</title><script>alert(1)</script>\\\"'&\\u202e" + String(repeating: "W", count: 5_000)
        let ledger = try #require(folder).read("mean/ledger.jsonl").split(separator: "\n").map(String.init)
        let changed = ledger.map { line in line.replacing("\"Retry logic\"", with: "\"\(mean)\"") }
        #expect(changed != ledger)
        try #require(folder).write(changed.joined(separator: "\n"), to: "mean/ledger.jsonl")
        let text = try page(path)
        #expect(text.contains("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\u{FFFD}WWW"))
        #expect(text.split(separator: "<script").count == 2, "its own")
        #expect(!text.contains(String(repeating: "W", count: 121)))
    }

    @Test func aHundredThousandNotificationsStayWithinTheBounds() throws {
        let path = try write([ReportBuilder.makeFailingDay()], to: "large")
        let own = try #require(folder)
        try own.write(Self.fullTimeline(notifications: 100_000), to: "large/timeline.json")
        let line = try #require(try own.read("large/ledger.jsonl").split(separator: "\n").first).description
        try own.write((0..<2_000).map { _ in line }.joined(separator: "\n"), to: "large/ledger.jsonl")
        let text = try page(path)
        let elements = zip(text.utf8, text.utf8.dropFirst()).count {
            $0 == UInt8(ascii: "<") && $1 != UInt8(ascii: "/")
        }
        #expect(text.utf8.count < 1_500_000)
        #expect(elements < 20_000)
        #expect(text.contains("100000 notifications were displayed"))
        #expect(text.contains("more of these in ledger.jsonl"))
    }

    @Test func everyNotificationStandsInItsListAndTheSlowestWhereThereAreTooMany() throws {
        let few = try page(write([ReportBuilder.makeFailingDay()], to: "few"))
        #expect(few.contains("Data: 320 notifications, one by one"), "308 displayed and 12 missed")
        let path = try write([ReportBuilder.makeFailingDay()], to: "many")
        var timeline = RunTimeline(seed: 41, lengthMilliseconds: 604_800_000)
        let long = String(repeating: "W", count: 200)
        timeline.displayed = 50_000
        timeline.points = (0..<RunTimeline.pointsKept).map { number in
            var point = RunTimeline.Point(at: Int64(number), latency: Int64(number), owner: "poll", activity: number)
            (point.kind, point.actor, point.item, point.person) = ("comment", long, long, long)
            return point
        }
        try #require(folder).write(try DeterministicJSON.line(timeline), to: "many/timeline.json")
        let many = try page(path)
        #expect(many.contains("The slowest "))
        #expect(many.contains(" of 50000; the ledger has the others."))
        #expect(many.contains("\n5999\t00:00:05\tcomment\t@WWW"), "the slowest is kept")
        #expect(!many.contains("\n1\t00:00:00\tcomment"))
        #expect(many.utf8.count < 1_500_000)
    }

    @Test func aStoryHasItsActivityForAnAddressAndSaysWhenItWasPolled() throws {
        var day = ReportBuilder.makeFailingDay()
        let times = (0..<720).map { Duration.seconds($0 * 50) }
        day.readings = [ReadingRecord(person: RecordBuilder.maria, at: times)]
        let text = try page(write([day], to: "report"))
        #expect(text.contains("<details class=\"story\" id=\"activity-"))
        let own = try #require(folder).read("report/timeline.json")
        #expect(own.contains("\"polled\""))
        #expect(try #require(folder).read("report/ledger.jsonl").contains("\"polledNanoseconds\""))
    }

    @Test func drawsAPictureThatIsAFileOfItsOwn() throws {
        let path = try write([ReportBuilder.makeFailingDay()], to: "report")
        let picture = try self.path("outage.svg")
        #expect(try run(ReportArguments(folder: path, picture: picture)) == .met)
        #expect(try run(ReportArguments(folder: path, picture: picture)) == .met)
        let text = try #require(folder).read("outage.svg")
        #expect(text.hasPrefix("<svg xmlns=") && text.hasSuffix("</svg>\n"))
        #expect(text.contains("prefers-color-scheme:dark") && text.contains("GitLab or its link"))
        let empty = try write([RecordBuilder.makeDay(count: 0)], to: "empty")
        let own = try #require(folder).write("mine", to: "own.svg")
        #expect(try refusal(ReportArguments(folder: path, picture: own)).code == .outNotAReport)
        let nothing = try self.path("nothing.svg")
        #expect(try refusal(ReportArguments(folder: empty, picture: nothing)).code == .unreadableReport)
        #expect(try #require(folder).names.contains("nothing.svg") == false)
    }

    /// Every cell and every list as full as it can be.
    private static func fullTimeline(notifications: Int) -> String {
        var timeline = RunTimeline(seed: 41, lengthMilliseconds: 604_800_000)
        timeline.displayed = notifications
        let places = RunTimeline.columns * LatencyRows.count
        timeline.cells = (0..<places).map { place in
            RunTimeline.Cell(
                column: place / LatencyRows.count,
                row: place % LatencyRows.count,
                count: notifications / places
            )
        }
        for column in timeline.slots.indices {
            timeline.slots[column].displayed = notifications / RunTimeline.columns
            timeline.slots[column].p50 = 1_000
            timeline.slots[column].p95 = 100_000
            timeline.slots[column].longest = 10_000_000
            timeline.slots[column].requests = 500
            timeline.slots[column].refused = 1
            timeline.slots[column].polls = 7
        }
        timeline.faults = (0..<RunTimeline.kept).map { number in
            let from = Int64(number) * 1_000_000
            return RunTimeline.Fault(id: "fault-\(number)", kind: "gitlab-outage", from: from, until: from + 500_000)
        }
        timeline.faultsInAll = 10_000
        timeline.marks = (0..<RunTimeline.kept).map { .init(at: Int64($0) * 1_000_000, what: "missed", activity: $0) }
        timeline.marksInAll = 20_000
        return (try? DeterministicJSON.line(timeline)) ?? ""
    }

    // MARK: what is refused

    private func run(_ arguments: ReportArguments) throws -> ExitCode {
        let environment = InheritedEnvironment([:])
        return try ReportCommand(
            arguments: arguments,
            console: LiveConsole(style: OutputStyle(isQuiet: true), environment: environment)
        ).run()
    }

    private func refusal(_ arguments: ReportArguments) throws -> ProgramError {
        try #require(throws: ProgramError.self) { _ = try run(arguments) }
    }

    @Test func writesThePageBesideTheFilesOrWhereItIsTold() throws {
        let path = try write([RecordBuilder.makeDay(count: 10)], to: "report")
        let other = try self.path("page.html")
        #expect(try run(ReportArguments(folder: path)) == .met)
        #expect(try run(ReportArguments(folder: path, out: other)) == .met)
        #expect(try run(ReportArguments(folder: path, out: other)) == .met)
        let own = try #require(folder)
        #expect(try own.read("report/report.html") == own.read("page.html"))
        #expect(own.names == ["page.html", "report"])
    }

    @Test func leavesFilesAloneThatAreNoPages() throws {
        let path = try write([RecordBuilder.makeDay(count: 10)], to: "report")
        let own = try #require(folder).write("mine", to: "own.txt")
        #expect(try refusal(ReportArguments(folder: path, out: own)).code == .outNotAReport)
        #expect(try refusal(ReportArguments(folder: path, out: path)).code == .outIsAFile)
        #expect(try refusal(ReportArguments(folder: path, out: "\(path)/no/page.html")).code == .outNotWritable)
        #expect(try #require(folder).read("own.txt") == "mine\n")
    }

    @Test(arguments: ["summary.json", "ledger.jsonl", "seeds.jsonl"])
    func refusesHalfAReport(_ name: String) throws {
        let path = try write([RecordBuilder.makeDay(count: 10)], to: "report")
        removeTree("\(path)/\(name)")
        let error = try refusal(ReportArguments(folder: path))
        #expect(error.code == .unreadableReport && error.message.contains(name))
    }

    @Test(arguments: ["summary.json", "ledger.jsonl", "seeds.jsonl", "timeline.json"])
    func refusesADamagedFile(_ name: String) throws {
        let path = try write([RecordBuilder.makeDay(count: 10)], to: "report")
        let text = try #require(folder).read("report/\(name)")
        try #require(folder).write(String(text.prefix(text.count / 2)), to: "report/\(name)")
        let error = try refusal(ReportArguments(folder: path))
        #expect(error.code == .unreadableReport && error.message.contains(name))
    }

    @Test(arguments: ["summary.json", "seeds.jsonl", "timeline.json"])
    func refusesANewerFormat(_ name: String) throws {
        let path = try write([RecordBuilder.makeDay(count: 10)], to: "report")
        let text = try #require(folder).read("report/\(name)")
        let newer = text.replacing("\"schemaVersion\": 1,", with: "\"schemaVersion\": 2,")
            .replacing("\"schemaVersion\":1,", with: "\"schemaVersion\":2,")
        #expect(newer != text)
        try #require(folder).write(newer, to: "report/\(name)")
        let error = try refusal(ReportArguments(folder: path))
        #expect(error.code == .unreadableReport && error.message.contains("version 2"))
    }

    @Test func refusesWhatIsNoReport() throws {
        #expect(try refusal(ReportArguments(folder: path("nothing"))).code == .unreadableReport)
        #expect(try refusal(ReportArguments(folder: #require(folder).path)).code == .unreadableReport)
    }
}
