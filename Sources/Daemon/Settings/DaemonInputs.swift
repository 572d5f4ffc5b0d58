import Notifier

/// What a server starts from, whole and checked.
struct DaemonInputs: Sendable {
    /// With what variables say in place of the file.
    var settings: DaemonSettings
    var secrets: NotifierSecrets
    /// Names of the variables that are set.
    var variableNames: [String]

    /// Where inputs come from, so that they can be read again.
    struct Source: Sendable {
        /// The settings file; nil for the defaults.
        var path: String?
        var environment: [String: String]

        /// Settings and secrets, checked as far as that goes without a network.
        ///
        /// - Throws: `DaemonError`.
        func read() throws -> DaemonInputs {
            var settings = try DaemonSettings.read(path)
            let file = try settings.secrets.map(SecretsFile.read) ?? [:]
            let variables = try ServiceVariables(environment, file: file, settings: settings)
            try variables.apply(to: &settings)
            try settings.checkApplications()
            let secrets = try variables.secrets(settings, readingFilesBy: LiveFile.read)
            return DaemonInputs(settings: settings, secrets: secrets, variableNames: variables.names)
        }
    }
}
