import ScenarioFixtures
import Testing

@testable import Verdict

struct LedgerFileTests {
    @Test func `the ledger has a line per activity and person, abnormal ones first`() throws {
        var text = ""
        try SeedStory(ReportBuilder.makeFailingDay()).eachLedgerLine { text += $0 + "\n" }
        let lines = try LedgerFile.lines(text)
        #expect(lines.count == 320)
        #expect(lines.prefix(12).allSatisfy { $0.abnormal == ["missed"] && $0.cause == "not-detected" })
        #expect(lines.dropFirst(12).allSatisfy { $0.abnormal.isEmpty })
        #expect(lines.dropFirst(12).compactMap(\.activity) == Array(13...320))
    }

    @Test func `without a record the ledger keeps what was abnormal under each seed`() throws {
        let days = [ReportBuilder.makeFailingDay(seed: 41), ReportBuilder.makeFailingDay(seed: 42)]
        let lines = try LedgerFile.lines(LedgerFile.text(ReportBuilder.make(days)))
        #expect(lines.count == 24 && Set(lines.map(\.seed)) == [41, 42])
    }
}
