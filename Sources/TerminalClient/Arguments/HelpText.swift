import CommandTable

/// What `--help` prints.
enum HelpText {
    /// Of the program.
    static let program: String = {
        let width = CommandSyntax.all.map { "\($0.name) \($0.operands)".count }.max() ?? 0
        let commands = CommandSyntax.all.map { syntax in
            "  " + padded("\(syntax.name) \(syntax.operands)", width) + "  " + syntax.summary
        }
        return """
            gitlab-notify: what happens to your issues and merge requests, in the terminal.

            \(commands.joined(separator: "\n"))

            gitlab-notify COMMAND --help says more. Every command takes --json.

            Sign-in and state are kept under $XDG_STATE_HOME/gitlab-notify (~/.local/state/gitlab-notify). NO_COLOR asks for plain text.

            Exit status: 0 done; 1 the server or GitLab will not do it; 64 wrong usage; 65 a file is not what it should be; 69 nobody
            answers, and what was chosen waits; 70 this machine; 77 not signed in; 130 interrupted.

            """
    }()

    /// Of a command.
    static func command(_ syntax: CommandSyntax) -> String {
        let width = syntax.allFlags.map { label($0).count }.max() ?? 0
        var lines = [usage(of: syntax), "", "  " + syntax.summary, ""]
        for flag in syntax.allFlags { lines.append("  " + padded(label(flag), width) + "  " + flag.summary) }
        for note in syntax.notes { lines += ["", "  " + note] }
        return lines.joined(separator: "\n") + "\n"
    }

    static func usage(of syntax: CommandSyntax) -> String {
        let operands = syntax.operands.isEmpty ? "" : " \(syntax.operands)"
        return "usage: gitlab-notify \(syntax.name)\(operands) [flags]"
    }

    private static func label(_ flag: CommandSyntax.Flag) -> String {
        flag.name + (flag.value.map { " \($0)" } ?? "") + (flag.isRepeatable ? " …" : "")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
