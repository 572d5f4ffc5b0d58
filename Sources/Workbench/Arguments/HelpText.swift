import Verdict

/// The texts of `--help`, made from the table of commands.
enum HelpText {
    /// `simctl --help`.
    static var program: String {
        let commands = CommandSyntax.all.map { ("  " + $0.name, $0.summary) }
        let codes = ExitCode.allCases.map { ("  \($0.rawValue)", $0.summary) }
        return """
            simctl runs the notifier in a simulated world and says what it delivered.

            usage: simctl COMMAND [ARGUMENTS]

            commands:
            \(columns(commands))

            flags:
            \(columns([("  --help", "print this text"), ("  --version", "print the version and the build")]))

            exit codes:
            \(columns(codes))

            examples:
              simctl run scenarios/outage.json
              simctl run --help

            """
    }

    /// `simctl COMMAND --help`.
    static func command(_ syntax: CommandSyntax) -> String {
        let flags = (syntax.flags + [CommandSyntax.help]).map { flag in
            ("  " + [flag.name, flag.value].compactMap(\.self).joined(separator: " "), flag.summary)
        }
        let examples = syntax.examples.map { ("  " + $0.command, $0.meaning) }
        let codes = syntax.outcomes.map { ("  \($0.code.rawValue)", $0.meaning) }
        var sections = [
            "simctl \(syntax.name): \(syntax.summary)",
            "usage: " + usageLine(of: syntax),
            "flags:\n" + columns(flags),
            "examples:\n" + columns(examples),
        ]
        sections += syntax.notes
        sections.append("exit codes:\n" + columns(codes))
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// Such as `simctl run FILE… [--seed N] [--json]`.
    static func usageLine(of syntax: CommandSyntax) -> String {
        let flags = syntax.flags.map { flag in
            "[" + [flag.name, flag.value].compactMap(\.self).joined(separator: " ") + "]"
        }
        let operands = syntax.operands.notation.isEmpty ? [] : [syntax.operands.notation]
        return (["simctl", syntax.name] + operands + flags).joined(separator: " ")
    }

    /// Two columns, the second aligned.
    private static func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            left + String(repeating: " ", count: width - left.count + 2) + right
        }.joined(separator: "\n")
    }
}
