import Glibc
import JSON
import ReportPage
import Verdict

/// `simctl report`: makes the page of a report from its files.
struct ReportCommand {
    var arguments: ReportArguments
    var console: LiveConsole

    /// What a page begins with; a file that begins otherwise is somebody's own.
    private static let beginning = Array("<!DOCTYPE html>\n<html lang=\"en\">\n<head>".utf8)

    /// - Throws: `ProgramError` for a folder that is not a whole report of a known format, and for a place where no page can go. Nothing
    ///   is written then.
    func run() throws(ProgramError) -> ExitCode {
        let path = arguments.out ?? "\(arguments.folder)/\(ReportFiles.page)"
        try checkPlace(path)
        let page: String
        do {
            page = ReportPage.text(try ReportData(folder: arguments.folder))
        } catch let error as ReportError {
            throw ProgramError(error)
        } catch {
            throw ProgramError(.unreadableReport, "\(arguments.folder) cannot be read: \(error)")
        }
        try write(page, to: path)
        tell(path, bytes: page.utf8.count)
        return .met
    }

    /// Nothing but an older page is replaced.
    private func checkPlace(_ path: String) throws(ProgramError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ProgramError(
                .outIsAFile,
                "\(path) is no file that a page could replace",
                hint: "name a file: -o FILE"
            )
        }
        guard status.st_size == 0 || Self.isPage(path) else {
            throw ProgramError(
                .outNotAReport,
                "\(path) is not a page of a report and would be replaced",
                hint: "name a new file, such as \(path).html"
            )
        }
    }

    private static func isPage(_ path: String) -> Bool {
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: beginning.count)
        return fread(&bytes, 1, bytes.count, file) == bytes.count && bytes == beginning
    }

    /// Into a file beside it, which then takes its place.
    private func write(_ page: String, to path: String) throws(ProgramError) {
        let partial = "\(path).partial-\(getpid())"
        do throws(SystemFailure) {
            try LiveFile.write(text: page, to: partial)
            guard rename(partial, path) == 0 else { throw SystemFailure("writing \(path)") }
        } catch {
            unlink(partial)
            throw ProgramError(
                .outNotWritable,
                "\(path) cannot be written: \(error.programError.message)",
                hint: "choose another file with --out FILE"
            )
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
