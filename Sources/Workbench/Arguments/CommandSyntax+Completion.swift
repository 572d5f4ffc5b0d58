import CommandTable
import Verdict

extension CommandSyntax {
    static let completion = CommandSyntax(
        name: "completion",
        summary: "print a script that lets a shell complete simctl's arguments",
        operands: Operands(notation: ShellCompletion.allCases.map(\.rawValue).joined(separator: "|"), count: 1...1),
        flags: [],
        examples: [
            Example(
                command: "simctl completion fish > simctl.fish",
                meaning: "to be sourced; make install puts it in its place"
            )
        ]
    )

    static let manual = CommandSyntax(
        name: "man",
        summary: "print the manual page, for man",
        operands: .none,
        flags: [Flag(name: "--date", value: "YYYY-MM-DD", summary: "the date in its footer (default: none)")],
        examples: [Example(command: "simctl man > simctl.1", meaning: "for man ./simctl.1")]
    )

    /// Everything that may be written after `simctl`, for completion and manual.
    static func program(version: String) -> ProgramTable {
        ProgramTable(
            name: "simctl",
            version: version,
            section: 1,
            summary: "run the notifier in a simulated world and judge what it delivered",
            description: [
                "simctl runs the notifier that watches GitLab and pushes to devices, unchanged, in one process with a fake GitLab, a fake "
                    + "APNs, simulated devices and a virtual clock, as a scenario in a JSON file tells it, and says what was delivered.",
                "One seed determines a run to the last byte.",
            ],
            commands: all.map(\.table),
            flags: [
                ProgramTable.Flag(
                    name: "--help",
                    summary: "print a short help; after a command, that of the command"
                ),
                ProgramTable.Flag(name: "--version", summary: "print the version and the build"),
            ],
            exitCodes: ExitCode.allCases.map { ProgramTable.Entry("\($0.rawValue)", $0.summary) },
            environment: [
                ProgramTable.Entry("NO_COLOR", "When it is set, nothing is coloured."),
                ProgramTable.Entry("TMPDIR", "Where folders go that nobody needs later (/tmp)."),
            ],
            files: [
                ProgramTable.Entry("reports/", "Where reports go without --out; reports/latest points to the last.")
            ],
            seeAlso: ["notifierd(8)"]
        )
    }

    private var table: ProgramTable.Command {
        ProgramTable.Command(
            name: name,
            summary: summary,
            operands: operands.notation,
            flags: flags.map {
                ProgramTable.Flag(name: $0.name, value: $0.value, summary: $0.summary, isRepeatable: $0.isRepeatable)
            },
            examples: examples.map { ProgramTable.Example(command: $0.command, meaning: $0.meaning) },
            notes: notes
        )
    }
}

/// What `simctl completion` and `simctl man` print.
enum PublishedText: Equatable {
    case completion(ShellCompletion)
    case manual(date: String)

    /// - Throws: `ProgramError` for a shell that is not known.
    static func completion(_ arguments: ParsedArguments) throws(ProgramError) -> PublishedText {
        guard let shell = ShellCompletion(rawValue: arguments.operands[0]) else {
            throw ProgramError(
                .badValue,
                "\"\(arguments.operands[0])\" is not a shell that simctl knows",
                hint: "simctl completion " + ShellCompletion.allCases.map(\.rawValue).joined(separator: "|")
            )
        }
        return .completion(shell)
    }

    /// - Throws: `ProgramError` for what is no date.
    static func manual(_ arguments: ParsedArguments) throws(ProgramError) -> PublishedText {
        let date = arguments.values["--date"] ?? ""
        guard date.isEmpty || ManualPage.isDate(date) else {
            throw ProgramError(.badValue, "\"\(date)\" is not a date", hint: "--date 2026-03-02")
        }
        return .manual(date: date)
    }

    func text(version: String) -> String {
        let program = CommandSyntax.program(version: version)
        return switch self {
        case .completion(let shell): shell.script(program)
        case .manual(let date): ManualPage.text(program, date: date)
        }
    }
}
