import JSON
import Scenarios
import Verdict

/// `simctl explain`: tells what happened to one activity, from the files of a report.
struct ExplainCommand {
    var arguments: ExplainArguments
    var console: LiveConsole

    /// - Throws: `ProgramError` for a folder that is not a report and for an activity it does not know.
    func run() throws(ProgramError) -> ExitCode {
        let story: String
        do {
            story = try Explanation.story(of: arguments.activity, in: arguments.report, seed: arguments.seed)
        } catch let error as ReportError {
            throw ProgramError(error)
        } catch {
            throw ProgramError(.unreadableReport, "\(arguments.report) cannot be read: \(error)")
        }
        guard console.style.isJSON else {
            console.print(story)
            return .met
        }
        let lines = story.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        console.print(
            .object([
                JSONMember("activity", .integer(Int64(arguments.activity))),
                JSONMember("report", .string(arguments.report)),
                JSONMember("story", .array(lines.map(JSONValue.string))),
            ])
        )
        return .met
    }
}

extension ProgramError {
    /// What is wrong with a report, as the end of a command.
    init(_ error: ReportError) {
        switch error {
        case .unknownActivity, .notInLedger: self.init(.unknownActivity, error.description, hint: error.hint)
        case .unknownSeed: self.init(.badValue, error.description, hint: error.hint)
        default: self.init(.unreadableReport, error.description, hint: error.hint)
        }
    }
}
