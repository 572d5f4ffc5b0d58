import Verdict

/// `simctl bench-push`: how fast the notifier's delivery pushes to a served APNs.
struct PushBenchCommand {
    var arguments: PushBenchArguments
    var console: LiveConsole

    /// Prints one JSON object; the notifier's log goes to standard error.
    ///
    /// - Throws: `ProgramError` when nothing could be measured.
    func run() throws(ProgramError) -> ExitCode {
        let place = try ServedPlace.read(arguments.file)
        let temporary = arguments.folder == nil ? try LiveTemporaryFolder() : nil
        defer { temporary?.remove() }
        let folder = arguments.folder.map(absolutePath) ?? temporary?.path ?? ""
        let bench = LivePushBench(place: place, arguments: arguments, database: "\(folder)/push.db")
        do {
            console.print(try bench.run().json)
        } catch let error as ProgramError {
            throw error
        } catch {
            throw ProgramError(.system, "pushing could not be measured: \(error)")
        }
        return .met
    }
}
