/// What may be written after a program's name: the one table from which its completion and its manual are made.
package struct ProgramTable: Sendable {
    /// What a value is, so that a shell can offer some.
    package enum Kind: Sendable, Equatable {
        case words([String])
        case file
        /// A file whose name ends so, with the dot.
        case fileEnding(String)
        case folder
        /// Something that nobody can guess.
        case free
    }

    /// A flag of a command, with its dashes.
    package struct Flag: Sendable {
        package var name: String
        /// What its value is called; nil for a flag without one.
        package var value: String?
        package var summary: String
        /// Whether it may stand several times.
        package var isRepeatable: Bool

        package init(name: String, value: String? = nil, summary: String, isRepeatable: Bool = false) {
            self.name = name
            self.value = value
            self.summary = summary
            self.isRepeatable = isRepeatable
        }

        /// By its notation: `FILE`, `DIR`, `people|items`.
        package var kind: Kind { Kind(notation: value ?? "", jsonFor: []) }
    }

    /// A call with what it does.
    package struct Example: Sendable {
        package var command: String
        package var meaning: String

        package init(command: String, meaning: String) {
            self.command = command
            self.meaning = meaning
        }
    }

    /// A command of the program.
    package struct Command: Sendable {
        package var name: String
        package var summary: String
        /// Operands as in the usage line; empty for none.
        package var operands: String
        package var flags: [Flag]
        package var examples: [Example]
        package var notes: [String]

        package init(
            name: String,
            summary: String,
            operands: String = "",
            flags: [Flag] = [],
            examples: [Example] = [],
            notes: [String] = []
        ) {
            self.name = name
            self.summary = summary
            self.operands = operands
            self.flags = flags
            self.examples = examples
            self.notes = notes
        }

        /// What an operand is; nil where there is none.
        package var operandKind: Kind? {
            operands.isEmpty ? nil : Kind(notation: operands, jsonFor: ["FILE", "SCENARIO"])
        }
    }

    /// A name with what it means: an exit code, a variable of the environment, a file.
    package struct Entry: Sendable {
        package var name: String
        package var meaning: String

        package init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    package var name: String
    package var version: String
    /// Of the manual: 1 for people's commands, 8 for a server's.
    package var section: Int
    package var summary: String
    /// As paragraphs.
    package var description: [String]
    package var commands: [Command]
    /// Without a command, such as `--version`.
    package var flags: [Flag]
    package var exitCodes: [Entry]
    package var environment: [Entry]
    package var files: [Entry]
    /// Whether every command takes `--help`.
    package var commandsTakeHelp: Bool
    /// Such as `notifierd(8)`.
    package var seeAlso: [String]

    package init(
        name: String,
        version: String,
        section: Int,
        summary: String,
        description: [String],
        commands: [Command],
        flags: [Flag],
        exitCodes: [Entry],
        environment: [Entry] = [],
        files: [Entry] = [],
        commandsTakeHelp: Bool = true,
        seeAlso: [String] = []
    ) {
        self.name = name
        self.version = version
        self.section = section
        self.summary = summary
        self.description = description
        self.commands = commands
        self.flags = flags
        self.exitCodes = exitCodes
        self.environment = environment
        self.files = files
        self.commandsTakeHelp = commandsTakeHelp
        self.seeAlso = seeAlso
    }
}

extension ProgramTable {
    /// The flag that every command has where `commandsTakeHelp` says so.
    package static let help = Flag(name: "--help", summary: "print this text")

    /// All flags of a command.
    func flags(of command: Command) -> [Flag] { command.flags + (commandsTakeHelp ? [Self.help] : []) }
}

extension ProgramTable.Kind {
    /// What a notation of a usage line stands for: words between bars are to be chosen from, some names are files or folders,
    /// and those of `jsonFor` mean a JSON file.
    init(notation: String, jsonFor names: Set<String>) {
        let bare = notation.filter { !"[]…".contains($0) }
        let words = bare.split(separator: "|").map(String.init)
        let parts = bare.split(separator: " ").map(String.init)
        if words.count > 1, words.allSatisfy(Self.isWord) {
            self = .words(words)
        } else if parts.contains(where: names.contains) {
            self = .fileEnding(".json")
        } else if parts.contains("DIR") {
            self = .folder
        } else if !Set(parts).isDisjoint(with: ["FILE", "PATH", "REPORT", "SERVED", "A", "BACKUP", "FOLDER"]) {
            self = .file
        } else {
            self = .free
        }
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }
}
