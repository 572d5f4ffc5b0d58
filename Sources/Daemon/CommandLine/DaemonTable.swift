import CommandTable
import Notifier

/// Everything that may be written after `notifierd`: what it reads, and what completion and manual are made from.
enum DaemonTable {
    private static let config = ProgramTable.Flag(
        name: "--config",
        value: "FILE",
        summary: "the settings, one JSON file in which every key may be left out"
    )

    /// Where a package has the settings. Without them a command works on a database of the current folder, which is never meant.
    private static let place = "--config /etc/notifierd/notifierd.json"

    static let commands = [
        ProgramTable.Command(
            name: "run",
            summary: "serve until SIGTERM; SIGHUP reads settings and secrets again",
            flags: [config],
            examples: [example("notifierd run \(place)", "as the service does")]
        ),
        ProgramTable.Command(
            name: "check-config",
            summary: "read settings and secrets, say what is wrong, start nothing",
            flags: [config]
        ),
        ProgramTable.Command(
            name: "backup",
            summary: "copy the database, also while the server runs, and verify the copy",
            flags: [config, flag("--to", "FOLDER", "where the copy goes (default: the folder of the settings)")]
        ),
        ProgramTable.Command(
            name: "restore",
            summary: "put a verified backup in the database's place; the server must be stopped",
            flags: [config, flag("--from", "BACKUP", "the backup")]
        ),
        ProgramTable.Command(
            name: "rotate-keys",
            summary: "seal every secret with ENCRYPTION_KEY_CURRENT; the server must be stopped",
            flags: [config],
            notes: ["The server does the same by itself when it starts."]
        ),
        ProgramTable.Command(
            name: "announce",
            summary: "push an announcement to everybody, or to one person; also while the server runs",
            flags: [
                config, flag("--title", "TITLE", "what is said in one line, 1 to 100 characters"),
                flag("--text", "TEXT", "more of it, at most 1000 characters"),
                flag("--person", "NAME", "who is told, by their username in GitLab (default: everybody)"),
            ],
            examples: [
                example(
                    "notifierd announce \(place) --title \"GitLab is down from 18:00\" "
                        + "--text \"News comes when it is back.\"",
                    "before maintenance"
                )
            ],
            notes: [
                "A server that runs finds it within half a minute, one that does not when it starts. Whoever has quiet hours is"
                    + " pushed to when they end."
            ]
        ),
        ProgramTable.Command(
            name: "export-incident",
            summary: "write what an incident report needs, without secrets, names and texts",
            flags: [
                config, flag("--to", "FILE", "the file to write"),
                flag("--log", "FILE", "the server's log; - takes it from standard input"),
                flag("--missed", "TEXT", "who missed what when: a person, an item and an instant"),
            ],
            examples: [
                example(
                    "journalctl -u notifierd -o cat --since -1h | "
                        + "notifierd export-incident \(place) --to incident.jsonl --log -",
                    "the last hour"
                ),
                example(
                    "notifierd export-incident \(place) --to incident.jsonl --missed '\(MissedReport.example)'",
                    "a colleague missed a comment"
                ),
            ],
            notes: [
                "What --missed names stands in the file by numbers alone. simctl import makes a scenario of the file."
            ]
        ),
        ProgramTable.Command(
            name: "completion",
            summary: "print a script that lets a shell complete notifierd's arguments",
            operands: ShellCompletion.allCases.map(\.rawValue).joined(separator: "|")
        ),
        ProgramTable.Command(
            name: "man",
            summary: "print the manual page, for man",
            flags: [flag("--date", "YYYY-MM-DD", "the date in its footer (default: none)")]
        ),
        ProgramTable.Command(name: "version", summary: "print the version"),
        ProgramTable.Command(name: "help", summary: "print a short text"),
    ]

    /// Names of the flags of a command; empty for one that there is not.
    static func flags(of name: String) -> [String] {
        commands.first { $0.name == name }?.flags.map(\.name) ?? []
    }

    /// What `--help` says of a command; empty for one that there is not.
    static func help(of name: String) -> String {
        guard let command = commands.first(where: { $0.name == name }) else { return "" }
        let flags = command.flags.map { (name: "\($0.name) \($0.value ?? "")", summary: $0.summary) }
        let width = flags.map(\.name.count).max() ?? 0
        let usage = [command.operands, flags.isEmpty ? "" : "[OPTIONS]"].filter { !$0.isEmpty }
        var lines = [(["notifierd", name] + usage).joined(separator: " "), "  \(command.summary)"]
        if !flags.isEmpty { lines.append("") }
        lines += flags.map { flag in
            "  \(flag.name)\(String(repeating: " ", count: width - flag.name.count))  \(flag.summary)"
        }
        lines += command.notes.flatMap { ["", $0] }
        lines += command.examples.flatMap { ["", "  \($0.command)", "      \($0.meaning)"] }
        return lines.map { $0 + "\n" }.joined()
    }

    static var program: ProgramTable {
        ProgramTable(
            name: "notifierd",
            version: NotifierVersion.current,
            section: 8,
            summary: "watch GitLab for people and push what happens to their devices",
            description: [
                "notifierd polls GitLab for what happens to the issues and merge requests that people watch, and pushes it to their "
                    + "devices through APNs. It keeps what it knows in one SQLite file and serves a REST API for the apps.",
                "Secrets come from the environment, or from the file that \"secrets\" in the settings names.",
            ],
            commands: commands,
            flags: [flag("--help", nil, "print a short text"), flag("--version", nil, "print the version")],
            exitCodes: [
                ProgramTable.Entry("0", "done"), ProgramTable.Entry("64", "wrong arguments"),
                ProgramTable.Entry("65", "settings, secrets or a file that cannot be used"),
                ProgramTable.Entry("70", "anything else"),
            ],
            environment: [
                ProgramTable.Entry(
                    "APNS_KEY_PATH",
                    "The push key from Apple's developer portal; without it nothing is pushed."
                ),
                ProgramTable.Entry("APNS_KEY_ID", "The key's name."),
                ProgramTable.Entry("APNS_TEAM_ID", "The team that the key belongs to."),
                ProgramTable.Entry("ENCRYPTION_KEY_CURRENT", "Seals GitLab tokens in the database."),
                ProgramTable.Entry("ENCRYPTION_KEYS_OLD", "Former keys, which open what was sealed before."),
                ProgramTable.Entry("SESSION_KEY", "Signs the apps' sessions."),
                ProgramTable.Entry("WEBHOOK_SECRET", "What GitLab's webhooks carry."),
            ],
            files: [
                ProgramTable.Entry("/etc/notifierd/notifierd.json", "Settings, in the Debian package."),
                ProgramTable.Entry("/etc/notifierd/secrets.env", "Secrets, in the Debian package."),
                ProgramTable.Entry("/var/lib/notifierd/notifier.db", "The database, in the Debian package."),
            ],
            seeAlso: ["simctl(1)"]
        )
    }

    private static func flag(_ name: String, _ value: String?, _ summary: String) -> ProgramTable.Flag {
        ProgramTable.Flag(name: name, value: value, summary: summary)
    }

    private static func example(_ command: String, _ meaning: String) -> ProgramTable.Example {
        ProgramTable.Example(command: command, meaning: meaning)
    }
}
