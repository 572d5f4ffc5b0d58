import Scenarios
import Verdict

/// What a run is held against.
struct RunBaseline {
    private let report: ComparedReport
    private let tolerances: Tolerances

    /// - Throws: `ProgramError` for a baseline that is none, or one of another scenario or of other seeds, before anything runs.
    init(
        _ arguments: BaselineArguments,
        scenario: Scenario,
        seeds: ClosedRange<UInt64>
    ) throws(ProgramError) {
        report = try ReadReport.read(arguments.path)
        tolerances = arguments.tolerances
        do throws(ComparisonError) {
            try report.check(scenario, seeds: seeds)
        } catch {
            throw ProgramError(error)
        }
    }

    /// Judges the report in that folder.
    func judge(_ folder: String) throws(ProgramError) -> BaselineJudgement {
        let report = try ReadReport.read(folder)
        do throws(ComparisonError) {
            return try BaselineJudgement(report, baseline: self.report, tolerances: tolerances)
        } catch {
            throw ProgramError(error)
        }
    }
}
