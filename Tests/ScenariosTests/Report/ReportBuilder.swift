import Platform

@testable import Scenarios

/// Builds reports by hand.
enum ReportBuilder {
    static let delivery = Gate(
        metric: .delivery,
        comparison: Comparison(.greater, .ratio(Fixture.ratio("99%"))),
        confidence: Fixture.ratio("95%")
    )
    static let noDuplicates = Gate(metric: .duplicates, comparison: Comparison(.equal, .count(0)))

    static func make(
        _ days: [RunRecord],
        crashes: [SeedCrash] = [],
        wallNanoseconds: Int64 = 900_000_000
    ) -> RunReport {
        let scenario = days.first?.resolved.scenario ?? RecordBuilder().record.resolved.scenario
        return RunReport(
            scenario: scenario,
            results: days.map(Assessment.assess),
            crashes: crashes,
            build: "3f2c9ab",
            scenarioPath: "scenarios/fixture.json",
            wallNanoseconds: wallNanoseconds
        )
    }

    /// Writes a report as the program does; without a record of a single seed it has neither trace nor whole ledger.
    static func write(_ report: RunReport, record: RunRecord? = nil, trace: [String] = [], to path: String) throws {
        let place = LiveReportPlace(path: path)
        try place.prepare()
        if let record {
            let outcome = RunOutcome(record: record, traceLines: trace)
            try ReportFiles.writeDetails(outcome, seedCount: 1, to: place.staging)
        }
        try ReportFiles.write(report, hasLedger: record != nil, to: place.staging)
        try place.commit()
    }

    /// A day that meets every requirement.
    static func makePass(count: Int = 320) -> RunReport {
        make([RecordBuilder.makeDay(gates: [delivery, noDuplicates], count: count)])
    }

    /// A day on which something was missed, with a fault on the timeline.
    static func makeFailingDay(seed: UInt64 = 41) -> RunRecord {
        var day = RecordBuilder.makeDay(seed: seed, gates: [delivery, noDuplicates], count: 320, missed: 12)
        let span = Span(from: .seconds(9_000), until: .seconds(12_000))
        day.faults = [FaultRecord(id: Fixture.entry("outage"), kind: .gitlabOutage, span: span)]
        return day
    }
}
