import JSON
import ReportPage
import Verdict

/// `simctl report`: makes the page of a report from its files.
struct ReportCommand {
    var arguments: ReportArguments
    var console: LiveConsole

    private static let beginning = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>"

    /// - Throws: `ProgramError` for a folder that is not a whole report of a known format, and for a place where no page can go. Nothing
    ///   is written then.
    func run() throws(ProgramError) -> ExitCode {
        let path = arguments.out ?? "\(arguments.folder)/\(ReportFiles.page)"
        let file = LiveOutFile(path: path, what: "a page of a report", beginning: Self.beginning)
        try file.check()
        let page: String
        do {
            page = ReportPage.text(try ReportData(folder: arguments.folder))
        } catch let error as ReportError {
            throw ProgramError(error)
        } catch {
            throw ProgramError(.unreadableReport, "\(arguments.folder) cannot be read: \(error)")
        }
        try file.write(page)
        tell(path, bytes: page.utf8.count)
        return .met
    }

    private func tell(_ path: String, bytes: Int) {
        guard !console.style.isJSON else {
            console.print(.object([JSONMember("page", .string(path)), JSONMember("bytes", .integer(Int64(bytes)))]))
            return
        }
        if !console.style.isQuiet { console.print("page \(path)\n") }
    }
}
