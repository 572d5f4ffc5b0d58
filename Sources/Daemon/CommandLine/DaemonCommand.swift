/// What `notifierd` is asked to do.
enum DaemonCommand: Equatable {
    case run(settings: String?)
    case checkSettings(settings: String?)
    case version
    case help

    static let helpText = """
        notifierd: watches GitLab for people and pushes what happens to their devices.

          notifierd run [--config FILE]           serves until SIGTERM
          notifierd check-config [--config FILE]  reads settings and secrets, says what is wrong, starts nothing
          notifierd version

        Settings are one JSON file in which every key may be left out. Secrets come by the environment, or by the file that
        "secrets" in the settings names:
          APNS_KEY_PATH, APNS_KEY_ID, APNS_TEAM_ID    the push key from Apple's developer portal; without it nothing is pushed
          ENCRYPTION_KEY_CURRENT, ENCRYPTION_KEYS_OLD seal GitLab tokens in the database
          SESSION_KEY                                 signs the apps' sessions
          WEBHOOK_SECRET                              what GitLab's webhooks carry
        docs/settings.md lists all of them.

        Example:
          notifierd run --config /etc/notifierd.json

        """

    /// - Throws: `DaemonError.usage`.
    init(_ arguments: [String]) throws(DaemonError) {
        guard let name = arguments.first else { throw Self.usage("no command was given") }
        let rest = Array(arguments.dropFirst())
        switch name {
        case "run": self = .run(settings: try Self.settings(rest))
        case "check-config": self = .checkSettings(settings: try Self.settings(rest))
        case "version", "--version": self = .version
        case "help", "--help", "-h": self = .help
        default: throw Self.usage("there is no command \"\(name)\"")
        }
    }

    private static func settings(_ arguments: [String]) throws(DaemonError) -> String? {
        switch arguments.count {
        case 0: return nil
        case 2 where arguments[0] == "--config": return arguments[1]
        default: throw usage("\"\(arguments.joined(separator: " "))\" is not understood")
        }
    }

    private static func usage(_ sentence: String) -> DaemonError {
        DaemonError(.usage, sentence, hint: "notifierd --help")
    }
}
