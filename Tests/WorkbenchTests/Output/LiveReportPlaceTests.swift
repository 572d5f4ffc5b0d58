import ScenarioFixtures
import Testing

@testable import Verdict
@testable import Workbench

/// Reports appear whole or not at all, and only where they may.
struct LiveReportPlaceTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var path: String { "\(folder.path)/reports/outage" }

    private func write(_ report: RunReport = ReportBuilder.makePass(count: 5), to path: String? = nil) throws {
        try ReportBuilder.write(report, to: path ?? self.path)
    }

    private func names(_ name: String) -> [String] { LiveReportPlace.entries(of: "\(folder.path)/\(name)") }

    private func refusal(of path: String) -> ProgramError.Code? {
        do throws(ProgramError) {
            try LiveReportPlace(path: path).prepare()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `the report of one seed has its files`() throws {
        let day = ReportBuilder.makeFailingDay()
        let trace = ["{\"atNanoseconds\":1}", "{\"atNanoseconds\":2}"]
        try ReportBuilder.write(ReportBuilder.make([day]), record: day, trace: trace, to: path)
        let files = [
            "junit.xml", "ledger.jsonl", "metrics.txt", "scenario.resolved.json", "seeds.jsonl", "summary.json",
            "summary.md", "timeline.json", "trace.jsonl",
        ]
        #expect(names("reports") == ["outage"])
        #expect(names("reports/outage") == files)
        #expect(try folder.read("reports/outage/trace.jsonl") == "{\"atNanoseconds\":1}\n{\"atNanoseconds\":2}\n")
    }

    @Test func `an earlier report is replaced whole`() throws {
        try write()
        try folder.write("left over", to: "reports/outage/old.txt")
        try write(to: path + "//")
        #expect(names("reports") == ["outage"])
        #expect(!names("reports/outage").contains("old.txt"))
    }

    @Test func `a report that is given up leaves nothing behind and the earlier one as it was`() throws {
        try write()
        let before = try folder.read("reports/outage/summary.json")
        let place = LiveReportPlace(path: path)
        try place.prepare()
        try ReportFiles.write(ReportBuilder.makePass(count: 7), hasLedger: false, to: place.staging)
        #expect(names("reports").count == 2)
        place.abandon()
        #expect(names("reports") == ["outage"])
        #expect(try folder.read("reports/outage/summary.json") == before)
    }

    @Test func `a file in the place of the folder is left alone`() throws {
        let taken = try folder.write("mine", to: "taken")
        #expect(refusal(of: taken) == .outIsAFile)
        #expect(refusal(of: taken + "/below") == .outIsAFile)
        #expect(try folder.read("taken") == "mine\n")
    }

    @Test func `a folder with other files is left alone, one of its own is not needed`() throws {
        try folder.write("mine", to: "precious.txt")
        #expect(refusal(of: folder.path) == .outNotAReport)
        #expect(refusal(of: "/proc/none/report") == .outNotWritable)
        #expect(folder.names == ["precious.txt"])
    }

    @Test(arguments: [".", "..", "/"])
    func `a folder that cannot be replaced is refused, empty or not`(name: String) throws {
        #expect(refusal(of: name == "/" ? name : "\(folder.path)/\(name)") == .outNotAReport)
        #expect(folder.names == [])
    }

    @Test func `the same run gives the same bytes`() throws {
        let day = ReportBuilder.makeFailingDay()
        for name in ["a", "b"] {
            try ReportBuilder.write(ReportBuilder.make([day]), record: day, to: "\(folder.path)/\(name)")
        }
        #expect(names("a").count == 9 && names("a") == names("b"))
        for name in names("a") { #expect(try folder.read("a/\(name)") == folder.read("b/\(name)")) }
    }
}
