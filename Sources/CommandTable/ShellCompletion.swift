/// Scripts that let a shell complete a program's commands, flags and values. Nothing of the program runs when a shell reads them.
package enum ShellCompletion: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The script for a program; equal tables give equal bytes.
    package func script(_ program: ProgramTable) -> String {
        switch self {
        case .bash: BashCompletion(program: program).script
        case .zsh: ZshCompletion(program: program).script
        case .fish: FishCompletion(program: program).script
        }
    }

    /// The name of a function of the script, in which a shell allows no dashes.
    static func function(_ program: ProgramTable) -> String {
        "_" + program.name.map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// A text between single quotes, as all three shells but fish read it.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// For bash 4 and later, without the helpers of bash-completion.
struct BashCompletion {
    var program: ProgramTable

    var script: String {
        let name = ShellCompletion.function(program)
        let commands = (program.commands.map(\.name) + program.flags.map(\.name)).joined(separator: " ")
        let lines =
            [
                "# Completion of \(program.name) for bash, made from its table of commands.",
                "\(name)() {",
                "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
                "    local command=${COMP_WORDS[1]:-} flags='' operand=''",
                "    # An equal sign is a word of its own.",
                "    if [[ $current == '=' ]]; then",
                "        current=''",
                "    elif [[ $previous == '=' ]]; then",
                "        previous=${COMP_WORDS[COMP_CWORD - 2]}",
                "    fi",
                "    COMPREPLY=()",
                "    if ((COMP_CWORD == 1)); then",
                "        \(name)_reply words \"$current\" \(ShellCompletion.quoted(commands))",
                "        return",
                "    fi",
                "    case $command in",
            ] + program.commands.map(flags) + ["    esac", "    case \"$command $previous\" in"]
            + program.commands.flatMap(values) + [
                "    esac",
                "    if [[ $current == -* ]]; then",
                "        \(name)_reply words \"$current\" \"$flags\"",
                "    elif [[ $operand ]]; then",
                "        \(name)_reply \"${operand%%:*}\" \"$current\" \"${operand#*:}\"",
                "    fi",
                "}",
                "",
                "# What fits of a kind: words, file, folder, or free for nothing.",
                "\(name)_reply() {",
                "    local line",
                "    case $1 in",
                "        words) while IFS='' read -r line; do COMPREPLY+=(\"$line\"); done < <(compgen -W \"$3\" -- \"$2\") ;;",
                "        file | folder)",
                "            compopt -o filenames 2>/dev/null",
                "            while IFS='' read -r line; do COMPREPLY+=(\"$line\"); done < <(compgen -d -- \"$2\")",
                "            [[ $1 == folder ]] || while IFS='' read -r line; do",
                "                [[ -d $line ]] || COMPREPLY+=(\"$line\")",
                "            done < <(compgen -f -X \"${3:+!*$3}\" -- \"$2\")",
                "            ;;",
                "    esac",
                "}",
                "",
                "complete -F \(name) \(program.name)",
            ]
        return lines.map { $0 + "\n" }.joined()
    }

    private func flags(_ command: ProgramTable.Command) -> String {
        let flags = program.flags(of: command).map(\.name).joined(separator: " ")
        let operand =
            command.operandKind.map { " operand=\(ShellCompletion.quoted(kind($0).joined(separator: ":")))" } ?? ""
        return "        \(command.name)) flags=\(ShellCompletion.quoted(flags))\(operand) ;;"
    }

    private func values(_ command: ProgramTable.Command) -> [String] {
        command.flags.filter { $0.value != nil }.map { flag in
            let kind = kind(flag.kind)
            let reply =
                "\(ShellCompletion.function(program))_reply \(kind[0]) \"$current\" \(ShellCompletion.quoted(kind[1]))"
            let names = flag.name == "--out" ? ["--out", "-o"] : [flag.name]
            let patterns = names.map { "'\(command.name) \($0)'" }.joined(separator: " | ")
            return "        \(patterns)) \(reply); return ;;"
        }
    }

    private func kind(_ kind: ProgramTable.Kind) -> [String] {
        switch kind {
        case .words(let words): ["words", words.joined(separator: " ")]
        case .file: ["file", ""]
        case .fileEnding(let ending): ["file", ending]
        case .folder: ["folder", ""]
        case .free: ["free", ""]
        }
    }
}

/// For zsh, as a function that lies in its `fpath` or is sourced.
struct ZshCompletion {
    var program: ProgramTable

    var script: String {
        let name = ShellCompletion.function(program)
        let lines =
            [
                "#compdef \(program.name)",
                "# Completion of \(program.name) for zsh, made from its table of commands.",
                "\(name)() {",
                "    local context state state_descr line",
                "    typeset -A opt_args",
                "    local -a commands",
                "    commands=(",
            ] + program.commands.map { "        \(described($0.name, $0.summary))" }
            + program.flags.map { "        \(described($0.name, $0.summary))" } + [
                "    )",
                "    _arguments -C '1: :->command' '*:: :->arguments'",
                "    case $state in",
                "        command) _describe -t commands \(ShellCompletion.quoted("command of \(program.name)")) commands ;;",
                "        arguments)",
                "            case $line[1] in",
            ] + program.commands.map(arguments) + [
                "            esac",
                "            ;;",
                "    esac",
                "}",
                "",
                "# Sourced, it registers itself; as a file of fpath it is the function.",
                "if [[ $funcstack[1] == \(name) ]]; then",
                "    \(name) \"$@\"",
                "else",
                "    compdef \(name) \(program.name)",
                "fi",
            ]
        return lines.map { $0 + "\n" }.joined()
    }

    private func arguments(_ command: ProgramTable.Command) -> String {
        var specs = program.flags(of: command).map(flag)
        if let kind = command.operandKind { specs.append(ShellCompletion.quoted("*:operand:" + action(kind))) }
        let all = specs.joined(separator: " \\\n                        ")
        return "                \(command.name)) _arguments \\\n                        \(all) ;;"
    }

    private func flag(_ flag: ProgramTable.Flag) -> String {
        let star = flag.isRepeatable ? "*" : ""
        let value = flag.value.map { ":\(escaped($0)):\(action(flag.kind))" } ?? ""
        return ShellCompletion.quoted("\(star)\(flag.name)[\(escaped(flag.summary))]\(value)")
    }

    private func action(_ kind: ProgramTable.Kind) -> String {
        switch kind {
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .file: "_files"
        case .fileEnding(let ending): "_files -g \"*\(ending)\""
        case .folder: "_files -/"
        case .free: " "
        }
    }

    private func described(_ name: String, _ summary: String) -> String {
        ShellCompletion.quoted("\(escaped(name)):\(summary)")
    }

    /// Brackets and colons part a specification.
    private func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}

/// For fish.
struct FishCompletion {
    var program: ProgramTable

    var script: String {
        let start = "complete -c \(program.name)"
        var lines = ["# Completion of \(program.name) for fish, made from its table of commands.", "\(start) -f"]
        for command in program.commands {
            lines.append("\(start) -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
        }
        for flag in program.flags where flag.name.hasPrefix("--") {
            lines.append("\(start) -n __fish_use_subcommand -l \(flag.name.dropFirst(2)) -d \(quoted(flag.summary))")
        }
        for command in program.commands {
            let condition = "\(start) -n \(quoted("__fish_seen_subcommand_from \(command.name)"))"
            for flag in program.flags(of: command) {
                let short = flag.name == "--out" ? " -s o" : ""
                let value = flag.value == nil ? "" : " " + action(flag.kind, isFlag: true)
                lines.append("\(condition)\(short) -l \(flag.name.dropFirst(2))\(value) -d \(quoted(flag.summary))")
            }
            if let kind = command.operandKind, kind != .free {
                lines.append("\(condition) \(action(kind, isFlag: false))")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func action(_ kind: ProgramTable.Kind, isFlag: Bool) -> String {
        let required = isFlag ? "-r " : ""
        return switch kind {
        case .words(let words): "\(isFlag ? "-x " : "")-a \(quoted(words.joined(separator: " ")))"
        case .file: "\(required)-F"
        case .fileEnding(let ending): "\(isFlag ? "-x " : "")-a \(quoted("(__fish_complete_suffix \(ending))"))"
        case .folder: "\(isFlag ? "-x " : "")-a \(quoted("(__fish_complete_directories)"))"
        case .free: "-x"
        }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
