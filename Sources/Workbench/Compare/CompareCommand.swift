import ReportPage
import Verdict

/// `simctl compare`: two reports of one scenario, or two runs of it.
struct CompareCommand {
    var arguments: CompareArguments
    var console: LiveConsole
    var environment: InheritedEnvironment

    /// - Throws: `ProgramError` for what cannot be compared, run or written. A comparison that cannot be written is not told.
    func run() throws(ProgramError) -> ExitCode {
        let out = arguments.out.map {
            LiveOutFile(path: $0, what: "a comparison", beginning: ComparisonFile.beginning)
        }
        let page = arguments.page.map {
            LiveOutFile(path: $0, what: "a page of a comparison", beginning: ComparisonPage.beginning)
        }
        try out?.check()
        try page?.check()
        let comparison: ReportComparison
        switch arguments.subject {
        case .reports(let first, let second): comparison = try Self.compare(first, second)
        case .scenario(let file, let runs):
            let pair = try ComparedRuns(file: file, runs: runs, console: console, environment: environment)
            if let code = try pair.run() { return code }
            comparison = try Self.compare(pair.first, pair.second)
        }
        try out?.write(ComparisonFile.text(comparison))
        try page?.write(ComparisonPage.text(comparison))
        if console.style.isJSON {
            console.print(ComparisonFile.value(comparison))
        } else {
            console.print(ComparisonText.render(comparison, isQuiet: console.style.isQuiet))
        }
        return comparison.exitCode
    }

    private static func compare(_ first: String, _ second: String) throws(ProgramError) -> ReportComparison {
        let (one, other) = (try ReadReport.read(first), try ReadReport.read(second))
        do throws(ComparisonError) {
            return try ReportComparison(one, other)
        } catch {
            throw ProgramError(error)
        }
    }
}
