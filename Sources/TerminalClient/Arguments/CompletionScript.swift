/// What makes a shell complete commands and flags, made from the table of commands.
enum CompletionScript {
    static let shells = ["bash", "zsh", "fish"]

    /// Nil for another shell.
    static func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": "autoload -U +X bashcompinit && bashcompinit\n" + bash
        case "fish": fish
        default: nil
        }
    }

    private static var bash: String {
        let names = CommandSyntax.all.map(\.name).joined(separator: " ")
        let cases = CommandSyntax.all.map { syntax in
            "    \(syntax.name)) words=\"\(words(syntax))\" ;;"
        }
        return """
            _gitlab_notify() {
              local words="\(names) --help"
              case "${COMP_WORDS[1]}" in
            \(cases.joined(separator: "\n"))
              esac
              [ "$COMP_CWORD" -eq 1 ] && words="\(names) --help"
              COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
            }
            complete -o default -F _gitlab_notify gitlab-notify

            """
    }

    private static func words(_ syntax: CommandSyntax) -> String {
        let operands = syntax.name == "completion" ? shells : []
        return (operands + syntax.allFlags.map(\.name)).joined(separator: " ")
    }

    private static var fish: String {
        var lines = ["complete -c gitlab-notify -f"]
        for syntax in CommandSyntax.all {
            lines.append(
                "complete -c gitlab-notify -n __fish_use_subcommand -a \(syntax.name) -d '\(quoted(syntax.summary))'"
            )
            for flag in syntax.allFlags {
                let value = flag.value == nil ? "" : " -r"
                lines.append(
                    "complete -c gitlab-notify -n '__fish_seen_subcommand_from \(syntax.name)' -l \(flag.name.dropFirst(2))\(value)"
                        + " -d '\(quoted(flag.summary))'"
                )
            }
        }
        lines.append(
            "complete -c gitlab-notify -n '__fish_seen_subcommand_from completion' -a '\(shells.joined(separator: " "))'"
        )
        return lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String { text.replacing("'", with: "\\'") }
}
