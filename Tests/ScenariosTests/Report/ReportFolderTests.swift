import FoundationEssentials
import Platform
import Scenarios
import Testing

struct ReportFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(
        _ report: RunReport = ReportBuilder.makePass(count: 5),
        record: RunRecord? = nil,
        to name: String = "reports/outage"
    ) throws {
        try ReportFolder.write(report, record: record, resolvedScenario: "{}", to: "\(folder.path)/\(name)") { emit in
            try emit("{\"atNanoseconds\":1}")
            try emit("{\"atNanoseconds\":2}")
        }
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ReportError)?.code
        }
    }

    @Test func `a report has its files and a link to the latest`() throws {
        try write()
        #expect(folder.names(in: "reports") == ["latest", "outage"])
        let files = ["junit.xml", "ledger.jsonl", "scenario.resolved.json", "summary.json", "trace.jsonl"]
        #expect(folder.names(in: "reports/outage") == files)
        #expect(folder.link("reports/latest") == "outage")
        #expect(folder.text("reports/outage/trace.jsonl") == "{\"atNanoseconds\":1}\n{\"atNanoseconds\":2}\n")
        #expect(folder.text("reports/outage/scenario.resolved.json") == "{}\n")
    }

    @Test func `an earlier report is replaced whole and the link follows`() throws {
        try write()
        folder.write("reports/outage/old.txt", "left over")
        try write()
        try write(to: "reports/restart")
        #expect(!folder.names(in: "reports/outage").contains("old.txt"))
        #expect(folder.link("reports/latest") == "restart")
        #expect(folder.names(in: "reports") == ["latest", "outage", "restart"])
    }

    @Test func `a writer that fails leaves nothing behind and the earlier report as it was`() throws {
        struct Stop: Error {}
        try write()
        let before = folder.text("reports/outage/summary.json")
        #expect(throws: Stop.self) {
            try ReportFolder.write(ReportBuilder.makePass(count: 7), to: "\(folder.path)/reports/outage") { _ in
                throw Stop()
            }
        }
        #expect(folder.text("reports/outage/summary.json") == before)
        #expect(folder.names(in: "reports") == ["latest", "outage"])
    }

    @Test func `a file in the place of the folder is left alone`() throws {
        folder.write("taken", "mine")
        #expect(code { try write(to: "taken") } == "report-not-a-directory")
        #expect(code { try write(to: "taken/below") } == "report-not-a-directory")
        #expect(folder.text("taken") == "mine")
    }

    @Test func `a folder with other files is left alone`() throws {
        try write(to: "mine")
        folder.write("precious.txt", "mine")
        #expect(
            code { try ReportFolder.write(ReportBuilder.makePass(count: 5), to: folder.path) } == "report-not-a-report"
        )
        #expect(folder.text("precious.txt") == "mine")
    }

    @Test func `a folder nobody may write to is an error with a hint`() throws {
        let outcome = code { try ReportFolder.write(ReportBuilder.makePass(count: 5), to: "/proc/none/report") }
        #expect(outcome == "report-not-writable" || outcome == "report-not-a-directory")
        let error = ReportError.notWritable(path: "p", reason: "r")
        #expect(!error.hint.isEmpty && !error.description.isEmpty)
    }

    @Test func `something else called latest is left alone`() throws {
        try write()
        try write(to: "other/latest")
        try write(to: "other/next")
        #expect(folder.names(in: "other") == ["latest", "next"])
        #expect(folder.link("other/latest") == nil)
    }

    @Test func `the same run gives the same bytes`() throws {
        let day = ReportBuilder.makeFailingDay()
        try write(ReportBuilder.make([day]), record: day, to: "a")
        try write(ReportBuilder.make([day]), record: day, to: "b")
        for name in folder.names(in: "a") { #expect(folder.text("a/\(name)") == folder.text("b/\(name)")) }
    }

    @Test func `the ledger has a line per activity and person, abnormal ones first`() throws {
        let day = ReportBuilder.makeFailingDay()
        try write(ReportBuilder.make([day]), record: day)
        let lines = try LedgerFile.lines(folder.text("reports/outage/ledger.jsonl"))
        #expect(lines.count == 320)
        #expect(lines.prefix(12).allSatisfy { $0.abnormal == ["missed"] && $0.cause == "not-detected" })
        #expect(lines.dropFirst(12).allSatisfy { $0.abnormal.isEmpty })
        #expect(lines.dropFirst(12).compactMap(\.activity) == Array(13...320))
    }

    @Test func `without a record the ledger keeps what was abnormal under each seed`() throws {
        let days = [ReportBuilder.makeFailingDay(seed: 41), ReportBuilder.makeFailingDay(seed: 42)]
        let lines = try LedgerFile.lines(LedgerFile.text(ReportBuilder.make(days), record: nil))
        #expect(lines.count == 24 && Set(lines.map(\.seed)) == [41, 42])
    }
}
