import Glibc
import Live
import Notifier
import Platform

/// `notifierd`: arguments in, exit status out.
///
/// Make it before anything else starts a thread: a program that is to serve blocks the signals it waits for.
package struct DaemonProgram {
    private let command: Result<DaemonCommand, DaemonError>
    private let environment: [String: String]
    private let signals: LiveSignalStream?

    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - environment: where the secrets are.
    package init(_ arguments: [String], environment: [String: String] = LiveVariables.read(ServiceVariables.names)) {
        command = Result { () throws(DaemonError) in try DaemonCommand(arguments) }
        self.environment = environment
        signals = if case .success(.run) = command { LiveSignalStream() } else { nil }
    }

    /// Does what the arguments ask for.
    package func run() async -> Int32 {
        do {
            switch try command.get() {
            case .run(let path): try await serve(path)
            case .checkSettings(let path):
                _ = try read(path)
                print("settings and secrets are in order")
            case .version: print("notifierd \(NotifierVersion.current)")
            case .help: print(DaemonCommand.helpText, terminator: "")
            }
            return 0
        } catch let error as DaemonError {
            return report(error)
        } catch {
            return report(DaemonError(.failed, "\(error)", hint: "the log says more; please report this"))
        }
    }

    private func serve(_ path: String?) async throws {
        guard let signals else { preconditionFailure("a program that serves waits for signals") }
        let (settings, secrets) = try read(path)
        let service = DaemonService(
            settings: settings,
            secrets: secrets,
            log: LiveLog(minimumLevel: settings.logLevel),
            manager: LiveServiceManager()
        )
        try await service.run(signals)
    }

    private func read(_ path: String?) throws -> (DaemonSettings, NotifierSecrets) {
        var settings = try path.map { try DaemonSettings(json: LiveFile.read($0)) } ?? DaemonSettings()
        let variables = ServiceVariables(environment)
        if let bundleID = variables.bundleID { settings.notifier.apnsTopic = bundleID }
        return (settings, try variables.secrets(readingFilesBy: LiveFile.read))
    }

    private func report(_ error: DaemonError) -> Int32 {
        let bytes = Array(error.text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        return error.code.exitStatus
    }
}
