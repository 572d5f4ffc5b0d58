import CommandTable
import Notifier
import Platform

/// What `notifierd` is asked to do.
enum DaemonCommand: Equatable {
    case run(settings: String?)
    case checkSettings(settings: String?)
    case backup(settings: String?, folder: String?)
    case restore(settings: String?, backup: String)
    case rotateKeys(settings: String?)
    case announce(settings: String?, title: String, text: String?, person: String?)
    case exportIncident(settings: String?, file: String, log: String?, missed: String? = nil)
    case completion(ShellCompletion)
    case manual(date: String)
    case version
    case help
    /// What one command takes.
    case helpOf(String)

    static let helpText = """
        notifierd: watches GitLab for people and pushes what happens to their devices.

          notifierd run             serves until SIGTERM; SIGHUP reads settings and secrets again
          notifierd check-config    reads settings and secrets, says what is wrong, starts nothing
          notifierd backup [--to FOLDER]
                                    copies the database, also while the server runs, and verifies the copy
          notifierd restore --from BACKUP
                                    puts a verified backup in the database's place; the server must be stopped
          notifierd rotate-keys     seals every secret with ENCRYPTION_KEY_CURRENT and verifies that it alone opens them;
                                    the server must be stopped, and does the same by itself when it starts
          notifierd announce --title TITLE [--text TEXT] [--person NAME]
                                    pushes an announcement to everybody, or to one person by their username in GitLab;
                                    also while the server runs
          notifierd export-incident --to FILE [--log FILE] [--missed TEXT]
                                    writes what an incident report needs, without secrets, names and texts; `--log -`
                                    takes the server's log from standard input; --missed says who missed what when,
                                    and stands there by numbers alone
          notifierd completion bash|zsh|fish
                                    prints a script that lets a shell complete these arguments
          notifierd man [--date YYYY-MM-DD]
                                    prints the manual page
          notifierd version

        notifierd COMMAND --help says what one command takes.
        All but the last three take --config FILE: settings are one JSON file in which every key may be left out. Secrets come
        from the environment, or from the file that "secrets" in the settings names:
          APNS_KEY_PATH, APNS_KEY_ID, APNS_TEAM_ID    the push key from Apple's developer portal; without it nothing is pushed
          ENCRYPTION_KEY_CURRENT, ENCRYPTION_KEYS_OLD seal GitLab tokens in the database
          SESSION_KEY                                 signs the apps' sessions
          WEBHOOK_SECRET                              what GitLab's webhooks carry
        docs/settings.md lists all of them.

        Examples:
          notifierd run --config /etc/notifierd/notifierd.json
          notifierd announce --config /etc/notifierd/notifierd.json --title "GitLab is down from 18:00"
          notifierd export-incident --config /etc/notifierd/notifierd.json --to incident.jsonl \\
            --missed '@maria,team/backend!847,2026-03-02T14:10:00Z'
          journalctl -u notifierd -o cat --since -1h | notifierd export-incident --log - \\
            --config /etc/notifierd/notifierd.json --to incident.jsonl

        Exit status: 0 done, 64 wrong arguments, 65 settings, secrets or a file that cannot be used, 70 anything else.

        """

    private static let names = DaemonTable.commands.map(\.name)

    /// - Throws: `DaemonError.usage`.
    init(_ arguments: [String]) throws(DaemonError) {
        guard let name = arguments.first else { throw Self.usage("no command was given") }
        let rest = arguments.dropFirst()
        guard !Self.names.contains(name) || !(rest.contains("--help") || rest.first == "-h") else {
            self = .helpOf(name)
            return
        }
        func options() throws(DaemonError) -> CommandOptions {
            try CommandOptions(arguments.dropFirst(), known: DaemonTable.flags(of: name))
        }
        switch name {
        case "run": self = .run(settings: try options()["--config"])
        case "check-config": self = .checkSettings(settings: try options()["--config"])
        case "backup":
            let options = try options()
            self = .backup(settings: options["--config"], folder: options["--to"])
        case "restore":
            let options = try options()
            self = .restore(settings: options["--config"], backup: try options.needed("--from", "the backup"))
        case "rotate-keys": self = .rotateKeys(settings: try options()["--config"])
        case "announce":
            let options = try options()
            let title = try options.needed("--title", "what is said in one line")
            self = .announce(
                settings: options["--config"],
                title: title,
                text: options["--text"],
                person: options["--person"]
            )
        case "export-incident":
            let options = try options()
            let file = try options.needed("--to", "the file to write")
            self = .exportIncident(
                settings: options["--config"],
                file: file,
                log: options["--log"],
                missed: options["--missed"]
            )
        case "completion": self = .completion(try Self.shell(arguments.dropFirst()))
        case "man":
            let date = try options()["--date"] ?? ""
            guard date.isEmpty || ManualPage.isDate(date) else { throw Self.usage("\"\(date)\" is not a date") }
            self = .manual(date: date)
        case "version", "--version": self = .version
        case "help", "--help", "-h": self = .help
        default:
            let nearest = NearestName.find(name, in: Self.names).map { "; did you mean \"\($0)\"?" } ?? ""
            throw Self.usage("there is no command \"\(name)\"\(nearest)")
        }
    }

    private static func shell(_ arguments: ArraySlice<String>) throws(DaemonError) -> ShellCompletion {
        let names = ShellCompletion.allCases.map(\.rawValue).joined(separator: ", ")
        guard arguments.count == 1, let name = arguments.first else { throw usage("completion takes one of \(names)") }
        guard let shell = ShellCompletion(rawValue: name) else {
            throw usage("there is no completion for \"\(name)\", only for \(names)")
        }
        return shell
    }

    static func usage(_ sentence: String) -> DaemonError {
        DaemonError(.usage, sentence, hint: "notifierd --help")
    }
}

/// Options of a command, each with a value.
struct CommandOptions {
    private var values: [String: String] = [:]

    /// - Throws: `DaemonError.usage`.
    init(_ arguments: ArraySlice<String>, known: [String]) throws(DaemonError) {
        var rest = arguments
        while let argument = rest.popFirst() {
            // `--to FILE` or `--to=FILE`, as in simctl.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let (name, attached) = (parts[0], parts.count > 1 ? parts[1] : nil)
            guard known.contains(name) else { throw Self.unknown(name, known) }
            // A flag in its place is a value that was forgotten: a file of that name is not meant.
            guard let value = attached ?? rest.popFirst(), attached != nil || !value.hasPrefix("--") else {
                throw DaemonCommand.usage("\(name) needs a value")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw DaemonCommand.usage("\(name) was given twice")
            }
        }
    }

    private static func unknown(_ name: String, _ known: [String]) -> DaemonError {
        guard name.hasPrefix("-") || !known.contains("--config") else {
            return DaemonCommand.usage("\"\(name)\" stands there without a flag, such as --config FILE")
        }
        let nearest = NearestName.find(name, in: known).map { "; did you mean \($0)?" } ?? ""
        return DaemonCommand.usage("\"\(name)\" is not understood\(nearest)")
    }

    subscript(_ name: String) -> String? { values[name] }

    func needed(_ name: String, _ what: String) throws(DaemonError) -> String {
        guard let value = values[name] else { throw DaemonCommand.usage("\(name) must name \(what)") }
        return value
    }
}
