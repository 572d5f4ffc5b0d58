import CommandTable
import Glibc
import Live
import Notifier
import Platform

/// `notifierd`: arguments in, exit status out.
///
/// Make it before anything else starts a thread: a program that is to serve catches the signals it waits for.
package struct DaemonProgram {
    private let command: Result<DaemonCommand, DaemonError>
    private let environment: [String: String]
    private let signals: LiveSignalStream?

    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environment: where the secrets are.
    package init(_ arguments: [String], environment: [String: String] = LiveVariables.all()) {
        command = Result { () throws(DaemonError) in try DaemonCommand(arguments) }
        self.environment = environment
        signals = if case .success(.run) = command { LiveSignalStream() } else { nil }
    }

    /// Does what the arguments ask for.
    package func run() async -> Int32 {
        do {
            switch try command.get() {
            case .run(let path): try await serve(source(path))
            case .checkSettings(let path): return check(SettingsCheck(source(path)))
            case .backup(let path, let folder):
                print(try DatabaseCommands.backUp(DaemonSettings.read(path), to: folder))
            case .restore(let path, let backup):
                print(try DatabaseCommands.restore(DaemonSettings.read(path), from: backup))
            case .rotateKeys(let path): print(try DatabaseCommands.rotateKeys(source(path).read()))
            case .announce(let path, let title, let text, let person):
                print(try DatabaseCommands.announce(DaemonSettings.read(path), title, text ?? "", to: person))
            case .exportIncident(let path, let file, let log, let missed):
                let command = try IncidentCommand(source: source(path), log: log, missed: missed)
                print(try await command.write(to: file))
            case .completion(let shell): print(shell.script(DaemonTable.program), terminator: "")
            case .manual(let date): print(ManualPage.text(DaemonTable.program, date: date), terminator: "")
            case .version: print("notifierd \(NotifierVersion.current)")
            case .help: print(DaemonCommand.helpText, terminator: "")
            case .helpOf(let name): print(DaemonTable.help(of: name), terminator: "")
            }
            return 0
        } catch let error as DaemonError {
            return report(error)
        } catch {
            return report(DaemonError(.failed, "\(error)", hint: "the log says more; please report this"))
        }
    }

    private func serve(_ source: DaemonInputs.Source) async throws {
        guard let signals else { preconditionFailure("a program that serves waits for signals") }
        let inputs = try source.read()
        let log = LiveLog(minimumLevel: inputs.settings.logLevel)
        let service = try DaemonService(inputs, from: source, log: log, manager: LiveServiceManager())
        try await service.run(signals)
    }

    private func check(_ check: SettingsCheck) -> Int32 {
        guard let first = check.faults.first else {
            let mode = check.canPush ? "" : "; without a key of Apple's nothing will be pushed"
            print("settings and secrets are in order\(mode)")
            return 0
        }
        for fault in check.faults { _ = report(fault) }
        return first.code.exitStatus
    }

    private func source(_ path: String?) -> DaemonInputs.Source {
        DaemonInputs.Source(path: path, environment: environment)
    }

    private func report(_ error: DaemonError) -> Int32 {
        let bytes = Array(error.text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        return error.code.exitStatus
    }
}
