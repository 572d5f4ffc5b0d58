package import Notifier

/// What a server starts from, whole and checked.
package struct DaemonInputs: Sendable {
    /// With what variables say in place of the file.
    package var settings: DaemonSettings
    package var secrets: NotifierSecrets
    /// Names of the variables that are set.
    package var variableNames: [String]

    /// Where inputs come from, so that they can be read again.
    package struct Source: Sendable {
        /// The settings file; nil for the defaults.
        package var path: String?
        package var environment: [String: String]

        package init(path: String?, environment: [String: String]) {
            self.path = path
            self.environment = environment
        }

        /// Settings and secrets, checked as far as that goes without a network.
        ///
        /// - Throws: `DaemonError`.
        package func read() throws -> DaemonInputs {
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
