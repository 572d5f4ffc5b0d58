import ScenarioFixtures

@testable import Harness
@testable import Verdict
@testable import Workbench

extension ReportBuilder {
    /// Writes a report as the program does; without a record of a single seed it has neither trace nor whole ledger.
    static func write(_ report: RunReport, record: RunRecord? = nil, trace: [String] = [], to path: String) throws {
        let place = LiveReportPlace(path: path)
        try place.prepare()
        if let record {
            let outcome = RunOutcome(record: record, traceLines: trace)
            try LiveFile.write(lines: trace, to: "\(place.staging)/\(ReportFiles.trace)")
            try ReportFiles.writeDetails(outcome, seedCount: 1, to: place.staging)
        }
        try ReportFiles.write(report, hasLedger: record != nil, to: place.staging)
        try place.commit()
    }
}
