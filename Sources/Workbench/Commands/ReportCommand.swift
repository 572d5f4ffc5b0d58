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
        let picture = arguments.picture.map {
            LiveOutFile(path: $0, what: "a picture of a report", beginning: ReportPicture.beginning)
        }
        try picture?.check()
        let data = try read()
        let page = ReportPage.text(data)
        if let picture {
            guard let text = ReportPicture.text(data) else {
                throw ProgramError(
                    .unreadableReport,
                    "\(arguments.folder) has nothing to draw over time",
                    hint: "run the scenario again: simctl run writes a timeline.json"
                )
            }
            try picture.write(text)
        }
        try file.write(page)
        tell(path, bytes: page.utf8.count)
        return .met
    }

    private func read() throws(ProgramError) -> ReportData {
        do {
            return try ReportData(folder: arguments.folder)
        } catch let error as ReportError {
            throw ProgramError(error)
        } catch {
            throw ProgramError(.unreadableReport, "\(arguments.folder) cannot be read: \(error)")
        }
    }

    private func tell(_ path: String, bytes: Int) {
        guard !console.style.isJSON else {
            console.print(.object([JSONMember("page", .string(path)), JSONMember("bytes", .integer(Int64(bytes)))]))
            return
        }
        if !console.style.isQuiet { console.print("page \(path)\n") }
    }
}
