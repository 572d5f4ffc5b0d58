import Platform
package import Scenarios
package import Verdict

/// Builds reports by hand.
package enum ReportBuilder {
    package static let delivery = Gate(
        metric: .delivery,
        comparison: Comparison(.greater, .ratio(Fixture.ratio("99%"))),
        confidence: Fixture.ratio("95%")
    )
    package static let noDuplicates = Gate(metric: .duplicates, comparison: Comparison(.equal, .count(0)))

    package static func make(
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

    /// A day that meets every requirement.
    package static func makePass(count: Int = 320) -> RunReport {
        make([RecordBuilder.makeDay(gates: [delivery, noDuplicates], count: count)])
    }

    /// A day on which something was missed, with a fault on the timeline.
    package static func makeFailingDay(seed: UInt64 = 41) -> RunRecord {
        var day = RecordBuilder.makeDay(seed: seed, gates: [delivery, noDuplicates], count: 320, missed: 12)
        let span = Span(from: .seconds(9_000), until: .seconds(10_400))
        day.faults = [FaultRecord(id: Fixture.entry("outage"), kind: .gitlabOutage, span: span)]
        return day
    }
}
