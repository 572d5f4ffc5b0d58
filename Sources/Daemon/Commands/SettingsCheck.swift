import Notifier

/// `notifierd check-config`: all that is wrong with settings and secrets, as far as one mistake does not hide another.
struct SettingsCheck {
    private(set) var faults: [DaemonError] = []
    /// Whether there is a key of Apple's to push with.
    private(set) var canPush = false

    init(_ source: DaemonInputs.Source) {
        guard var settings = attempt({ try DaemonSettings.read(source.path) }) else { return }
        readSecrets(source, &settings)
        attempt { _ = try settings.listen.identity() }
        attempt { try settings.checkAuthorities() }
        attempt { try settings.checkBackups() }
        attempt { try settings.checkDatabase() }
    }

    private mutating func readSecrets(_ source: DaemonInputs.Source, _ settings: inout DaemonSettings) {
        let known = settings
        guard let file = attempt({ try known.secrets.map(SecretsFile.read) ?? [:] }),
            let variables = attempt({
                try ServiceVariables(source.environment, file: file, settings: known)
            })
        else { return }
        var applied = settings
        if attempt({ try variables.apply(to: &applied) }) != nil {
            settings = applied
            attempt { try applied.checkApplications() }
            attempt { try applied.checkThatSomebodyIsServed() }
        }
        guard variables.missing.isEmpty else {
            faults += variables.missing
            return
        }
        let secrets = attempt { try variables.secrets(applied, readingFilesBy: LiveFile.read) }
        canPush = secrets?.apnsKey != nil
    }

    /// Nil when it fails, which is noted.
    @discardableResult
    private mutating func attempt<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch let error as DaemonError {
            faults.append(error)
        } catch {
            faults.append(DaemonError(.failed, "\(error)", hint: "please report this"))
        }
        return nil
    }
}
